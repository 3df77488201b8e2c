/* A halo of a grid by MPI_Cart_create, sums, and sums by doubling: halo N STEPS. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, p, sides[2] = {0, 0}, rings[2] = {0, 0}, next[2][2];
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    const int n = atoi(argv[1]), steps = atoi(argv[2]);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Dims_create(p, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, rings, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    for (int d = 0; d < 2; d++)
        MPI_Cart_shift(grid, d, 1, &next[d][0], &next[d][1]);
    double *out = calloc(4 * (size_t)n, sizeof *out), *in = calloc(4 * (size_t)n, sizeof *in), sum = 0.0, all;
    for (int step = 0; step < steps; step++) {
        MPI_Request requests[8];
        for (int i = 0; i < 4; i++) {
            const int bytes = n / sides[1 - i / 2] * (int)sizeof(double), other = next[i / 2][i % 2];
            MPI_Irecv(in + i * n, bytes, MPI_BYTE, other, 0, grid, &requests[i]);
            MPI_Isend(out + i * n, bytes, MPI_BYTE, other, 0, grid, &requests[4 + i]);
        }
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
        for (int apart = 1; apart < p; apart *= 2)
            MPI_Sendrecv(&sum, 1, MPI_DOUBLE, rank ^ apart, 1, &all, 1, MPI_DOUBLE, rank ^ apart, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(out);
    free(in);
    MPI_Comm_free(&grid);
    return MPI_Finalize();
}
