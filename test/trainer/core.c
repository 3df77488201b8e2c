#include "test/trainer/core.h"

#include "trainer/node/core_clock.h"

#include <math.h>

enum { READINGS_MOST = 10 };

struct core core;

/* Who reads it so often and does nothing else waits for a time to come: it comes sooner. */
double core_clock_now_ns(void)
{
    core.readings = core.now_ns == core.read_ns ? core.readings + 1 : 0;
    core.now_ns += core.readings < READINGS_MOST ? CORE_READING_NS : 1e3 * CORE_READING_NS;
    return core.read_ns = core.now_ns;
}

double core_clock_cycle_ns(void)
{
    core.now_ns += 26e3;
    return CORE_CYCLE_NS * core.clock(core.now_ns);
}

/* Half of it with others, half without, is seen as well. */
double core_clock_crowded_cycle_ns(void)
{
    const double before = core.crowding(core.now_ns);
    core.now_ns += 6.5e3;
    return CORE_CYCLE_NS * core.clock(core.now_ns) * 0.5 * (before + core.crowding(core.now_ns));
}

double core_clock_ghz(void)
{
    core.now_ns += 5e6;
    return 1.0 / CORE_CYCLE_NS / core.clock(core.now_ns);
}

static bool begin(void *state, size_t item)
{
    (void)state;
    if (core.calls < CALLS)
        core.order[core.calls++] = item;
    core.visits[item]++;
    core.now_ns += 30e3;
    sampler_begin(&core.sampler);
    return !isnan(core.cycles(item, 0));
}

static void run(void *item)
{
    const size_t which = *(const size_t *)item;
    const double cycles = core.cycles(which, core.visits[which] - 1);
    core.now_ns += CORE_ITEM_NS * core.clock(core.now_ns) * cycles *
                   (core.crowding(core.now_ns) > core.own ? core.others : 1.0);
}

static struct spread_sample sample(void *state, size_t item)
{
    (void)state;
    return sampler_take(&core.sampler, run, &item, CORE_ITEM_NS / CORE_CYCLE_NS);
}

const struct spread_bench core_bench = {NULL, begin, sample, 0.0};
