#include "model/node/cache.h"

#include "model/base/number.h"

#include <math.h>

/* Where a table has none: the smallest pages in use, which tell least about where lines lie. */
static const double usual_page_bytes = 4096.0;

static double page_of(const struct memory *memory)
{
    const struct tlb *tlb = memory->tlb.items;
    double page_bytes = INFINITY;
    for (size_t i = 0; i < memory->tlb.count; i++)
        page_bytes = fmin(page_bytes, tlb[i].page_bytes); /* fmin leaves a NAN out */
    return isfinite(page_bytes) ? page_bytes : usual_page_bytes;
}

bool cache_of(const struct memory *memory, const struct memory_level *level, struct cache *cache)
{
    const double capacity_bytes =
        isnan(level->capacity_bytes) ? level->capacity_bytes_high : level->capacity_bytes;
    *cache = (struct cache){.lines = capacity_bytes / level->line_bytes,
                            .ways = level->ways,
                            .line_bytes = level->line_bytes,
                            .replacement = (enum replacement)level->replacement,
                            .memory = memory,
                            .level = level,
                            .page_bytes = page_of(memory)};
    return isfinite(level->level) && !isnan(cache->lines);
}

/* ---- lines that crowd into few sets ---- */

/* After so many bytes the sets begin anew, or the page ends. */
static double period_bytes(const struct cache *cache)
{
    return fmin(cache->lines / cache->ways * cache->line_bytes, cache->page_bytes);
}

double cache_places(const struct cache *cache, double step_bytes, double steps)
{
    const double period = period_bytes(cache);
    const double apart = fmax(cache->line_bytes, number_common_divisor(fabs(step_bytes), period));
    return fmin(steps, period / apart);
}

double cache_held_lines(const struct cache *cache, double places)
{
    const double period = period_bytes(cache);
    const double colours = cache->lines / cache->ways * cache->line_bytes / period;
    return isnan(cache->ways) ? INFINITY : fmin(cache->lines, cache->ways * places * colours);
}

/* The lines over which hits turn into misses: D C / A, with D from 1 to A. */
static double transition(const struct cache *cache, double arrays)
{
    return fmin(fmax(arrays, 1.0), cache->ways) * cache->lines / cache->ways;
}

double cache_pass_misses(const struct cache *cache, double lines, double arrays)
{
    if (lines <= cache->lines)
        return 0.0;
    if (cache->replacement != REPLACEMENT_LRU)
        return lines - cache->lines;
    return lines * fmin(1.0, (lines - cache->lines) / transition(cache, arrays));
}

/* The integral of eq. 5.1's share of misses, from C to `lines`. */
static double integral(double over, double width)
{
    if (over <= 0.0)
        return 0.0;
    return over < width ? over * over / (2.0 * width) : over - width / 2.0;
}

double cache_reuse_misses(const struct cache *cache, double least, double most, double arrays)
{
    const double width = transition(cache, arrays);
    const double from = fmin(least, most) - cache->lines, to = fmax(least, most) - cache->lines;
    if (to - from < 1e-9 * cache->lines)
        return fmin(1.0, fmax(0.0, to / width));
    return (integral(to, width) - integral(from, width)) / (to - from);
}

double effective_access_cycles(const double *cycles, const double *misses, size_t levels)
{
    double sum = 0.0, reach = 1.0;
    for (size_t i = 0; i < levels && reach > 0.0; i++) {
        const double miss = i + 1 == levels ? 0.0 : misses[i];
        if (miss < 1.0)
            sum += reach * (1.0 - miss) * cycles[i];
        reach *= miss;
    }
    return levels ? sum : (double)NAN;
}
