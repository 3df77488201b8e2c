/* What stands for a size that a sweep asked again at once, and how sure it is. */
#include "trainer/curve/sweep.h"

#include "test/suite.h"
#include "test/sweep_plan.h"

#include <math.h>
#include <stdlib.h>

/* The same line each time, but the second and the third time that a size is asked by so much more.
 */
struct moving {
    double more[3];
    size_t count;
    struct {
        double bytes;
        int times;
    } asked[1000];
};

static int *times_asked(struct moving *moving, double bytes)
{
    size_t i = 0;
    while (i < moving->count && moving->asked[i].bytes != bytes)
        i++;
    ck_assert_uint_lt(i, 1000);
    if (i == moving->count)
        moving->asked[moving->count++].bytes = bytes;
    return &moving->asked[i].times;
}

static double still_us(double bytes)
{
    return 5.0 + bytes / 200.0;
}

static int measure_moving(void *state, const struct ask *ask, struct point *point,
                          struct error *error)
{
    struct moving *moving = state;
    const int time = (*times_asked(moving, ask->bytes))++;
    (void)error;
    *point = (struct point){.bytes = ask->bytes, .held_out = ask->held_out, .repetitions = 10};
    point->median_us = still_us(ask->bytes) * (1.0 + moving->more[time < 3 ? time : 2]);
    point->half_width_us = 1e-3 * point->median_us;
    return 0;
}

/* The smallest sizes are asked more often. */
static struct sweep_plan larger_sizes(void)
{
    struct sweep_plan plan = usual_plan;
    plan.bytes_least = 1000;
    return plan;
}

/* What stands for each point, as a share more than its first time, and how sure it is. */
static void assert_stands(double second, double third, double expected, double half_width_least)
{
    static struct moving moving;
    struct curve curve = {0};
    const struct sweep_plan plan = larger_sizes();
    struct error error;
    moving = (struct moving){
        .more = {0.0, second, third}
    };
    ck_assert_int_eq(sweep(&plan, measure_moving, &moving, &curve, &error), 0);
    struct list points = curve_settled(&curve);
    ck_assert_uint_gt(points.count, 20);
    ck_assert_int_eq(curve_is_mixture(&curve), fabs(second) > 0.22);
    for (size_t i = 0; i < points.count; i++) {
        const struct point *point = (const struct point *)points.items + i;
        const double first_us = still_us(point->bytes);
        ck_assert_double_eq_tol(point->median_us, (1.0 + expected) * first_us, 1e-9 * first_us);
        ck_assert_double_ge(point->half_width_us, (half_width_least - 1e-9) * first_us);
    }
    free(points.items);
    curve_free(&curve);
}

START_TEST(the_mean_of_two_passes_stands_or_of_those_as_quick_as_the_quickest_of_three)
{
    assert_stands(0.08, 0.5, 0.04, 0.04);
    assert_stands(-0.08, 0.5, -0.04, 0.04);
    assert_stands(0.15, 0.05, 0.025, 0.025); /* no mean of what differs by more than a tenth */
    assert_stands(0.3, 0.2, 0.0, 1e-3);
    assert_stands(0.3, -0.2, -0.2, 0.8e-3);
}
END_TEST

/* Every size is known from three batches, and a second time from four. */
static int measure_batches(void *state, const struct ask *ask, struct point *point,
                           struct error *error)
{
    struct moving *batches = state;
    const bool second = (*times_asked(batches, ask->bytes))++ > 0;
    const double us = still_us(ask->bytes);
    (void)error;
    *point = (struct point){.bytes = ask->bytes,
                            .held_out = ask->held_out,
                            .repetitions = second ? 4 : 3,
                            .minimum_us = (second ? 1.02 : 0.9) * us,
                            .median_us = (second ? 1.06 : 1.0) * us,
                            .mean_us = (second ? 1.085 : 1.0) * us,
                            .standard_deviation_us = (second ? 0.06982120022 : 0.08164965809) * us,
                            .maximum_us = (second ? 1.2 : 1.1) * us,
                            .half_width_us = 0.01 * us,
                            .rejected = second ? 0.25 : 0.0,
                            .spent_us = second ? 4 : 3,
                            .lost_us = second ? 2 : 1};
    return 0;
}

/* Three batches, and four at another moment: of all that is kept of them, what all seven say. */
START_TEST(two_passes_that_agree_are_one_measurement)
{
    static struct moving batches;
    struct curve curve = {0};
    const struct sweep_plan plan = larger_sizes();
    struct error error;
    ck_assert_int_eq(sweep(&plan, measure_batches, &batches, &curve, &error), 0);
    struct list points = curve_settled(&curve);
    ck_assert_uint_gt(points.count, 20);
    for (size_t i = 0; i < points.count; i++) {
        const struct point *point = (const struct point *)points.items + i;
        const double us = still_us(point->bytes);
        ck_assert_double_eq(point->repetitions, 7);
        ck_assert_double_eq_tol(point->minimum_us, 0.9 * us, 1e-9 * us);
        ck_assert_double_eq_tol(point->maximum_us, 1.2 * us, 1e-9 * us);
        ck_assert_double_eq_tol(point->mean_us, 7.34 / 7.0 * us, 1e-9 * us);
        /* Of 0.9, 1, 1.1 and 1.02, 1.04, 1.08, 1.2, over their number. */
        ck_assert_double_eq_tol(point->standard_deviation_us, 0.0860944 * us, 1e-6 * us);
        ck_assert_double_eq_tol(point->rejected, (3.0 * 0.0 + 4.0 * 0.25) / 7.0, 1e-9);
        ck_assert_double_eq_tol(point->spent_us, 7.0, 1e-9);
        ck_assert_double_eq_tol(point->lost_us, 3.0, 1e-9);
    }
    free(points.items);
    curve_free(&curve);
}
END_TEST

static struct passes at_once(size_t count, size_t of_first, const double times_us[])
{
    struct passes passes = {.count = count, .at_once = of_first};
    for (size_t i = 0; i < count; i++)
        passes.of[i] = (struct point){.median_us = times_us[i], .repetitions = 10};
    return passes;
}

/* A few ms apart, both are as quick or as slow for the same cause. */
START_TEST(what_was_asked_again_at_once_is_one_pass)
{
    static const double quick_first[] = {10, 10, 20, 20}, changed[] = {10, 13},
                        alike[] = {10, 10.5};
    const struct passes together = at_once(4, 2, quick_first), apart = at_once(4, 1, quick_first);
    ck_assert_uint_eq(passes_count(&together), 3);
    ck_assert_uint_eq(passes_count(&apart), 4);
    ck_assert(passes_unsettled(&together, STATISTIC_MEDIAN));
    ck_assert(!passes_unsettled(&apart, STATISTIC_MEDIAN));
    const struct passes two = at_once(2, 2, changed), agreed = at_once(2, 2, alike);
    const struct passes later = at_once(2, 1, changed);
    ck_assert_uint_eq(passes_count(&two), 1);
    ck_assert(passes_changed(&two, STATISTIC_MEDIAN) && passes_disagree(&two, STATISTIC_MEDIAN));
    ck_assert(!passes_changed(&agreed, STATISTIC_MEDIAN));
    ck_assert(!passes_disagree(&agreed, STATISTIC_MEDIAN));
    ck_assert(!passes_changed(&later, STATISTIC_MEDIAN));
}
END_TEST

/* Interruptions at once spoil one pass, and later ones others. */
START_TEST(interruptions_are_of_the_pass_that_they_came_in)
{
    static const double alike[] = {10, 10, 10, 10};
    const bool none[PASSES_LEAST] = {false};
    struct passes points[2];
    for (size_t i = 0; i < 2; i++) {
        points[i] = at_once(4, 2, alike);
        for (size_t k = 0; k < 2; k++) {
            points[i].of[k].spent_us = 100;
            points[i].of[k].lost_us = 50;
        }
    }
    ck_assert_ptr_null(passes_disturbance(points, 2, none, STATISTIC_MEDIAN));
    for (size_t i = 0; i < 2; i++) {
        points[i].of[2].spent_us = 100;
        points[i].of[2].lost_us = 16;
    }
    ck_assert_str_eq(passes_disturbance(points, 2, none, STATISTIC_MEDIAN),
                     "ranks were interrupted");
}
END_TEST

SUITE("asked again", what_was_asked_again_at_once_is_one_pass,
      interruptions_are_of_the_pass_that_they_came_in,
      the_mean_of_two_passes_stands_or_of_those_as_quick_as_the_quickest_of_three,
      two_passes_that_agree_are_one_measurement)
