#include "trainer/engine/rest.h"

#include "trainer/base/watchdog.h"

#include <mpi.h>
#include <time.h>

enum { TAG_WAKE = 92 };

void rest_until_woken(int rank)
{
    static const struct timespec nap = {.tv_nsec = 1000 * 1000};
    int woken = rank == 0;
    watchdog_rest();
    while (!woken) {
        nanosleep(&nap, NULL);
        MPI_Iprobe(0, TAG_WAKE, MPI_COMM_WORLD, &woken, MPI_STATUS_IGNORE);
    }
    if (rank != 0)
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_WAKE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void rest_wake(int processors)
{
    for (int rank = 1; rank < processors; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_WAKE, MPI_COMM_WORLD);
}
