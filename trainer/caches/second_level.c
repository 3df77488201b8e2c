#include "trainer/caches/second_level.h"

#include "trainer/caches/set_groups.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum {
    VICTIMS_MOST = 7,
    VOTES_LEAD = 3,
    RINGS_SURE = 2,
    TRIES_MOST = 32,
    REFILL_TRIES = 256,
    SETTLE_TRIES = 6
};

/* Of what a ring costs that is too long by one: more is no chance. */
static const double noticeable = 0.3;

/* Where the oldest line goes a set drives its victim out always, where chance replaces it often. */
static const double shares[] = {0.8, 0.5};

static const char *const no_time = "the time for it ended",
                         *const no_agreement = "sets of lines that conflict differ in size",
                         *const no_sets =
                             "the share of lines that are of one set is that of no likely number",
                         *const no_ways = "as many lines as drive one out do not conflict",
                         *const no_flush = "any lines conflict, and the first level hides them";

/* ---- ways ---- */

static struct lines ring_of(const struct eviction *eviction, size_t count)
{
    return lines_choose(eviction->probe, &eviction->members, count);
}

/* What a ring of lines of the set costs that fit: as far as smaller ones go, and on in a line. */
struct fitting {
    double count, lines, cycles, lines2, lines_cycles; /* sums */
    double excess;                                     /* of a ring of one line more than fit */
};

static void fitting_add(struct fitting *fitting, size_t lines, double cycles)
{
    const double x = (double)lines;
    fitting->count += 1.0;
    fitting->lines += x;
    fitting->cycles += cycles;
    fitting->lines2 += x * x;
    fitting->lines_cycles += x * cycles;
}

static double fitting_at(const struct fitting *fitting, size_t lines)
{
    const double n = fitting->count, mean = fitting->lines / n;
    const double slope = (fitting->lines_cycles - mean * fitting->cycles) /
                         (fitting->lines2 - mean * fitting->lines);
    return fitting->cycles / n + slope * ((double)lines - mean);
}

/* Cycles of a lap through a ring of so many of the set. */
static double ring_cycles(struct eviction *eviction, size_t count)
{
    const struct drive nothing = {0};
    struct lines ring = ring_of(eviction, count);
    eviction_settle(eviction, &ring, SETTLE_ORDERS);
    const double cycles = eviction_cycles(eviction, &nothing, &ring);
    lines_free(&ring);
    return cycles;
}

/* The first ring, from small ones on, that takes half a miss longer than it would if it fitted.
   Where nothing empties the first level, rings have to be longer than its ways. 0: none. */
static size_t find_overfull(struct eviction *eviction, struct fitting *fitting)
{
    const size_t first_ways = (size_t)eviction->levels.first->ways;
    const size_t least = eviction->flush.count > 0 ? 1 : 2 * first_ways;
    *fitting = (struct fitting){0};
    for (size_t count = least; count <= eviction->members.count; count++) {
        const double cycles = ring_cycles(eviction, count);
        fitting->excess = cycles - fitting_at(fitting, count);
        if (count >= least + 2 && fitting->excess > 0.5 * eviction->miss_cycles)
            return count;
        fitting_add(fitting, count, cycles);
        if (cache_probe_expired(eviction->probe))
            return 0;
    }
    return 0;
}

/* Of w lines of a set all stay, of w + 1 one at least misses in every lap, whatever is replaced. */
static const char *find_ways(struct eviction *eviction, struct fitting *fitting, size_t *ways)
{
    const size_t overfull = find_overfull(eviction, fitting);
    if (overfull == 0)
        return cache_probe_expired(eviction->probe) ? no_time : no_ways;
    *ways = overfull - 1;
    for (int i = 0; i < RINGS_SURE; i++) {
        const double half = 0.5 * eviction->miss_cycles;
        if (ring_cycles(eviction, overfull) < fitting_at(fitting, overfull) + half ||
            ring_cycles(eviction, *ways) > fitting_at(fitting, *ways) + half)
            return no_agreement;
    }
    return NULL;
}

/* Where the oldest line goes all of a ring miss that is too long by one, elsewhere one at least. */
static double limit_of(const struct eviction *eviction, const struct fitting *fitting, size_t count)
{
    return fitting_at(fitting, count) +
           fmax(0.5 * eviction->miss_cycles, noticeable * fitting->excess);
}

/* ---- what empties the first level ---- */

/* Whether a ring of so many of the set misses, with what drives; not because of stale lines that
   have its ways. */
static bool does_ring_miss(struct eviction *eviction, const struct fitting *fitting,
                           const struct lines *driving, size_t count)
{
    struct lines ring = ring_of(eviction, count);
    const struct drive drive = {.lines = driving};
    const double limit = limit_of(eviction, fitting, count);
    bool misses = eviction_is_above(eviction, &drive, &ring, limit);
    for (int i = 0; misses && i < SETTLE_TRIES; i++) {
        eviction_settle(eviction, &ring, SETTLE_AGAIN);
        misses = eviction_is_above(eviction, &drive, &ring, limit);
    }
    lines_free(&ring);
    return misses;
}

/* A line of the flush without which an overfull ring fits is one of the set: it takes a way of the
   ring's. */
static void clean_flush(struct eviction *eviction, const struct fitting *fitting, size_t *ways)
{
    const struct lines nothing = {0};
    for (size_t i = 0; i < eviction->flush.count && !cache_probe_expired(eviction->probe);) {
        const size_t line = eviction->flush.at[i];
        struct lines rest = lines_without(&eviction->flush, i, 1), all = eviction->flush;
        eviction->flush = rest;
        if (does_ring_miss(eviction, fitting, &nothing, *ways + 1)) {
            eviction->flush = all;
            lines_free(&rest);
            i++;
        } else {
            lines_free(&all);
            lines_add(&eviction->members, line);
            ++*ways;
        }
    }
}

/* Lines of other sets instead of those. */
static void refill_flush(struct eviction *eviction, const struct fitting *fitting, size_t ways,
                         size_t wanted)
{
    for (int tries = 0; eviction->flush.count < wanted && tries < REFILL_TRIES &&
                        !cache_probe_expired(eviction->probe);
         tries++) {
        struct lines one = lines_choose(eviction->probe, &eviction->pool, 1);
        if (!lines_have(&eviction->flush, one.at[0]) &&
            !lines_have(&eviction->members, one.at[0]) &&
            !does_ring_miss(eviction, fitting, &one, ways))
            lines_add(&eviction->flush, one.at[0]);
        lines_free(&one);
    }
}

/* The ways, with a flush that takes none of them. */
static const char *find_clean_ways(struct eviction *eviction, struct fitting *fitting, size_t *ways)
{
    const size_t wanted = eviction->flush.count;
    const char *because = find_ways(eviction, fitting, ways);
    if (because || wanted == 0)
        return because;
    clean_flush(eviction, fitting, ways);
    if (eviction->flush.count < wanted) {
        refill_flush(eviction, fitting, *ways, wanted);
        if (2 * eviction->flush.count <= wanted)
            return no_flush;
        because = find_ways(eviction, fitting, ways);
    }
    return because;
}

/* ---- votes ---- */

struct votes {
    size_t ways[VICTIMS_MOST]; /* what each victim's set says */
    struct set_count sets[VICTIMS_MOST];
    double hit_cycles[VICTIMS_MOST];
    size_t count;
};

static size_t votes_for(const struct votes *votes, size_t ways)
{
    size_t sum = 0;
    for (size_t i = 0; i < votes->count; i++)
        sum += votes->ways[i] == ways;
    return sum;
}

/* What leads all others by so many votes: a line that is used all the time takes a way of its set.
   0: nothing does. */
static size_t elected(const struct votes *votes)
{
    for (size_t i = 0; i < votes->count; i++) {
        bool leads = true;
        for (size_t k = 0; k < votes->count; k++)
            leads &=
                votes->ways[k] == votes->ways[i] ||
                votes_for(votes, votes->ways[i]) >= votes_for(votes, votes->ways[k]) + VOTES_LEAD;
        if (leads && votes_for(votes, votes->ways[i]) >= VOTES_LEAD)
            return votes->ways[i];
    }
    return 0;
}

static const char *decide(const struct votes *votes, struct cache_found *found)
{
    const size_t ways = elected(votes);
    struct set_count all = {0};
    if (ways == 0)
        return no_agreement;
    for (size_t i = 0; i < votes->count; i++)
        if (votes->ways[i] == ways)
            set_count_merge(&all, &votes->sets[i]);
    const struct set_estimate estimate = set_count_estimate(&all);
    const size_t sets = set_count_decide(&estimate);
    if (sets == 0)
        return no_sets;
    found->ways = (double)ways;
    found->way_bytes = (double)sets * found->line_bytes;
    found->capacity_bytes = found->ways * found->way_bytes;
    return NULL;
}

/* ---- one victim ---- */

/* Lines of one set of the first level, more than it has ways, that the second keeps. */
static double hit_cycles(struct eviction *eviction, size_t ways)
{
    const size_t first_ways = (size_t)eviction->levels.first->ways;
    struct lines lines = ring_of(eviction, ways);
    for (size_t i = 0; i < eviction->flush.count && lines.count < 2 * first_ways; i++)
        lines_add(&lines, eviction->flush.at[i]);
    const double cycles =
        lines.count > first_ways + 1 ? cache_probe_load(eviction->probe, &lines) : (double)NAN;
    lines_free(&lines);
    return cycles;
}

static const char *ask_victim(struct cache_probe *probe, const struct eviction_levels *levels,
                              double share, struct votes *votes)
{
    struct eviction eviction;
    struct fitting fitting = {0};
    size_t ways = 0;
    const char *because = eviction_find(probe, levels, share, &eviction);
    if (!because)
        because = find_clean_ways(&eviction, &fitting, &ways);
    if (!because && cache_probe_expired(probe))
        because = no_time;
    if (!because) {
        const double limit = limit_of(&eviction, &fitting, ways);
        struct lines ring = ring_of(&eviction, ways);
        votes->ways[votes->count] = ways;
        votes->hit_cycles[votes->count] = hit_cycles(&eviction, ways);
        because = set_groups_ask(&eviction, &ring, limit, &votes->sets[votes->count]);
        votes->count += because ? 0 : 1;
        lines_free(&ring);
    }
    eviction_end(&eviction);
    return because;
}

/* The middle of those that are known. */
static double middle_hit(const struct votes *votes)
{
    double cycles[VICTIMS_MOST];
    size_t count = 0;
    for (size_t i = 0; i < votes->count; i++)
        if (!isnan(votes->hit_cycles[i]))
            cycles[count++] = votes->hit_cycles[i];
    if (count == 0)
        return NAN;
    gsl_sort(cycles, 1, count);
    return gsl_stats_median_from_sorted_data(cycles, 1, count);
}

struct cache_found second_level_find(struct cache_probe *probe,
                                     const struct eviction_levels *levels)
{
    struct cache_found found = {.because = no_time, .line_bytes = levels->first->line_bytes};
    struct votes votes = {0};
    size_t kind = 0;
    for (int i = 0; i < TRIES_MOST && votes.count < VICTIMS_MOST && found.because &&
                    !cache_probe_expired(probe);
         i++) {
        found.because = ask_victim(probe, levels, shares[kind], &votes);
        kind = found.because ? 1 - kind : kind;
        if (votes.count >= VOTES_LEAD)
            found.because = decide(&votes, &found);
        else if (!found.because)
            found.because = no_time;
    }
    found.hit_cycles = middle_hit(&votes);
    return found;
}
