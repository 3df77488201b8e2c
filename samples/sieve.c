#include "samples/sieve.h"

/* Eight of ten looks of 3 us at a core that one has alone are within 0.1 % of 1. A thread on its
   other half leaves half of the instructions a cycle, where the chain and what is beside it want
   four: far more than this on a core that issues up to six. */
static const double crowding_most = 1.02;

/* A chain that was interrupted makes the one with others beside it look the faster. */
static const double crowding_least = 0.98;

bool sieve_is_alone(double crowding)
{
    return crowding >= crowding_least && crowding <= crowding_most;
}

bool sieve_takes(struct sieve *sieve, double crowding, double now_us)
{
    const bool is_disturbed = crowding > crowding_most;
    if (is_disturbed && now_us < sieve->patience_us)
        return false;
    sieve->counted++;
    sieve->disturbed += is_disturbed;
    return true;
}

bool sieve_is_full(const struct sieve *sieve)
{
    return sieve->counted >= sieve->wanted;
}
