#include "trainer/node/sampler.h"

#include "trainer/node/core_clock.h"

#include <math.h>

/* The clock stands still between two readings that differ by less. */
static const double steady = 0.003;

/* The crowded chain first, which is to be close to the sample. */
void sampler_begin(struct sampler *sampler)
{
    const double crowded_ns = core_clock_crowded_cycle_ns();
    sampler->cycle_ns = core_clock_cycle_ns();
    sampler->crowding = crowded_ns / sampler->cycle_ns;
}

struct spread_sample sampler_take(struct sampler *sampler, void (*run)(void *what), void *what,
                                  double count)
{
    const struct sampler before = *sampler;
    const double start_ns = core_clock_now_ns();
    run(what);
    const double took_ns = core_clock_now_ns() - start_ns;
    sampler_begin(sampler);
    const double cycle_ns = 0.5 * (before.cycle_ns + sampler->cycle_ns);
    const bool is_steady = fabs(sampler->cycle_ns - before.cycle_ns) <= steady * cycle_ns;
    return (struct spread_sample){took_ns / cycle_ns / count,
                                  is_steady ? fmax(before.crowding, sampler->crowding) : INFINITY};
}
