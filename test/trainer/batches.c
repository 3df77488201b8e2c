/* Which batches of a loop's runs count on a core whose other half others use at times. */
#include "trainer/loops/batches.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>

/* A loop of 1 s, 1.8 while others have the other half; `share` of the batches begin with them, and
   as many end so. */
static double time_with(double share, size_t count, double crowding_alone, unsigned long seed)
{
    struct batches batches = {0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, seed);
    bool crowded = gsl_rng_uniform(random) < share;
    for (size_t i = 0; i < count; i++) {
        const bool then = crowded;
        crowded = gsl_rng_uniform(random) < share;
        const double noise = 1.0 + 0.01 * gsl_rng_uniform(random);
        batches_add(&batches, noise * (1.0 + 0.4 * then + 0.4 * crowded),
                    crowding_alone * (then ? 1.4 : 1.0), crowding_alone * (crowded ? 1.4 : 1.0));
    }
    gsl_rng_free(random);
    return batches_time(&batches, &(struct interruptions){0});
}

START_TEST(quiet_batches_decide_where_they_are_few)
{
    for (unsigned long seed = 1; seed <= 50; seed++) {
        ck_assert_double_lt(time_with(0.0, 60, 1.0, seed), 1.01);
        ck_assert_double_lt(time_with(0.7, 256, 1.0, seed), 1.01);
        ck_assert_double_lt(time_with(0.7, 256, 1.3, seed), 1.01);
    }
}
END_TEST

START_TEST(batches_that_are_all_crowded_are_taken_as_they_are)
{
    const double time = time_with(1.0, 60, 1.0, 1);
    ck_assert_double_ge(time, 1.8);
    ck_assert_double_lt(time, 1.83);
}
END_TEST

START_TEST(what_is_quiet_is_known_from_the_batches_before)
{
    struct batches batches = {.crowding_least = 1.0};
    for (int i = 0; i < 20; i++)
        batches_add(&batches, 1.8, 1.4, 1.4);
    ck_assert(batches_are_some(&batches));
    ck_assert(!batches_are_enough(&batches));
    for (int i = 0; i < 16; i++)
        batches_add(&batches, 1.0, 1.0, 1.0);
    ck_assert(batches_are_enough(&batches));
    ck_assert_double_eq(batches_time(&batches, &(struct interruptions){0}), 1.0);
}
END_TEST

/* A chain that took longer than the instructions beside it was interrupted. */
START_TEST(a_disturbed_reading_does_not_make_all_others_crowded)
{
    struct batches batches = {0};
    batches_add(&batches, 5.0, 0.6, 0.6);
    for (int i = 0; i < 16; i++)
        batches_add(&batches, 1.0, 1.0, 1.01);
    ck_assert(batches_are_enough(&batches));
}
END_TEST

SUITE("batches", quiet_batches_decide_where_they_are_few,
      batches_that_are_all_crowded_are_taken_as_they_are,
      what_is_quiet_is_known_from_the_batches_before,
      a_disturbed_reading_does_not_make_all_others_crowded)
