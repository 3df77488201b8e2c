#include "trainer/memory/translation.h"

#include <math.h>

enum {
    SPREAD_BYTES = 13 * 64, /* as geometry.c: visits all sets */
    PATIENCE_LAPS = 120,
    MEASURES = 3, /* of a ring; disturbances only lengthen */
    STRIDES_MOST = 12,
    STRIDES_SAME = 3, /* so many strides with the same ring: it is a set */
    AN_OCTAVE = 4,
    LONG_SAMPLES = 8 /* what times a walk is on pages of its own, which come in once a walk */
};

/* By how much of its hits a ring is longer at least that misses translations. */
static const double noticeable = 0.02;

/* Of the entries, pages in a row see so many at least: the program has pages, too. */
static const double in_a_row = 0.85;

/* What a miss costs at least, in hits: less is not told from noise. */
static const double miss_least = 0.1;

static const char *const no_memory = "there is no memory for so many pages",
                         *const no_time = "the time for it ended";

struct pages {
    struct cache_probe *probe;
    double hit_cycles;
    size_t most; /* pages whose lines the first cache surely keeps */
};

static struct lines lines_on_pages(const struct cache_probe *probe, size_t count,
                                   size_t stride_pages)
{
    const size_t page = probe->backend->page_bytes;
    struct lines lines = {0};
    for (size_t i = 0; i < count; i++)
        lines_add(&lines, i * stride_pages * page + i * SPREAD_BYTES % page);
    return lines;
}

static bool enlarge(const struct cache_probe *probe, size_t pages)
{
    const struct backend *backend = probe->backend;
    return backend->enlarge(backend->state, pages * backend->page_bytes);
}

/* Cycles of a lap beyond hits; the least of some, or what is not above enough. */
static double excess(const struct pages *pages, size_t count, size_t stride_pages, double enough)
{
    struct lines lines = lines_on_pages(pages->probe, count, stride_pages);
    const double hits = pages->hit_cycles * (double)count;
    double least = INFINITY;
    for (int i = 0; i < MEASURES && least > enough; i++) {
        cache_probe_settle(pages->probe, &lines, hits + enough, PATIENCE_LAPS);
        least = fmin(least, cache_probe_lap(pages->probe, &lines) - hits);
    }
    lines_free(&lines);
    return least;
}

static bool is_overfull(const struct pages *pages, size_t count, size_t stride_pages,
                        double miss_cycles)
{
    const double limit = fmax(0.5 * miss_cycles, noticeable * pages->hit_cycles * (double)count);
    return excess(pages, count, stride_pages, limit) > limit;
}

/* The largest ring of pages so far apart that misses none, below `overfull`, which does. */
static size_t largest_ring(const struct pages *pages, size_t stride_pages, size_t overfull,
                           double miss_cycles)
{
    size_t fits = 1;
    while (fits + 1 < overfull && !cache_probe_expired(pages->probe)) {
        const size_t middle = (fits + overfull) / 2;
        if (is_overfull(pages, middle, stride_pages, miss_cycles))
            overfull = middle;
        else
            fits = middle;
    }
    return fits;
}

/* ---- the first level ---- */

/* Lines of pages that the first cache keeps, half of which are used: pages that are far apart share
   the sets of a page. */
static size_t pages_kept(const struct cache_probe *probe, const struct cache_found *cache)
{
    const double bytes = fmin((double)probe->backend->page_bytes, cache->way_bytes);
    return (size_t)(0.5 * cache->ways * bytes / cache->line_bytes);
}

/* So many pages that misses are seen, and what one costs there; 0: not so many. No more than
   needed: with many more the second level would miss, too. */
static size_t find_overfull(const struct pages *pages, double *miss_cycles)
{
    for (size_t count = 4; count <= pages->most; count *= 2) {
        *miss_cycles = excess(pages, count, 1, 0.0) / (double)count;
        if (*miss_cycles > miss_least * pages->hit_cycles)
            return count;
    }
    return 0;
}

/* One set of all entries has the program's pages, too. */
static void found_sets(struct translation_found *found, double ways, double sets)
{
    found->ways = sets > 1.0 ? ways : (double)NAN;
    found->entries = sets > 1.0 ? ways * sets : (double)NAN;
    found->entries_low = ways * sets;
    found->entries_high = sets > 1.0 ? ways * sets : floor(ways / in_a_row);
    found->open = sets > 1.0 ? NULL : "one number of entries: the program's own pages have some";
}

static const char *find_sets(const struct pages *pages, size_t overfull,
                             struct translation_found *found)
{
    size_t rings[STRIDES_MOST], same = 1, sets = 1;
    for (size_t i = 0; i < STRIDES_MOST && same < STRIDES_SAME; i++) {
        const size_t stride = (size_t)1 << i;
        if (!enlarge(pages->probe, overfull * stride + 1))
            return no_memory;
        rings[i] = largest_ring(pages, stride, overfull, found->miss_cycles);
        if (cache_probe_expired(pages->probe))
            return no_time;
        same = i > 0 && rings[i] == rings[i - 1] ? same + 1 : 1;
        sets = same == 1 ? stride : sets;
        found_sets(found, (double)rings[i], (double)sets);
        overfull = rings[i] + 1;
    }
    if (same < STRIDES_SAME)
        return "rings of pages far apart do not end at the ways of one set";
    const double least = found->entries_low;
    return (double)rings[0] >= in_a_row * least && (double)rings[0] <= least + 1.0
               ? NULL
               : "pages in a row and pages far apart disagree";
}

/* Pages of the rings by which the first cache was found, which missed no translation: its ways, as
   far apart as a way is large. */
static double pages_of_rings(const struct cache_probe *probe, const struct cache_found *cache)
{
    return cache->ways * fmin(1.0, cache->way_bytes / (double)probe->backend->page_bytes);
}

struct translation_found translation_find_first(struct cache_probe *probe,
                                                const struct cache_found *cache)
{
    struct translation_found found = {0};
    probe->samples = LONG_SAMPLES;
    const struct pages pages = {probe, cache->hit_cycles, pages_kept(probe, cache)};
    if (pages.most < 4 || !enlarge(probe, pages.most + 1)) {
        found.because = no_memory;
        return found;
    }
    const size_t overfull = find_overfull(&pages, &found.miss_cycles);
    found.because = overfull > 0
                        ? find_sets(&pages, overfull, &found)
                        : "the first cache has too few lines for as many pages as would miss";
    if (!found.because && found.entries_low < pages_of_rings(probe, cache))
        found.because = "fewer than the pages that the first cache's own lines are on";
    return found;
}

/* ---- the second level ---- */

static double lap_of(struct cache_probe *probe, const struct lines *lines)
{
    double least = INFINITY;
    for (int i = 0; i < MEASURES && !cache_probe_expired(probe); i++)
        least = fmin(least, cache_probe_lap(probe, lines));
    return least;
}

/* What a load costs beyond one of as many lines close together. */
static double page_cycles(struct cache_probe *probe, size_t count, double line_bytes)
{
    struct lines apart = lines_on_pages(probe, count, 1), packed = {0};
    for (size_t i = 0; i < count; i++)
        lines_add(&packed, i * (size_t)line_bytes);
    const double cycles = lap_of(probe, &apart) - lap_of(probe, &packed);
    lines_free(&apart);
    lines_free(&packed);
    return cycles / (double)count;
}

struct translation_found translation_find_second(struct cache_probe *probe,
                                                 const struct translation_found *first,
                                                 double line_bytes, double lines_most)
{
    struct translation_found found = {.because = "the caches have too few lines for more pages",
                                      .entries = NAN,
                                      .ways = NAN,
                                      .open = "one number of entries: they fill gradually"};
    double counts[64], cycles[64];
    size_t count = 0;
    for (double pages = 2.0 * first->entries_low; pages <= lines_most && count < 64;
         pages *= exp2(1.0 / AN_OCTAVE)) {
        if (!enlarge(probe, (size_t)pages) || cache_probe_expired(probe))
            break;
        counts[count] = floor(pages);
        cycles[count++] = page_cycles(probe, (size_t)pages, line_bytes);
    }
    if (count < 2 * AN_OCTAVE)
        return found;
    const double here = first->miss_cycles, rise = cycles[count - 1] - here;
    found.because = "no more pages than the caches have lines for cost more";
    if (!(rise > here))
        return found;
    found.because = NULL;
    found.miss_cycles = rise;
    for (size_t i = count; i-- > 0;) {
        if (cycles[i] > here + 0.75 * rise)
            found.entries_high = counts[i];
        if (cycles[i] < here + 0.25 * rise) {
            found.entries_low = counts[i];
            return found;
        }
    }
    found.because = "pages cost more from the first level's on";
    return found;
}
