#include "trainer/caches/colours.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

enum {
    POOL_FIRST = 64,
    VOTES_MOST = 9,
    VOTES_LEAD = 2,
    WAYS_MOST = 128,
    FAILURES_MOST = 6,
    TRIES_AT_SIZE = 3
};

static const char *const no_time = "the time for it ended";
static const char *const no_agreement = "rings of conflicting lines differ in size";
static const char *const no_ring = "no choice of lines is slower than others of as many";

void colours_free(struct colours *colours)
{
    for (size_t i = 0; i < colours->count; i++) {
        ring_free(&colours->items[i].ring);
        lines_free(&colours->items[i].members);
    }
    free(colours->items);
    lines_free(&colours->rest);
    *colours = (struct colours){0};
}

/* ---- the first ring ---- */

/* A ring from the pool, which is doubled until there is one; not at the first failure, which may be
   a disturbance. A choice is compared with others of as many lines: with half of the pool at most,
   they differ. */
static const char *first_ring(struct search *search, size_t least, struct ring *ring)
{
    size_t count = search->pool.count > POOL_FIRST ? search->pool.count : POOL_FIRST;
    bool more = true;
    for (int tries = 1; more && !cache_probe_expired(search->probe); tries++) {
        more = search->supply(search, count) || tries % TRIES_AT_SIZE != 0;
        struct lines half = lines_choose(search->probe, &search->pool, search->pool.count / 2);
        const bool found = search_ring(search, &half, least, ring);
        lines_free(&half);
        if (found)
            return NULL;
        if (tries % TRIES_AT_SIZE == 0)
            count *= 2;
    }
    return cache_probe_expired(search->probe) ? no_time : no_ring;
}

/* The two sizes with most votes; the first of equals. */
static void count_votes(const size_t votes[WAYS_MOST], size_t *best, size_t *second)
{
    *best = *second = 0;
    for (size_t k = 1; k < WAYS_MOST; k++) {
        if (votes[k] > votes[*best]) {
            *second = *best;
            *best = k;
        } else if (votes[k] > votes[*second] || *second == *best) {
            *second = k;
        }
    }
}

/* Rings vote on their size until one size leads: some may be made by chance disturbances, or by
   conflicts of another kind (a predictor of ways that confuses two addresses); and where one is not
   found, the next may be. */
static const char *vote(struct search *search, size_t least, struct ring *elected)
{
    size_t votes[WAYS_MOST] = {0}, best = 0, second = 0;
    const char *because = NULL;
    *elected = (struct ring){0};
    for (int i = 0; i < VOTES_MOST && votes[best] < votes[second] + VOTES_LEAD &&
                    !cache_probe_expired(search->probe);
         i++) {
        struct ring ring;
        because = first_ring(search, least, &ring);
        const size_t size = ring.lines.count < WAYS_MOST ? ring.lines.count : 0;
        votes[size] += size > 0;
        count_votes(votes, &best, &second);
        if (size > 0 && size == best && elected->lines.count != size) {
            ring_free(elected);
            *elected = ring;
        } else {
            ring_free(&ring);
        }
    }
    if (best > 0 && elected->lines.count == best)
        return votes[best] > votes[second] ? NULL : no_agreement;
    return because ? because : no_time;
}

/* ---- all colours ---- */

/* Moves the lines of the ring's colour from the rest to the members. */
static void collect(struct search *search, const struct ring *ring, struct lines *rest,
                    struct lines *members)
{
    struct lines others = {0};
    for (size_t i = 0; i < rest->count; i++)
        lines_add(search_belongs(search, ring, rest->at[i]) ? members : &others, rest->at[i]);
    lines_free(rest);
    *rest = others;
}

static void add_colour(struct search *search, struct colours *colours, const struct ring *ring)
{
    colours->items = memory_grow(colours->items, colours->count + 1, sizeof *colours->items);
    struct colour *colour = &colours->items[colours->count++];
    *colour = (struct colour){.ring = *ring};
    collect(search, &colour->ring, &colours->rest, &colour->members);
}

/* So many lines at random over the colours that each has, but for one chance in some thousands,
   enough for a ring: mean - 3.5 deviations of a Poisson distribution >= size. */
static size_t pool_for(const struct colours *colours, size_t pool)
{
    const struct colour *first = &colours->items[0];
    const double root = 0.5 * (3.5 + sqrt(12.25 + 4.0 * (double)first->ring.lines.count));
    const double share = (double)first->members.count / (double)pool;
    return (size_t)ceil(root * root / share);
}

/* Enlarges the pool; what is new is sorted by the colours known, and joins the rest. */
static bool enlarge(struct search *search, struct colours *colours, size_t count)
{
    const size_t before = search->pool.count;
    if (count <= before)
        return true;
    search->supply(search, count);
    for (size_t i = before; i < search->pool.count; i++)
        lines_add(&colours->rest, search->pool.at[i]);
    for (size_t i = 0; i < colours->count && !cache_probe_expired(search->probe); i++)
        collect(search, &colours->items[i].ring, &colours->rest, &colours->items[i].members);
    return search->pool.count >= count;
}

/* Once more for lines that no ring took: a disturbance may have hidden a conflict. */
static void retry_rest(struct search *search, struct colours *colours)
{
    for (size_t i = 0; i < colours->count && colours->rest.count > 0; i++)
        collect(search, &colours->items[i].ring, &colours->rest, &colours->items[i].members);
}

/* The colours of what is left, until nothing is left. */
static const char *find_others(struct search *search, struct colours *colours)
{
    const size_t size = colours->items[0].ring.lines.count;
    bool more = true;
    for (int failures = 0; colours->rest.count > 0 && failures < FAILURES_MOST;) {
        struct ring ring;
        if (search_ring(search, &colours->rest, size, &ring) && ring.lines.count == size) {
            add_colour(search, colours, &ring);
            continue;
        }
        ring_free(&ring);
        if (cache_probe_expired(search->probe))
            return no_time;
        failures++;
        retry_rest(search, colours);
        if (failures > 1 && more)
            more = enlarge(search, colours, search->pool.count + search->pool.count / 2);
    }
    return colours->rest.count > 0 ? "some lines conflict with too few others" : NULL;
}

const char *colours_find(struct search *search, size_t least, struct colours *colours)
{
    struct ring ring;
    *colours = (struct colours){0};
    const char *because = vote(search, least, &ring);
    if (because) {
        ring_free(&ring);
        return because;
    }
    colours->rest = lines_copy(&search->pool);
    colours->ways = ring.lines.count - 1;
    search_learn_miss(search, &ring);
    search_learn_patience(search, &ring);
    add_colour(search, colours, &ring);
    if (colours->items[0].members.count < ring.lines.count)
        return "a ring of conflicting lines did not last";
    enlarge(search, colours, pool_for(colours, search->pool.count));
    return find_others(search, colours);
}
