/* Contention: all processors exchange at once, each of the lower half with its partner in the upper
   half, or each with the one next to it. Where it costs more than one exchange alone, the pairs
   share what carries them. */
#include "trainer/utilities/utilities.h"

enum { TAG = 3 };

static enum suits suits(int processors)
{
    return processors % 2 == 0 ? SUITS_WELL : SUITS_NOT;
}

static enum suits suits_neighbours(int processors)
{
    return processors >= 4 ? suits(processors) : SUITS_NOT;
}

static void exchange(const struct site *site, int partner, long times)
{
    for (long i = 0; i < times; i++)
        MPI_Sendrecv(site->send, site->bytes, MPI_BYTE, partner, TAG, site->receive, site->bytes,
                     MPI_BYTE, partner, TAG, site->comm, MPI_STATUS_IGNORE);
}

static void run(struct site *site, long times)
{
    exchange(site, (site->rank + site->processors / 2) % site->processors, times);
}

static void run_neighbours(struct site *site, long times)
{
    exchange(site, site->rank % 2 == 0 ? site->rank + 1 : site->rank - 1, times);
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

const struct utility utility_exchange_neighbours = {
    .pattern = &pattern_exchange_neighbours,
    .does = "all processors exchange at once, each with the next",
    .suite = "distance",
    .suits = suits_neighbours,
    .granule_bytes = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .run = run_neighbours,
};
