/* exchange (Abandah, IBM SP2, section 2.4): two processors, each sends to the other and receives
   from it; the time to complete one send and one receive. MPI_Sendrecv; the later of the two
   counts. */
#include "trainer/utilities/utilities.h"

enum { TAG = 2 };

static void run(struct site *site, long times)
{
    const int partner = 1 - site->rank;
    for (long i = 0; i < times; i++)
        MPI_Sendrecv(site->send, site->bytes, MPI_BYTE, partner, TAG, site->receive, site->bytes,
                     MPI_BYTE, partner, TAG, site->comm, MPI_STATUS_IGNORE);
}

const struct utility utility_exchange = {
    .pattern = &pattern_exchange,
    .does = "two processors send to one another",
    .suite = "patterns",
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .run = run,
};

const struct utility utility_exchange_far = {
    .pattern = &pattern_exchange_far,
    .does = "the farthest processor and the first send to one another",
    .suite = "distance",
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .run = run,
};
