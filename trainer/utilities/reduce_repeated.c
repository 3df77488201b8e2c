/* reduce-repeated: reductions to one and the same root, one behind another, as a loop makes them:
   MPI_Reduce, sum of doubles; n in bytes, a multiple of 8, p counts participants. What one more of
   them takes the root (repeated.h). Those who have nothing to wait for are ahead of the root.
   Operands as in reduce.c. */
#include "trainer/utilities/repeated.h"
#include "trainer/utilities/utilities.h"

static void reduce(const struct site *site, int root)
{
    MPI_Reduce(site->send, site->receive, site->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM,
               root, site->comm);
}

static void setup(struct site *site)
{
    double *operands = (double *)(void *)site->send;
    for (size_t i = 0; i < (size_t)site->bytes / sizeof *operands; i++)
        operands[i] = 1.0;
    repeated_setup(site, reduce, 1);
}

static void run(struct site *site, long times)
{
    repeated_run(site, times, reduce, 1);
}

const struct utility utility_reduce_repeated = {
    .pattern = &pattern_reduce_repeated,
    .does = "sums to one, one behind another (MPI_Reduce): what one more takes the root",
    .suite = "collectives",
    .granule_bytes = sizeof(double),
    .empty_is_nothing = true,
    .piles_up = 4,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_ROOT,
    .setup = setup,
    .run = run,
    .teardown = repeated_teardown,
};
