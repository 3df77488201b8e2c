#include "trainer/memory/levels.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

const double levels_usual_line_bytes = 64.0;

static const double first_s = 1.0, second_s = 2.5, second_again_s = 1.5, walks_s = 7.5;

/* Walked through before the second cache is looked for; what one misses costs is known by then. */
static const double near_bytes = 32.0 * 1024 * 1024;

/* A search that a disturbance led astray is begun again. */
enum { ATTEMPTS = 8, HITS_MOST = 5 };

/* Two methods that know nothing of each other. */
static bool is_within(const struct plateau *plateau, double bytes)
{
    static const double margin = 1.25;
    return bytes > plateau->fits_bytes / margin && bytes < plateau->overflow_bytes * margin;
}

static void check_walks(const struct plateaus *plateaus, size_t index, struct cache_found *found)
{
    if (!found->because && index < plateaus->count &&
        !is_within(&plateaus->items[index], found->capacity_bytes))
        found->because = "conflicts and walks disagree";
}

/* ---- the first ---- */

static struct cache_found find_first(const struct backend *backend, unsigned long seed)
{
    struct probe probe = probe_begin(backend, seed, first_s);
    struct cache_found found = {.because = "not tried"};
    for (int i = 0; i < ATTEMPTS && found.because && !probe_expired(&probe); i++)
        found = geometry_find_first(&probe);
    probe_end(&probe);
    return found;
}

static bool is_same(const struct cache_found *one, const struct cache_found *other)
{
    return !one->because && !other->because && one->ways == other->ways &&
           one->line_bytes == other->line_bytes && one->way_bytes == other->way_bytes;
}

/* What was found some seconds ago is found again, or at least what was found in between: a
   disturbance that lasts may take ways for all the time of one search. Whether it is another one
   than before. */
static bool confirm_first(const struct backend *backend, unsigned long seed,
                          struct cache_found *first)
{
    const struct cache_found before = *first, again = find_first(backend, seed + 1);
    if (is_same(&before, &again) || (before.because && again.because))
        return false;
    const struct cache_found third = find_first(backend, seed + 2);
    if (is_same(&before, &third))
        return false;
    *first = third;
    if (!is_same(&again, &third) && !third.because)
        first->because = "it was not found the same twice";
    return true;
}

/* ---- the second ---- */

/* What a load costs at least that misses the second level: of a size that is four times as large,
   or where that is beyond a third level, on its plateau. */
static double beyond_second(const struct plateaus *plateaus)
{
    const double bytes = 4.0 * plateaus->items[1].overflow_bytes;
    for (size_t i = 0; i < plateaus->walk_count; i++)
        if (plateaus->walks[i].bytes >= bytes)
            return fmin(plateaus->walks[i].cycles, plateaus->items[2].cycles);
    return NAN;
}

static struct cache_found find_second(const struct backend *backend, unsigned long seed,
                                      const struct levels *levels, double budget_s)
{
    const struct plateaus *plateaus = &levels->plateaus;
    struct cache_found found = {.because = "it is not known what a miss costs"};
    if (levels->first.because || plateaus->count < 3 || isnan(beyond_second(plateaus)))
        return found;
    const double miss_cycles = beyond_second(plateaus) - plateaus->items[1].cycles;
    struct probe probe = probe_begin(backend, seed, budget_s);
    for (int i = 0; i < ATTEMPTS && found.because && !probe_expired(&probe); i++) {
        found = geometry_find_second(&probe, &levels->first, miss_cycles);
        check_walks(plateaus, 1, &found);
    }
    probe_end(&probe);
    return found;
}

/* ---- all ---- */

/* Once more where what others do to the last cache has hidden memory. */
static void find_plateaus(struct probe *walks, double bytes_most, struct plateaus *plateaus)
{
    plateaus_extend(walks, bytes_most, levels_usual_line_bytes, plateaus);
    while (!plateaus_reach_memory(plateaus) && !probe_expired(walks))
        *plateaus = plateaus_find(walks, bytes_most, levels_usual_line_bytes);
}

/* A hit of the first level, timed at several moments. */
struct hits {
    double cycles[HITS_MOST];
    size_t count;
};

static void time_hit(const struct backend *backend, unsigned long seed, struct hits *hits)
{
    struct probe probe = probe_begin(backend, seed, first_s);
    const double cycles = geometry_first_hit(&probe);
    if (!isnan(cycles) && hits->count < HITS_MOST)
        hits->cycles[hits->count++] = cycles;
    probe_end(&probe);
}

static void take_hits(struct hits *hits, struct cache_found *first)
{
    if (hits->count == 0)
        return;
    gsl_sort(hits->cycles, 1, hits->count);
    first->hit_cycles = gsl_stats_median_from_sorted_data(hits->cycles, 1, hits->count);
}

struct levels levels_find(const struct backend *backend, unsigned long seed, double bytes_most)
{
    struct levels levels = {.first = find_first(backend, seed)};
    struct hits hits = {0};
    time_hit(backend, seed, &hits);
    struct probe near = probe_begin(backend, seed, walks_s);
    levels.plateaus = plateaus_find(&near, fmin(near_bytes, bytes_most), levels_usual_line_bytes);
    probe_end(&near);
    time_hit(backend, seed, &hits);
    levels.second = find_second(backend, seed, &levels, second_s);
    time_hit(backend, seed, &hits);
    struct probe walks = probe_begin(backend, seed, walks_s);
    find_plateaus(&walks, bytes_most, &levels.plateaus);
    probe_end(&walks);
    time_hit(backend, seed, &hits);
    if (confirm_first(backend, seed, &levels.first) || levels.second.because)
        levels.second = find_second(backend, seed + 1, &levels, second_again_s);
    time_hit(backend, seed, &hits);
    take_hits(&hits, &levels.first);
    check_walks(&levels.plateaus, 0, &levels.first);
    check_walks(&levels.plateaus, 1, &levels.second);
    return levels;
}
