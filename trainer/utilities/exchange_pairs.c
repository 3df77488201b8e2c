/* Contention: all processors exchange at once, each of the lower half with its partner in the upper
   half. Where it costs more than one exchange alone, the pairs share what carries them. */
#include "trainer/utilities/utilities.h"

enum { TAG = 3 };

static enum suits suits(int processors)
{
    return processors % 2 == 0 ? SUITS_WELL : SUITS_NOT;
}

static void run(struct site *site, long times)
{
    const int half = site->processors / 2;
    const int partner = (site->rank + half) % site->processors;
    for (long i = 0; i < times; i++)
        MPI_Sendrecv(site->send, site->bytes, MPI_BYTE, partner, TAG, site->receive, site->bytes,
                     MPI_BYTE, partner, TAG, site->comm, MPI_STATUS_IGNORE);
}

const struct utility utility_exchange_pairs = {
    .pattern = &pattern_exchange_pairs,
    .does = "all processors exchange at once, pair by pair",
    .suite = "distance",
    .suits = suits,
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .run = run,
};
