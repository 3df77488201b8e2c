#include "trainer/memory/memory_found.h"

#include "model/base/allocation.h"
#include "trainer/base/topology.h"
#include "trainer/engine/run.h"
#include "trainer/memory/capacity_told.h"

#include <math.h>

/* How the first two caches were found. */
static const char *const methods[] = {"conflict-sets", "eviction-sets"};

/* ---- what the system tells, for comparison ---- */

static void add_told(struct memory_level *level, const struct topology_cache *told)
{
    level->told_capacity_bytes = told->capacity_bytes;
    level->told_line_bytes = told->line_bytes;
    level->told_ways = told->ways;
}

/* Whether one core alone has it. Where the system does not tell, the first two levels of processors
   of today are. */
static bool is_private(const struct topology_cache *told, double level)
{
    return isnan(told->cores) ? level <= 2.0 : told->cores == 1.0;
}

/* No plateau shows it: others were using it. */
void memory_found_say_hidden(struct machine *machine, size_t caches)
{
    if (caches < 3 && topology_cache(3).capacity_bytes > 0.0)
        run_not_measured(machine, "memory level 3",
                         "the system tells of it, but no plateau of loads shows it");
}

/* ---- levels ---- */

const struct cache_found *memory_found_cache(const struct levels *levels, size_t index)
{
    const struct cache_found *cache = index == 0 ? &levels->first : &levels->second;
    return index < 2 && !cache->because ? cache : NULL;
}

/* What walks saw of a level. */
static void add_walked(struct memory_level *level, const struct plateau *plateau,
                       const char *because)
{
    level->method = memory_copy_text("walks");
    level->capacity_bytes_low = plateau->fits_bytes;
    level->capacity_bytes_high = fmax(plateau->overflow_bytes, plateau[1].from_bytes);
    level->because =
        because ? memory_format("one capacity, ways: %s; at least what others left of it was seen",
                                because)
                : memory_copy_text("one capacity, ways: physical addresses are not known");
}

static void add_found(struct memory_level *level, const struct cache_found *cache,
                      const char *method)
{
    level->method = memory_copy_text(method);
    level->capacity_bytes = cache->capacity_bytes;
    level->ways = cache->ways;
}

static void add_capacity(struct memory_level *level, const struct memory_found *found, size_t index)
{
    const struct cache_found *const caches[] = {&found->levels.first, &found->levels.second};
    if (!found->levels.first.because)
        level->line_bytes = found->levels.first.line_bytes;
    if (index < 2 && !caches[index]->because)
        add_found(level, caches[index], methods[index]);
    else
        add_walked(level, &found->levels.plateaus.items[index],
                   index < 2 ? caches[index]->because : NULL);
}

/* Rings that fit miss nothing; walks do, where pages lie unluckily. */
static double hit_cycles(const struct levels *levels, size_t index)
{
    const struct cache_found *cache = memory_found_cache(levels, index);
    return cache && !isnan(cache->hit_cycles) ? cache->hit_cycles
                                              : levels->plateaus.items[index].cycles;
}

/* In cycles of the table's clock. */
static void add_latency(struct memory_level *level, const struct memory_found *found)
{
    const struct latency_found near = latency_of(&found->latency),
                               apart = latency_of(&found->latency_apart);
    if (isnan(near.ns))
        return;
    level->load_ns = near.ns;
    level->load_ns_low = near.low_ns;
    level->load_ns_high = near.high_ns;
    level->load_cycles = near.ns * found->ghz;
    level->load_tlb_miss_ns = apart.ns;
    level->load_tlb_miss_ns_low = apart.low_ns;
    level->load_tlb_miss_ns_high = apart.high_ns;
    level->load_tlb_miss_cycles = apart.ns * found->ghz;
}

/* Once all looks at the levels were taken. */
void memory_found_write(const struct memory_found *found, size_t index, struct machine *machine)
{
    struct memory_level *level = (struct memory_level *)machine->memory->levels.items + index;
    const struct cache_found *cache = memory_found_cache(&found->levels, index);
    level->load_cycles = hit_cycles(&found->levels, index);
    level->load_ns = level->load_cycles / found->ghz;
    if (isinf(level->level)) {
        add_latency(level, found);
        return;
    }
    if (cache && isnan(cache->hit_cycles))
        run_not_measured(machine, "memory level 2 load_cycles in one set",
                         "the clock of the core never stayed the same; walks stand for it");
    const struct topology_cache told = topology_cache((int)level->level);
    add_told(level, &told);
    add_capacity(level, found, index);
    capacity_weigh_told(level, is_private(&told, level->level));
}
