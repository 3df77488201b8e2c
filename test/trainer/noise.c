/* Disturbances of known number and length, found again. */
#include "trainer/engine/noise.h"

#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { TIMES = 2000 };

START_TEST(interruptions_are_counted_and_measured)
{
    double times_us[TIMES];
    for (int i = 0; i < TIMES; i++)
        times_us[i] = i % 200 == 7 ? 105.0 : i % 500 == 8 ? 45.0 : 5.0;
    const struct noise_moment moment = noise_moment_of(times_us, TIMES);
    ck_assert_double_eq(moment.quantum_us, 5.0);
    ck_assert_double_eq(moment.interruptions, 14.0);
    ck_assert_double_eq_tol(moment.lost_us, 10 * 100.0 + 4 * 40.0, 1e-9);
    ck_assert_double_eq(moment.longest_us, 100.0);
    ck_assert_double_eq_tol(moment.time_us, TIMES * 5.0 + 10 * 100.0 + 4 * 40.0, 1e-6);
}
END_TEST

START_TEST(unsteady_work_is_no_interruption)
{
    double times_us[TIMES];
    struct noise_watch watch = {0};
    for (int i = 0; i < TIMES; i++)
        times_us[i] = 5.0 + 0.4 * (i % 4);
    const struct noise_moment moment = noise_moment_of(times_us, TIMES);
    noise_add(&watch, &moment);
    const struct noise noise = noise_of(&watch);
    ck_assert_double_eq(noise.moments, 1.0);
    ck_assert_double_eq(noise.interrupted_share, 0.0);
    ck_assert_double_eq(noise.interruptions_per_s, 0.0);
    ck_assert(isnan(noise.interruption_us) && isnan(noise.interruption_longest_us));
}
END_TEST

/* A tenth of the moments on a core that is half as fast. */
START_TEST(slow_moments_show_in_the_quantum)
{
    struct noise_watch watch = {0};
    for (int i = 0; i < 40; i++)
        noise_add(&watch, &(struct noise_moment){.quantum_us = i % 10 ? 5.0 + 0.001 * i : 10.0,
                                                 .time_us = 1e4});
    const struct noise noise = noise_of(&watch);
    ck_assert_double_eq(noise.moments, 40.0);
    ck_assert_double_eq_tol(noise.quantum_us, 5.02, 0.01);
    ck_assert_double_eq_tol(noise.low_us, 5.0, 0.01);
    ck_assert_double_eq(noise.high_us, 10.0);
}
END_TEST

/* More moments than are kept: all count for the shares, none is written beyond the last. */
START_TEST(moments_without_end_are_no_harm)
{
    struct noise_watch watch = {0};
    for (int i = 0; i < 3 * NOISE_MOMENTS; i++)
        noise_add(&watch, &(struct noise_moment){5.0, 1e4, 100.0, 2.0, i == 700 ? 90.0 : 50.0});
    const struct noise noise = noise_of(&watch);
    ck_assert_double_eq(noise.moments, NOISE_MOMENTS);
    ck_assert_double_eq_tol(noise.interrupted_share, 0.01, 1e-12);
    ck_assert_double_eq_tol(noise.interruptions_per_s, 200.0, 1e-9);
    ck_assert_double_eq_tol(noise.interruption_us, 50.0, 1e-9);
    ck_assert_double_eq(noise.interruption_longest_us, 90.0);
}
END_TEST

/* Interruptions at random, on average every 2 ms for 20 us, over 60 moments of 2000 quanta. */
START_TEST(random_interruptions_come_out)
{
    enum { MOMENTS = 60 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct noise_watch watch = {0};
    gsl_rng_set(random, 4);
    for (int m = 0; m < MOMENTS; m++) {
        double times_us[TIMES];
        for (int i = 0; i < TIMES; i++) {
            const double work_us = 5.0 + gsl_ran_gaussian(random, 0.05);
            const bool interrupted = gsl_rng_uniform(random) < 5.0 / 2000.0;
            times_us[i] = work_us + (interrupted ? 10.0 + gsl_ran_exponential(random, 10.0) : 0.0);
        }
        const struct noise_moment moment = noise_moment_of(times_us, TIMES);
        noise_add(&watch, &moment);
    }
    const struct noise noise = noise_of(&watch);
    ck_assert_double_eq_tol(noise.quantum_us, 5.0, 0.01);
    ck_assert_double_eq_tol(noise.interruption_us, 20.0, 2.0);
    ck_assert_double_eq_tol(noise.interruptions_per_s, 500.0, 60.0);
    ck_assert_double_eq_tol(noise.interrupted_share, 0.01, 0.002);
    gsl_rng_free(random);
}
END_TEST

SUITE("noise", interruptions_are_counted_and_measured, unsteady_work_is_no_interruption,
      slow_moments_show_in_the_quantum, moments_without_end_are_no_harm,
      random_interruptions_come_out)
