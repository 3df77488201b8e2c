/* Drawn tables against what normal errors give in closed form. */
#include "forecast/rank/resample.h"
#include "test/suite.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* 2000 draws: a share p comes out within three of its standard deviations, 3.4 % at most. */
static const double share = 0.035;

static struct list one(const struct region *region, double bytes, double time_us, double shared,
                       double own)
{
    struct list list = {0};
    *(struct uncertain *)list_add(&uncertain_record, &list) =
        (struct uncertain){region, bytes, 2.0, time_us, shared, own};
    return list;
}

static void release(struct list *lists, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list_free(&uncertain_record, &lists[i]);
}

START_TEST(independent_errors_follow_the_normal_law)
{
    const struct region regions[2] = {region_begin(), region_begin()};
    struct list lists[2] = {one(&regions[0], 8.0, 100.0, 0.1, 0.0),
                            one(&regions[1], 8.0, 110.0, 0.1, 0.0)};
    struct contender contenders[2] = {{.uncertain = &lists[0]}, {.uncertain = &lists[1]}};
    resample(contenders, 2);
    const double expected = gsl_cdf_ugaussian_P(log(1.1) / (0.1 * sqrt(2.0)));
    ck_assert_double_eq_tol(contenders[0].best, expected, share);
    ck_assert_double_eq_tol(contenders[1].best, 1.0 - expected, share);
    ck_assert_double_eq_tol(contenders[0].before_next, expected, share);
    ck_assert(isnan(contenders[1].before_next));
    /* E[B - A] = regret of B - regret of A, whatever the dependence. */
    ck_assert_double_eq_tol(contenders[1].regret_us - contenders[0].regret_us, 10.0 * exp(0.005),
                            1.1);
    ck_assert_double_gt(contenders[0].regret_us, 0.0);
    /* 90 of 100 ratios are within 1.645 standard deviations of it. */
    const double wide = exp(1.645 * 0.1 * sqrt(2.0));
    ck_assert_double_eq_tol(contenders[1].times_low, 1.1 / wide, 0.04);
    ck_assert_double_eq_tol(contenders[1].times_high, 1.1 * wide, 0.04);
    ck_assert_double_eq(contenders[0].times_high, 1.0);
    release(lists, 2);
}
END_TEST

/* Of messages that are known within a factor of 20, and that a program may make longer or shorter,
   a shorter one never leaves less than nothing: somebody is the best in every table. */
START_TEST(a_program_multiplies_what_its_messages_take)
{
    const struct region regions[2] = {region_begin(), region_begin()};
    struct list lists[2] = {one(&regions[0], 8.0, 100.0, 1.5, 0.0),
                            one(&regions[1], 8.0, 600.0, 0.1, 0.0)};
    for (int i = 0; i < 2; i++)
        *(struct uncertain *)list_add(&uncertain_record, &lists[i]) = (struct uncertain){
            .region = &uncertain_in_program, .time_us = i ? 600.0 : 100.0, .shared = 0.5};
    struct contender contenders[2] = {
        {.uncertain = &lists[0], .certain_us = -100.0},
        {.uncertain = &lists[1], .certain_us = -600.0}
    };
    resample(contenders, 2);
    const double expected = gsl_cdf_ugaussian_P(log(6.0) / hypot(1.5, 0.1));
    ck_assert_double_eq_tol(contenders[0].best, expected, share);
    ck_assert_double_eq_tol(contenders[0].best + contenders[1].best, 1.0, 1e-9);
    /* The program's own error is the same for both. */
    ck_assert_double_eq_tol(contenders[1].times_low, 6.0 / exp(1.645 * hypot(1.5, 0.1)), 0.06);
    release(lists, 2);
}
END_TEST

START_TEST(shared_errors_cancel)
{
    const struct region region = region_begin();
    struct list lists[2] = {one(&region, 8.0, 100.0, 0.3, 0.0),
                            one(&region, 16.0, 101.0, 0.3, 0.0)};
    struct contender contenders[2] = {{.uncertain = &lists[0]}, {.uncertain = &lists[1]}};
    resample(contenders, 2);
    ck_assert_double_eq(contenders[0].best, 1.0);
    ck_assert_double_eq(contenders[0].regret_us, 0.0);
    release(lists, 2);
}
END_TEST

START_TEST(own_errors_cancel_for_equal_calls_alone)
{
    const struct region region = region_begin();
    struct list lists[3] = {one(&region, 8.0, 100.0, 0.0, 0.3), one(&region, 8.0, 101.0, 0.0, 0.3),
                            one(&region, 16.0, 101.0, 0.0, 0.3)};
    struct contender same[2] = {{.uncertain = &lists[0]}, {.uncertain = &lists[1]}};
    struct contender other[2] = {{.uncertain = &lists[0]}, {.uncertain = &lists[2]}};
    resample(same, 2);
    resample(other, 2);
    ck_assert_double_eq(same[0].best, 1.0);
    ck_assert_double_eq_tol(other[0].best, 0.51, share);
    release(lists, 3);
}
END_TEST

START_TEST(ties_share_the_first_place)
{
    const struct region region = region_begin();
    struct list lists[2] = {one(&region, 8.0, 100.0, 0.2, 0.1), one(&region, 8.0, 100.0, 0.2, 0.1)};
    struct contender contenders[2] = {{.uncertain = &lists[0]}, {.uncertain = &lists[1]}};
    resample(contenders, 2);
    ck_assert_double_eq(contenders[0].best, 0.5);
    ck_assert_double_eq(contenders[1].best, 0.5);
    ck_assert_double_eq(contenders[0].before_next, 0.5);
    release(lists, 2);
}
END_TEST

/* The model's own error is a part of the interval, however bad the held-out sizes were. */
START_TEST(an_interval_stays_as_wide_as_it_is)
{
    for (double median = 0.01; median < 1.0; median *= 4.0) {
        struct region region = region_begin();
        struct uncertainty of = {0};
        region.error.held_out_median = median;
        const struct cost_answer each = {
            .time_us = 100.0, .low_us = 80.0, .high_us = 125.0, .region = &region};
        uncertain_add(&of, &each, 8.0, 2.0, 100.0);
        ck_assert_double_eq_tol(uncertain_factor(&of, 100.0), 1.25, 1e-9);
        uncertainty_free(&of);
    }
}
END_TEST

/* That quantile of 100 us, and 60 and 40 us whose region's errors they share, and 50 us of another
   region. */
static double drawn_us(double quantile)
{
    enum { DRAWS = 20000 };
    static double totals[DRAWS];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < DRAWS; i++) {
        const double region = gsl_ran_gaussian(random, 0.05);
        totals[i] = 100.0 + 60.0 * exp(region + gsl_ran_gaussian(random, 0.04)) +
                    40.0 * exp(region + gsl_ran_gaussian(random, 0.04)) +
                    50.0 * exp(gsl_ran_gaussian(random, 0.1));
    }
    gsl_rng_free(random);
    gsl_sort(totals, 1, DRAWS);
    return gsl_stats_quantile_from_sorted_data(totals, 1, DRAWS, quantile);
}

START_TEST(totals_a_third_of_a_thousandth_apart_are_equal)
{
    const struct region region = region_begin();
    struct list lists[2] = {one(&region, 8.0, 100.0, 0.0, 0.0),
                            one(&region, 16.0, 100.03, 0.0, 0.0)};
    struct contender contenders[2] = {{.uncertain = &lists[0]}, {.uncertain = &lists[1]}};
    resample(contenders, 2);
    ck_assert_double_eq(contenders[0].best, 0.5);
    ck_assert_double_eq(contenders[0].before_next, 0.5);
    release(lists, 2);
}
END_TEST

/* Times with the same errors are one entry, among few as among many. */
START_TEST(equal_errors_are_added_up)
{
    const struct region region = region_begin();
    struct uncertainty of = {0};
    const struct cost_answer each = {
        .time_us = 100.0, .low_us = 80.0, .high_us = 125.0, .region = &region};
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < 500; i++)
            uncertain_add(&of, &each, 8.0 * i, 2.0, i + 1.0);
    ck_assert_uint_eq(of.list.count, 500);
    const struct uncertain *items = of.list.items;
    for (int i = 0; i < 500; i++) {
        ck_assert_double_eq(items[i].bytes, 8.0 * i);
        ck_assert_double_eq(items[i].time_us, 3.0 * (i + 1.0));
    }
    uncertainty_free(&of);
}
END_TEST

START_TEST(the_delta_method_agrees_with_drawing)
{
    const struct region regions[2] = {region_begin(), region_begin()};
    struct list list = one(&regions[0], 8.0, 60.0, 0.05, 0.04);
    *(struct uncertain *)list_add(&uncertain_record, &list) =
        (struct uncertain){&regions[0], 16.0, 2.0, 40.0, 0.05, 0.04};
    *(struct uncertain *)list_add(&uncertain_record, &list) =
        (struct uncertain){&regions[1], 8.0, 2.0, 50.0, 0.1, 0.0};
    const struct uncertainty of = {.list = list};
    const double factor = uncertain_factor(&of, 250.0);
    /* sqrt((100 x 0.05)^2 + (60 x 0.04)^2 + (40 x 0.04)^2 + (50 x 0.1)^2) / 250 */
    ck_assert_double_eq_tol(log(factor) / 1.644854, sqrt(25.0 + 5.76 + 2.56 + 25.0) / 250.0, 1e-6);
    ck_assert_double_eq_tol(drawn_us(0.95), 250.0 * factor, 1.5);
    ck_assert_double_eq_tol(drawn_us(0.05), 250.0 / factor, 1.5);
    list_free(&uncertain_record, &list);
}
END_TEST

SUITE("resample", a_program_multiplies_what_its_messages_take,
      independent_errors_follow_the_normal_law, shared_errors_cancel,
      own_errors_cancel_for_equal_calls_alone, ties_share_the_first_place,
      an_interval_stays_as_wide_as_it_is, totals_a_third_of_a_thousandth_apart_are_equal,
      the_delta_method_agrees_with_drawing, equal_errors_are_added_up)
