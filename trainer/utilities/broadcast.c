/* broadcast: the library's MPI_Bcast, one processor to all others, until the last has received.

   Chapter 2 of the report times the sender (R114), who leaves early where messages are buffered:
   about a third of the time that a program waits. What a prediction needs is completion. Broadcasts
   repeated from one root would overlap, so the root rotates (R147): the next root is the neighbour
   above, which in a binomial tree is served last, and it cannot begin before it has received. The
   time of a batch is that of all its broadcasts one after the other; the later of all ranks counts.
   Where the library's tree serves the neighbour earlier, this is a lower bound. */
#include "trainer/utilities.h"

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, (int)(i % site->processors), site->comm);
}

const struct utility utility_broadcast = {
    .name = "broadcast",
    .does = "one processor to all others (MPI_Bcast), until the last has received",
    .suite = "patterns",
    .granule_bytes = 1,
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .counted = MEAN_DESTINATIONS,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .run = run,
};
