/* What a part costs, from messages that go in parts. */
#include "model/machine/packets.h"

#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { POINTS = 60 };

static const double part_bytes = 8192.0;

/* 20 + n / 400 us, and 12 us for each begun part. */
static double exact_us(double bytes)
{
    return 20.0 + bytes / 400.0 + 12.0 * packets_of(bytes, part_bytes);
}

static size_t observe(struct observation points[POINTS], double noise, unsigned long seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    for (size_t i = 0; i < POINTS; i++) {
        const double bytes = floor(100.0 * pow(1.12, (double)i));
        const double off = 1.0 + gsl_ran_gaussian(random, noise);
        points[i] = (struct observation){.bytes = bytes, .time_us = exact_us(bytes) * off};
    }
    gsl_rng_free(random);
    return POINTS;
}

START_TEST(begun_parts_are_counted)
{
    ck_assert_double_eq(packets_of(0, 8192), 1);
    ck_assert_double_eq(packets_of(8192, 8192), 1);
    ck_assert_double_eq(packets_of(8193, 8192), 2);
}
END_TEST

START_TEST(the_cost_of_a_part_is_found)
{
    struct observation points[POINTS];
    const size_t count = observe(points, 0.0, 1);
    ck_assert_double_eq_tol(packets_cost_us(points, count, part_bytes), 12.0, 1e-6);
    points[50].time_us *= 3.0; /* one spoilt point hardly matters */
    ck_assert_double_eq_tol(packets_cost_us(points, count, part_bytes), 12.0, 0.3);
}
END_TEST

START_TEST(noise_blurs_it_a_little)
{
    for (unsigned long seed = 1; seed <= 20; seed++) {
        struct observation points[POINTS];
        const size_t count = observe(points, 0.002, seed);
        ck_assert_double_eq_tol(packets_cost_us(points, count, part_bytes), 12.0, 3.0);
    }
}
END_TEST

START_TEST(too_few_points_tell_nothing)
{
    struct observation points[POINTS];
    observe(points, 0.0, 1);
    ck_assert_double_eq(packets_cost_us(points, 40, part_bytes), 0); /* one of them is longer */
}
END_TEST

START_TEST(no_point_is_left_without_time)
{
    const struct observation points[] = {
        {.bytes = 1,  .time_us = 0.5},
        {.bytes = 11, .time_us = 2  },
        {.bytes = 15, .time_us = 2  },
        {.bytes = 19, .time_us = 2  },
        {.bytes = 21, .time_us = 3  },
        {.bytes = 25, .time_us = 3  },
        {.bytes = 29, .time_us = 3  },
    };
    ck_assert_double_eq(packets_cost_us(points, 7, 10), 0);
}
END_TEST

SUITE("packets", begun_parts_are_counted, the_cost_of_a_part_is_found, noise_blurs_it_a_little,
      too_few_points_tell_nothing, no_point_is_left_without_time)
