#include "model/fit/learn.h"

#include "model/base/allocation.h"
#include "model/fit/packets.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS_MOST = 3 };

/* Simpler forms are kept while their left-out error is at most this many times the best. Tried with
   1 % noise at eight p: 1.5 gives every seventh law a term too many, 2.5 one in eighty. */
static const double parsimony = 2.5;

/* A relative error that is as good as none: another term would explain rounding. */
static const double good_enough = 1e-3;

/* Up to so many of the fewest processors are left out while the left-out error is above the first,
   and falls to this share of it without them. */
enum { SPECIAL_MOST = 3 };
static const double special_case = 0.02, special_gain = 0.2;

/* The terms were chosen with all values, the one that is left out among them, so that its error is
   too small by something. Tried with a binary tree among 2 to 64 processors in nodes of 8: with 2
   of 100 times 90 lie within, with 1 only 86; the others stand where the tree gets a level. */
static const double chosen_with_all = 2.0;

/* Errors below are rounding, and equal. */
static const double rounding = 1e-9;

/* The values to be explained. */
struct sample {
    const double *processors, *values;
    size_t count;
    size_t special_most; /* so many of the fewest processors may be cases of their own */
};

/* Which functions of p are combined. */
struct choice {
    size_t count;
    size_t basis[TERMS_MOST];
    double coefficients[TERMS_MOST];
    double error; /* root mean square of relative left-out errors */
    double worst; /* the largest of them between the others; NAN = there is none */
};

/* ---- least squares ---- */

static double weight_of(double value)
{
    return value != 0.0 ? 1.0 / fabs(value) : 1.0;
}

/* Fits all samples but `without` (count: all); false where the system is singular. */
static bool fit(const struct sample *sample, size_t without, struct choice *choice)
{
    const size_t rows = sample->count - (without < sample->count);
    gsl_matrix *x = gsl_matrix_alloc(rows, choice->count);
    gsl_vector *y = gsl_vector_alloc(rows), *c = gsl_vector_alloc(choice->count);
    gsl_matrix *covariance = gsl_matrix_alloc(choice->count, choice->count);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(rows, choice->count);
    double chisq;
    size_t rank = 0;
    for (size_t i = 0, row = 0; i < sample->count; i++) {
        if (i == without)
            continue;
        const double weight = weight_of(sample->values[i]);
        for (size_t k = 0; k < choice->count; k++)
            gsl_matrix_set(x, row, k,
                           weight * basis_value(choice->basis[k], sample->processors[i]));
        gsl_vector_set(y, row++, weight * sample->values[i]);
    }
    const int status = gsl_multifit_linear_tsvd(x, y, 1e-9, c, covariance, &chisq, &rank, work);
    for (size_t k = 0; k < choice->count; k++)
        choice->coefficients[k] = gsl_vector_get(c, k);
    gsl_multifit_linear_free(work);
    gsl_matrix_free(covariance);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(x);
    return status == 0 && rank == choice->count;
}

static double value_at(const struct choice *choice, double p)
{
    double sum = 0.0;
    for (size_t k = 0; k < choice->count; k++)
        sum += choice->coefficients[k] * basis_value(choice->basis[k], p);
    return sum;
}

/* How well each value is predicted by a fit that did not see it; INFINITY where one cannot be
   fitted without it. Without the first or the last value it is an extrapolation, which no answer
   between them is. */
static double left_out_error(const struct sample *sample, struct choice *choice)
{
    double sum = 0.0;
    choice->worst = NAN;
    for (size_t i = 0; i < sample->count; i++) {
        if (!fit(sample, i, choice))
            return INFINITY;
        const double off = (value_at(choice, sample->processors[i]) - sample->values[i]) *
                           weight_of(sample->values[i]);
        sum += pow(off, 2.0);
        if (i > 0 && i + 1 < sample->count)
            choice->worst = fmax(fabs(off), choice->worst);
    }
    return sqrt(sum / (double)sample->count);
}

/* ---- the choice ---- */

/* The best choice of exactly `terms` functions; ties go to the earlier in the vocabulary. */
static void best_of(const struct sample *sample, const bool *allowed, size_t terms, size_t from,
                    struct choice *now, struct choice *best)
{
    if (now->count == terms) {
        now->error = left_out_error(sample, now);
        if (fmax(now->error, rounding) < 0.999 * best->error) {
            *best = *now;
            best->error = fmax(now->error, rounding);
        }
        return;
    }
    for (size_t basis = from; basis < BASIS_COUNT; basis++) {
        if (allowed && !allowed[basis])
            continue;
        now->basis[now->count++] = basis;
        best_of(sample, allowed, terms, basis + 1, now, best);
        now->count--;
    }
}

static struct form form_of(const struct choice *choice)
{
    struct form form = {.count = choice->count};
    for (size_t k = 0; k < choice->count; k++)
        form.terms[k] = (struct term){
            choice->basis[k], {choice->coefficients[k], 1.0}
        };
    return form;
}

/* The simplest of at most terms_most functions that predicts about as well as any; without terms
   where there is none. */
static struct choice choose(const struct sample *sample, const bool *allowed, size_t terms_most)
{
    struct choice best[TERMS_MOST + 1];
    double least = INFINITY;
    for (size_t terms = 1; terms <= terms_most; terms++) {
        struct choice now = {0};
        best[terms] = (struct choice){.error = INFINITY};
        /* One value is left out, and one more than terms must be left to be fitted. */
        if (terms + 2 <= sample->count || (terms == 1 && sample->count == 2))
            best_of(sample, allowed, terms, 0, &now, &best[terms]);
        least = fmin(least, best[terms].error);
    }
    for (size_t terms = 1; terms <= terms_most; terms++)
        if (best[terms].count && best[terms].error <= fmax(good_enough, parsimony * least) &&
            fit(sample, sample->count, &best[terms]))
            return best[terms];
    return (struct choice){.error = INFINITY, .worst = NAN};
}

/* Few processors can be cases of their own: two send one message where more send two, and a
   pipeline is not filled. They are left out where the others are then understood so much better; at
   least four remain. */
static struct choice learn_terms(const struct sample *sample, const bool *allowed,
                                 size_t terms_most, struct form *form)
{
    if (sample->count < 2) {
        *form = form_constant(sample->count ? sample->values[0] : 0.0);
        return (struct choice){.error = INFINITY, .worst = NAN};
    }
    struct choice choice = choose(sample, allowed, terms_most);
    for (size_t few = 1; few <= sample->special_most && sample->count >= few + 4; few++) {
        if (choice.error <= special_case)
            break;
        const struct sample others = {sample->processors + few, sample->values + few,
                                      sample->count - few, 0};
        const struct choice without = choose(&others, allowed, terms_most);
        if (without.error < special_gain * choice.error)
            choice = without;
    }
    *form = choice.count ? form_of(&choice) : form_constant(sample->values[sample->count - 1]);
    return choice;
}

struct form learn_form(const double *processors, const double *values, size_t count,
                       const bool basis_allowed[BASIS_COUNT])
{
    const struct sample sample = {processors, values, count, SPECIAL_MOST};
    struct form form;
    learn_terms(&sample, basis_allowed, TERMS_MOST, &form);
    return form;
}

/* ---- regions ---- */

static const struct region *region_at(const struct at_processors *at, size_t region)
{
    return (const struct region *)at->regions.items + region;
}

/* Between the p that were measured, and beside them, a sum of terms may dip below 0, where a rate
   cannot. */
static bool dips(const struct form *form, double least, double most)
{
    for (double p = least; p <= most; p++)
        if (form_value(form, p) < 0.0)
            return true;
    return false;
}

/* A single term below 0 is so whatever its coefficient: p - 2 where one processor was measured. */
static void leave_out_dipping(bool allowed[BASIS_COUNT], const bool *of, double least, double most)
{
    for (size_t basis = 0; basis < BASIS_COUNT; basis++) {
        const struct form term = {.count = 1, .terms = {{basis, {1.0, 1.0}}}};
        allowed[basis] = (!of || of[basis]) && !dips(&term, least, most);
    }
}

static bool all_zero(const double *values, size_t count)
{
    while (count > 0 && values[count - 1] == 0.0)
        count--;
    return count == 0;
}

/* Some of the processor counts, and the functions of p that may describe them. */
struct lesson {
    const struct at_processors *at;
    size_t count;
    const bool *allowed;
    size_t special_most;
    double from, upto; /* the p that the law is for: from before those that were measured, maybe */
};

/* *worst: the largest left-out error. */
static struct form learn_part(const struct lesson *lesson, size_t region, bool per_byte,
                              double *worst)
{
    const struct at_processors *at = lesson->at;
    const size_t count = lesson->count;
    double *processors = memory_new(2 * count, sizeof *processors), *values = processors + count;
    for (size_t i = 0; i < count; i++) {
        const struct region it = packets_smoothed(region_at(&at[i], region));
        processors[i] = at[i].processors;
        values[i] = form_value(per_byte ? &it.per_byte_us : &it.setup_us, at[i].processors);
    }
    const struct sample sample = {processors, values, count, lesson->special_most};
    struct form form = {0};
    *worst = NAN;
    if (!all_zero(values, count)) {
        *worst = learn_terms(&sample, lesson->allowed, TERMS_MOST, &form).worst;
        if (per_byte && dips(&form, lesson->from, lesson->upto)) {
            bool allowed[BASIS_COUNT];
            leave_out_dipping(allowed, lesson->allowed, lesson->from, lesson->upto);
            *worst = learn_terms(&sample, allowed, 1, &form).worst;
        }
    }
    free(processors);
    return form;
}

/* A size in the region, to weigh setup and rate with. */
static double size_in(const struct at_processors *at, size_t region)
{
    const double least = region > 0 ? region_at(at, region - 1)->bytes_upto + 1.0 : 1.0;
    const double most = region_at(at, region)->bytes_upto;
    return isfinite(most) ? sqrt(least * most) : 2.0 * least;
}

/* The errors of setup and rate, as they weigh at a size among the most processors. */
static double weighed(const struct lesson *lesson, size_t region, double bytes, double setup,
                      double per_byte)
{
    const struct at_processors *most = &lesson->at[lesson->count - 1];
    const double time_us = region_time_us(region_at(most, region), bytes, most->processors);
    const double empty_us = form_value(&region_at(most, region)->setup_us, most->processors);
    const double setup_share = time_us > 0.0 ? fmin(1.0, fmax(0.0, empty_us / time_us)) : 1.0;
    return (isnan(setup) ? 0.0 : setup * setup_share) +
           (isnan(per_byte) ? 0.0 : per_byte * (1.0 - setup_share));
}

/* The larger one at the region's beginning, where the setup weighs most, and further on. */
static double error_between(const struct lesson *lesson, size_t region, double setup,
                            double per_byte)
{
    const double first = region > 0 ? region_at(lesson->at, region - 1)->bytes_upto + 1.0 : 0.0;
    if (isnan(setup) && isnan(per_byte))
        return NAN;
    return chosen_with_all *
           fmax(weighed(lesson, region, first, setup, per_byte),
                weighed(lesson, region, size_in(lesson->at, region), setup, per_byte));
}

static void add_regions(struct list *regions, const struct lesson *lesson, double processors_upto)
{
    for (size_t k = 0; k < lesson->at[0].regions.count; k++) {
        struct region *region = list_add(&region_record, regions);
        region->bytes_upto = region_at(&lesson->at[0], k)->bytes_upto;
        region->processors.most = processors_upto;
        double setup, per_byte;
        region->setup_us = learn_part(lesson, k, false, &setup);
        region->per_byte_us = learn_part(lesson, k, true, &per_byte);
        region->error.other_processors = error_between(lesson, k, setup, per_byte);
    }
}

/* ---- one law among near processors, another beyond ---- */

/* Fewer are answered at each of them, and no law is looked for. */
enum { LAW_LEAST = 4 };

/* The largest left-out error of the times in the middle of the regions. */
static double error_of(const struct lesson *lesson)
{
    const size_t count = lesson->count;
    double *processors = memory_new(2 * count, sizeof *processors), *values = processors + count;
    double worst = 0.0;
    for (size_t k = 0; k < lesson->at[0].regions.count; k++) {
        for (size_t i = 0; i < count; i++) {
            processors[i] = lesson->at[i].processors;
            values[i] =
                region_time_us(region_at(&lesson->at[i], k), size_in(lesson->at, k), processors[i]);
        }
        const struct sample sample = {processors, values, count, lesson->special_most};
        struct form form;
        worst = fmax(worst, learn_terms(&sample, lesson->allowed, TERMS_MOST, &form).error);
    }
    free(processors);
    return worst;
}

/* Those of a number up to another: the near ones, or all others. */
static struct lesson lesson_of(const struct lesson *all, size_t first, size_t end,
                               double processors_near)
{
    struct lesson some = *all;
    some.at = all->at + first;
    some.count = end - first;
    if (first == 0) {
        some.upto = processors_near;
    } else {
        some.special_most = 0;
        some.from = processors_near + 1.0;
    }
    return some;
}

/* How many of the processor counts are near ones, where two laws explain so much better than one.
 */
static size_t count_near(const struct lesson *all, double processors_near)
{
    size_t near = 0;
    while (near < all->count && all->at[near].processors <= processors_near)
        near++;
    if (near == 0 || near == all->count)
        return 0;
    /* Near processors are no special cases of the law of those beyond. */
    struct lesson together = *all;
    together.special_most = 0;
    const struct lesson few = lesson_of(all, 0, near, processors_near);
    const struct lesson many = lesson_of(all, near, all->count, processors_near);
    const double one = error_of(&together);
    const double two = fmax(near < LAW_LEAST ? 0.0 : error_of(&few), error_of(&many));
    return one > special_case && two < special_gain * one ? near : 0;
}

void learn_regions(struct cost *cost, const bool allowed[BASIS_COUNT])
{
    const struct at_processors *at = cost->by_processors.items;
    const size_t count = cost->by_processors.count;
    const struct lesson all = {
        at, count, allowed, SPECIAL_MOST, at[0].processors, at[count - 1].processors};
    const size_t near = count_near(&all, cost->processors_near);
    const struct lesson few = lesson_of(&all, 0, near, cost->processors_near);
    const struct lesson many = near ? lesson_of(&all, near, count, cost->processors_near) : all;
    list_free(&region_record, &cost->regions);
    if (near > 0)
        add_regions(&cost->regions, &few, cost->processors_near);
    add_regions(&cost->regions, &many, INFINITY);
}

const struct region *learned_from(const struct cost *cost, size_t region,
                                  const struct at_processors *at)
{
    const struct region *learned = cost->regions.items;
    const double few_upto = learned[0].processors.most;
    const bool of_few = learned[region].processors.most == few_upto && isfinite(few_upto);
    if (isfinite(few_upto) && of_few != (at->processors <= few_upto))
        return NULL;
    return region_at(at, region % at->regions.count);
}
