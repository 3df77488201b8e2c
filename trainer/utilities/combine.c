/* combine (Abandah, IBM SP2, section 2.9): reduction over the data of all participants, the result
   to all: MPI_Allreduce, sum of doubles; n in bytes, a multiple of 8. Until the last participant
   has it: the average over them would make a different law of p where some of them have less to do.
   Operands are ones, never the last result: sums neither overflow nor become denormal. */
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
        MPI_Allreduce(site->send, site->receive, count, MPI_DOUBLE, MPI_SUM, site->comm);
}

#define SUM_OF_DOUBLES                                                                             \
    .granule_bytes = sizeof(double), .empty_is_nothing = true, .uses_per_run = 1,                  \
    .measures = MEASURES_COMPLETION, .across = ACROSS_MAXIMUM, .tree = TREE_EXCHANGES,             \
    .setup = setup, .run = run

const struct utility utility_combine = {
    .pattern = &pattern_combine,
    .does = "sum of doubles over all processors, the result to all (MPI_Allreduce)",
    .suite = "patterns",
    SUM_OF_DOUBLES,
};

/* Balasundaram, Static Performance Estimator, excombine. */
const struct utility utility_COMBN = {
    .pattern = &pattern_COMBN,
    .does = "combine over all processors (MPI_Allreduce)",
    .suite = "express",
    SUM_OF_DOUBLES,
};
