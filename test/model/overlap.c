/* Post-work-wait: the source's example and its 28 rows (Doerfler, Host Processor Overhead, Usage),
   and curves of known truth. */
#include "model/micro/overlap.h"

#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* Doerfler, Host Processor Overhead, Usage: the loop times for work 1, 2, 4, ..., 4096. */
static const double example[] = {3.992, 3.991, 3.991, 3.993, 3.985, 3.986, 4.002,
                                 3.978, 4.002, 3.975, 4.172, 5.933, 9.465};
static const double averages[] = {3.992, 3.991, 3.991, 3.992, 3.990, 3.990, 3.991,
                                  3.990, 3.991, 3.990, 3.990, 3.990, 3.990};
enum { EXAMPLE = sizeof example / sizeof *example };

START_TEST(the_average_of_the_example_runs_and_freezes_as_printed)
{
    struct overlap_base base = {0};
    for (int i = 0; i < EXAMPLE; i++) {
        const bool last = overlap_take(&base, example[i], &overlap_default);
        ck_assert_double_eq_tol(base.transfer_us, averages[i], 0.00051); /* as printed */
        ck_assert_int_eq(last, i == EXAMPLE - 1);
        ck_assert_int_eq(base.frozen, i >= 10); /* work 1024 */
    }
    ck_assert_uint_eq(base.count, 10);
}
END_TEST

START_TEST(frozen_is_frozen)
{
    static const double loop_us[] = {4, 4, 4.5, 4, 4, 4};
    struct overlap_base base = {0};
    for (int i = 0; i < 6; i++)
        ck_assert(!overlap_take(&base, loop_us[i], &overlap_default));
    ck_assert_double_eq(base.transfer_us, 4);
    ck_assert_uint_eq(base.count, 2);
}
END_TEST

/* loop, work, overhead, transfer, availability in percent: sends, then receives. */
static const double rows[][5] = {
    {5.708,    4.932,    0.776, 3.765,    79.4},
    {9.308,    8.444,    0.863, 3.881,    77.8},
    {5.681,    4.969,    0.712, 3.773,    81.1},
    {5.700,    4.974,    0.726, 3.785,    80.8},
    {9.320,    8.485,    0.835, 3.890,    78.5},
    {9.324,    8.442,    0.882, 3.944,    77.6},
    {9.428,    8.445,    0.983, 4.507,    78.2},
    {9.491,    8.484,    1.007, 4.863,    79.3},
    {9.591,    8.482,    1.110, 5.487,    79.8},
    {16.452,   15.499,   0.952, 6.624,    85.6},
    {16.495,   15.529,   0.965, 7.216,    86.6},
    {16.509,   15.521,   0.988, 8.509,    88.4},
    {16.510,   15.480,   1.030, 10.674,   90.4},
    {30.629,   29.546,   1.083, 15.365,   93.0},
    {58.887,   57.682,   1.205, 24.688,   95.1},
    {115.392,  113.956,  1.436, 43.360,   96.7},
    {228.098,  226.690,  1.408, 82.308,   98.3},
    {453.242,  451.644,  1.598, 156.938,  99.0},
    {903.974,  901.958,  2.016, 306.440,  99.3},
    {1804.092, 1802.496, 1.596, 604.897,  99.7},
    {1804.090, 1802.560, 1.530, 1202.453, 99.9},
    {3605.904, 3603.544, 2.360, 2396.718, 99.9},
    {7208.664, 7205.820, 2.844, 4786.473, 99.9},
    {9.392,    8.490,    0.902, 3.859,    76.6},
    {9.526,    8.493,    1.033, 4.173,    75.3},
    {9.501,    8.451,    1.049, 4.044,    74.1},
    {9.502,    8.453,    1.050, 4.054,    74.1},
    {9.518,    8.499,    1.019, 4.082,    75.0},
};
enum { ROWS = sizeof rows / sizeof *rows };

START_TEST(the_28_rows_come_out_as_printed)
{
    ck_assert_int_eq(ROWS, 28);
    for (int i = 0; i < ROWS; i++) {
        struct overlap overlap = {
            .loop_us = rows[i][0], .work_us = rows[i][1], .transfer_us = rows[i][3]};
        overlap_conclude(&overlap, NAN);
        /* The printed digits: three of the times, one of the availability. */
        ck_assert_double_eq_tol(overlap.overhead_us, rows[i][2], 0.0011);
        ck_assert_double_eq_tol(100 * overlap.availability, rows[i][4], 0.051 + 0.11 / rows[i][3]);
        ck_assert(isnan(overlap.low) && isnan(overlap.high));
    }
}
END_TEST

START_TEST(noise_cannot_take_availability_out_of_0_to_1)
{
    struct overlap overlap = {.loop_us = 9.9, .work_us = 10, .transfer_us = 4};
    overlap_conclude(&overlap, 0.2);
    ck_assert_double_eq(overlap.overhead_us, 0);
    ck_assert_double_eq(overlap.availability, 1);
    ck_assert_double_eq(overlap.high, 1);
    ck_assert_double_eq_tol(overlap.low, 0.975, 1e-12);
    overlap.loop_us = 14.5;
    overlap_conclude(&overlap, 1);
    ck_assert_double_eq(overlap.availability, 0);
    ck_assert_double_eq_tol(overlap.high, 0.125, 1e-12);
    ck_assert_double_eq(overlap.low, 0);
    overlap.transfer_us = 0;
    overlap_conclude(&overlap, 1);
    ck_assert_double_eq(overlap.availability, 0);
}
END_TEST

START_TEST(the_threshold_follows_the_scatter)
{
    ck_assert_double_eq(overlap_base_threshold(0), 1.02);
    ck_assert_double_eq_tol(overlap_base_threshold(0.03), 1.09, 1e-12);
    ck_assert_double_eq(overlap_base_threshold(0.5), 1.25);
    ck_assert_double_eq(overlap_default.base, 1.02);
    ck_assert_double_eq(overlap_default.stop, 1.5);
}
END_TEST

/* A message of known transfer and overhead: the loop takes the longer of the two, work and overhead
   or transfer. With noise the knee is found by a threshold made from it. */
START_TEST(a_known_overhead_is_found_through_noise)
{
    static const struct {
        double transfer_us, overhead_us, unit_us;
    } truth[] = {
        {4,    0.85, 0.0021},
        {0.4,  0.35, 0.0021},
        {5000, 3,    0.0021},
        {100,  100,  0.0021},
    };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long seed = 1; seed <= 20; seed++)
        for (size_t k = 0; k < sizeof truth / sizeof *truth; k++)
            for (double noise = 0; noise < 0.02; noise += 0.005) {
                const struct overlap_thresholds thresholds = {overlap_base_threshold(noise), 1.5};
                struct overlap_base base = {0};
                double work_us = truth[k].unit_us, loop_us;
                gsl_rng_set(random, seed);
                for (;; work_us *= 2) {
                    loop_us = fmax(truth[k].transfer_us, work_us + truth[k].overhead_us);
                    loop_us *= 1 + gsl_ran_gaussian(random, noise);
                    if (overlap_take(&base, loop_us, &thresholds))
                        break;
                }
                /* The last loop is below 3.5 transfers, its noise known. */
                struct overlap overlap = {
                    .loop_us = loop_us, .work_us = work_us, .transfer_us = base.transfer_us};
                overlap_conclude(&overlap, 3 * noise * loop_us);
                const double is = 1 - truth[k].overhead_us / truth[k].transfer_us;
                ck_assert_double_eq_tol(overlap.transfer_us, truth[k].transfer_us,
                                        (0.02 + 3 * noise) * truth[k].transfer_us);
                ck_assert_double_le(overlap.low, is + 0.03);
                ck_assert_double_ge(overlap.high, is - 0.03);
            }
    gsl_rng_free(random);
}
END_TEST

/* Doerfler, Host Processor Overhead, Usage. */
START_TEST(a_batch_outlasts_the_ticks_of_the_clock)
{
    ck_assert_int_eq(overlap_iterations(4.0, 0.1), 50);    /* 200 us: 2000 ticks */
    ck_assert_int_eq(overlap_iterations(0.1, 0.0), 1000);  /* the source's most */
    ck_assert_int_eq(overlap_iterations(0.0, 0.0), 1000);  /* not seen by the clock */
    ck_assert_int_eq(overlap_iterations(7000.0, 0.1), 3);  /* the least */
    ck_assert_int_eq(overlap_iterations(4.0, 10.0), 2500); /* a clock of 10 us */
    ck_assert_int_eq(overlap_iterations(4.0, 1e4), 25000); /* 0.1 s and no more */
    for (double tick_us = 0.01; tick_us < 100.0; tick_us *= 3.0)
        for (double once_us = 1.0; once_us < 1e4; once_us *= 2.5)
            ck_assert_double_ge(once_us * (double)overlap_iterations(once_us, tick_us),
                                1000.0 * tick_us);
}
END_TEST

SUITE("overlap", a_batch_outlasts_the_ticks_of_the_clock,
      the_average_of_the_example_runs_and_freezes_as_printed, frozen_is_frozen,
      the_28_rows_come_out_as_printed, noise_cannot_take_availability_out_of_0_to_1,
      the_threshold_follows_the_scatter, a_known_overhead_is_found_through_noise)
