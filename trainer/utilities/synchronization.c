/* synchronization (Abandah, IBM SP2, section 2.10): MPI_Barrier; the average over participants. It
   has no size. */
#include "trainer/utilities/utilities.h"

static void run(struct site *site, long times)
{
    for (long i = 0; i < times; i++)
        MPI_Barrier(site->comm);
}

const struct utility utility_synchronization = {
    .pattern = &pattern_synchronization,
    .does = "all processors wait for one another (MPI_Barrier)",
    .suite = "patterns",
    .granule_bytes = 0,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MEAN,
    .tree = TREE_DISSEMINATION,
    .run = run,
};
