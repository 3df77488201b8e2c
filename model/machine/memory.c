#include "model/machine/memory.h"

#include <math.h>

const struct memory_level *memory_level(const struct memory *memory, double level)
{
    const struct memory_level *levels = memory ? memory->levels.items : NULL;
    for (size_t i = 0; memory && i < memory->levels.count; i++)
        if (levels[i].level == level)
            return &levels[i];
    return NULL;
}

size_t memory_caches(const struct memory *memory, const struct memory_level **caches)
{
    const struct memory_level *levels = memory ? memory->levels.items : NULL;
    size_t count = 0;
    for (size_t i = 0; memory && i < memory->levels.count && count < MEMORY_LEVELS_MOST; i++)
        if (isfinite(levels[i].level) && !isnan(memory_level_capacity(&levels[i])) &&
            !isnan(levels[i].line_bytes))
            caches[count++] = &levels[i];
    return count;
}

static double line_cycles_from(const struct memory_level *level, double line_bytes, bool store,
                               double clock_mhz)
{
    const double cycles = store ? level->store_line_cycles : level->load_line_cycles;
    const double mb_per_s = store ? level->store_mb_per_s : level->load_mb_per_s;
    return isnan(cycles) ? line_bytes / mb_per_s * clock_mhz : cycles;
}

double memory_line_cycles(const struct memory *memory, const struct memory_level *cache, bool store,
                          double clock_mhz)
{
    const struct memory_level *levels = memory->levels.items;
    for (size_t i = 0; i < memory->levels.count; i++) {
        if (levels[i].level <= cache->level)
            continue;
        const double cycles = line_cycles_from(&levels[i], cache->line_bytes, store, clock_mhz);
        const double load = line_cycles_from(&levels[i], cache->line_bytes, false, clock_mhz);
        if (!isnan(cycles) || !isnan(load))
            return isnan(cycles) ? load : cycles;
    }
    return NAN;
}

double memory_level_capacity(const struct memory_level *level)
{
    return isnan(level->capacity_bytes)
               ? sqrt(level->capacity_bytes_low * level->capacity_bytes_high)
               : level->capacity_bytes;
}
