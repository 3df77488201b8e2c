/* many-to-many (Abandah, IBM SP2, section 2.7): each of p processors sends a different message of n
   bytes to each of the others and receives theirs: MPI_Alltoall; the average over processors of the
   time to send and receive their share. n is the message of one pair, p counts participants. */
#include "trainer/utilities/utilities.h"

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        MPI_Alltoall(site->send, site->bytes, MPI_BYTE, site->receive, site->bytes, MPI_BYTE,
                     site->comm);
}

const struct utility utility_many_to_many = {
    .pattern = &pattern_many_to_many,
    .does = "every processor sends a message to each other (MPI_Alltoall)",
    .suite = "patterns",
    .granule_bytes = 1,
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MEAN,
    .piles_up = 1,
    .tree = TREE_RING,
    .messages = one_message_of_each,
    .run = run,
};
