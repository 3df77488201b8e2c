// A program whose communication is known: in its second window rank 0 sends 1 three messages of
// 1000 bytes.
#include <mpi.h>

static void send(int rank, int messages, int bytes)
{
    static char buffer[4096];
    for (int i = 0; i < messages; i++)
        if (rank == 0)
            MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void timed(int rank, int messages, int bytes)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wtime();
    send(rank, messages, bytes);
    MPI_Wtime();
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    timed(rank, 50, 4096);
    timed(rank, 3, 1000);
    MPI_Finalize();
    return 0;
}
