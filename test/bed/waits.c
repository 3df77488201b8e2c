/* What processors wait for one another, run under the simulated MPI: each computes for WORK us and
   then communicates, STEPS times: DIMENSIONS 0, a reduction of 8 bytes; 1 and 2, an exchange with
   its neighbours on a line or on the squarest grid. Prints us a step beyond the mean computation
   and beyond the communication alone.

     waits WORK STEPS DIMENSIONS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static MPI_Comm grid;
static int dimensions;

static void communicate(void)
{
    double mine = 1.0, theirs[4];
    MPI_Request requests[8];
    int count = 0;
    if (dimensions == 0) {
        MPI_Allreduce(&mine, theirs, 1, MPI_DOUBLE, MPI_SUM, grid);
        return;
    }
    for (int d = 0; d < dimensions; d++) {
        int before, after;
        MPI_Cart_shift(grid, d, 1, &before, &after);
        MPI_Irecv(&theirs[2 * d], 1, MPI_DOUBLE, before, 0, grid, &requests[count++]);
        MPI_Irecv(&theirs[2 * d + 1], 1, MPI_DOUBLE, after, 0, grid, &requests[count++]);
        MPI_Isend(&mine, 1, MPI_DOUBLE, before, 0, grid, &requests[count++]);
        MPI_Isend(&mine, 1, MPI_DOUBLE, after, 0, grid, &requests[count++]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

/* Us a step, of all processors on average; *computed_us: what of it is computation. */
static double step_us(double work_us, int steps, double *computed_us)
{
    const struct timespec work = {0, (long)(1e3 * work_us)};
    double took[2], computed_s = 0.0;
    int processors;
    MPI_Comm_size(grid, &processors);
    MPI_Barrier(grid);
    const double begin_s = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        const double before_s = MPI_Wtime();
        if (work_us > 0.0)
            nanosleep(&work, NULL);
        computed_s += MPI_Wtime() - before_s;
        communicate();
    }
    took[0] = (MPI_Wtime() - begin_s) / processors;
    took[1] = computed_s / processors;
    MPI_Allreduce(MPI_IN_PLACE, took, 2, MPI_DOUBLE, MPI_SUM, grid);
    *computed_us = 1e6 * took[1] / steps;
    return 1e6 * took[0] / steps;
}

int main(int count, char **words)
{
    int processors, rank, sides[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Init(&count, &words);
    if (count != 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const double work_us = atof(words[1]);
    const int steps = atoi(words[2]);
    dimensions = atoi(words[3]);
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(processors, dimensions > 0 ? dimensions : 1, sides);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions > 0 ? dimensions : 1, sides, periods, 0, &grid);
    double computed_us, nothing_us;
    const double alone_us = step_us(0.0, 50, &nothing_us);
    const double both_us = step_us(work_us, steps, &computed_us);
    if (rank == 0)
        printf("%.6g\n", both_us - computed_us - alone_us);
    MPI_Finalize();
}
