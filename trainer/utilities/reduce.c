/* reduce: the data of all participants are summed up at one of them: MPI_Reduce, sum of doubles; n
   in bytes, a multiple of 8, p counts participants. Until the root has the sum, from when all begin
   (rotation.h). Operands are ones, never the last result: sums neither overflow nor become
   denormal. */
#include "trainer/utilities/rotation.h"
#include "trainer/utilities/utilities.h"

static void reduce(const struct site *site, int root)
{
    const int count = site->bytes / (int)sizeof(double);
    MPI_Reduce(site->send, site->receive, count, MPI_DOUBLE, MPI_SUM, root, site->comm);
}

static void setup(struct site *site)
{
    double *operands = (double *)(void *)site->send;
    for (size_t i = 0; i < (size_t)site->bytes / sizeof *operands; i++)
        operands[i] = 1.0;
    rotation_set_up(site, reduce);
}

const struct utility utility_reduce = {
    .pattern = &pattern_reduce,
    .does = "sum of doubles over all processors, the result to one (MPI_Reduce)",
    .suite = "collectives",
    .granule_bytes = sizeof(double),
    .empty_is_nothing = true,
    .piles_up = 1,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .setup = setup,
    .run = rotation_run,
    .teardown = rotation_tear_down,
};
