/* all-gather-in-place: as all-gather, but each processor's own n bytes lie already where all are
   gathered: MPI_Allgather with MPI_IN_PLACE, which copies nothing of its own and which libraries
   treat otherwise. Until the last processor has everything. n is what one processor contributes, p
   counts participants. */
#include "trainer/utilities/utilities.h"

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, site->receive, site->bytes, MPI_BYTE,
                      site->comm);
}

const struct utility utility_all_gather_in_place = {
    .pattern = &pattern_all_gather_in_place,
    .does = "every processor sends the same to all others, in place (MPI_Allgather, MPI_IN_PLACE)",
    .suite = "collectives",
    .granule_bytes = 1,
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .messages = one_message_of_each,
    .run = run,
};
