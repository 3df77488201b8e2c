#include "trainer/memory/levels.h"

#include "trainer/caches/second_level.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

const double levels_usual_line_bytes = 64.0;

/* A look at a cache lasts so long at most. Others that share a core come and go within seconds:
   several short looks see more of a cache than a long one. */
static const double look_s = 0.5, hit_s = 0.1, second_s = 2.0, near_s = 3.0, all_s = 10.0;

/* Walked through before the second cache is looked for; what one misses costs is known by then. */
static const double near_bytes = 32.0 * 1024 * 1024;

/* Walked through once more where walks and conflicts disagree: well beyond any second cache. */
static const double again_bytes = 6.0 * 1024 * 1024, again_s = 0.5;

/* A search that a disturbance led astray is begun again. */
enum { ATTEMPTS = 8, LOOKS_AGREED = 2 };

/* How far a search for all levels has come. */
struct finding {
    const struct backend *backend;
    unsigned long seed;
    double end_s; /* on the backend's clock */
    struct levels *levels;
};

static struct cache_probe begin_probe(const struct finding *finding, double budget_s)
{
    const struct backend *backend = finding->backend;
    const double left_s = finding->end_s - backend->now_s(backend->state);
    return cache_probe_begin(backend, finding->seed, fmin(budget_s, left_s));
}

/* ---- against walks ---- */

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

static bool is_same(const struct cache_found *one, const struct cache_found *other)
{
    return one->ways == other->ways && one->line_bytes == other->line_bytes &&
           one->way_bytes == other->way_bytes;
}

/* How many looks found the same. */
static size_t votes_for(const struct looks *looks, size_t index)
{
    size_t votes = 0;
    for (size_t i = 0; i < looks->count; i++)
        votes += is_same(&looks->seen[index], &looks->seen[i]);
    return votes;
}

/* The largest that so many looks found, at different moments: what disturbs takes ways, for all the
   time of a look or of many, and adds none. */
static struct cache_found elect(const struct looks *looks, size_t wanted)
{
    struct cache_found found = {0};
    size_t enough = 0;
    for (size_t i = 0; i < looks->count; i++)
        if (votes_for(looks, i) >= wanted &&
            (enough++ == 0 || looks->seen[i].capacity_bytes > found.capacity_bytes))
            found = looks->seen[i];
    if (looks->count == 0)
        found.because = looks->because;
    else if (enough == 0)
        found.because = "it was not found the same twice";
    return found;
}

/* A hit of the first level, timed at one more moment. */
static void time_hit(const struct finding *finding)
{
    struct hits *hits = &finding->levels->hits;
    struct cache_probe probe = begin_probe(finding, hit_s);
    const double cycles = geometry_first_hit(&probe);
    if (!isnan(cycles) && hits->count < HITS_MOST)
        hits->cycles[hits->count++] = cycles;
    cache_probe_end(&probe);
}

/* One more look, unless so many agree, or there were too many. */
static void look_first(struct finding *finding, size_t wanted)
{
    struct looks *looks = &finding->levels->looks;
    if (!elect(looks, wanted).because || looks->count == LOOKS_MOST)
        return;
    struct cache_probe probe = begin_probe(finding, look_s);
    struct cache_found found = {.because = "the time for it ended"};
    finding->seed++;
    for (int i = 0; i < ATTEMPTS && found.because && !cache_probe_expired(&probe); i++)
        found = geometry_find_first(&probe);
    cache_probe_end(&probe);
    if (found.because)
        looks->because = found.because;
    else
        looks->seen[looks->count++] = found;
}

/* ---- the second ---- */

/* What a load costs at least that misses the second level: of a third, which others may have filled
   so that walks do not show it, so many times a hit. What it costs is learnt from what misses. */
static double beyond_second(const struct plateaus *plateaus)
{
    static const double third = 2.5;
    if (plateaus->count < 3)
        return NAN;
    return fmin(third * plateaus->items[1].cycles, plateaus->items[2].cycles);
}

/* One more look, unless it is known, as the first level's ways were taken to be. */
static void look_second(struct finding *finding)
{
    struct levels *levels = finding->levels;
    const struct plateaus *plateaus = &levels->plateaus;
    const struct cache_found first = elect(&levels->looks, 1);
    struct cache_found found = {.because = "it is not known what a miss costs"};
    if (!levels->second_seen.because && levels->second_way_bytes == first.way_bytes)
        return;
    if (first.because)
        found.because = "the first cache is not known";
    const bool possible = !first.because && !isnan(beyond_second(plateaus));
    const struct eviction_levels around = {
        &first, possible ? plateaus->items[1].cycles : (double)NAN, beyond_second(plateaus)};
    struct cache_probe probe = begin_probe(finding, second_s);
    finding->seed++;
    for (int i = 0; possible && i < ATTEMPTS && found.because && !cache_probe_expired(&probe);
         i++) {
        found = second_level_find(&probe, &around);
        check_walks(plateaus, 1, &found);
    }
    cache_probe_end(&probe);
    levels->second_seen = found;
    levels->second_way_bytes = first.way_bytes;
}

/* ---- all ---- */

static void walk_upto(const struct finding *finding, double bytes, double budget_s)
{
    struct cache_probe probe = begin_probe(finding, budget_s);
    plateaus_extend(&probe, bytes, levels_usual_line_bytes, &finding->levels->plateaus);
    cache_probe_end(&probe);
}

/* What is known by now of the first two. */
static void sum_up(struct levels *levels)
{
    struct hits *hits = &levels->hits;
    levels->first = elect(&levels->looks, LOOKS_AGREED);
    gsl_sort(hits->cycles, 1, hits->count);
    if (hits->count > 0)
        levels->first.hit_cycles = gsl_stats_median_from_sorted_data(hits->cycles, 1, hits->count);
    check_walks(&levels->plateaus, 0, &levels->first);
    levels->second = levels->second_seen;
    if (levels->first.because && !levels->second.because)
        levels->second.because = "the first cache is not known";
    check_walks(&levels->plateaus, 1, &levels->second);
}

/* Disturbances make walks longer: those of the first caches once more. Whether there are as many
   levels as before. */
static bool walk_again(const struct finding *finding)
{
    struct plateaus *plateaus = &finding->levels->plateaus;
    const size_t count = plateaus->count;
    struct cache_probe probe = begin_probe(finding, again_s);
    plateaus_again(&probe, again_bytes, levels_usual_line_bytes, plateaus);
    cache_probe_end(&probe);
    return plateaus->count == count;
}

static bool is_known(const struct levels *levels)
{
    return !levels->first.because && !levels->second.because;
}

/* Once more where what others do to the last cache has hidden memory. */
static void find_memory(const struct finding *finding, double bytes_most)
{
    struct cache_probe walks = begin_probe(finding, all_s);
    struct plateaus *plateaus = &finding->levels->plateaus;
    plateaus_extend(&walks, bytes_most, levels_usual_line_bytes, plateaus);
    while (!plateaus_reach_memory(plateaus) && !cache_probe_expired(&walks))
        *plateaus = plateaus_find(&walks, bytes_most, levels_usual_line_bytes);
    cache_probe_end(&walks);
}

static void look_again(struct finding *finding)
{
    look_first(finding, LOOKS_AGREED);
    time_hit(finding);
    look_second(finding);
    sum_up(finding->levels);
}

void levels_again(const struct backend *backend, unsigned long seed, struct levels *levels)
{
    static const double once_s = 2.0;
    struct finding finding = {backend, seed, backend->now_s(backend->state) + once_s, levels};
    const struct plateaus before = levels->plateaus;
    if (is_known(levels))
        return;
    if (!walk_again(&finding))
        levels->plateaus = before;
    look_again(&finding);
}

void levels_insist(const struct backend *backend, unsigned long seed, struct levels *levels)
{
    static const double patience_s = 3.0;
    const double end_s = backend->now_s(backend->state) + patience_s;
    for (unsigned long i = 0; i < ATTEMPTS && backend->now_s(backend->state) < end_s; i++)
        levels_again(backend, seed + i, levels);
}

struct levels levels_find(const struct backend *backend, unsigned long seed, double bytes_most)
{
    struct levels levels = {.looks.because = "not tried", .second_seen.because = "not tried"};
    struct finding finding = {backend, seed, backend->now_s(backend->state) + all_s, &levels};
    look_first(&finding, 1);
    time_hit(&finding);
    walk_upto(&finding, fmin(near_bytes, bytes_most), near_s);
    look_first(&finding, 1);
    time_hit(&finding);
    look_second(&finding);
    look_first(&finding, 1);
    time_hit(&finding);
    walk_upto(&finding, 0.5 * bytes_most, all_s);
    look_first(&finding, 1);
    time_hit(&finding);
    find_memory(&finding, bytes_most);
    finding.end_s = fmax(finding.end_s, backend->now_s(backend->state) + look_s);
    look_again(&finding);
    if (!is_known(&levels)) {
        walk_again(&finding);
        look_again(&finding);
    }
    if (!levels.second.because)
        plateaus_know_second(&levels.plateaus, levels.second.capacity_bytes);
    return levels;
}
