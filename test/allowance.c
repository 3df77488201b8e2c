/* Time for measuring again, shared by many. */
#include "trainer/allowance.h"

#include "test/suite.h"

#include <gsl/gsl_rng.h>

/* 12 s for 4 parts, 3 s each. */
static struct allowance twelve_seconds(void)
{
    return allowance_of(120.0, 4);
}

START_TEST(it_is_a_tenth_of_the_budget)
{
    const struct allowance allowance = allowance_of(90.0, 27);
    ck_assert_double_eq_tol(allowance.left_s, 9.0, 1e-12);
}
END_TEST

START_TEST(who_does_not_need_it_leaves_the_others_their_shares)
{
    struct allowance allowance = twelve_seconds();
    ck_assert(!allowance_grant(&allowance, 3.01, 0.0, 3));
    ck_assert(allowance_grant(&allowance, 2.99, 0.0, 3));
    ck_assert(!allowance_grant(&allowance, 0.1, 0.0, 3));
}
END_TEST

START_TEST(the_more_it_is_needed_the_less_is_left_to_the_others)
{
    struct allowance half = twelve_seconds(), all = twelve_seconds();
    ck_assert(!allowance_grant(&half, 7.51, 0.5, 3)); /* 12 - 9 / 2 */
    ck_assert(allowance_grant(&half, 7.49, 0.5, 3));
    ck_assert(!allowance_grant(&all, 12.01, 1.0, 3));
    ck_assert(allowance_grant(&all, 11.99, 1.0, 3));
    ck_assert(!allowance_grant(&all, 0.02, 1.0, 2));
}
END_TEST

START_TEST(what_nobody_took_is_for_those_that_follow)
{
    struct allowance allowance = twelve_seconds();
    ck_assert(!allowance_grant(&allowance, 5.9, 0.0, 3));
    ck_assert(allowance_grant(&allowance, 5.9, 0.0, 2));
    ck_assert(allowance_grant(&allowance, 6.0, 0.0, 0));
    ck_assert(!allowance_grant(&allowance, 0.2, 0.0, 0));
}
END_TEST

/* Whatever is asked for, never more is given than there is; and where nobody needs more than
   others, everybody gets an equal share. */
START_TEST(no_more_is_given_than_there_is)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 1000; trial++) {
        const int parts = 1 + (int)gsl_rng_uniform_int(random, 40);
        const bool is_needy = trial % 2 == 0;
        struct allowance allowance = allowance_of(100.0, parts);
        double given_s = 0.0;
        for (int left = parts - 1; left >= 0; left--) {
            const double attempt_s =
                (is_needy ? 5.0 : 0.999 * 10.0 / parts) * gsl_rng_uniform(random);
            const double need = is_needy ? gsl_rng_uniform(random) : 0.0;
            const bool granted = allowance_grant(&allowance, attempt_s, need, left);
            ck_assert(is_needy || granted);
            given_s += granted ? attempt_s : 0.0;
        }
        ck_assert_double_le(given_s, 10.0 + 1e-9);
    }
    gsl_rng_free(random);
}
END_TEST

SUITE("allowance", it_is_a_tenth_of_the_budget, who_does_not_need_it_leaves_the_others_their_shares,
      the_more_it_is_needed_the_less_is_left_to_the_others,
      what_nobody_took_is_for_those_that_follow, no_more_is_given_than_there_is)
