/* Functions of p found again from their values: the closed forms of collective algorithms. */
#include "model/fit/learn.h"
#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

static const double processors[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { COUNT = sizeof processors / sizeof *processors, COUNTS_DRAWN = 16 };

static double dimension(double p)
{
    return floor(log2(p));
}

static const struct {
    const char *terms; /* as basis names, blank between */
    double first, second;
} truths[] = {
    {"1",               5,     0    },
    {"p",               0.25,  0    },
    {"p-1",             5,     0    },
    {"p-2",             0.7,   0    },
    {"log2(p)",         5,     0    },
    {"ceil(log2(p))",   5,     0    },
    {"D",               5,     0    },
    {"p^2",             0.01,  0    },
    {"p^3",             0.001, 0    },
    {"sqrt(p)",         3,     0    },
    {"1 p",             -5.5,  15.5 },
    {"1 D",             9.6,   14   },
    {"1 log2(p)",       1470,  377  },
    {"1 p^3",           39,    0.465},
    {"1 ceil(log2(p))", 20,    4    },
};

static void split(const char *terms, char first[20], char second[20])
{
    second[0] = '\0';
    sscanf(terms, "%19s %19s", first, second);
}

START_TEST(closed_forms_are_found_again)
{
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        char first[20], second[20];
        double values[COUNT];
        split(truths[i].terms, first, second);
        for (size_t k = 0; k < COUNT; k++) {
            values[k] = truths[i].first * basis_value(basis_named(first), processors[k]);
            if (second[0])
                values[k] += truths[i].second * basis_value(basis_named(second), processors[k]);
        }
        const struct form form = learn_form(processors, values, COUNT, NULL);
        ck_assert_msg(form.count == (second[0] ? 2 : 1), "%s: %zu terms", truths[i].terms,
                      form.count);
        ck_assert_str_eq(basis_name(form.terms[0].basis), first);
        ck_assert_double_eq_tol(form.terms[0].coefficient.numerator, truths[i].first,
                                0.005 * fabs(truths[i].first));
        if (second[0])
            ck_assert_str_eq(basis_name(form.terms[1].basis), second);
    }
}
END_TEST

/* The laws of the simulated bed at the processor counts that it is tried at. */
START_TEST(noise_of_one_percent_keeps_term_and_predictions)
{
    static const double seen[] = {2, 3, 4, 6, 8, 12, 16, 64}, unseen[] = {5, 7, 10, 24, 33, 48};
    enum { SEEN = sizeof seen / sizeof *seen, UNSEEN = sizeof unseen / sizeof *unseen, RUNS = 40 };
    static const char *const laws[] = {"1", "p", "p-1", "log2(p)", "ceil(log2(p))", "D"};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
        const size_t basis = basis_named(laws[law]);
        int right = 0;
        for (int run = 0; run < RUNS; run++) {
            double values[SEEN];
            for (size_t k = 0; k < SEEN; k++)
                values[k] = 5 * basis_value(basis, seen[k]) * (1 + gsl_ran_gaussian(random, 0.01));
            const struct form form = learn_form(seen, values, SEEN, NULL);
            right += form.count == 1 && form.terms[0].basis == basis;
            for (size_t k = 0; k < UNSEEN; k++) {
                const double truth = 5 * basis_value(basis, unseen[k]);
                ck_assert_double_eq_tol(form_value(&form, unseen[k]), truth, 0.03 * truth);
            }
        }
        ck_assert_msg(right >= RUNS * 9 / 10, "%s: %d of %d", laws[law], right, RUNS);
    }
    gsl_rng_free(random);
}
END_TEST

/* Recursive doubling of a sum among other than powers of two has two stages more: floor(log2 p) + 2
   = 2 ceil(log2 p) - D; and two processors send one message where more send two. */
START_TEST(laws_that_are_not_smooth_are_found)
{
    static const double seen[] = {2, 3, 4, 6, 8, 11, 16};
    enum { SEEN = sizeof seen / sizeof *seen };
    double doubling[SEEN], heap[SEEN], two[SEEN];
    for (size_t k = 0; k < SEEN; k++) {
        const bool is_power = exp2(dimension(seen[k])) == seen[k];
        doubling[k] = 5 * (dimension(seen[k]) + (is_power ? 0 : 2));
        heap[k] = 5 * basis_value(basis_named("heap(p)"), seen[k]);
        two[k] = seen[k] > 2 ? 10 : 5;
    }
    struct form form = learn_form(seen, doubling, SEEN, NULL);
    ck_assert_double_eq_tol(form_value(&form, 15), 25, 1e-6);
    ck_assert_double_eq_tol(form_value(&form, 32), 25, 1e-6);
    form = learn_form(seen, heap, SEEN, NULL);
    ck_assert_uint_eq(form.count, 1);
    ck_assert_double_eq_tol(form_value(&form, 15), 30, 1e-6);
    form = learn_form(seen, two, SEEN, NULL);
    ck_assert_uint_eq(form.count, 1);
    ck_assert_double_eq_tol(form_value(&form, 100), 10, 1e-6);
}
END_TEST

START_TEST(few_values_give_few_terms)
{
    const double value[] = {7}, two[] = {7, 7}, p[] = {2, 4};
    struct form form = learn_form(p, value, 1, NULL);
    ck_assert_uint_eq(form.count, 1);
    ck_assert_double_eq(form_value(&form, 100), 7);
    form = learn_form(p, two, 2, NULL);
    ck_assert_uint_eq(form.count, 1);
    ck_assert_double_eq_tol(form_value(&form, 100), 7, 1e-9);
}
END_TEST

START_TEST(a_smaller_vocabulary_is_kept_to)
{
    bool allowed[BASIS_COUNT] = {false};
    double values[COUNT];
    allowed[basis_named("1")] = allowed[basis_named("p")] = true;
    for (size_t k = 0; k < COUNT; k++)
        values[k] = 5 * dimension(processors[k]);
    const struct form form = learn_form(processors, values, COUNT, allowed);
    for (size_t k = 0; k < form.count; k++)
        ck_assert(allowed[form.terms[k].basis]);
}
END_TEST

/* 5 us to each of 8 that are near, 20 to each other one. */
static double near_and_far_us(double p)
{
    return 5.0 * fmin(p, 8.0) + 20.0 * fmax(p - 8.0, 0.0);
}

static struct cost measured_at(const double *at, size_t count, double processors_near)
{
    struct cost cost;
    record_begin(&cost_record, &cost);
    cost.processors_near = processors_near;
    for (size_t i = 0; i < count; i++) {
        struct at_processors *one = list_add(&at_processors_record, &cost.by_processors);
        one->processors = at[i];
        *(struct region *)list_add(&region_record, &one->regions) =
            region_hockney(INFINITY, near_and_far_us(at[i]), 100.0);
    }
    return cost;
}

START_TEST(near_processors_have_laws_of_their_own)
{
    static const double at[] = {2, 3, 4, 6, 8, 11, 16, 23, 32};
    struct cost cost = measured_at(at, 9, 8.0);
    learn_regions(&cost, NULL);
    ck_assert_uint_eq(cost.regions.count, 2);
    for (double p = 2; p <= 40; p++) {
        const struct region *region = cost_region(&cost, 0.0, p);
        ck_assert_double_eq_tol(region_time_us(region, 0.0, p), near_and_far_us(p), 1e-3);
    }
    const struct at_processors *few = cost.by_processors.items, *many = few + 8;
    ck_assert_ptr_eq(learned_from(&cost, 0, few), few->regions.items);
    ck_assert_ptr_null(learned_from(&cost, 0, many));
    ck_assert_ptr_eq(learned_from(&cost, 1, many), many->regions.items);
    record_free(&cost_record, &cost);
}
END_TEST

START_TEST(one_law_for_all_stays_one)
{
    static const double at[] = {2, 3, 4, 6, 8};
    struct cost cost = measured_at(at, 5, 4.0);
    learn_regions(&cost, NULL);
    ck_assert_uint_eq(cost.regions.count, 1);
    record_free(&cost_record, &cost);
}
END_TEST

/* Learns from what was measured at each p, and looks at the rates of all p up to the last. Returns
   how many regions there are. */
static size_t check_rates(const double *at, const double *setup_us, const double *mb_per_s,
                          size_t count, double processors_near)
{
    struct cost cost = measured_at(at, count, processors_near);
    struct at_processors *one = cost.by_processors.items;
    for (size_t i = 0; i < count; i++)
        *(struct region *)one[i].regions.items = region_hockney(INFINITY, setup_us[i], mb_per_s[i]);
    learn_regions(&cost, NULL);
    for (double p = at[0]; p <= at[count - 1]; p++)
        ck_assert_double_ge(form_value(&cost_region(&cost, 0.0, p)->per_byte_us, p), 0.0);
    const size_t regions = cost.regions.count;
    record_free(&cost_record, &cost);
    return regions;
}

/* Of a broadcast whose library takes another algorithm at many a count: p - 2 explained its rates
   about as well as anything, and is below 0 among one. */
START_TEST(rates_of_one_term_rise_among_all_that_were_measured)
{
    static const double at[] = {1, 2, 3, 5, 7, 10, 15, 22, 31, 44, 63};
    static const double setup_us[] = {7.45,  14.91, 14.91, 15.71, 17.73, 17.90,
                                      18.11, 23.16, 37.27, 30.43, 27.11};
    static const double mb_per_s[] = {478.4,  239.2,  239.2, 233.6,  1165.6, 2684.4,
                                      218.31, 156.96, 95.68, 29.523, 147.07};
    ck_assert_uint_eq(check_rates(at, setup_us, mb_per_s, 11, NAN), 1);
}
END_TEST

/* Many to one among nodes of 32: the law of those beyond a node was below 0 for 32 to 36 others,
   between the last near count and the first far one. */
START_TEST(rates_of_far_processors_rise_from_the_near_ones_on)
{
    static const double at[] = {1, 2, 3, 5, 7, 10, 15, 22, 31, 44, 63, 90, 127, 180, 255};
    static const double setup_us[] = {0.6919, 1.2,    1.8,    3.0,   4.2,    6.0,     9.0,    13.2,
                                      18.6,   26.273, 18.374, 9.511, 0.1572, -11.938, -24.012};
    static const double mb_per_s[] = {1775.5, 5000.0,  3333.3,  2000.0,  1428.6,
                                      1000.0, 666.67,  454.55,  322.58,  212.84,
                                      18.872, 8.33159, 4.65719, 2.83005, 1.83558};
    ck_assert_uint_eq(check_rates(at, setup_us, mb_per_s, 15, 31.0), 2);
}
END_TEST

/* Counts of processors as the trainer takes them, from 1 or 2 on, and rates that jump from one to
   the next as those of libraries with several algorithms do. Some have none. */
static size_t draw(gsl_rng *random, double at[COUNTS_DRAWN], double setup_us[COUNTS_DRAWN],
                   double mb_per_s[COUNTS_DRAWN])
{
    const double steps[] = {sqrt(2.0), 2.0, 4.0 / 3.0};
    const double step = steps[gsl_rng_uniform_int(random, 3)];
    const double power = gsl_ran_flat(random, -2.0, 2.0), jump = gsl_ran_flat(random, 0.0, 2.0);
    const size_t count = 2 + gsl_rng_uniform_int(random, COUNTS_DRAWN - 2);
    double p = (double)(1 + gsl_rng_uniform_int(random, 2));
    for (size_t i = 0; i < count; i++) {
        at[i] = p;
        p = fmax(p + 1.0, floor(step * p));
        setup_us[i] = gsl_ran_flat(random, -30.0, 100.0);
        mb_per_s[i] = gsl_rng_uniform(random) < 0.1
                          ? (double)INFINITY
                          : 1000.0 * pow(at[i], power) * exp(gsl_ran_gaussian(random, jump));
    }
    return count;
}

/* More bytes never cost less between what was measured: such a table could not be read, and hours
   of a machine would be lost. */
START_TEST(rates_never_fall_below_zero_whatever_was_measured)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 60; i++) {
        double at[COUNTS_DRAWN], setup_us[COUNTS_DRAWN], mb_per_s[COUNTS_DRAWN];
        const size_t count = draw(random, at, setup_us, mb_per_s);
        const double near = i % 2 ? at[gsl_rng_uniform_int(random, count)] : (double)NAN;
        check_rates(at, setup_us, mb_per_s, count, near);
    }
    gsl_rng_free(random);
}
END_TEST

SUITE("learn", closed_forms_are_found_again, noise_of_one_percent_keeps_term_and_predictions,
      laws_that_are_not_smooth_are_found, few_values_give_few_terms,
      a_smaller_vocabulary_is_kept_to, near_processors_have_laws_of_their_own,
      one_law_for_all_stays_one, rates_of_one_term_rise_among_all_that_were_measured,
      rates_of_far_processors_rise_from_the_near_ones_on,
      rates_never_fall_below_zero_whatever_was_measured)
