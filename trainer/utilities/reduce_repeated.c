/* reduce-repeated: reductions to one and the same root, one behind another, as a loop makes them:
   MPI_Reduce, sum of doubles; n in bytes, a multiple of 8, p counts participants. What one more of
   them takes the root: so many and one, less one alone. Those who have nothing to wait for are
   ahead of the root, and what they have sent is on its way at the same time. Operands as in
   reduce.c. */
#include "model/base/allocation.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>

enum { REDUCTIONS = 32, ALONE = 3 };

static double seconds_of(const struct site *site, long reductions)
{
    const int count = site->bytes / (int)sizeof(double);
    const double start_s = MPI_Wtime();
    for (long i = 0; i < reductions; i++)
        MPI_Reduce(site->send, site->receive, count, MPI_DOUBLE, MPI_SUM, 0, site->comm);
    return MPI_Wtime() - start_s;
}

static void setup(struct site *site)
{
    double *operands = (double *)(void *)site->send, *alone_s = memory_new(1, sizeof *alone_s);
    for (size_t i = 0; i < (size_t)site->bytes / sizeof *operands; i++)
        operands[i] = 1.0;
    *alone_s = INFINITY;
    for (int i = 0; i < ALONE; i++) {
        MPI_Barrier(site->comm);
        *alone_s = fmin(*alone_s, seconds_of(site, 1));
    }
    site->state = alone_s;
}

/* Those who are ahead of the root when it begins have sent something already: all begin after a
   barrier, as the one alone did. */
static void run(struct site *site, long times)
{
    const double start_s = MPI_Wtime();
    MPI_Barrier(site->comm);
    site->excluded_s += MPI_Wtime() - start_s + site->reading_s;
    seconds_of(site, REDUCTIONS * times + 1);
    site->excluded_s += *(const double *)site->state;
}

static void teardown(struct site *site)
{
    free(site->state);
}

const struct utility utility_reduce_repeated = {
    .pattern = &pattern_reduce_repeated,
    .does = "sums to one, one behind another (MPI_Reduce): what one more takes the root",
    .suite = "collectives",
    .granule_bytes = sizeof(double),
    .empty_is_nothing = true,
    .uses_per_run = REDUCTIONS,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_ROOT,
    .setup = setup,
    .run = run,
    .teardown = teardown,
};
