/* scan: to each processor the sum of those up to it, MPI_Scan. */
#include "trainer/utilities/utilities.h"

static void setup(struct site *site)
{
    double *operands = (double *)(void *)site->send;
    for (size_t i = 0; i < (size_t)site->bytes / sizeof *operands; i++)
        operands[i] = 1.0;
}

static void run(struct site *site, long times)
{
    const int count = site->bytes / (int)sizeof(double);
    for (long i = 0; i < times; i++)
        MPI_Scan(site->send, site->receive, count, MPI_DOUBLE, MPI_SUM, site->comm);
}

const struct utility utility_scan = {
    .pattern = &pattern_scan,
    .does = "sums of doubles up to each processor (MPI_Scan)",
    .suite = "patterns",
    .granule_bytes = sizeof(double),
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MAXIMUM,
    .setup = setup,
    .run = run,
};
