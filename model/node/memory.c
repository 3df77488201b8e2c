#include "model/node/memory.h"

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

static bool prices_lines(const struct memory_level *level, bool store)
{
    return !isnan(store ? level->store_line_cycles : level->load_line_cycles) ||
           !isnan(store ? level->store_mb_per_s : level->load_mb_per_s);
}

const struct memory_level *memory_behind(const struct memory *memory,
                                         const struct memory_level *cache, bool store)
{
    const struct memory_level *levels = memory->levels.items;
    for (size_t i = 0; i < memory->levels.count; i++)
        if (levels[i].level > cache->level &&
            (prices_lines(&levels[i], store) || prices_lines(&levels[i], false)))
            return &levels[i];
    return NULL;
}

double memory_line_cycles(const struct memory *memory, const struct memory_level *cache, bool store,
                          double clock_mhz)
{
    const struct memory_level *behind = memory_behind(memory, cache, store);
    if (!behind)
        return NAN;
    return line_cycles_from(behind, cache->line_bytes, store && prices_lines(behind, true),
                            clock_mhz);
}

double memory_line_cycles_least(const struct memory *memory, const struct memory_level *cache,
                                bool store, double clock_mhz)
{
    const struct memory_level *behind = memory_behind(memory, cache, store);
    const double least = !behind ? (double)NAN
                         : store ? behind->store_line_cycles_least
                                 : behind->load_line_cycles_least;
    return isnan(least) ? memory_line_cycles(memory, cache, store, clock_mhz) : least;
}

double memory_level_capacity(const struct memory_level *level)
{
    return isnan(level->capacity_bytes)
               ? sqrt(level->capacity_bytes_low * level->capacity_bytes_high)
               : level->capacity_bytes;
}
