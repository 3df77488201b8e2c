#include "trainer/engine/protocol_switch.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_DATA = 81, TAG_POST = 82, STOP = -1 };

/* How long a send without a receiver may take before it counts as waiting for one. An eager send
   completes within a few polls; a preemption in between only lengthens the wait. */
static const double patience_s = 300e-6;
enum { POLLS_LEAST = 200, POLLS_MOST = 1000000 };

/* That a send completed alone is certain, that it does not is only as certain as the wait was long:
   the size above the last eager one is asked again with this much patience. */
static const double longer = 30.0;

/* Rank 0: whether a send of that size completes while rank 1 has not posted its receive. */
static bool completes_alone(MPI_Comm comm, void *buffer, int bytes, double wait_s)
{
    MPI_Request request;
    int complete = 0;
    MPI_Send(&bytes, 1, MPI_INT, 1, TAG_POST, comm);
    MPI_Isend(buffer, bytes, MPI_BYTE, 1, TAG_DATA, comm, &request);
    const double start_s = clock_s();
    for (int polls = 0; !complete && polls < POLLS_MOST; polls++) {
        MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
        if (polls >= POLLS_LEAST && clock_s() - start_s > wait_s)
            break;
    }
    MPI_Send(&bytes, 1, MPI_INT, 1, TAG_POST, comm);
    if (!complete)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    return complete;
}

/* Rank 1: posts each receive only when rank 0 has decided. */
static void answer(MPI_Comm comm, void *buffer)
{
    int bytes;
    for (;;) {
        MPI_Recv(&bytes, 1, MPI_INT, 0, TAG_POST, comm, MPI_STATUS_IGNORE);
        if (bytes == STOP)
            return;
        MPI_Recv(&bytes, 1, MPI_INT, 0, TAG_POST, comm, MPI_STATUS_IGNORE);
        MPI_Recv(buffer, bytes, MPI_BYTE, 0, TAG_DATA, comm, MPI_STATUS_IGNORE);
    }
}

/* The largest size above `eager` for which a send completes alone, given that it does not at most.
 */
static int bisect(MPI_Comm comm, void *buffer, int eager, int most, int *probes)
{
    int waits = most;
    while (waits - eager > 1) {
        const int middle = eager + (waits - eager) / 2;
        ++*probes;
        if (completes_alone(comm, buffer, middle, patience_s))
            eager = middle;
        else
            waits = middle;
    }
    return eager;
}

static int find_limit(MPI_Comm comm, void *buffer, int most, int *probes)
{
    int eager = bisect(comm, buffer, -1, most, probes);
    while (eager + 1 < most && completes_alone(comm, buffer, eager + 1, longer * patience_s))
        eager = bisect(comm, buffer, eager + 1, most, probes);
    return eager;
}

static struct protocol_switch ask(MPI_Comm comm, void *buffer, int most)
{
    struct protocol_switch found = {.probes = 2};
    completes_alone(comm, buffer, 0,
                    patience_s); /* the first message of a run sets up connections */
    if (completes_alone(comm, buffer, most, patience_s))
        found.eager_upto_bytes = most;
    else
        found.eager_upto_bytes = find_limit(comm, buffer, most, &found.probes);
    found.seen = found.eager_upto_bytes >= 0 && found.eager_upto_bytes < most;
    const int stop = STOP;
    MPI_Send(&stop, 1, MPI_INT, 1, TAG_POST, comm);
    return found;
}

struct protocol_switch protocol_switch_find(MPI_Comm comm, int bytes_most)
{
    int rank;
    struct protocol_switch found = {0};
    MPI_Comm_rank(comm, &rank);
    if (rank < 2) {
        void *buffer = memory_new((size_t)bytes_most + 1, 1);
        memset(buffer, 1, (size_t)bytes_most + 1);
        if (rank == 0)
            found = ask(comm, buffer, bytes_most);
        else
            answer(comm, buffer);
        free(buffer);
    }
    MPI_Bcast(&found, sizeof found, MPI_BYTE, 0, comm);
    return found;
}
