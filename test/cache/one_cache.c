#include "test/cache/one_cache.h"

#include "model/base/allocation.h"

#include <stdlib.h>

uint64_t simulated_draw(uint64_t *random)
{
    *random ^= *random >> 12;
    *random ^= *random << 25;
    *random ^= *random >> 27;
    return *random * 2685821657736338717u;
}

void cache_begin(struct cache *cache, const struct simulated_cache *is)
{
    cache->is = *is;
    cache->sets = is->bytes / is->ways / is->line_bytes;
    cache->line_shift = (unsigned)__builtin_ctzll(is->line_bytes);
    cache->set_shift = (unsigned)__builtin_ctzll(cache->sets);
    cache->tags = memory_new(cache->sets * is->ways, sizeof *cache->tags);
    cache->ages = memory_new(cache->sets * is->ways, sizeof *cache->ages);
    cache->tree = memory_new(cache->sets, sizeof *cache->tree);
}

void cache_end(struct cache *cache)
{
    free(cache->tags);
    free(cache->ages);
    free(cache->tree);
}

/* Without a hash sets may be any number; with one they are a power of two. */
static size_t set_of_line(const struct cache *cache, size_t line)
{
    const size_t below = cache->sets - 1;
    size_t folded = 0;
    if (cache->sets & below)
        return line % cache->sets;
    if (cache->is.hash_mask)
        for (size_t above = line >> cache->set_shift; above > 0; above >>= cache->set_shift)
            folded ^= above;
    return (line ^ (folded & cache->is.hash_mask)) & below;
}

size_t cache_set(const struct cache *cache, size_t virtual, size_t physical)
{
    const size_t index = cache->is.virtually_indexed ? virtual : physical;
    return set_of_line(cache, index >> cache->line_shift);
}

size_t cache_set_of_tag(const struct cache *cache, tag line)
{
    return set_of_line(cache, (size_t)line - 1);
}

tag cache_tag(const struct cache *cache, size_t physical)
{
    return (tag)(physical >> cache->line_shift) + 1;
}

/* Walks the tree to the way; every node on the path then points away from it, or, to find the
   victim, towards the older half. */
static void tree_touch(uint64_t *tree, size_t ways, size_t way)
{
    size_t low = 0, high = ways;
    for (unsigned node = 1; high - low > 1;) {
        const size_t middle = (low + high + 1) / 2;
        if (way < middle) {
            *tree |= 1ull << node;
            high = middle;
            node = 2 * node;
        } else {
            *tree &= ~(1ull << node);
            low = middle;
            node = 2 * node + 1;
        }
    }
}

static size_t tree_victim(uint64_t tree, size_t ways)
{
    size_t low = 0, high = ways;
    for (unsigned node = 1; high - low > 1;) {
        const size_t middle = (low + high + 1) / 2;
        if (tree >> node & 1) {
            low = middle;
            node = 2 * node + 1;
        } else {
            high = middle;
            node = 2 * node;
        }
    }
    return low;
}

void cache_touch(struct cache *cache, size_t set, size_t way, bool hit)
{
    uint32_t *ages = cache->ages + set * cache->is.ways;
    switch (cache->is.replacement) {
    case LRU:
        ages[way] = ++cache->now;
        break;
    case TREE_PLRU:
        tree_touch(&cache->tree[set], cache->is.ways, way);
        break;
    case QLRU: /* a new line has age 1; a hit makes 3 to 1, anything else to 0 */
        ages[way] = !hit || ages[way] == 3 ? 1 : 0;
        break;
    default:
        break;
    }
}

static size_t victim_in(struct cache *cache, size_t set, uint64_t *random)
{
    const size_t ways = cache->is.ways;
    const tag *tags = cache->tags + set * ways;
    uint32_t *ages = cache->ages + set * ways;
    size_t way = 0;
    for (size_t i = 0; i < ways; i++)
        if (tags[i] == 0)
            return i;
    switch (cache->is.replacement) {
    case LRU:
        for (size_t i = 1; i < ways; i++)
            way = ages[i] < ages[way] ? i : way;
        return way;
    case TREE_PLRU:
        return tree_victim(cache->tree[set], ways);
    case QLRU: /* the first of age 3; all grow older until there is one */
        for (size_t i = 1; i < ways; i++)
            way = ages[i] > ages[way] ? i : way;
        for (size_t i = ways; i-- > 0;)
            ages[i] += 3 - ages[way];
        return way;
    default:
        return simulated_draw(random) % ways;
    }
}

bool cache_has(struct cache *cache, size_t set, tag line, size_t *way)
{
    const size_t ways = cache->is.ways;
    const tag *tags = cache->tags + set * ways;
    size_t i = 0;
    while (i < ways && tags[i] != line)
        i++;
    *way = i;
    return i < ways;
}

tag cache_fill(struct cache *cache, size_t set, tag line, uint64_t *random)
{
    const size_t way = victim_in(cache, set, random);
    tag *at = cache->tags + set * cache->is.ways + way;
    const tag out = *at;
    *at = line;
    cache_touch(cache, set, way, false);
    return out;
}

void cache_remove(struct cache *cache, size_t set, tag line)
{
    size_t way;
    if (cache_has(cache, set, line, &way))
        cache->tags[set * cache->is.ways + way] = 0;
}
