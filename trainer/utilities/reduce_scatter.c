/* reduce-scatter: the data of all participants, p blocks of n bytes each, are summed up, a block at
   each: MPI_Reduce_scatter_block, sum of doubles, until the last one has its block. n in bytes, a
   multiple of 8, is the block that one gets; p counts participants. Operands are ones, never the
   last result: sums neither overflow nor become denormal. */
#include "trainer/utilities/utilities.h"

static void setup(struct site *site)
{
    double *operands = (double *)(void *)site->send;
    const size_t each = (size_t)site->bytes / sizeof *operands;
    for (size_t i = 0; i < each * (size_t)site->processors; i++)
        operands[i] = 1.0;
}

static void run(struct site *site, long times)
{
    const int count = site->bytes / (int)sizeof(double);
    for (long i = 0; i < times; i++)
        MPI_Reduce_scatter_block(site->send, site->receive, count, MPI_DOUBLE, MPI_SUM, site->comm);
}

const struct utility utility_reduce_scatter = {
    .pattern = &pattern_reduce_scatter,
    .does = "sum of doubles over all processors, a block of it to each (MPI_Reduce_scatter_block)",
    .suite = "collectives",
    .granule_bytes = sizeof(double),
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .messages = one_message_of_each,
    .setup = setup,
    .run = run,
};
