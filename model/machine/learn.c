#include "model/machine/learn.h"

#include "model/base/memory.h"

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

/* Errors below are rounding, and equal. */
static const double rounding = 1e-9;

/* The values to be explained. */
struct sample {
    const double *processors, *values;
    size_t count;
};

/* Which functions of p are combined. */
struct choice {
    size_t count;
    size_t basis[TERMS_MOST];
    double coefficients[TERMS_MOST];
    double error; /* root mean square of relative left-out errors */
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
   fitted without it. */
static double left_out_error(const struct sample *sample, struct choice *choice)
{
    double sum = 0.0;
    for (size_t i = 0; i < sample->count; i++) {
        if (!fit(sample, i, choice))
            return INFINITY;
        const double off = value_at(choice, sample->processors[i]) - sample->values[i];
        sum += pow(off * weight_of(sample->values[i]), 2.0);
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
    return (struct choice){.error = INFINITY};
}

/* Few processors can be cases of their own: two send one message where more send two, and a
   pipeline is not filled. They are left out where the others are then understood so much better; at
   least four remain. */
static struct form learn_terms(const struct sample *sample, const bool *allowed, size_t terms_most)
{
    struct choice choice = choose(sample, allowed, terms_most);
    for (size_t few = 1; few <= SPECIAL_MOST && sample->count >= few + 4; few++) {
        if (choice.error <= special_case)
            break;
        const struct sample others = {sample->processors + few, sample->values + few,
                                      sample->count - few};
        const struct choice without = choose(&others, allowed, terms_most);
        if (without.error < special_gain * choice.error)
            choice = without;
    }
    return choice.count ? form_of(&choice) : form_constant(sample->values[sample->count - 1]);
}

struct form learn_form(const double *processors, const double *values, size_t count,
                       const bool basis_allowed[BASIS_COUNT])
{
    const struct sample sample = {processors, values, count};
    return count < 2 ? form_constant(count ? values[0] : 0.0)
                     : learn_terms(&sample, basis_allowed, TERMS_MOST);
}

/* ---- regions ---- */

static const struct region *region_at(const struct at_processors *at, size_t region)
{
    return (const struct region *)at->regions.items + region;
}

/* Between the p that were measured a sum of terms may dip below 0, where a rate cannot. */
static bool dips(const struct form *form, double least, double most)
{
    for (double p = least; p <= most; p++)
        if (form_value(form, p) < 0.0)
            return true;
    return false;
}

static bool all_zero(const double *values, size_t count)
{
    while (count > 0 && values[count - 1] == 0.0)
        count--;
    return count == 0;
}

static struct form learn_part(const struct cost *cost, const bool *allowed, size_t region,
                              bool per_byte)
{
    const struct at_processors *at = cost->by_processors.items;
    const size_t count = cost->by_processors.count;
    double *processors = memory_new(2 * count, sizeof *processors), *values = processors + count;
    for (size_t i = 0; i < count; i++) {
        const struct region *it = region_at(&at[i], region);
        processors[i] = at[i].processors;
        values[i] = form_value(per_byte ? &it->per_byte_us : &it->setup_us, at[i].processors);
    }
    const struct sample sample = {processors, values, count};
    struct form form = {0};
    if (!all_zero(values, count)) {
        form = learn_form(processors, values, count, allowed);
        if (per_byte && dips(&form, processors[0], processors[count - 1]))
            form = learn_terms(&sample, allowed, 1);
    }
    free(processors);
    return form;
}

void learn_regions(struct cost *cost, const bool allowed[BASIS_COUNT])
{
    const struct at_processors *at = cost->by_processors.items;
    list_free(&region_record, &cost->regions);
    for (size_t k = 0; k < at[0].regions.count; k++) {
        struct region *region = list_add(&region_record, &cost->regions);
        region->bytes_upto = region_at(&at[0], k)->bytes_upto;
        region->setup_us = learn_part(cost, allowed, k, false);
        region->per_byte_us = learn_part(cost, allowed, k, true);
    }
}

/* ---- the diagnosis ---- */

static const struct {
    const char *basis, *says;
} diagnoses[] = {
    {"p^3",           "cubic in p: do not extrapolate"         },
    {"p^2",           "quadratic in p: congestion"             },
    {"p",             "linear in p: one after the other"       },
    {"p-1",           "linear in p: one after the other"       },
    {"p-2",           "linear in p: one after the other"       },
    {"log2(p)",       "logarithmic in p: a tree"               },
    {"ceil(log2(p))", "logarithmic in p: a tree"               },
    {"D",             "logarithmic in p: a tree"               },
    {"heap(p)",       "logarithmic in p: a binary tree"        },
    {"D^2",           "square of a logarithm: a tree, and more"},
    {"sqrt(p)",       "square root of p: a grid"               },
    {"sqrt(D)",       "hardly grows with p"                    },
};

const char *learn_diagnosis(const struct form *form)
{
    for (size_t i = 0; i < sizeof diagnoses / sizeof *diagnoses; i++)
        for (size_t k = 0; k < form->count; k++)
            if (strcmp(basis_name(form->terms[k].basis), diagnoses[i].basis) == 0)
                return diagnoses[i].says;
    return "";
}
