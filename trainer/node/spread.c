#include "trainer/node/spread.h"

#include "model/base/allocation.h"
#include "trainer/node/core_clock.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { PASSES = 8, PASSES_MOST = 24, SAMPLES = 41, TRIES = 82, CLOCKS = 9 };

/* Of fewer measurements the second least may be a disturbed one. */
enum { ENOUGH = 2 };

static const double pass_ns = 0.3e9, clock_ns = 0.06e9;

/* Disturbances are larger, and seldom the same twice. */
static const double agreement = 0.01;

/* Of what it is on a core of one's own; with half a core it is a tenth more. */
static const double crowding_most = 1.02;

struct measurements {
    size_t count;
    double of[PASSES_MOST]; /* from the least to the most */
};

struct item {
    enum spread_choice choice;
    bool is_due;                   /* in this pass */
    struct measurements free, all; /* with nobody else on the core, and all the same */
    size_t samples_count;
    double samples[SAMPLES]; /* free ones, until they are enough */
};

struct spread {
    const struct spread_bench *bench;
    size_t count, looks_count;
    struct item *items;
    double *looks;        /* at how crowded the core is */
    double crowding_most; /* of a sample that counts */
};

/* ---- one item ---- */

static void keep_quartile(struct measurements *measurements, double *samples, size_t count)
{
    gsl_sort(samples, 1, count);
    measurements->of[measurements->count++] = samples[count / 4];
    gsl_sort(measurements->of, 1, measurements->count);
}

/* Whether it came to a measurement with nobody else on the core. Samples that do not suffice wait
   for more. is_first: in this pass. */
static bool visit(struct spread *spread, size_t index, bool is_first)
{
    const struct spread_bench *bench = spread->bench;
    struct item *item = &spread->items[index];
    double all[TRIES];
    size_t count = 0;
    if (!bench->begin(bench->state, index))
        return true;
    while (count < TRIES && item->samples_count < SAMPLES) {
        const struct spread_sample sample = bench->sample(bench->state, index);
        if (count == 0 && is_first)
            spread->looks[spread->looks_count++] = sample.crowding;
        if (sample.crowding <= spread->crowding_most)
            item->samples[item->samples_count++] = sample.cycles;
        all[count++] = sample.cycles;
    }
    if (is_first)
        keep_quartile(&item->all, all, count);
    if (item->samples_count < SAMPLES)
        return false;
    keep_quartile(&item->free, item->samples, item->samples_count);
    item->samples_count = 0;
    return true;
}

static bool lacks(const struct item *item)
{
    const struct measurements *seen = &item->free;
    if (item->choice == SPREAD_AGREED && seen->count >= ENOUGH)
        return seen->count == ENOUGH || seen->of[2] > (1.0 + agreement) * seen->of[1];
    return item->all.count > 0 && seen->count < ENOUGH;
}

static double result_of(const struct item *item)
{
    const struct measurements *seen = item->free.count < ENOUGH ? &item->all : &item->free;
    if (seen->count < ENOUGH)
        return NAN;
    return seen->of[item->choice == SPREAD_MIDDLE ? seen->count / 2 : 1];
}

/* ---- all of them ---- */

/* For chains nothing waits. */
static size_t lacking(const struct spread *spread)
{
    size_t count = 0;
    for (size_t i = 0; i < spread->count; i++)
        count += spread->items[i].choice != SPREAD_MIDDLE && lacks(&spread->items[i]);
    return count;
}

/* Once each. Whether any is still due. */
static bool visit_due(struct spread *spread, double until_ns, bool is_first)
{
    bool is_any_due = false;
    for (size_t i = 0; i < spread->count && core_clock_now_ns() < until_ns; i++) {
        struct item *item = &spread->items[i];
        item->is_due = item->is_due && !visit(spread, i, is_first) && lacks(item);
        is_any_due |= item->is_due;
    }
    return is_any_due;
}

/* What it is on a core of one's own: 1, or always about the same where the core issues fewer than
   six instructions a cycle. What others leave of a core varies: of looks at it at most a sixth are
   within 1 % of the lowest, of looks at a core of one's own nine in ten. */
static double own_crowding(const struct spread *spread)
{
    const size_t count = spread->looks_count;
    double *looks = spread->looks;
    size_t equal = 0;
    gsl_sort(looks, 1, count);
    const double lowest = looks[count / 20];
    for (size_t i = count / 20; i < count; i++)
        equal += looks[i] <= (1.0 + agreement) * lowest;
    return lowest > crowding_most && 3 * equal > count ? lowest : 1.0;
}

/* What counted because others were taken for the core itself is forgotten once they go. */
static void set_crowding_most(struct spread *spread)
{
    const double most = crowding_most * own_crowding(spread);
    for (size_t i = 0; i < spread->count && most < spread->crowding_most / crowding_most; i++)
        spread->items[i].free.count = spread->items[i].samples_count = 0;
    spread->crowding_most = most;
}

/* An idle core would come back with another clock. */
static void pass_over(struct spread *spread, bool all)
{
    const double until_ns = core_clock_now_ns() + pass_ns;
    for (size_t i = 0; i < spread->count; i++)
        spread->items[i].is_due = all || lacks(&spread->items[i]);
    bool is_any_due = visit_due(spread, INFINITY, true);
    while (core_clock_now_ns() < until_ns)
        is_any_due = is_any_due && visit_due(spread, until_ns, false);
}

/* Two passes are the least that can bear one another out. */
static bool goes_on(const struct spread *spread, size_t passes)
{
    const double end_ns = spread->bench->end_ns;
    if (passes >= ENOUGH && end_ns > 0.0 && core_clock_now_ns() > end_ns)
        return false;
    return passes < PASSES || (passes < PASSES_MOST && lacking(spread) > 0);
}

size_t spread_over_passes(double *results, const enum spread_choice *choices, size_t items,
                          const struct spread_bench *bench)
{
    struct spread spread = {.bench = bench, .count = items, .crowding_most = crowding_most};
    spread.items = memory_new(items, sizeof *spread.items);
    spread.looks = memory_new(items * PASSES_MOST, sizeof *spread.looks);
    for (size_t i = 0; i < items; i++)
        spread.items[i].choice = choices[i];
    for (size_t pass = 0; goes_on(&spread, pass); pass++) {
        pass_over(&spread, pass < PASSES);
        set_crowding_most(&spread);
    }
    for (size_t i = 0; i < items; i++)
        results[i] = result_of(&spread.items[i]);
    const size_t lacked = lacking(&spread);
    free(spread.looks);
    free(spread.items);
    return lacked;
}

/* ---- the clock ---- */

static void stay_busy_until(double ns)
{
    while (core_clock_now_ns() < ns) {
    }
}

double spread_clock_ghz(void)
{
    double seen[CLOCKS];
    size_t count = 0;
    for (size_t i = 0; i < CLOCKS; i++) {
        const double begin_ns = core_clock_now_ns(), ghz = core_clock_ghz();
        if (!isnan(ghz))
            seen[count++] = ghz;
        stay_busy_until(begin_ns + clock_ns);
    }
    gsl_sort(seen, 1, count);
    return count > 0 ? seen[count / 2] : (double)NAN;
}
