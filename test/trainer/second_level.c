/* The search for the second level on simulated processors of many kinds, whose caches are known. */
#include "trainer/caches/second_level.h"
#include "test/cache/processors.h"
#include "test/suite.h"

#include <math.h>

/* The long test has many machines of each kind. Under the sanitizers, ten times slower, some stand
   for all. */
#ifdef __SANITIZE_ADDRESS__
enum { COUNT = OFTEN(1, 12), STEP = 5 };
#else
enum { COUNT = OFTEN(3, 120), STEP = 1 };
#endif

/* Of the machines at least so many have to be found: of few, chance may take one or two. */
static const double found_share = COUNT >= 100 ? 0.95 : 0.6;

/* Simulated seconds. */
static const double budget_s = 0.5;

/* As the first level was found, which is another test. */
static struct cache_found first_of(const struct simulated_cache *cache)
{
    return (struct cache_found){.ways = (double)cache->ways,
                                .line_bytes = (double)cache->line_bytes,
                                .way_bytes = (double)(cache->bytes / cache->ways),
                                .capacity_bytes = (double)cache->bytes,
                                .hit_cycles = cache->hit_cycles};
}

/* Walks, which tell what a hit and a miss cost, miss a little where rings do not. */
static struct cache_found find(const struct simulated_machine *machine)
{
    const struct cache_found first = first_of(&machine->caches[0]);
    struct backend backend = simulated_begin(machine);
    struct cache_probe probe = cache_probe_begin(&backend, machine->seed, budget_s);
    const struct eviction_levels levels = {&first, 1.1 * machine->caches[1].hit_cycles,
                                           1.1 * machine->caches[2].hit_cycles};
    const struct cache_found found = second_level_find(&probe, &levels);
    cache_probe_end(&probe);
    simulated_end(&backend);
    return found;
}

/* Whether it was found; what is found is right, and what is not has a reason. */
static bool is_found(const struct processor *processor, unsigned long seed)
{
    const struct simulated_machine machine = processor_draw(processor, seed);
    const struct simulated_cache *truth = &machine.caches[1];
    const struct cache_found found = find(&machine);
    ck_assert_msg(found.because || (found.ways == (double)truth->ways &&
                                    found.capacity_bytes == (double)truth->bytes),
                  "machine %lu, %s, policy %d: found %g bytes, %g ways", seed, processor->name,
                  (int)truth->replacement, found.capacity_bytes, found.ways);
    return !found.because;
}

START_TEST(second_levels_of_many_kinds_are_exact_or_refused)
{
    size_t found = 0;
    for (unsigned long i = 0; i < COUNT; i++)
        found += is_found(&processors[STEP * i % PROCESSORS], i + 1);
    ck_assert_msg((double)found >= found_share * COUNT, "%zu of %d machines were found", found,
                  (int)COUNT);
}
END_TEST

SUITE("second-level", second_levels_of_many_kinds_are_exact_or_refused)
