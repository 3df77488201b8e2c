/* Sums over runs of uses, by a few of them, beside the sums over all. */
#include "forecast/price/runs.h"
#include "test/suite.h"

#include <math.h>

/* What a use of so many bytes costs, and by the region of that number. */
struct truth {
    double (*time_us)(double bytes);
    size_t (*region)(double bytes);
};

/* A truth that is asked, and what was added of it. */
struct sum {
    const struct truth *truth;
    double asked, sizes, time_us, high_us, least_bytes, most_bytes;
};

static const struct region regions[3];

static int price(void *state, const struct use *use, struct charge *charge, struct error *error)
{
    struct sum *sum = state;
    const double time_us = sum->truth->time_us(use->bytes);
    *charge = (struct charge){.time_us = time_us,
                              .alone_us = time_us,
                              .low_us = time_us / 1.5,
                              .high_us = 2.0 * time_us,
                              .part_count = 1};
    charge->parts[0].each.region = &regions[sum->truth->region(use->bytes)];
    sum->asked++;
    return use->bytes < 1e9 ? 0 : error_set(error, "too long");
}

static void add(void *state, const struct use *use, const struct charge *charge, double sizes)
{
    struct sum *sum = state;
    sum->sizes += sizes;
    sum->time_us += sizes * charge->time_us;
    sum->high_us += sizes * charge->high_us;
    sum->least_bytes = fmin(sum->least_bytes, use->bytes);
    sum->most_bytes = fmax(sum->most_bytes, use->bytes);
}

/* Uses of 8, 16, 24 ... bytes. */
static struct use run_of(double uses)
{
    return (struct use){.times = 1.0, .bytes = 8.0, .bytes_step = 8.0, .further = uses - 1.0};
}

static struct sum sum_of(const struct truth *truth, double uses)
{
    struct sum sum = {.truth = truth, .least_bytes = INFINITY};
    const struct run_pricing pricing = {price, add, &sum};
    const struct use run = run_of(uses);
    struct error error;
    ck_assert_int_eq(run_price(&pricing, &run, &error), 0);
    return sum;
}

static double all_us(const struct truth *truth, double uses)
{
    double us = 0.0;
    for (double number = 0.0; number < uses; number++)
        us += truth->time_us(8.0 + 8.0 * number);
    return us;
}

static size_t one_region(double bytes)
{
    (void)bytes;
    return 0;
}

/* ---- truths ---- */

static double line_us(double bytes)
{
    return 5.0 + 0.01 * bytes;
}

/* As between measured sizes: straight over the logarithms of both. */
static double power_us(double bytes)
{
    return 3.0 * pow(bytes, 0.7);
}

/* Times that were measured, 2 % of noise among them, at sizes a factor of 1.2 apart. */
static double noisy_us(double bytes)
{
    const double place = log(bytes) / log(1.2), below = floor(place), share = place - below;
    const double at[2] = {1.0 + 0.02 * sin(1e4 * below), 1.0 + 0.02 * sin(1e4 * (below + 1.0))};
    return line_us(bytes) * ((1.0 - share) * at[0] + share * at[1]);
}

/* Another algorithm from 10000 bytes on, for a while. */
static size_t switched(double bytes)
{
    return bytes < 10000.0 ? 0 : bytes < 70000.0 ? 1 : 2;
}

static double switched_us(double bytes)
{
    static const double before_us[] = {0.0, 200.0, 50.0};
    return before_us[switched(bytes)] + line_us(bytes);
}

static const struct truth truths[] = {
    {line_us,     one_region},
    {power_us,    one_region},
    {noisy_us,    one_region},
    {switched_us, switched  },
};

START_TEST(a_sum_is_that_over_all_of_them)
{
    static const double uses[] = {1, 2, 3, 4, 5, 6, 7, 8, 100, 1001, 30000};
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++)
        for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
            const struct sum sum = sum_of(&truths[t], uses[i]);
            const double us = all_us(&truths[t], uses[i]);
            ck_assert_double_eq_tol(sum.sizes, uses[i], 1e-9 * uses[i]);
            ck_assert_double_eq_tol(sum.time_us, us, run_error * us);
            ck_assert_double_eq_tol(sum.high_us, 2.0 * us, 2.0 * run_error * us);
            ck_assert_double_eq(sum.least_bytes, 8.0);
            ck_assert_double_eq(sum.most_bytes, 8.0 * uses[i]);
        }
}
END_TEST

static double bent_us(double bytes)
{
    return 100.0 + 1e-4 * bytes * bytes;
}

START_TEST(of_a_parabola_it_is_exact)
{
    const struct truth bent = {bent_us, one_region};
    for (double uses = 1; uses < 50; uses++) {
        const double us = all_us(&bent, uses);
        ck_assert_double_eq_tol(sum_of(&bent, uses).time_us, us, 1e-12 * us);
    }
}
END_TEST

START_TEST(a_thousand_times_as_long_is_asked_about_as_often)
{
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        const double asked = sum_of(&truths[t], 1e7).asked;
        ck_assert_double_le(asked, 2.0 * sum_of(&truths[t], 1e4).asked + 100.0);
        ck_assert_double_le(asked, 2000.0);
    }
}
END_TEST

START_TEST(a_use_without_a_price_is_an_error)
{
    struct sum sum = {.truth = &truths[0]};
    const struct run_pricing pricing = {price, add, &sum};
    const struct use run = run_of(1e9);
    struct error error;
    ck_assert_int_eq(run_price(&pricing, &run, &error), -1);
    ck_assert_str_eq(error.text, "too long");
}
END_TEST

SUITE("runs", a_sum_is_that_over_all_of_them, of_a_parabola_it_is_exact,
      a_thousand_times_as_long_is_asked_about_as_often, a_use_without_a_price_is_an_error)
