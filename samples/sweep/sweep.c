/* The program that sweep.yaml describes: Gauss-Seidel relaxation of an N x N grid, each element
   from neighbours of which two are new already: processors follow one another as a wave does, strip
   by strip.

     mpiexec -n P sweep CANDIDATE [N=1024] [sweeps=10] [strip=32] [--check]
 */
#include "samples/frame.h"

#include <math.h>
#include <stdlib.h>

/* How the wave goes: strips of the elements along one dimension of the frame travel along the
   other. */
struct wave {
    struct frame frame;
    int along, strips;       /* dimensions 1 and 2, or 2 and 1 */
    MPI_Datatype element[3]; /* of a face across each dimension: so many of them are a strip */
    double *u;
};

static double start_value(int n, int i, int j)
{
    return i == 0 || j == 0 || i == n - 1 || j == n - 1 ? 1.0 + 1e-3 * i - 2e-3 * j : 0.0;
}

static double relaxed(double above, double below, double left, double right)
{
    return 0.25 * (above + below + right + left);
}

static void fill(const struct wave *wave)
{
    const struct frame *frame = &wave->frame;
    const struct share rows = frame->share[1], columns = frame->share[2];
    for (int i = 0; i < rows.count; i++)
        for (int j = 0; j < columns.count; j++)
            wave->u[frame_at(frame, 0, i, j)] =
                start_value(frame->extent[1], rows.first + i, columns.first + j);
}

/* ---- faces ---- */

/* The element of the face at a position across a dimension, so far along it. */
static double *face_at(const struct wave *wave, int across, int position, int at)
{
    return &wave->u[frame_at(&wave->frame, 0, across == 1 ? position : at,
                             across == 1 ? at : position)];
}

/* Sends on its last elements across a dimension, and gets those that come before its first. */
static void pass_on(const struct wave *wave, int across, struct share done, struct share next)
{
    const struct frame *frame = &wave->frame;
    const int last = frame->share[across].count - 1;
    MPI_Sendrecv(face_at(wave, across, last, done.first), done.count, wave->element[across],
                 done.count > 0 ? frame->above[across] : MPI_PROC_NULL, 1,
                 face_at(wave, across, -1, next.first), next.count, wave->element[across],
                 next.count > 0 ? frame->below[across] : MPI_PROC_NULL, 1, frame->comm,
                 MPI_STATUS_IGNORE);
}

/* What the neighbours above still have: to those of odd place, then to those of even place. */
static void take_old(const struct wave *wave)
{
    const struct frame *frame = &wave->frame;
    for (int d = 1; d <= 2; d++) {
        const struct share whole = frame_inside(frame, 3 - d);
        for (int turn = 0; turn < 2; turn++)
            if (frame->where[d] % 2 == turn)
                MPI_Recv(face_at(wave, d, frame->share[d].count, whole.first), whole.count,
                         wave->element[d], frame->above[d], 2, frame->comm, MPI_STATUS_IGNORE);
            else
                MPI_Send(face_at(wave, d, 0, whole.first), whole.count, wave->element[d],
                         frame->below[d], 2, frame->comm);
    }
}

/* ---- the sweep ---- */

static void relax(const struct harness *harness, const struct wave *wave, struct share strip)
{
    const struct frame *frame = &wave->frame;
    const struct share whole = frame_inside(frame, wave->along);
    const struct share rows = wave->along == 1 ? whole : strip;
    const struct share columns = wave->along == 1 ? strip : whole;
    for (int i = rows.first; i < rows.first + rows.count; i++) {
        const double *const above = &wave->u[frame_at(frame, 0, i - 1, 0)];
        const double *const below = &wave->u[frame_at(frame, 0, i + 1, 0)];
        double *const here = &wave->u[frame_at(frame, 0, i, 0)];
        for (int j = columns.first; j < columns.first + columns.count; j++)
            here[j] = relaxed(above[j], below[j], here[j - 1], here[j + 1]);
    }
    harness_work(harness, 8.0 * rows.count * columns.count);
}

static struct share strip_from(struct share whole, int first, int width)
{
    const int left = whole.first + whole.count - first;
    return (struct share){first, left < width ? left : width};
}

/* In every stage a processor sends on the strip that it has swept and gets the next one. What comes
   along the strips it has before the first of them, and passes on after the last. */
static void sweep(struct harness *harness, const struct wave *wave, int width)
{
    const struct share none = {0, 0};
    const struct share face = frame_inside(&wave->frame, wave->along);
    const struct share whole = frame_inside(&wave->frame, wave->strips);
    const int last = wave->frame.share[wave->strips].count - 1;
    struct share strip = strip_from(whole, whole.first, width);
    MPI_Request comes;
    harness_communicate(harness);
    take_old(wave);
    MPI_Irecv(face_at(wave, wave->strips, -1, face.first), face.count, wave->element[wave->strips],
              wave->frame.below[wave->strips], 3, wave->frame.comm, &comes);
    pass_on(wave, wave->along, none, strip);
    MPI_Wait(&comes, MPI_STATUS_IGNORE);
    while (strip.count > 0) {
        const struct share next = strip_from(whole, strip.first + strip.count, width);
        harness_compute(harness);
        relax(harness, wave, strip);
        harness_communicate(harness);
        pass_on(wave, wave->along, strip, next);
        strip = next;
    }
    MPI_Send(face_at(wave, wave->strips, last, face.first), face.count, wave->element[wave->strips],
             wave->frame.above[wave->strips], 3, wave->frame.comm);
}

static void run(struct harness *harness, const struct wave *wave, int sweeps, int width)
{
    const int first = frame_at(&wave->frame, 0, 0, 0);
    harness_start(harness, "sweep");
    for (int done = 0; done < sweeps; done++) {
        const double before = wave->u[first];
        double change, largest;
        harness_segment(harness, "sweep");
        sweep(harness, wave, width);
        harness_segment(harness, "converge");
        harness_communicate(harness);
        change = fabs(wave->u[first] - before);
        MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, wave->frame.comm);
    }
    harness_stop(harness);
}

/* The same sweeps on one processor. */
static double difference(const struct wave *wave, int sweeps)
{
    const struct frame *frame = &wave->frame;
    const int n = frame->extent[1];
    const struct share rows = frame->share[1], columns = frame->share[2];
    double *v = harness_memory((size_t)n * (size_t)n, sizeof *v), most = 0.0;
    for (int k = 0; k < n * n; k++)
        v[k] = start_value(n, k / n, k % n);
    for (int done = 0; done < sweeps; done++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = relaxed(v[(i - 1) * n + j], v[(i + 1) * n + j], v[i * n + j - 1],
                                       v[i * n + j + 1]);
    for (int i = 0; i < rows.count; i++)
        for (int j = 0; j < columns.count; j++)
            most = fmax(most, fabs(wave->u[frame_at(frame, 0, i, j)] -
                                   v[(rows.first + i) * n + columns.first + j]));
    free(v);
    return most;
}

static void wave_make(struct wave *wave, const struct harness *harness, int n)
{
    const bool columns = harness_is(harness, "columns");
    const int p = harness->processors;
    const int p0 = harness_is(harness, "rows") ? p : columns ? 1 : harness_side(p);
    frame_make(&wave->frame, harness, (int[]){1, n, n}, (int[]){1, p0, p / p0});
    wave->along = columns ? 2 : 1;
    wave->strips = 3 - wave->along;
    wave->u = frame_memory(&wave->frame);
    const int row = wave->frame.share[2].count + 2;
    for (int d = 1; d <= 2; d++) {
        MPI_Type_create_resized(MPI_DOUBLE, 0, (d == 1 ? 1 : row) * (MPI_Aint)sizeof(double),
                                &wave->element[d]);
        MPI_Type_commit(&wave->element[d]);
    }
}

static void wave_free(struct wave *wave)
{
    for (int d = 1; d <= 2; d++)
        MPI_Type_free(&wave->element[d]);
    free(wave->u);
    frame_free(&wave->frame);
}

int main(int argc, char **argv)
{
    struct harness harness;
    struct harness_parameter parameters[] = {
        {"N",     1024},
        {"sweeps",       10},
        {"strip",32},
        {0}
    };
    struct wave wave;
    harness_begin(&harness, argc, argv, "rows columns blocks", parameters);
    const int n = parameters[0].value, sweeps = parameters[1].value;
    harness_require(&harness, n <= 16384, "expected N at most 16384");
    wave_make(&wave, &harness, n);
    while (harness_again(&harness)) {
        fill(&wave);
        run(&harness, &wave, sweeps, harness.processors == 1 ? n : parameters[2].value);
    }
    const double error = harness.check ? difference(&wave, sweeps) : 0.0;
    wave_free(&wave);
    return harness_end(&harness, error);
}
