#include "model/fit/measured.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/cost/across.h"
#include "model/fit/summary.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* No decision hangs on less than the first; a point whose interval is wider than the second tells
   something nevertheless. */
static const double noise_least = 0.005, noise_most = 0.05;

/* Digits of a kept time, far below the noise; of an error. */
enum { TIME_DIGITS = 5 };

/* What is off by more is off by this. */
static const double error_most = 1e3;

/* ---- residuals ---- */

/* One size: by how much the logarithm of its time is above that of the law, and its noise. */
struct residual {
    double bytes, time_us, off, noise;
};

static double noise_of(const struct observation *seen)
{
    return fmin(fmax(noise_least, seen->half_width_us / seen->time_us), noise_most);
}

/* Of a size that was seen before the mean of both. */
static void join(struct residual *known, const struct residual *again, double times)
{
    known->off += (again->off - known->off) / times;
    known->time_us *= pow(again->time_us / known->time_us, 1.0 / times);
    known->noise = fmin(known->noise, again->noise);
}

/* Those in the region, from the i-th observation on, which goes on to the first beyond. Sizes at
   which the law says nothing are left out. */
static size_t residuals_of(const struct cost *cost, const struct region *region, double processors,
                           const struct observation *seen, size_t count, size_t *i,
                           struct residual *residuals)
{
    size_t kept = 0;
    for (double times = 1.0; *i < count && seen[*i].bytes <= region->bytes_upto; (*i)++) {
        const double law_us = cost_law_us(cost, region, seen[*i].bytes, processors);
        if (!(seen[*i].time_us > 0.0 && law_us > 0.0))
            continue;
        const struct residual now = {seen[*i].bytes, seen[*i].time_us,
                                     log(seen[*i].time_us / law_us), noise_of(&seen[*i])};
        if (kept > 0 && !(now.bytes > residuals[kept - 1].bytes)) {
            join(&residuals[kept - 1], &now, ++times);
            continue;
        }
        residuals[kept++] = now;
        times = 1.0;
    }
    return kept;
}

static double between(const struct residual *below, const struct residual *above, double bytes)
{
    return below->off + (above->off - below->off) * marks_share(below->bytes, above->bytes, bytes);
}

/* ---- marks ---- */

/* Which residuals are marks. */
struct choice {
    size_t count, at[MARKS_MOST];
};

/* How many times its noise a residual is from what the marks around it say. */
static double missed(const struct residual *residuals, const struct choice *choice, size_t i)
{
    size_t above = 0;
    while (above < choice->count && choice->at[above] < i)
        above++;
    double says;
    if (choice->count == 0)
        says = 0.0;
    else if (above == 0 || above == choice->count || choice->at[above] == i)
        says = residuals[choice->at[above == choice->count ? above - 1 : above]].off;
    else
        says = between(&residuals[choice->at[above - 1]], &residuals[choice->at[above]],
                       residuals[i].bytes);
    return fabs(residuals[i].off - says) / residuals[i].noise;
}

static void add_mark(struct choice *choice, size_t i)
{
    size_t at = choice->count++;
    for (; at > 0 && choice->at[at - 1] > i; at--)
        choice->at[at] = choice->at[at - 1];
    choice->at[at] = i;
}

/* The one that is missed by most is the next mark, until none is missed by more than its noise. The
   ends come first: between them the others are few. */
static struct choice choose(const struct residual *residuals, size_t count)
{
    struct choice choice = {0};
    while (choice.count < MARKS_MOST) {
        size_t worst = 0;
        for (size_t i = 1; i < count; i++)
            if (missed(residuals, &choice, i) > missed(residuals, &choice, worst))
                worst = i;
        if (!(missed(residuals, &choice, worst) > 1.0))
            break;
        const bool is_first = choice.count == 0;
        add_mark(&choice, is_first ? 0 : worst);
        if (is_first && count > 1)
            add_mark(&choice, count - 1);
    }
    return choice;
}

/* ---- how far it is from what it is not told ---- */

static double relative(double off)
{
    return fmin(expm1(fabs(off)), error_most);
}

/* Each is told by its neighbours; the first and the last, which have one, by that only where there
   are no others. */
static size_t left_out(const struct residual *residuals, size_t count, double *errors)
{
    size_t kept = 0;
    for (size_t i = 1; i + 1 < count; i++)
        errors[kept++] = relative(
            residuals[i].off - between(&residuals[i - 1], &residuals[i + 1], residuals[i].bytes));
    if (kept == 0 && count == 2)
        errors[kept++] = relative(residuals[1].off - residuals[0].off);
    gsl_sort(errors, 1, kept);
    return kept;
}

static void keep(struct region *region, const struct residual *residuals, size_t count,
                 double *errors)
{
    const struct choice choice = choose(residuals, count);
    struct mark chosen[MARKS_MOST];
    for (size_t k = 0; k < choice.count; k++)
        chosen[k] = (struct mark){residuals[choice.at[k]].bytes,
                                  number_rounded(residuals[choice.at[k]].time_us, TIME_DIGITS)};
    marks_free(&region->measured_us);
    region->measured_us = marks_copy(chosen, choice.count);
    region->error.between_median = region->error.between_p95 = NAN;
    const size_t known = choice.count > 0 ? left_out(residuals, count, errors) : 0;
    if (known == 0)
        return;
    region->error.between_median =
        number_rounded(summary_quantile(errors, known, 0.5), REGION_ERROR_DIGITS);
    region->error.between_p95 =
        fmax(region->error.between_median,
             number_rounded(summary_quantile(errors, known, 0.95), REGION_ERROR_DIGITS));
}

void measured_keep(const struct cost *cost, struct list *regions, double processors,
                   const struct observation *observations, size_t count)
{
    struct residual *residuals = memory_new(count + 1, sizeof *residuals);
    double *errors = memory_new(count + 1, sizeof *errors);
    struct region *items = regions->items;
    for (size_t k = 0, i = 0; k < regions->count; k++) {
        const size_t own =
            residuals_of(cost, &items[k], processors, observations, count, &i, residuals);
        keep(&items[k], residuals, own, errors);
    }
    free(errors);
    free(residuals);
}

/* ---- between processor counts ---- */

/* Of fewer none is between others. */
enum { COUNTS_LEAST = 3 };

/* How the time at a count between two others is made of theirs. */
enum way { BY_REGIONS, BY_HOPS, BY_POWER };

/* How far what the neighbours say of a point at a measured count is from it; NAN: it is not between
   two others. */
static double judge_point(const struct cost *cost, enum way way, const struct observation *seen)
{
    const struct at_processors *below = across_below(cost, seen->processors);
    const struct at_processors *above = across_above(cost, seen->processors);
    if (!below || !above || !(seen->time_us > 0.0))
        return NAN;
    const double says_us =
        way == BY_POWER
            ? across_power_us(cost, seen->bytes, seen->processors, below, above)
            : across_us(cost, way == BY_HOPS, seen->bytes, seen->processors, below, above);
    return says_us > 0.0 ? relative(log(says_us / seen->time_us)) : (double)NAN;
}

/* The points of one measured count in one region of a list. */
struct judged {
    const struct cost *cost;
    const struct list *regions;
    const struct region *region;
    const struct observation *observations;
    size_t count;
};

/* 95 of 100 points are within. NAN: there are none. */
static double judge_at(const struct judged *judged, enum way way, double processors)
{
    double *errors = memory_new(judged->count + 1, sizeof *errors);
    size_t known = 0;
    for (size_t i = 0; i < judged->count; i++) {
        const struct observation *seen = &judged->observations[i];
        if (seen->processors != processors ||
            cost_region_among(judged->regions, seen->bytes, processors) != judged->region)
            continue;
        const double error = judge_point(judged->cost, way, seen);
        if (!isnan(error))
            errors[known++] = error;
    }
    gsl_sort(errors, 1, known);
    const double within = known > 0 ? summary_quantile(errors, known, 0.95) : (double)NAN;
    free(errors);
    return within;
}

/* Counts differ in how odd they are, and one that was not measured may be of any kind: the worst.
   NAN: none is between others. */
static double judge_region(const struct judged *judged, enum way way)
{
    const struct at_processors *at = judged->cost->by_processors.items;
    double worst = NAN;
    for (size_t i = 1; i + 1 < judged->cost->by_processors.count; i++)
        worst = fmax(worst, judge_at(judged, way, at[i].processors));
    return number_rounded(worst, REGION_ERROR_DIGITS);
}

static void judge(struct cost *cost, struct list *regions, enum way way,
                  const struct observation *observations, size_t count)
{
    struct region *items = regions->items;
    for (size_t k = 0; k < regions->count; k++) {
        const struct judged judged = {cost, regions, &items[k], observations, count};
        const double by_law = judge_region(&judged, way);
        if (isnan(by_law))
            continue;
        items[k].error.other_processors = by_law;
        items[k].error.power_processors = judge_region(&judged, BY_POWER);
    }
}

void measured_between(struct cost *cost, const struct observation *observations, size_t count)
{
    if (cost->by_processors.count < COUNTS_LEAST)
        return;
    judge(cost, &cost->regions, BY_REGIONS, observations, count);
    judge(cost, &cost->hops, BY_HOPS, observations, count);
}

/* ---- the whole ---- */

static size_t only_at(double processors, const struct observation *all, size_t count,
                      struct observation *own)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].processors == processors)
            own[kept++] = all[i];
    return kept;
}

void measured_learn(struct cost *cost, const struct observation *observations, size_t count)
{
    struct observation *own = memory_new(count + 1, sizeof *own);
    struct at_processors *at = cost->by_processors.items;
    const double most = cost->processors.most;
    if (cost->by_processors.count == 0)
        measured_keep(cost, &cost->regions, most, own, only_at(most, observations, count, own));
    for (size_t i = 0; i < cost->by_processors.count; i++)
        measured_keep(cost, &at[i].regions, at[i].processors, own,
                      only_at(at[i].processors, observations, count, own));
    free(own);
    measured_between(cost, observations, count);
}
