#include "model/node/strided.h"

#include <math.h>

/* The sets of the nearest cache that such a walk reaches, as far as its page tells. What costs is
   how few they are: strides of 17 and 65 lines take as long as those of one, of 64 several times
   (Intel Xeon, doc/validation.md). */
static double places(const struct memory *memory, double stride_bytes)
{
    const struct memory_level *caches[MEMORY_LEVELS_MOST];
    struct cache nearest;
    if (memory_caches(memory, caches) == 0 || !cache_of(memory, caches[0], &nearest))
        return NAN;
    return cache_places(&nearest, stride_bytes, INFINITY);
}

static double line_cycles(const struct strided_lines *lines, const struct walk *walk)
{
    return !walk->stores   ? lines->load_line_cycles
           : walk->in_turn ? lines->store_in_turn_line_cycles
                           : lines->store_line_cycles;
}

double strided_more_cycles(const struct cache *cache, const struct walk *walk)
{
    const struct memory *memory = cache->memory;
    if (!memory || !(walk->stride_bytes > cache->line_bytes))
        return 0.0;
    const struct memory_level *behind = memory_behind(memory, cache->level, walk->stores);
    const struct strided_lines *lines = memory->strided.items;
    const double reached = places(memory, walk->stride_bytes);
    for (size_t i = 0; i < memory->strided.count && behind; i++) {
        if (lines[i].level != behind->level ||
            places(memory, lines[i].stride_lines * cache->line_bytes) != reached)
            continue;
        const double in_order = walk->stores ? behind->store_line_cycles : behind->load_line_cycles;
        return fmax(0.0, line_cycles(&lines[i], walk) - in_order); /* leaves a NAN out */
    }
    return 0.0;
}
