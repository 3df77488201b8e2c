/* all-gather: each of p processors sends the same n bytes to all others and receives theirs;
   MPI_Allgather, until the last processor has everything. The algorithm is the library's: a ring
   of p - 1 steps, or recursive doubling of log2(p) steps with ever longer messages, each processor
   receiving (p - 1) n bytes either way. n is what one processor contributes, p counts
   participants. */
#include "trainer/utilities/utilities.h"

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        MPI_Allgather(site->send, site->bytes, MPI_BYTE, site->receive, site->bytes, MPI_BYTE,
                      site->comm);
}

const struct utility utility_all_gather = {
    .pattern = &pattern_all_gather,
    .does = "every processor sends the same to all others (MPI_Allgather)",
    .suite = "patterns",
    .granule_bytes = 1,
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .messages = one_message_of_each,
    .run = run,
};
