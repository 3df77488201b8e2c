#include "forecast/rank/resample.h"

#include "model/base/allocation.h"
#include "model/cost/confidence.h"
#include "model/fit/summary.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* The errors of one drawn table, in standard deviations. */
struct draws {
    size_t region_count, own_count;
    const struct region **regions; /* what entry i of the arrays below is of */
    struct uncertain *owns;
    double *by_region, *by_own;
};

static bool is_equal(double a, double b)
{
    return fabs(a - b) <= resample_equal * fmin(a, b);
}

/* ---- which errors there are ---- */

static size_t region_number(struct draws *draws, const struct region *region)
{
    size_t i = 0;
    while (i < draws->region_count && draws->regions[i] != region)
        i++;
    if (i == draws->region_count)
        draws->regions[draws->region_count++] = region;
    return i;
}

static size_t own_number(struct draws *draws, const struct uncertain *it)
{
    size_t i = 0;
    while (i < draws->own_count &&
           (draws->owns[i].region != it->region || draws->owns[i].bytes != it->bytes ||
            draws->owns[i].processors != it->processors))
        i++;
    if (i == draws->own_count)
        draws->owns[draws->own_count++] = *it;
    return i;
}

/* An uncertain time of a contender with the numbers of its errors. */
struct part {
    double time_us, shared, own;
    size_t region, own_number;
};

struct parts {
    struct part *items;
    size_t count;
};

static struct parts parts_of(const struct contender *contender, struct draws *draws)
{
    const struct uncertain *items = contender->uncertain->items;
    struct parts parts = {memory_new(contender->uncertain->count, sizeof(struct part)),
                          contender->uncertain->count};
    for (size_t i = 0; i < parts.count; i++)
        parts.items[i] =
            (struct part){items[i].time_us, items[i].shared, items[i].own,
                          region_number(draws, items[i].region), own_number(draws, &items[i])};
    return parts;
}

static struct draws draws_for(const struct contender *contenders, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most += contenders[i].uncertain->count;
    return (struct draws){.regions = memory_new(most, sizeof(const struct region *)),
                          .owns = memory_new(most, sizeof(struct uncertain)),
                          .by_region = memory_new(most, sizeof(double)),
                          .by_own = memory_new(most, sizeof(double))};
}

static void draws_free(struct draws *draws)
{
    free(draws->regions);
    free(draws->owns);
    free(draws->by_region);
    free(draws->by_own);
}

/* ---- one table ---- */

static void draw(struct draws *draws, gsl_rng *random)
{
    for (size_t i = 0; i < draws->region_count; i++)
        draws->by_region[i] = gsl_ran_ugaussian(random);
    for (size_t i = 0; i < draws->own_count; i++)
        draws->by_own[i] = gsl_ran_ugaussian(random);
}

/* What all of a prediction's communication differs by in a program multiplies it as it was drawn:
   added up, the one could leave less than nothing of the other. */
static double total_us(const struct contender *contender, const struct parts *parts,
                       const struct draws *draws)
{
    double sum_us = contender->certain_us, messages_us = 0.0, drawn_us = 0.0;
    const struct part *in_program = NULL;
    for (size_t i = 0; i < parts->count; i++) {
        const struct part *it = &parts->items[i];
        const struct region *region = draws->regions[it->region];
        const double time_us = it->time_us * exp(it->shared * draws->by_region[it->region] +
                                                 it->own * draws->by_own[it->own_number]);
        if (region == &uncertain_in_program) {
            in_program = it;
            continue;
        }
        sum_us += time_us;
        messages_us += region ? it->time_us : 0.0;
        drawn_us += region ? time_us : 0.0;
    }
    if (!in_program)
        return sum_us;
    const double changed = messages_us > 0.0 ? drawn_us / messages_us : 1.0;
    const double more = expm1(in_program->shared * draws->by_region[in_program->region]);
    return sum_us + in_program->time_us * (1.0 + changed * more);
}

/* Adds one table's outcome to the sums. totals: of all contenders. */
static void count_outcome(struct contender *contenders, size_t count, const double *totals)
{
    double least = INFINITY, ties = 0.0;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, totals[i]);
    for (size_t i = 0; i < count; i++)
        ties += totals[i] <= least || is_equal(totals[i], least);
    for (size_t i = 0; i < count; i++) {
        const double mine = totals[i];
        contenders[i].best += (mine <= least || is_equal(mine, least)) / ties;
        contenders[i].regret_us += mine - least;
        if (i + 1 < count && is_equal(mine, totals[i + 1]))
            contenders[i].before_next += 0.5;
        else if (i + 1 < count)
            contenders[i].before_next += mine < totals[i + 1];
    }
}

/* ---- all tables ---- */

static void summarise(struct contender *contender, bool is_last)
{
    contender->best /= RESAMPLES;
    contender->regret_us /= RESAMPLES;
    contender->before_next = is_last ? (double)NAN : contender->before_next / RESAMPLES;
}

/* ratios: to the total of the first, of each table; sorted on the way. */
static void set_interval(struct contender *contender, double *ratios)
{
    const double tail = 0.5 * (1.0 - CONFIDENCE);
    gsl_sort(ratios, 1, RESAMPLES);
    contender->times_low = summary_quantile(ratios, RESAMPLES, tail);
    contender->times_high = summary_quantile(ratios, RESAMPLES, 1.0 - tail);
}

void resample(struct contender *contenders, size_t count)
{
    struct draws draws = draws_for(contenders, count);
    struct parts *parts = memory_new(count, sizeof *parts);
    double *totals = memory_new(count, sizeof *totals);
    double *ratios = memory_new(count * RESAMPLES, sizeof *ratios);
    /* GSL's own allocation would end the process where there is no memory. */
    gsl_rng random = {gsl_rng_mt19937, memory_new(1, gsl_rng_mt19937->size)};
    gsl_rng_set(&random, 0);
    for (size_t i = 0; i < count; i++) {
        parts[i] = parts_of(&contenders[i], &draws);
        contenders[i].best = contenders[i].before_next = contenders[i].regret_us = 0.0;
    }
    for (size_t table = 0; table < RESAMPLES; table++) {
        draw(&draws, &random);
        for (size_t i = 0; i < count; i++)
            totals[i] = total_us(&contenders[i], &parts[i], &draws);
        for (size_t i = 0; i < count; i++)
            ratios[i * RESAMPLES + table] = totals[0] > 0.0 ? totals[i] / totals[0] : 1.0;
        count_outcome(contenders, count, totals);
    }
    for (size_t i = 0; i < count; i++) {
        summarise(&contenders[i], i + 1 == count);
        set_interval(&contenders[i], &ratios[i * RESAMPLES]);
        free(parts[i].items);
    }
    free(random.state);
    free(ratios);
    free(totals);
    free(parts);
    draws_free(&draws);
}
