#include "trainer/memory/colours.h"

#include "model/base/allocation.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
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

/* ---- how many ---- */

enum { COLOURS_SAMPLED = 5, MEMBERS_WANTED = 64 };

/* A number of colours within this ratio of a power of two is that: a wrong one would be off by
 * half. */
static const double power_ratio = 1.35;

/* Lines of the ring's colour in the pool from `first` on. */
static size_t count_members(struct search *search, const struct ring *ring, size_t first)
{
    size_t count = 0;
    for (size_t i = first; i < search->pool.count && !cache_probe_expired(search->probe); i++)
        count += search_belongs(search, ring, search->pool.at[i]) ? 1 : 0;
    return count;
}

/* What the rings of some colours say. */
struct sample {
    size_t rings, others;  /* of the size looked for, and of another one */
    size_t members, fresh; /* lines of those rings' colours among the fresh ones of the pool */
    double hit_cycles[COLOURS_SAMPLED];
    size_t hits;
};

/* A minimal ring less one line fits, and all of it is in one set of the level above, which has
   fewer ways. */
static void take_ring(struct search *search, const struct ring *ring, size_t known,
                      struct sample *sample)
{
    struct lines fits = lines_without(&ring->lines, 0, 1);
    const double cycles = cache_probe_load(search->probe, &fits);
    if (!isnan(cycles))
        sample->hit_cycles[sample->hits++] = cycles;
    sample->members += count_members(search, ring, known);
    sample->rings++;
    lines_free(&fits);
}

/* The ring's colour and a few others: how large a share of new lines is of one. The lines among
   which rings are found say nothing of it: colours that have many there are found first. */
static const char *take_sample(struct search *search, const struct ring *ring,
                               struct sample *sample)
{
    struct lines known = lines_copy(&search->pool);
    const size_t members = count_members(search, ring, 0);
    search->supply(search, known.count + MEMBERS_WANTED * known.count / (members ? members : 1));
    *sample = (struct sample){.fresh = search->pool.count - known.count};
    take_ring(search, ring, known.count, sample);
    for (int i = 1; i < COLOURS_SAMPLED && !cache_probe_expired(search->probe); i++) {
        struct ring other;
        if (!search_ring(search, &known, ring->lines.count, &other))
            continue;
        if (other.lines.count == ring->lines.count)
            take_ring(search, &other, known.count, sample);
        else
            sample->others++;
        ring_free(&other);
    }
    lines_free(&known);
    if (cache_probe_expired(search->probe))
        return no_time;
    if (sample->others >= sample->rings)
        return no_agreement;
    return sample->fresh > 0 && sample->members > 0 ? NULL : "there are too few lines";
}

/* The pages of some rings miss their translations. */
static double median_hit(struct sample *sample)
{
    if (sample->hits == 0)
        return NAN;
    gsl_sort(sample->hit_cycles, 1, sample->hits);
    return gsl_stats_median_from_sorted_data(sample->hit_cycles, 1, sample->hits);
}

const char *colours_estimate(struct search *search, size_t least, struct colour_estimate *estimate)
{
    struct ring ring;
    struct sample sample;
    const char *because = vote(search, least, &ring);
    if (!because)
        because = search_doubt(search, &ring, least);
    if (!because) {
        estimate->ways = ring.lines.count - 1;
        search_learn_miss(search, &ring);
        search_learn_patience(search, &ring);
        because = take_sample(search, &ring, &sample);
    }
    ring_free(&ring);
    if (because)
        return because;
    const double share = (double)sample.members / (double)sample.rings / (double)sample.fresh;
    const double nearest = exp2(round(log2(1.0 / share)));
    estimate->colours = (size_t)nearest;
    estimate->hit_cycles = median_hit(&sample);
    return nearest * share < power_ratio && nearest * share > 1.0 / power_ratio
               ? NULL
               : "the number of colours is not near a power of two";
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
