#include "trainer/caches/geometry.h"

#include "trainer/caches/fill.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stddef.h>

/* Where candidates lie: a line in every so many bytes, at that place. */
struct places {
    size_t stride_bytes, offset_bytes;
};

/* The level, and what the search for it needs. */
struct level {
    struct cache_found found;
    struct places places;
    struct search search;
    struct colours colours;
};

enum {
    POOL_MOST = 256,        /* pages: no first level is larger */
    SPREAD_BYTES = 13 * 64, /* an odd number of lines: visits all sets of any power of two */
    SPREAD_ORDERS = 7,
    ORDERS_AGAIN = 6,
    HIT_LINES = 4,
    LINE_LEAST = 8,
    CHOICES_SURE = 5,
    PATIENCE_LAPS = 240 /* 24 ways replaced at random: the last stale line is gone but once in
                           (1 - 1/24)^240 = 1 / 27000 cases */
};

/* By how much a conflict lengthens a lap at least. */
static const double conflict_share = 0.3;

/* What a miss of the first level costs beyond a hit, in hits, at least. */
static const double miss_share = 1.5;

/* ---- quiet laps ---- */

/* The same pages, but offsets spread over all sets. */
static struct lines spread_out(const struct search *search, const struct lines *lines)
{
    const size_t page = search->probe->backend->page_bytes;
    struct lines spread = {0};
    for (size_t i = 0; i < lines->count; i++)
        lines_add(&spread, lines->at[i] / page * page + i * SPREAD_BYTES % page);
    return spread;
}

/* No more than the share of the cache that the lines are, in every set, and the same translations.
 */
static struct quiet spread_lap(struct search *search, const struct lines *lines)
{
    struct lines spread = spread_out(search, lines);
    double laps[SPREAD_ORDERS];
    cache_probe_settle(search->probe, &spread, 0.0, PATIENCE_LAPS);
    for (int i = 0; i < SPREAD_ORDERS; i++)
        laps[i] = cache_probe_lap(search->probe, &spread);
    lines_free(&spread);
    gsl_sort(laps, 1, SPREAD_ORDERS);
    const double middle_half = gsl_stats_quantile_from_sorted_data(laps, 1, SPREAD_ORDERS, 0.75) -
                               gsl_stats_quantile_from_sorted_data(laps, 1, SPREAD_ORDERS, 0.25);
    return (struct quiet){.cycles = gsl_stats_median_from_sorted_data(laps, 1, SPREAD_ORDERS),
                          .deviation = middle_half / 1.349};
}

/* The fastest order: trees of ways drive out lines that would fit in some orders, and none in all.
 */
static double fastest_lap(struct search *search, const struct lines *lines)
{
    double least = INFINITY;
    for (int i = 0; i < ORDERS_AGAIN; i++)
        least = fmin(least, cache_probe_lap(search->probe, lines));
    return least;
}

/* ---- candidates ---- */

/* Somewhere in the lower half of a page: what walks along, and what interrupts it, has lines too,
   and they must not always be of the same set as the candidates. */
static size_t offset_within(const struct cache_probe *probe)
{
    const size_t eighth = probe->backend->page_bytes / 8;
    return eighth * gsl_rng_uniform_int(probe->random, 4);
}

/* Adds candidates, one line a page, of consecutive pages, until the pool has so many: predictors of
   ways tell these apart. */
static bool supply(struct search *search, size_t count)
{
    const struct places *places = search->state;
    const struct backend *backend = search->probe->backend;
    while (search->pool.count < count && search->pool.count < POOL_MOST) {
        const size_t at = search->pool.count * places->stride_bytes;
        if (!backend->enlarge(backend->state, at + places->stride_bytes))
            return false;
        lines_add(&search->pool, at + places->offset_bytes);
    }
    return search->pool.count >= count;
}

static struct lines hit_lines(const struct cache_probe *probe)
{
    struct lines lines = {0};
    for (size_t i = 0; i < HIT_LINES; i++)
        lines_add(&lines, i * SPREAD_BYTES % probe->backend->page_bytes);
    return lines;
}

double geometry_first_hit(struct cache_probe *probe)
{
    struct lines lines = hit_lines(probe);
    const double cycles = cache_probe_load(probe, &lines);
    lines_free(&lines);
    return cycles;
}

/* Exact enough to search by. */
static double rough_hit(struct cache_probe *probe)
{
    struct lines lines = hit_lines(probe);
    double lap = INFINITY;
    for (int i = 0; i < SPREAD_ORDERS; i++)
        lap = fmin(lap, cache_probe_lap(probe, &lines));
    lines_free(&lines);
    return lap / HIT_LINES;
}

/* Half as many again as fit, if the colour has so many. */
static struct lines too_many(const struct level *level)
{
    const size_t ways = level->colours.ways;
    return lines_choose(level->search.probe, &level->colours.items[0].members,
                        ways + (ways + 1) / 2);
}

/* Whether a lap is long of lines of the colour, every other one of which lies shift_bytes further
   on: where half of them fit, a lap is quiet; where they conflict, half of them miss at least, and
   a miss costs no less than a hit. What a miss costs is not compared: it may be one of the next
   level as well. The quiet lap is a fresh one, by the clock of the other. */
static bool is_long_shifted(struct level *level, size_t shift_bytes)
{
    struct lines lines = too_many(level);
    const double limit = (1.0 + conflict_share) * spread_lap(&level->search, &lines).cycles;
    for (size_t i = 0; i < lines.count; i += 2)
        lines.at[i] += shift_bytes;
    cache_probe_settle(level->search.probe, &lines, limit, PATIENCE_LAPS);
    const double lap = fastest_lap(&level->search, &lines);
    lines_free(&lines);
    return lap > limit;
}

/* Lines that conflict do so in every choice; of those that do not, stale ones may keep some choice
   from settling. */
static bool conflict_shifted(struct level *level, size_t shift_bytes)
{
    for (int i = 0; i < CHOICES_SURE; i++)
        if (!is_long_shifted(level, shift_bytes))
            return false;
    return true;
}

/* A shift within the line changes nothing; a larger one leads to another set; one of a whole way
   back to the same. */
static void find_line(struct level *level)
{
    const size_t page = level->search.probe->backend->page_bytes;
    size_t line = LINE_LEAST, way;
    if (!conflict_shifted(level, 0)) {
        level->found.because = "lines of one set do not conflict";
        return;
    }
    while (line < page && conflict_shifted(level, line))
        line *= 2;
    for (way = 2 * line; way < page && !conflict_shifted(level, way);)
        way *= 2;
    level->found.line_bytes = (double)line;
    level->found.way_bytes = (double)(level->colours.count * (way < page ? way : page));
    if (line >= page)
        level->found.because = "no shift within a page ends the conflict";
}

static void sum_up(struct level *level)
{
    struct cache_found *found = &level->found;
    found->ways = (double)level->colours.ways;
    found->capacity_bytes = found->ways * found->way_bytes;
}

/* Once more: a clock that changed between two laps makes a conflict look like none. */
static void check_line(struct level *level)
{
    const struct cache_found before = level->found;
    find_line(level);
    if (!level->found.because && (before.line_bytes != level->found.line_bytes ||
                                  before.way_bytes != level->found.way_bytes))
        level->found.because = "the line was not found the same twice";
}

static void find(struct level *level, struct cache_probe *probe)
{
    if (!probe->backend->enlarge(probe->backend->state, probe->backend->page_bytes)) {
        level->found.because = "there is no memory for it";
        return;
    }
    level->found.hit_cycles = geometry_first_hit(probe);
    if (isnan(level->found.hit_cycles))
        level->found.hit_cycles = rough_hit(probe);
    level->places = (struct places){probe->backend->page_bytes, offset_within(probe)};
    level->search = (struct search){.probe = probe,
                                    .state = &level->places,
                                    .supply = supply,
                                    .measure_quiet = spread_lap,
                                    .miss_cycles = miss_share * level->found.hit_cycles,
                                    .patience = PATIENCE_LAPS};
    level->found.because = colours_find(&level->search, 2, &level->colours);
    if (!level->found.because)
        find_line(level);
    if (level->found.because)
        return;
    sum_up(level);
    level->found.because = fill_check(&level->search, &level->found, &level->colours);
    if (!level->found.because)
        check_line(level);
}

struct cache_found geometry_find_first(struct cache_probe *probe)
{
    struct level level = {0};
    find(&level, probe);
    search_end(&level.search);
    colours_free(&level.colours);
    return level.found;
}
