#include "samples/sieve.h"

/* Between a core that one has alone and one of which another thread has the other half lies a
   factor of 1.2 and more; clocks that are looked at for some us agree to less than this. */
static const double crowding_most = 1.02;

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
