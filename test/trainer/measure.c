/* The engine with a fake clock: batches come from a distribution whose median is known. */
#include "trainer/engine/measure.h"
#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

struct fake {
    double use_us, noise_us, spike_us;
    gsl_rng *random;
    double uses;     /* of a repetition; 0: one */
    double first_us; /* the first batch takes so much longer */
    long batches, longest_times;
    double spent_us;
};

static int batch(void *state, long times, struct batch_time *took, struct error *error)
{
    struct fake *fake = state;
    (void)error;
    fake->batches++;
    fake->longest_times = times > fake->longest_times ? times : fake->longest_times;
    took->uses = fmax(1.0, fake->uses);
    took->elapsed_us = fake->use_us * took->uses * (double)times;
    if (fake->batches == 1)
        took->elapsed_us += fake->first_us;
    if (fake->noise_us > 0.0)
        took->elapsed_us += gsl_ran_exponential(fake->random, fake->noise_us) * (double)times;
    if (fake->spike_us > 0.0 && gsl_rng_uniform(fake->random) < 0.05)
        took->elapsed_us += fake->spike_us;
    fake->spent_us += took->elapsed_us;
    return 0;
}

static const struct measure_plan plan = {
    .accuracy = 0.05,
    .confidence = 0.95,
    .batch_us = 50,
    .batches_least = 30,
    .batches_most = 120,
    .batches_alike = 3,
    .point_us_most = 1e5,
};

START_TEST(an_exact_clock_needs_two_batches_of_one)
{
    struct fake fake = {.use_us = 5};
    struct measure_plan exact = plan;
    struct point point = {0};
    exact.batch_us = 0;
    exact.batches_alike = 2;
    ck_assert_int_eq(measure(&exact, batch, &fake, &point, NULL), 0);
    ck_assert_double_eq(point.median_us, 5);
    ck_assert_double_eq(point.half_width_us, 0);
    ck_assert_double_eq(point.repetitions, 2);
    ck_assert_int_eq(fake.longest_times, 1);
}
END_TEST

/* Where ranks began apart the first batch takes longer; what is added up in another order differs
   in the last digits. Neither is noise that more batches would tell of. */
START_TEST(an_exact_clock_goes_on_until_batches_agree)
{
    struct fake fake = {.use_us = 5, .first_us = 1};
    struct measure_plan exact = plan;
    struct point point = {0};
    exact.batch_us = 0;
    exact.batches_alike = 2;
    ck_assert_int_eq(measure(&exact, batch, &fake, &point, NULL), 0);
    ck_assert_double_eq(point.median_us, 5);
    ck_assert_int_eq(fake.batches, 3);
    fake = (struct fake){.use_us = 5, .first_us = 2e-5};
    ck_assert_int_eq(measure(&exact, batch, &fake, &point, NULL), 0);
    ck_assert_int_eq(fake.batches, 2);
}
END_TEST

START_TEST(batches_are_made_long_enough)
{
    struct fake fake = {.use_us = 0.3, .noise_us = 0.01, .random = gsl_rng_alloc(gsl_rng_mt19937)};
    struct point point = {0};
    ck_assert_int_eq(measure(&plan, batch, &fake, &point, NULL), 0);
    ck_assert_double_ge((double)fake.longest_times * 0.3, 50 / 1.1);
    ck_assert_int_le(fake.longest_times, 2000);
    gsl_rng_free(fake.random);
}
END_TEST

/* It took a hundred times as long as was asked for, when it was the time of a use that counted. */
START_TEST(a_repetition_of_many_uses_takes_no_longer_than_is_asked)
{
    struct fake fake = {.use_us = 20, .uses = 96};
    struct measure_plan brief = plan;
    struct point point = {0};
    brief.batches_alike = 0;
    brief.accuracy = 0.0;
    brief.point_us_most = 7500;
    ck_assert_int_eq(measure(&brief, batch, &fake, &point, NULL), 0);
    ck_assert_double_eq(point.median_us, 20);
    ck_assert_double_le(fake.spent_us, 3 * brief.point_us_most);
    ck_assert_int_eq(fake.longest_times, 1);
}
END_TEST

START_TEST(spikes_do_not_move_the_median)
{
    struct fake fake = {
        .use_us = 1, .noise_us = 0.02, .spike_us = 5000, .random = gsl_rng_alloc(gsl_rng_mt19937)};
    for (int run = 0; run < 200; run++) {
        struct point point = {0};
        ck_assert_int_eq(measure(&plan, batch, &fake, &point, NULL), 0);
        ck_assert_double_eq_tol(point.median_us, 1 + 0.02 * log(2), 0.025);
        ck_assert_double_ge(point.half_width_us, 0);
    }
    gsl_rng_free(fake.random);
}
END_TEST

START_TEST(wide_noise_asks_for_more_batches_up_to_the_limit)
{
    struct fake narrow = {.use_us = 10, .noise_us = 0.1, .random = gsl_rng_alloc(gsl_rng_mt19937)};
    struct fake wide = {.use_us = 1, .noise_us = 10, .random = gsl_rng_alloc(gsl_rng_mt19937)};
    struct point few = {0}, many = {0};
    ck_assert_int_eq(measure(&plan, batch, &narrow, &few, NULL), 0);
    ck_assert_int_eq(measure(&plan, batch, &wide, &many, NULL), 0);
    ck_assert_int_lt(narrow.batches, 40);
    ck_assert_int_gt(wide.batches, 100);
    ck_assert_int_lt(wide.batches, 135);
    gsl_rng_free(narrow.random);
    gsl_rng_free(wide.random);
}
END_TEST

START_TEST(a_long_point_ends_in_time)
{
    struct fake fake = {.use_us = 60000};
    struct point point = {0};
    fake.random = gsl_rng_alloc(gsl_rng_mt19937);
    fake.noise_us = 100;
    ck_assert_int_eq(measure(&plan, batch, &fake, &point, NULL), 0);
    ck_assert_int_le(fake.batches, 6);
    gsl_rng_free(fake.random);
}
END_TEST

SUITE("measure", an_exact_clock_needs_two_batches_of_one,
      an_exact_clock_goes_on_until_batches_agree, batches_are_made_long_enough,
      a_repetition_of_many_uses_takes_no_longer_than_is_asked, spikes_do_not_move_the_median,
      wide_noise_asks_for_more_batches_up_to_the_limit, a_long_point_ends_in_time)
