/* One simulated cache: sets, ways and replacement; no times. */
#ifndef TEST_CACHE_ONE_CACHE_H
#define TEST_CACHE_ONE_CACHE_H

#include "test/cache/simulated.h"

#include <stdint.h>

/* A line as a cache keeps it: its physical address / line, + 1, so that 0 is an empty way;
   simulated memories have fewer lines than this counts. */
typedef uint32_t tag;

struct cache {
    struct simulated_cache is;
    size_t sets;
    unsigned line_shift, set_shift;
    tag *tags;      /* [sets][ways] */
    uint32_t *ages; /* [sets][ways]: LRU: time of the last use; QLRU: 0 (young) to 3 */
    uint64_t *tree; /* [sets]: PLRU: bit of node k set: the upper half is the older */
    uint32_t now;
};

/* The next random number, any of 64 bits; *random, not 0, goes on: xorshift64*, Marsaglia's
   generator. */
uint64_t simulated_draw(uint64_t *random);

/* An empty one; release with cache_end. */
void cache_begin(struct cache *cache, const struct simulated_cache *is);
void cache_end(struct cache *cache);

/* Where an address goes, and as what; a line drives one out whose address is no longer known. */
size_t cache_set(const struct cache *cache, size_t virtual, size_t physical);
tag cache_tag(const struct cache *cache, size_t physical);
size_t cache_set_of_tag(const struct cache *cache, tag line);

/* Whether the line is in the set, and in which way; nothing changes. */
bool cache_has(struct cache *cache, size_t set, tag line, size_t *way);

/* The line, if it is there, is no more. */
void cache_remove(struct cache *cache, size_t set, tag line);

/* A way is used: hit, or just filled. */
void cache_touch(struct cache *cache, size_t set, size_t way, bool hit);

/* Puts the line in; what it drives out, or 0. random: for caches that replace at random. */
tag cache_fill(struct cache *cache, size_t set, tag line, uint64_t *random);

#endif
