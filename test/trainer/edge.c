/* Which size is asked next where a curve has an edge. */
#include "trainer/curve/edge.h"

#include "model/fit/fit.h"
#include "test/suite.h"

#include <math.h>

/* Lines of 1 us and of 2 us meet between 100 and 200 bytes. */
START_TEST(the_size_that_says_most_is_halfway_and_no_other_is_worth_it)
{
    static const struct observation points[] = {
        {50,  1, 0, 2, false},
        {100, 1, 0, 2, false},
        {150, 1, 0, 2, true },
        {200, 2, 0, 2, false},
        {300, 2, 0, 2, false}
    };
    static const struct observation little_more = {200, 1.04, 0, 2, false};
    const struct region right = fit_region(points + 3, 2), near = fit_region(&little_more, 1);
    struct region left = fit_region(points, 2);
    left.bytes_upto = 140;
    ck_assert_double_eq(edge_middle(points, 5, 1, &left, &right), 151); /* 150 is held out */
    ck_assert_double_eq(edge_middle(points, 5, 8, &left, &right), 144);
    ck_assert(isnan(edge_middle(points, 2, 1, &left, &right)));
    ck_assert(isnan(edge_middle(points, 5, 1, &left, &near)));
    ck_assert(isnan(edge_middle(points, 5, 100, &left, &right)));
}
END_TEST

/* Times grow with the bytes, but for a step between 400 and 600; points are in no order. */
START_TEST(where_a_time_outgrows_its_bytes_the_size_halfway_is_worth_it)
{
    struct point points[] = {
        {.bytes = 800, .median_us = 80},
        {.bytes = 100, .median_us = 5 },
        {.bytes = 600, .median_us = 60},
        {.bytes = 400, .median_us = 16},
        {.bytes = 200, .median_us = 9 },
    };
    const struct list all = {.items = points, .count = 5};
    ck_assert_double_eq(edge_within_step(&all, 1, STATISTIC_MEDIAN), 500);
    ck_assert_double_eq(edge_within_step(&all, 64, STATISTIC_MEDIAN), 448);
    ck_assert(isnan(edge_within_step(&all, 128, STATISTIC_MEDIAN)));
    points[3].bytes = 560; /* near enough */
    ck_assert(isnan(edge_within_step(&all, 1, STATISTIC_MEDIAN)));
}
END_TEST

SUITE("edge", the_size_that_says_most_is_halfway_and_no_other_is_worth_it,
      where_a_time_outgrows_its_bytes_the_size_halfway_is_worth_it)
