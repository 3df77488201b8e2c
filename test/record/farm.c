/* Master and workers: whoever asks gets the next job. farm JOBS */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, p, job;
    double result[64] = {0};
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int jobs = atoi(argv[1]);
    if (rank == 0)
        for (int next = 0, workers = p - 1; workers > 0; next++) {
            MPI_Recv(result, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            job = next < jobs ? next : -1;
            MPI_Send(&job, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
            workers -= job < 0;
        }
    else
        do {
            MPI_Send(result, 64, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&job, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
        } while (job >= 0);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
