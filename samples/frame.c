#include "samples/frame.h"

/* The rim is never computed, so that nobody needs its ends: faces are as wide as the inside. */
static void make_faces(struct frame *frame)
{
    int whole[3], face[3], start[3];
    for (int d = 0; d < 3; d++) {
        const struct share inside = frame_inside(frame, d);
        whole[d] = frame->share[d].count + 2;
        face[d] = inside.count > 0 ? inside.count : 1;
        start[d] = inside.count > 0 ? inside.first : 0;
    }
    for (int d = 0; d < 3; d++) {
        const int along = face[d], from = start[d];
        face[d] = 1;
        start[d] = 0;
        MPI_Type_create_subarray(3, whole, face, start, MPI_ORDER_C, MPI_DOUBLE, &frame->face[d]);
        MPI_Type_commit(&frame->face[d]);
        face[d] = along;
        start[d] = from;
    }
}

void frame_make(struct frame *frame, const struct harness *harness, const int extent[3],
                const int grid[3])
{
    const int periods[3] = {0};
    int rank;
    bool has_work = grid[0] * grid[1] * grid[2] == harness->processors;
    for (int d = 0; d < 3; d++)
        has_work = has_work && share_of(extent[d], grid[d], grid[d] - 1).count > 0;
    harness_require(harness, has_work, "expected a grid of all processors with work for each");
    MPI_Cart_create(harness->comm, 3, grid, periods, 0, &frame->comm);
    MPI_Comm_rank(frame->comm, &rank);
    MPI_Cart_coords(frame->comm, rank, 3, frame->where);
    for (int d = 0; d < 3; d++) {
        MPI_Cart_shift(frame->comm, d, 1, &frame->below[d], &frame->above[d]);
        frame->extent[d] = extent[d];
        frame->share[d] = share_of(extent[d], grid[d], frame->where[d]);
    }
    make_faces(frame);
}

void frame_free(struct frame *frame)
{
    for (int d = 0; d < 3; d++)
        MPI_Type_free(&frame->face[d]);
    MPI_Comm_free(&frame->comm);
}

double *frame_memory(const struct frame *frame)
{
    size_t elements = 1;
    for (int d = 0; d < 3; d++)
        elements *= (size_t)frame->share[d].count + 2;
    return harness_memory(elements, sizeof(double));
}

int frame_at(const struct frame *frame, int i, int j, int k)
{
    const struct share *const share = frame->share;
    return ((i + 1) * (share[1].count + 2) + j + 1) * (share[2].count + 2) + k + 1;
}

struct share frame_inside(const struct frame *frame, int dimension)
{
    const struct share part = frame->share[dimension];
    if (frame->extent[dimension] == 1)
        return (struct share){0, 1};
    const int first = part.first == 0, end = part.first + part.count;
    return (struct share){first, part.count - first - (end == frame->extent[dimension])};
}

/* The corner of the face at that position along a dimension. */
static double *face_at(const struct frame *frame, double *u, int dimension, int position)
{
    return u + frame_at(frame, dimension == 0 ? position : 0, dimension == 1 ? position : 0,
                        dimension == 2 ? position : 0);
}

/* Exchanges with one neighbour: the face at `own` for what belongs at `other`. */
static void exchange_with(const struct frame *frame, double *u, int dimension, int neighbour,
                          int own, int other)
{
    if (neighbour != MPI_PROC_NULL)
        MPI_Sendrecv(face_at(frame, u, dimension, own), 1, frame->face[dimension], neighbour, 1,
                     face_at(frame, u, dimension, other), 1, frame->face[dimension], neighbour, 1,
                     frame->comm, MPI_STATUS_IGNORE);
}

/* Pairs whose lower one is even, then those whose lower one is odd. */
void frame_exchange(const struct frame *frame, double *u)
{
    for (int d = 0; d < 3; d++)
        for (int turn = 0; turn < 2; turn++) {
            const int count = frame->share[d].count;
            if (frame->where[d] % 2 == turn)
                exchange_with(frame, u, d, frame->above[d], count - 1, count);
            else
                exchange_with(frame, u, d, frame->below[d], 0, -1);
        }
}
