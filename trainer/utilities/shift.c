/* shift: every processor sends to the next one and receives from the one before, the first after
   the last, all at once: MPI_Sendrecv along a ring, until the last one has its message. p counts
   participants; between two it is an exchange. */
#include "trainer/utilities/utilities.h"

enum { TAG = 12 };

static void run(struct site *site, long times)
{
    const int next = (site->rank + 1) % site->processors;
    const int before = (site->rank + site->processors - 1) % site->processors;
    for (long i = 0; i < times; i++)
        MPI_Sendrecv(site->send, site->bytes, MPI_BYTE, next, TAG, site->receive, site->bytes,
                     MPI_BYTE, before, TAG, site->comm, MPI_STATUS_IGNORE);
}

const struct utility utility_shift = {
    .pattern = &pattern_shift,
    .does = "every processor sends to the next one along a ring, all at once",
    .suite = "collectives",
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .run = run,
};
