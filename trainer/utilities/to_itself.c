/* to-itself: each of two processors sends to itself and receives it: MPI_Irecv, MPI_Isend,
   MPI_Waitall, until both have their message. Programs whose domain is closed send so along an axis
   that has one processor. MPI_Sendrecv is a mere copy in some simulators. */
#include "trainer/utilities/utilities.h"

enum { TAG = 14 };

static void run(struct site *site, long times)
{
    MPI_Request requests[2];
    for (long i = 0; i < times; i++) {
        MPI_Irecv(site->receive, site->bytes, MPI_BYTE, site->rank, TAG, site->comm, &requests[0]);
        MPI_Isend(site->send, site->bytes, MPI_BYTE, site->rank, TAG, site->comm, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

const struct utility utility_to_itself = {
    .pattern = &pattern_to_itself,
    .does = "two processors send to themselves",
    .suite = "halos",
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .run = run,
};
