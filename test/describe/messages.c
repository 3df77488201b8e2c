/* Messages in turn, to neighbours and to all: an MPI program that is changed at random. */
#include <mpi.h>
#define SIZE 1000
static const int n = 100, steps = 5;
double u[SIZE], v[SIZE];
int main(int argc, char **argv)
{
    int rank, size, left, right, x;
    MPI_Comm line;
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_shift(line, 0, 1, &left, &right);
    for (int i = 0; i < steps; i++) {
        if (rank != 0)
            MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            x = -1;
        MPI_Send(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(&x, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < steps; i++) {
        for (int j = 0; j < n; j++) {
            if (rank > 0)
                MPI_Recv(&u[j], 1, MPI_DOUBLE, rank - 1, j, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int k = 0; k < n; k++)
                v[k] += u[j];
            if (rank < size - 1)
                MPI_Send(&u[j], 1, MPI_DOUBLE, rank + 1, j, MPI_COMM_WORLD);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Irecv(u, n, MPI_DOUBLE, left, 1, line, &request[0]);
    if (rank % 2 == 0) {
        MPI_Send(v, n, MPI_DOUBLE, right, 0, line);
        MPI_Recv(v, n, MPI_DOUBLE, right, 0, line, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(v, n, MPI_DOUBLE, left, 0, line, MPI_STATUS_IGNORE);
        MPI_Send(v, n, MPI_DOUBLE, left, 0, line);
    }
    MPI_Isend(v, n, MPI_DOUBLE, right, 1, line, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
