/* What stands for several moments, which points are asked again, and which curves are marked. */
#include "trainer/moments.h"

#include "test/suite.h"

static struct moments moments_of(size_t count, const double times_us[])
{
    struct moments moments = {.count = count};
    for (size_t i = 0; i < count; i++)
        moments.looks[i] = (struct point){.median_us = times_us[i], .repetitions = 10};
    return moments;
}

START_TEST(the_mean_of_those_that_are_as_quick_as_the_quickest_stands)
{
    static const struct {
        size_t count;
        double times_us[MOMENTS_MOST], settled_us;
        bool unsettled;
    } cases[] = {
        {1, {10},             10,   false},
        {2, {10, 10.8},       10.4, false},
        {2, {11.5, 10},       10,   false},
        {2, {10, 12.5},       10,   true },
        {3, {20, 10, 10},     10,   false},
        {3, {10, 20, 21},     10,   true },
        {3, {20, 12, 10},     10,   false},
        {3, {10, 10.3, 10.9}, 10.4, false},
        {3, {0, 20, 10},      10,   true },
        {2, {0, 0},           0,    false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct moments moments = moments_of(cases[i].count, cases[i].times_us);
        const struct point settled = moments_settled(&moments, STATISTIC_MEDIAN);
        ck_assert_double_eq_tol(settled.median_us, cases[i].settled_us, 1e-9);
        ck_assert_int_eq(moments_unsettled(&moments, STATISTIC_MEDIAN), cases[i].unsettled);
    }
}
END_TEST

START_TEST(what_stands_alone_or_above_its_neighbours_is_doubtful)
{
    static const double slow[] = {20, 21}, quick[] = {10, 10.5}, alone[] = {10, 12};
    struct moments below = moments_of(2, quick), above = moments_of(2, quick);
    const struct moments of_slow = moments_of(2, slow), of_alone = moments_of(2, alone);
    const struct moments of_quick = moments_of(2, quick);
    below.looks[0].bytes = below.looks[1].bytes = 0;
    above.looks[0].bytes = above.looks[1].bytes = 16;
    ck_assert(moments_doubtful(&below, &of_slow, &above, STATISTIC_MEDIAN));
    ck_assert(moments_doubtful(NULL, &of_alone, NULL, STATISTIC_MEDIAN));
    ck_assert(!moments_doubtful(&below, &of_quick, &above, STATISTIC_MEDIAN));
    ck_assert(!moments_doubtful(NULL, &of_slow, &above, STATISTIC_MEDIAN));
    /* on the way from 10 to 40 us */
    struct moments half = of_slow, high = moments_of(1, (const double[]){40});
    half.looks[0].bytes = half.looks[1].bytes = 8;
    high.looks[0].bytes = 16;
    ck_assert(!moments_doubtful(&below, &half, &high, STATISTIC_MEDIAN));
    half.looks[0].bytes = half.looks[1].bytes = 4;
    ck_assert(moments_doubtful(&below, &half, &high, STATISTIC_MEDIAN));
}
END_TEST

START_TEST(what_neighbours_contradict_is_doubtful_for_longer_than_what_is_alone)
{
    static const double quick[] = {10, 10}, alone[MOMENTS_ALONE] = {20, 24, 24, 24, 24, 24};
    struct moments below = moments_of(2, quick), above = moments_of(2, quick);
    for (size_t count = 2; count <= MOMENTS_ALONE; count++) {
        const struct moments of_alone = moments_of(count, alone);
        ck_assert_int_eq(moments_doubtful(NULL, &of_alone, NULL, STATISTIC_MEDIAN),
                         count < MOMENTS_ALONE);
        ck_assert(moments_doubtful(&below, &of_alone, &above, STATISTIC_MEDIAN));
    }
}
END_TEST

/* One that is spoilt does no harm where two are not. */
START_TEST(two_moments_of_three_have_to_be_undisturbed)
{
    struct moments points[2];
    for (size_t i = 0; i < 2; i++)
        points[i] = moments_of(3, (const double[]){10, 10, 10});
    const bool one[MOMENTS_LEAST] = {false, true, false}, two[MOMENTS_LEAST] = {true, true, false};
    ck_assert_ptr_null(moments_disturbance(points, 2, one, STATISTIC_MEDIAN));
    ck_assert_str_eq(moments_disturbance(points, 2, two, STATISTIC_MEDIAN),
                     "others used the processors");
    for (size_t i = 0; i < 2; i++) {
        points[i].looks[0].spent_us = points[i].looks[2].spent_us = 100;
        points[i].looks[0].lost_us = points[i].looks[2].lost_us = 16;
    }
    ck_assert_str_eq(
        moments_disturbance(points, 2, (const bool[MOMENTS_LEAST]){false}, STATISTIC_MEDIAN),
        "ranks were interrupted");
    points[0].count = points[1].count = 2;
    ck_assert_ptr_nonnull(
        moments_disturbance(points, 2, (const bool[MOMENTS_LEAST]){false}, STATISTIC_MEDIAN));
}
END_TEST

/* Later moments are short and of few points: what spoilt all the first ones is not seen there. */
START_TEST(later_moments_excuse_none_of_the_first_ones)
{
    struct moments points[2];
    for (size_t i = 0; i < 2; i++)
        points[i] = moments_of(6, (const double[]){10, 10, 10, 10, 10, 10});
    ck_assert_ptr_nonnull(moments_disturbance(
        points, 2, (const bool[MOMENTS_LEAST]){true, true, true}, STATISTIC_MEDIAN));
    ck_assert_ptr_null(
        moments_disturbance(points, 2, (const bool[MOMENTS_LEAST]){true}, STATISTIC_MEDIAN));
}
END_TEST

SUITE("moments", the_mean_of_those_that_are_as_quick_as_the_quickest_stands,
      what_stands_alone_or_above_its_neighbours_is_doubtful,
      what_neighbours_contradict_is_doubtful_for_longer_than_what_is_alone,
      two_moments_of_three_have_to_be_undisturbed, later_moments_excuse_none_of_the_first_ones)
