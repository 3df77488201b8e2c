/* A simulated LRU cache, and what the model is told of one. */
#ifndef TEST_LRU_H
#define TEST_LRU_H

#include "model/node/cache.h"

#include <math.h>
#include <string.h>

static inline struct cache lru(double lines, double ways)
{
    return (struct cache){.lines = lines,
                          .ways = ways,
                          .line_bytes = 64,
                          .replacement = REPLACEMENT_LRU,
                          .page_bytes = INFINITY};
}

enum { SETS_MOST = 512, WAYS_MOST = 16 };

struct simulated {
    size_t sets, ways, misses;
    size_t line[SETS_MOST][WAYS_MOST]; /* most recently used first; 0: empty */
};

static inline void touch_line(struct simulated *cache, size_t line)
{
    size_t *set = cache->line[line % cache->sets], at = 0;
    while (at + 1 < cache->ways && set[at] != line)
        at++;
    cache->misses += set[at] != line;
    memmove(set + 1, set, at * sizeof *set);
    set[0] = line;
}

#endif
