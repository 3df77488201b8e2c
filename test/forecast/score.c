/* Scores of rankings against what is worked out by hand. */
#include "forecast/score/score.h"
#include "test/suite.h"

#include <math.h>

static const double near = 1e-12;

static struct scored one(double predicted_us, double measured_us)
{
    return (struct scored){predicted_us, 0.9 * predicted_us, 1.1 * predicted_us, measured_us};
}

START_TEST(the_right_order_is_all_right)
{
    const struct scored items[] = {one(10, 11), one(20, 19), one(30, 31), one(40, 60)};
    const struct score score = score_of(items, 4);
    ck_assert_uint_eq(score.pairs, 6);
    ck_assert_uint_eq(score.right, 6);
    ck_assert_uint_eq(score.apart_right, 6);
    ck_assert_double_eq_tol(score.tau, 1.0, near);
    ck_assert_double_eq_tol(score.regret, 0.0, near);
    ck_assert_uint_eq(score.within, 3); /* 60 is not within 36 to 44 */
    ck_assert_double_eq_tol(score.worst_error, 20.0 / 60.0, near);
}
END_TEST

START_TEST(the_opposite_order_is_all_wrong)
{
    const struct scored items[] = {one(1, 40), one(2, 30), one(3, 20)};
    const struct score score = score_of(items, 3);
    ck_assert_uint_eq(score.right, 0);
    ck_assert_double_eq_tol(score.tau, -1.0, near);
    ck_assert_double_eq_tol(score.regret, 1.0, near); /* 40 taken, 20 to be had */
}
END_TEST

/* Kendall's tau-b of (1, 2, 2, 3) and (1, 3, 2, 4): 5 pairs in order, 1 tied in the first alone:
   5 / sqrt(5 x 6). */
START_TEST(ties_are_in_neither_order)
{
    const struct scored items[] = {one(1, 1), one(2, 3), one(2, 2), one(3, 4)};
    const struct score score = score_of(items, 4);
    ck_assert_uint_eq(score.pairs, 6);
    ck_assert_uint_eq(score.right, 5);
    ck_assert_double_eq_tol(score.tau, 5.0 / sqrt(30.0), near);
}
END_TEST

/* Whoever takes the first may take either. */
START_TEST(the_regret_of_a_tie_is_that_of_the_slower)
{
    const struct scored items[] = {one(5, 10), one(5, 12), one(9, 8)};
    ck_assert_double_eq_tol(score_of(items, 3).regret, 0.5, near);
}
END_TEST

/* 100 and 105 are an order that matters little. */
START_TEST(pairs_that_differ_by_a_tenth_are_counted_apart)
{
    const struct scored items[] = {one(1, 105), one(2, 100), one(3, 200)};
    const struct score score = score_of(items, 3);
    ck_assert_uint_eq(score.pairs, 3);
    ck_assert_uint_eq(score.right, 2);
    ck_assert_uint_eq(score.apart, 2);
    ck_assert_uint_eq(score.apart_right, 2);
    ck_assert_double_eq_tol(score.regret, 0.05, near);
}
END_TEST

START_TEST(one_candidate_has_no_order)
{
    const struct scored item = one(10, 10);
    const struct score score = score_of(&item, 1);
    ck_assert_uint_eq(score.pairs, 0);
    ck_assert(isnan(score.tau));
    ck_assert_double_eq_tol(score.regret, 0.0, near);
    ck_assert_uint_eq(score.within, 1);
}
END_TEST

SUITE("score", the_right_order_is_all_right, the_opposite_order_is_all_wrong,
      ties_are_in_neither_order, the_regret_of_a_tie_is_that_of_the_slower,
      pairs_that_differ_by_a_tenth_are_counted_apart, one_candidate_has_no_order)
