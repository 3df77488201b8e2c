/* The truth by distance: what a halo takes on every grid of the processors, all neighbours at once,
   and along each of its dimensions alone. Rows "grid,stride,side,bytes,time_us"; of a whole grid
   stride and side are 0. Numbered as arrays lay grids: the last dimension is the fastest.

     distances BYTES,BYTES,... GRID...        with GRID as 4x4 or 2x2x4 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS_MOST = 3, NEIGHBOURS_MOST = 2 * DIMENSIONS_MOST, TIMES = 10, TAG = 1 };

struct grid {
    int dimensions, sides[DIMENSIONS_MOST], strides[DIMENSIONS_MOST];
};

static struct grid grid_of(const char *text)
{
    struct grid grid = {0};
    char *end;
    for (; *text && grid.dimensions < DIMENSIONS_MOST; text = *end ? end + 1 : end)
        grid.sides[grid.dimensions++] = (int)strtol(text, &end, 10);
    for (int d = grid.dimensions - 1, stride = 1; d >= 0; stride *= grid.sides[d--])
        grid.strides[d] = stride;
    return grid;
}

/* Along one dimension, or all (-1). */
static int find_neighbours(const struct grid *grid, int along, int rank, int *neighbours)
{
    int count = 0;
    for (int d = 0; d < grid->dimensions; d++) {
        const int position = rank / grid->strides[d] % grid->sides[d];
        if (along >= 0 && along != d)
            continue;
        if (position > 0)
            neighbours[count++] = rank - grid->strides[d];
        if (position + 1 < grid->sides[d])
            neighbours[count++] = rank + grid->strides[d];
    }
    return count;
}

static void exchange(char *room, int bytes, const int *neighbours, int count)
{
    MPI_Request requests[2 * NEIGHBOURS_MOST];
    for (int k = 0; k < count; k++)
        MPI_Irecv(room + (size_t)k * (size_t)bytes, bytes, MPI_BYTE, neighbours[k], TAG,
                  MPI_COMM_WORLD, &requests[k]);
    for (int k = 0; k < count; k++)
        MPI_Isend(room + (size_t)(NEIGHBOURS_MOST + k) * (size_t)bytes, bytes, MPI_BYTE,
                  neighbours[k], TAG, MPI_COMM_WORLD, &requests[count + k]);
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

/* The longest of the processors, of one of several in a row. */
static double measure(const struct grid *grid, int along, char *room, int bytes)
{
    int rank, neighbours[NEIGHBOURS_MOST];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int count = find_neighbours(grid, along, rank, neighbours);
    exchange(room, bytes, neighbours, count);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin_s = MPI_Wtime();
    for (int i = 0; i < TIMES; i++)
        exchange(room, bytes, neighbours, count);
    const double mine_s = MPI_Wtime() - begin_s;
    double longest_s;
    MPI_Allreduce(&mine_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return 1e6 * longest_s / TIMES;
}

static void measure_grid(const char *text, char *room, int bytes)
{
    const struct grid grid = grid_of(text);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int along = -1; along < grid.dimensions; along++) {
        const double time_us = measure(&grid, along, room, bytes);
        if (rank == 0)
            printf("%s,%d,%d,%d,%.6g\n", text, along < 0 ? 0 : grid.strides[along],
                   along < 0 ? 0 : grid.sides[along], bytes, time_us);
    }
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    if (count < 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (char *at = arguments[1]; *at; at += *at == ',') {
        const int bytes = (int)strtol(at, &at, 10);
        char *room = calloc((size_t)bytes, 2 * NEIGHBOURS_MOST);
        if (!room)
            MPI_Abort(MPI_COMM_WORLD, 1);
        for (int g = 2; g < count; g++)
            measure_grid(arguments[g], room, bytes);
        free(room);
    }
    MPI_Finalize();
}
