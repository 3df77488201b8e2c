#include "trainer/caches/eviction.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum {
    ROUNDS = 3, /* of an order */
    ORDERS_LEAST = 2,
    ORDERS_MOST = 12,
    SETTLE_ROUNDS = 6,
    COUNT_FIRST = 8,
    POOL_MOST = 16384,
    ARENA_MOST = 64 << 20, /* bytes among which candidates are chosen */
    MEMBERS_MOST = 160,    /* among them lines of other sets, which are left out later */
    REDUCED_MOST = 12,
    IDLE_PASSES = 2,
    FLUSH_WAYS = 2, /* so many times as many lines as the first level has ways */
    FLUSH_TRIES = 6,
    WORD_BYTES = 8,
    PASSES_MOST = 3,
    LINES_FEW = 256,
    LINES_SOME = 1024, /* where there are more, one pass goes through many of each set */
    PARTS_FIRST = 8,
    PARTS_MOST = 64
};

static const double growth = 1.5;

/* Of the rounds, in which a line of a set that is too full misses at least. */
static const double often = 0.1;

/* Of the share asked for, what a set that was made smaller still has to do: where chance replaces,
   it may have been by luck that it did as much. */
static const double still = 0.7;

/* Of the rounds, in which a line that is driven out for other reasons misses. */
static const double mostly = 0.5;

/* Of what a miss costs: a mean of samples is not known more closely. */
static const double sample_error = 0.1;

/* By so many of its errors a mean is above or below. */
static const double sure = 3.0;

static const char *const no_time = "the time for it ended",
                         *const no_set = "no choice of lines drives another one out",
                         *const no_miss = "what a miss costs is not told from a hit",
                         *const not_lasting = "a set of lines that conflict did not last";

void eviction_end(struct eviction *eviction)
{
    lines_free(&eviction->pool);
    lines_free(&eviction->members);
    lines_free(&eviction->flush);
}

/* ---- samples ---- */

/* Another place of the line's page, not near it: what loads it loads the page's translation, and
   fetches nothing of the line ahead. */
static size_t beside(const struct eviction *eviction, size_t line)
{
    const size_t page = eviction->probe->backend->page_bytes, words = page / 16;
    const size_t far = page / 4 + 8 * gsl_rng_uniform_int(eviction->probe->random, words);
    return line / page * page + (line + far) % page;
}

/* Adds the lines in a new order, by that word of theirs. */
static void add_shuffled(struct eviction *eviction, const struct lines *more, size_t word,
                         struct lines *lines)
{
    const size_t words = (size_t)eviction->levels.first->line_bytes / WORD_BYTES;
    struct lines order = lines_copy(more);
    lines_shuffle(eviction->probe, &order);
    for (size_t i = 0; i < order.count; i++)
        lines_add(lines, order.at[i] + word % words * WORD_BYTES);
    lines_free(&order);
}

/* Few lines go round several times, each time in another order and out of the first level again:
   trees of ways, and ages, keep a line that is used for some rounds. */
static size_t passes_of(const struct drive *drive)
{
    if (drive->passes > 0)
        return drive->passes;
    return drive->lines->count <= LINES_FEW    ? PASSES_MOST
           : drive->lines->count <= LINES_SOME ? 2
                                               : 1;
}

/* A new order: what drives, what empties the first level, what brings in translations; and what is
   timed. */
static void link_both(struct eviction *eviction, const struct drive *drive,
                      const struct lines *timed)
{
    const struct backend *backend = eviction->probe->backend;
    const size_t passes = drive->lines ? passes_of(drive) : 0;
    struct lines order = {0}, after = {0};
    for (size_t i = 0; i < passes; i++) {
        add_shuffled(eviction, drive->lines, i, &order);
        add_shuffled(eviction, &eviction->flush, i, &order);
    }
    add_shuffled(eviction, &eviction->flush, passes, &order);
    for (size_t i = 0; i < timed->count; i++)
        lines_add(&order, beside(eviction, timed->at[i]));
    add_shuffled(eviction, timed, 0, &after);
    backend->link_timed(backend->state, after.at, after.count);
    backend->link(backend->state, order.at, order.count);
    lines_free(&order);
    lines_free(&after);
}

void eviction_settle(struct eviction *eviction, const struct lines *lines, int orders)
{
    const struct backend *backend = eviction->probe->backend;
    for (int i = 0; i < orders; i++) {
        struct lines order = {0};
        add_shuffled(eviction, lines, 0, &order);
        add_shuffled(eviction, &eviction->flush, 0, &order);
        add_shuffled(eviction, &eviction->flush, 1, &order);
        backend->link(backend->state, order.at, order.count);
        backend->walk(backend->state, SETTLE_ROUNDS);
        lines_free(&order);
    }
}

struct samples {
    double cycles[ROUNDS * ORDERS_MOST], mean, error; /* but for an eighth at either end */
    size_t count;
};

static void sum_up(const struct eviction *eviction, struct samples *samples)
{
    const size_t end = samples->count / 8, kept = samples->count - 2 * end;
    gsl_sort(samples->cycles, 1, samples->count);
    samples->mean = gsl_stats_mean(samples->cycles + end, 1, kept);
    const double deviation = gsl_stats_sd_m(samples->cycles + end, 1, kept, samples->mean);
    samples->error = fmax(deviation, sample_error * eviction->miss_cycles) / sqrt((double)kept);
}

static void take_order(struct eviction *eviction, const struct drive *drive,
                       const struct lines *timed, struct samples *samples)
{
    const struct backend *backend = eviction->probe->backend;
    link_both(eviction, drive, timed);
    for (int i = 0; i < ROUNDS; i++)
        samples->cycles[samples->count++] = backend->time_after(backend->state, drive->wait_cycles);
    sum_up(eviction, samples);
}

double eviction_cycles(struct eviction *eviction, const struct drive *drive,
                       const struct lines *timed)
{
    struct samples samples = {0};
    for (int i = 0; i < ORDERS_MOST; i++)
        take_order(eviction, drive, timed, &samples);
    return samples.mean;
}

bool eviction_is_above(struct eviction *eviction, const struct drive *drive,
                       const struct lines *timed, double cycles)
{
    struct samples samples = {0};
    for (int i = 0; i < ORDERS_MOST; i++) {
        take_order(eviction, drive, timed, &samples);
        if (i + 1 >= ORDERS_LEAST && fabs(samples.mean - cycles) > sure * samples.error)
            break;
    }
    return samples.mean > cycles;
}

/* ---- candidates ---- */

static bool supply(struct eviction *eviction)
{
    const struct backend *backend = eviction->probe->backend;
    const size_t stride = eviction->stride_bytes;
    const size_t most = backend->arena_most / 2;
    const size_t places = (most < ARENA_MOST ? most : ARENA_MOST) / stride;
    if (places < COUNT_FIRST || !backend->enlarge(backend->state, places * stride))
        return false;
    for (size_t i = 0; i < places; i++)
        lines_add(&eviction->pool, i * stride + eviction->offset_bytes);
    lines_shuffle(eviction->probe, &eviction->pool);
    eviction->arena_bytes = places * stride;
    eviction->pool.count = places < POOL_MOST ? places : POOL_MOST;
    return true;
}

/* The pool's lines from first on, count at most. */
static struct lines some(const struct eviction *eviction, size_t first, size_t count)
{
    struct lines lines = {0};
    for (size_t i = first; i < eviction->pool.count && i < first + count; i++)
        lines_add(&lines, eviction->pool.at[i]);
    return lines;
}

/* ---- the victim ---- */

static struct lines victim_of(const struct eviction *eviction)
{
    struct lines victim = {0};
    lines_add(&victim, eviction->members.at[0]);
    return victim;
}

static bool is_missing(struct eviction *eviction, const struct lines *by,
                       const struct lines *victim, double share)
{
    const struct drive drive = {.lines = by};
    return eviction_is_above(eviction, &drive, victim,
                             eviction->hit_cycles + share * eviction->miss_cycles);
}

/* Whether they drive the victim out that often. Few lines may do so because stale ones keep their
   ways, but not for ever. */
static bool is_driven_out(struct eviction *eviction, const struct lines *by, double share)
{
    struct lines victim = victim_of(eviction);
    bool is = is_missing(eviction, by, &victim, share);
    if (is && by->count <= LINES_FEW) {
        struct lines both = lines_copy(by);
        lines_add_all(&both, &victim);
        eviction_settle(eviction, &both, SETTLE_ORDERS);
        is = is_missing(eviction, by, &victim, share);
        lines_free(&both);
    }
    lines_free(&victim);
    return is;
}

/* What the clock adds to a load: of one that hits the first level, as nothing drives it out. */
static void find_base(struct eviction *eviction)
{
    const struct drive nothing = {0};
    struct lines victim = victim_of(eviction);
    eviction->base_cycles =
        eviction_cycles(eviction, &nothing, &victim) - eviction->levels.first->hit_cycles;
    eviction->hit_cycles = eviction->base_cycles + eviction->levels.second_cycles;
    lines_free(&victim);
}

/* Lines that drive the victim out of the first level and leave it in the second: fewer and fewer,
   where sets are few; none, where any lines conflict. Returns how many of the pool were tried. */
static size_t choose_flush(struct eviction *eviction)
{
    const struct lines nothing = {0};
    size_t count = FLUSH_WAYS * (size_t)eviction->levels.first->ways, first = 1;
    for (int tries = 1; count > 0; tries++) {
        eviction->flush = some(eviction, first, count);
        first += count;
        if (!is_driven_out(eviction, &nothing, mostly))
            return first;
        lines_free(&eviction->flush);
        count = tries % FLUSH_TRIES == 0 ? count / 2 : count;
    }
    return first;
}

/* ---- its set ---- */

/* More and more of the pool, until they drive the victim out; that is so for certain of a set that
   is larger than one that does. */
static const char *grow(struct eviction *eviction, size_t first, struct lines *lines)
{
    bool did = false;
    for (double count = COUNT_FIRST;; count *= growth) {
        *lines = some(eviction, first, (size_t)count);
        const bool does = is_driven_out(eviction, lines, eviction->share);
        if (does && did)
            return NULL;
        did = does;
        const bool was_all = lines->count < (size_t)count;
        lines_free(lines);
        if (was_all || cache_probe_expired(eviction->probe))
            return was_all ? no_set : no_time;
    }
}

/* What a miss costs, now that there are some. */
static const char *learn_miss(struct eviction *eviction, const struct lines *lines)
{
    const struct drive nothing = {0}, drive = {.lines = lines};
    struct lines victim = victim_of(eviction);
    if (eviction->flush.count > 0)
        eviction->hit_cycles = eviction_cycles(eviction, &nothing, &victim);
    const double miss = eviction_cycles(eviction, &drive, &victim) - eviction->hit_cycles;
    const bool plausible = miss > 0.5 * eviction->miss_cycles && miss > 0.0;
    lines_free(&victim);
    if (plausible)
        eviction->miss_cycles = miss;
    return plausible ? NULL : no_miss;
}

/* Takes the fewer lines where they drive the victim out, and else leaves those that there were. */
static bool take(struct eviction *eviction, struct lines *lines, struct lines *fewer, double share)
{
    const bool lasts = is_driven_out(eviction, fewer, share);
    lines_free(lasts ? lines : fewer);
    if (lasts)
        *lines = *fewer;
    return lasts;
}

/* Leaves out every part of that many lines without which the rest still drives the victim out;
   whether there was one. What a disturbance had left out comes back. */
static bool leave_out(struct eviction *eviction, struct lines *lines, size_t part)
{
    struct lines fewer = lines_copy(lines);
    const size_t before = lines->count;
    lines_shuffle(eviction->probe, &fewer);
    for (size_t first = 0;
         first < fewer.count && fewer.count > part && !cache_probe_expired(eviction->probe);) {
        struct lines rest = lines_without(&fewer, first, part);
        if (!take(eviction, &fewer, &rest, eviction->share))
            first += part;
    }
    return take(eviction, lines, &fewer, still * eviction->share) && lines->count < before;
}

/* Leaves out the lines that never miss while all go round: those of sets that are not too full. */
static void leave_out_quiet(struct eviction *eviction, struct lines *lines)
{
    const double limit = eviction->hit_cycles + often * eviction->miss_cycles;
    struct lines loud = {0};
    for (size_t i = 0; i < lines->count && !cache_probe_expired(eviction->probe); i++) {
        struct lines one = {0}, rest = lines_without(lines, i, 1);
        lines_add(&one, lines->at[i]);
        lines_add(&rest, eviction->members.at[0]);
        if (eviction_cycles(eviction, &(struct drive){.lines = &rest}, &one) > limit)
            lines_add(&loud, lines->at[i]);
        lines_free(&one);
        lines_free(&rest);
    }
    take(eviction, lines, &loud, still * eviction->share);
}

/* Parts, smaller and smaller ones; what is quiet; single lines. Where lines do not go by age, a set
   that is hardly too full drives the victim out now and then: what was not left out once may be
   later. */
static const char *reduce(struct eviction *eviction, struct lines *lines)
{
    for (size_t parts = PARTS_FIRST; parts <= PARTS_MOST && lines->count > parts; parts *= 2)
        leave_out(eviction, lines, (lines->count + parts - 1) / parts);
    while (lines->count > MEMBERS_MOST &&
           leave_out(eviction, lines, (lines->count + PARTS_MOST - 1) / PARTS_MOST))
        ;
    if (lines->count > MEMBERS_MOST)
        return not_lasting;
    leave_out_quiet(eviction, lines);
    for (int idle = 0, i = 0; idle < IDLE_PASSES && i < REDUCED_MOST; i++)
        idle = leave_out(eviction, lines, 1) ? 0 : idle + 1;
    if (cache_probe_expired(eviction->probe))
        return no_time;
    return is_driven_out(eviction, lines, still * eviction->share) ? NULL : not_lasting;
}

static const char *find_set(struct eviction *eviction)
{
    struct lines lines = {0};
    const size_t first = choose_flush(eviction);
    const char *because = grow(eviction, first, &lines);
    if (!because)
        because = learn_miss(eviction, &lines);
    if (!because)
        because = reduce(eviction, &lines);
    lines_add_all(&eviction->members, &lines);
    lines_free(&lines);
    return because;
}

/* Somewhere in the lower half of a page: what walks along has lines too. */
static size_t offset_within(const struct cache_probe *probe)
{
    const size_t eighth = probe->backend->page_bytes / 8;
    return eighth * gsl_rng_uniform_int(probe->random, 4);
}

const char *eviction_find(struct cache_probe *probe, const struct eviction_levels *levels,
                          double share, struct eviction *eviction)
{
    size_t stride = probe->backend->page_bytes;
    while ((double)stride < levels->first->way_bytes)
        stride *= 2;
    *eviction = (struct eviction){.probe = probe,
                                  .levels = *levels,
                                  .share = share,
                                  .stride_bytes = stride,
                                  .offset_bytes = offset_within(probe),
                                  .miss_cycles = levels->beyond_cycles - levels->second_cycles};
    if (!supply(eviction))
        return "there is no memory for it";
    if (!(eviction->miss_cycles > 0.0))
        return no_miss;
    lines_add(&eviction->members, eviction->pool.at[0]);
    find_base(eviction);
    return find_set(eviction);
}
