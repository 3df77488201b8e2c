#include "trainer/caches/conflict.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

enum {
    ORDERS_SURE = 4,  /* all of them longer: the ring is overfull */
    ORDERS_MEAN = 12, /* that a mean is taken over */
    TRIES = 4,        /* choices of one size while a ring grows */
    TRIALS = 24,      /* of how long a ring takes to settle */
    RING_MOST = 96,   /* lines of a minimal ring */
    SMALL_PARTS = 32
};

/* The limit lies above the quiet lap, which is known from some orders only, by so many deviations
   of an order. */
static const double lucky = 1.5;
static const double growth = 1.15;

/* Of the lines, after parts of 1 / SMALL_PARTS were tried. */
static const double left_at_most = 0.85;

void search_end(struct search *search)
{
    lines_free(&search->pool);
    free(search->quiets);
    search->quiets = NULL;
    search->quiets_room = 0;
}

void ring_free(struct ring *ring)
{
    lines_free(&ring->lines);
}

struct quiet search_quiet(struct search *search, const struct lines *lines)
{
    const size_t count = lines->count;
    while (count >= search->quiets_room) {
        search->quiets = memory_grow(search->quiets, count + 64, sizeof *search->quiets);
        for (; search->quiets_room < count + 64; search->quiets_room++)
            search->quiets[search->quiets_room] = (struct quiet){0};
    }
    if (!search->quiets[count].known) {
        search->quiets[count] = search->measure_quiet(search, lines);
        search->quiets[count].known = true;
    }
    return search->quiets[count];
}

static double limit_of(const struct search *search, const struct quiet *quiet)
{
    return quiet->cycles + fmax(0.5 * search->miss_cycles, lucky * quiet->deviation);
}

/* Of an overfull ring some line misses in every lap, whatever its order; a disturbance passes. */
bool search_is_longer(struct search *search, const struct lines *lines, const struct quiet *quiet)
{
    const double limit = limit_of(search, quiet);
    double least = INFINITY;
    cache_probe_settle(search->probe, lines, limit, search->patience);
    for (int orders = 0; orders < ORDERS_SURE && least > limit; orders++)
        least = fmin(least, cache_probe_lap(search->probe, lines));
    return least > limit;
}

bool search_is_overfull(struct search *search, const struct lines *lines)
{
    const struct quiet quiet = search_quiet(search, lines);
    return search_is_longer(search, lines, &quiet);
}

/* ---- a minimal ring ---- */

/* Leaves out every part of that many lines without which the rest is still overfull; whether there
   was one. */
static bool leave_out(struct search *search, struct lines *lines, size_t part)
{
    bool any = false;
    for (size_t first = 0; first < lines->count && lines->count > part;) {
        struct lines rest = lines_without(lines, first, part);
        const bool still = search_is_overfull(search, &rest);
        if (still) {
            lines_free(lines);
            *lines = rest;
            any = true;
        } else {
            lines_free(&rest);
            first += part;
        }
        if (cache_probe_expired(search->probe))
            return false;
    }
    return any;
}

/* Group testing, as for eviction sets (Vila, Koepf, Morales: Theory and Practice of Finding
   Eviction Sets, 2019). false: the lines are not slow for a few of them. The k lines of a set leave
   a part of 1 / 32 out with probability (31/32)^k, more than a third for k = 33: where less than
   this has been left out by then, it was a disturbance that made them look overfull. */
static bool reduce(struct search *search, struct lines *lines)
{
    const size_t all = lines->count;
    for (size_t part = all / 4; part > 1; part /= 2) {
        leave_out(search, lines, part);
        if (part <= all / SMALL_PARTS && (double)lines->count > left_at_most * (double)all)
            return false;
    }
    if (lines->count > RING_MOST)
        return false;
    while (leave_out(search, lines, 1))
        continue;
    return true;
}

/* A choice among the lines that is overfull; empty: none was found. */
static struct lines grow(struct search *search, const struct lines *among, size_t least)
{
    size_t count = least;
    for (bool last = false; !last && !cache_probe_expired(search->probe);) {
        last = count >= among->count;
        if (last)
            count = among->count;
        for (int i = 0; i < (last ? 1 : TRIES); i++) {
            struct lines chosen = lines_choose(search->probe, among, count);
            if (count > 0 && search_is_overfull(search, &chosen) &&
                search_is_overfull(search, &chosen))
                return chosen;
            lines_free(&chosen);
        }
        count = (size_t)(growth * (double)count) + 1;
    }
    return (struct lines){0};
}

/* A quiet lap that was taken for too short, as its clock changed, would mislead for ever. */
static void forget_quiets(struct search *search)
{
    for (size_t i = 0; i < search->quiets_room; i++)
        search->quiets[i].known = false;
}

bool search_ring(struct search *search, const struct lines *among, size_t least, struct ring *ring)
{
    struct lines lines = grow(search, among, least);
    *ring = (struct ring){0};
    if (lines.count == 0)
        return false;
    if (reduce(search, &lines) && !cache_probe_expired(search->probe) && lines.count >= 2 &&
        lines.count <= RING_MOST && search_is_overfull(search, &lines)) {
        ring->lines = lines;
        return true;
    }
    lines_free(&lines);
    forget_quiets(search);
    return false;
}

/* ---- what a miss costs ---- */

/* Where the oldest line is replaced all lines of an overfull ring miss in every lap, elsewhere
   some: the excess over as many misses is what one costs at least. */
void search_learn_miss(struct search *search, const struct ring *ring)
{
    const struct quiet quiet = search_quiet(search, &ring->lines);
    double sum = 0.0;
    for (int i = 0; i < ORDERS_MEAN; i++)
        sum += cache_probe_lap(search->probe, &ring->lines);
    const double excess = sum / ORDERS_MEAN - quiet.cycles;
    search->miss_cycles = fmax(search->miss_cycles, excess / (double)ring->lines.count);
}

/* ---- patience ---- */

void search_learn_patience(struct search *search, const struct ring *ring)
{
    size_t longest = 0;
    for (int i = 0; i < TRIALS; i++) {
        struct lines fits = lines_without(
            &ring->lines, gsl_rng_uniform_int(search->probe->random, ring->lines.count), 1);
        struct lines stale = lines_choose(search->probe, &search->pool, search->pool.count / 2);
        const struct quiet quiet = search_quiet(search, &fits);
        cache_probe_settle(search->probe, &stale, 0.0, 1);
        const size_t laps =
            cache_probe_settle(search->probe, &fits, limit_of(search, &quiet), search->patience);
        longest = laps > longest ? laps : longest;
        lines_free(&stale);
        lines_free(&fits);
    }
    longest = 3 * longest + 8;
    search->patience = longest < search->patience ? longest : search->patience;
}

/* ---- members ---- */

bool search_belongs(struct search *search, const struct ring *ring, size_t line)
{
    if (lines_have(&ring->lines, line))
        return true;
    struct lines changed = lines_copy(&ring->lines);
    changed.at[gsl_rng_uniform_int(search->probe->random, ring->lines.count)] = line;
    const bool belongs = search_is_overfull(search, &changed);
    lines_free(&changed);
    return belongs;
}
