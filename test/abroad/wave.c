// A pipeline of known truth: m columns lie on the processors in blocks, and go through n rows in
// strips; each strip waits for the column before. With a diagonal read the element before a strip
// is needed as well, which the strip before has brought: the messages are the same.
//
//   wave ROWS STRIP REPETITIONS
#include <mpi.h>
#include <stdlib.h>

static void sweep(double *column, int rows, int strip, int rank, int processors)
{
    for (int row = 0; row < rows; row += strip) {
        const int count = row + strip < rows ? strip : rows - row;
        if (rank > 0)
            MPI_Recv(column, count, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < processors - 1)
            MPI_Send(column, count, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int rows = atoi(argv[1]), strip = atoi(argv[2]), repetitions = atoi(argv[3]);
    int rank, processors;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    double *const column = calloc((size_t)strip, sizeof *column);
    for (int k = 0; k < repetitions; k++) {
        sweep(column, rows, strip, rank, processors);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(column);
    MPI_Finalize();
    return 0;
}
