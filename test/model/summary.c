/* Order statistics against closed forms, and the interval of the median by its coverage. */
#include "model/fit/summary.h"
#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

START_TEST(few_samples)
{
    double samples[] = {3, 1, 2, 10};
    const struct summary summary = summary_of(samples, 4, 0.95);
    ck_assert_double_eq(summary.minimum, 1);
    ck_assert_double_eq(summary.median, 2.5);
    ck_assert_double_eq(summary.mean, 4);
    ck_assert_double_eq(summary.maximum, 10);
    ck_assert_double_eq_tol(summary.standard_deviation, sqrt((9 + 4 + 1 + 36) / 3.0), 1e-12);
    ck_assert_double_eq(summary.median_low, 1);
    ck_assert_double_eq(summary.median_high, 10);
}
END_TEST

START_TEST(one_sample)
{
    double sample[] = {7};
    const struct summary summary = summary_of(sample, 1, 0.95);
    ck_assert_double_eq(summary.median, 7);
    ck_assert_double_eq(summary.standard_deviation, 0);
    ck_assert_double_eq(summary.median_low, 7);
    ck_assert_double_eq(summary.outliers, 0);
}
END_TEST

/* The known table of the sign test: 95 % for n = 20 is the 6th and the 15th value. */
START_TEST(interval_of_twenty)
{
    double samples[20];
    for (int i = 0; i < 20; i++)
        samples[i] = i + 1;
    const struct summary summary = summary_of(samples, 20, 0.95);
    ck_assert_double_eq(summary.median_low, 6);
    ck_assert_double_eq(summary.median_high, 15);
}
END_TEST

START_TEST(interval_covers_the_median_of_skewed_noise)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int covered = 0;
    for (int run = 0; run < 2000; run++) {
        double samples[30];
        for (int i = 0; i < 30; i++)
            samples[i] = gsl_ran_exponential(random, 1.0);
        const struct summary summary = summary_of(samples, 30, 0.95);
        covered += summary.median_low <= log(2.0) && log(2.0) <= summary.median_high;
    }
    gsl_rng_free(random);
    ck_assert_int_ge(covered, 1880);
    ck_assert_int_le(covered, 1970);
}
END_TEST

START_TEST(spikes_are_outliers_and_do_not_move_the_median)
{
    double samples[100];
    for (int i = 0; i < 100; i++)
        samples[i] = i < 95 ? 1.0 + 1e-3 * i : 500.0;
    const struct summary summary = summary_of(samples, 100, 0.95);
    ck_assert_double_eq_tol(summary.outliers, 0.05, 1e-12);
    ck_assert_double_eq_tol(summary.median, 1.0495, 1e-9);
}
END_TEST

/* A table with a median above the 95th percentile is refused (machine_check.c). */
START_TEST(quantiles_do_not_fall)
{
    static const double equal = 4.110648805921106e-08; /* at 0.95 of two of them GSL's is lower */
    const double samples[] = {0.0, equal, equal, equal, equal};
    ck_assert_double_eq(summary_quantile(samples, 5, 0.95), equal);
    ck_assert_double_eq(summary_quantile(samples, 5, 0.125), equal / 2.0);
    ck_assert_double_eq(summary_quantile(samples, 5, 1.0), equal);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int run = 0; run < 2000; run++) {
        double few[3] = {gsl_rng_uniform(random), 0.0, 0.0};
        few[1] = few[0] * (1.0 + 1e-16 * gsl_rng_uniform(random));
        few[2] = run % 2 ? few[1] : few[1] + gsl_rng_uniform(random);
        double last = few[0];
        for (int k = 0; k <= 200; k++) {
            const double now = summary_quantile(few, 3, k / 200.0);
            ck_assert_double_ge(now, last);
            last = now;
        }
        ck_assert_double_eq(last, few[2]);
    }
    gsl_rng_free(random);
}
END_TEST

SUITE("summary", few_samples, one_sample, interval_of_twenty,
      interval_covers_the_median_of_skewed_noise, spikes_are_outliers_and_do_not_move_the_median,
      quantiles_do_not_fall)
