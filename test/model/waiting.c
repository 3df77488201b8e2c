/* Waiting for the last of several: known distributions against closed forms, neighbours against a
   long simulation of the same exchanges, and answers at and between what a table has. */
#include "model/micro/waiting.h"

#include "test/suite.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* ---- distributions, by the share of all that is longer ---- */

typedef double distribution(double longer, double how);

static double exponential(double longer, double how)
{
    return -how * log(longer);
}

static double uniform(double longer, double how)
{
    return how * (1.0 - longer);
}

/* 1 in so many is 100 us longer: what jumps between two parts of a row, or within one. */
static double spike(double longer, double how)
{
    return longer * how < 1.0 ? 100.0 : 0.0;
}

static double normal(double longer, double how)
{
    return how * gsl_cdf_ugaussian_Qinv(longer);
}

static double pareto(double longer, double how)
{
    return pow(longer, -1.0 / how);
}

enum { DRAWN = 1 << 17 };

/* As the trainer makes it of many computations, here of the quantiles of the distribution. */
static struct waiting row_of(distribution *of, double how)
{
    static double us[DRAWN];
    struct waiting row = {.work_us = 100.0};
    double mean_us = 0.0;
    for (int i = 0; i < DRAWN; i++) {
        us[i] = of((DRAWN - i - 0.5) / DRAWN, how);
        mean_us += us[i] / DRAWN;
    }
    row.least_us = us[0] - mean_us;
    for (int part = 0, at = 0; part < WAITING_PARTS_MOST; part++) {
        const int left = DRAWN - at;
        const int count = part < 2 ? DRAWN / 4 : part + 1 < WAITING_PARTS_MOST ? left / 2 : left;
        double sum_us = 0.0;
        for (int i = at; i < at + count; i++)
            sum_us += us[i] - mean_us;
        *(struct waiting_part *)list_add(&waiting_part_record, &row.parts) =
            (struct waiting_part){(double)count / DRAWN, sum_us / count};
        at += count;
    }
    return row;
}

static void add_among(struct waiting *row, double processors, double waiting_us)
{
    *(struct waiting_among *)list_add(&waiting_among_record, &row->among) =
        (struct waiting_among){processors, waiting_us, 0.9 * waiting_us, 1.2 * waiting_us};
}

static void row_free(struct waiting *row)
{
    list_free(&waiting_part_record, &row->parts);
    list_free(&waiting_among_record, &row->among);
}

static void check_largest(distribution *of, double how, double count, double expected_us,
                          double tolerance)
{
    struct waiting row = row_of(of, how);
    const double got_us = waiting_largest_us(&row, count);
    row_free(&row);
    ck_assert_msg(fabs(got_us / expected_us - 1.0) <= tolerance, "of %g (%g): %g, not %g", count,
                  how, got_us, expected_us);
}

static const double counts[] = {2, 3, 4, 7, 16, 64, 200, 1024};
enum { COUNTS = sizeof counts / sizeof *counts };

START_TEST(the_largest_of_exponential_noise_is_a_harmonic_number)
{
    for (int c = 0; c < COUNTS; c++) {
        double harmonic = 0.0;
        for (int i = 1; i <= (int)counts[c]; i++)
            harmonic += 1.0 / i;
        check_largest(exponential, 3.0, counts[c], 3.0 * (harmonic - 1.0), 0.02);
    }
}
END_TEST

START_TEST(the_largest_of_uniform_noise)
{
    for (int c = 0; c < COUNTS; c++)
        check_largest(uniform, 8.0, counts[c], 8.0 * (counts[c] / (counts[c] + 1.0) - 0.5), 0.03);
}
END_TEST

/* As rare as a row can place: what comes once in 1024 is the whole last part. */
START_TEST(the_largest_of_rare_noise)
{
    for (double rare = 1.5; rare < 256.0; rare *= 1.37)
        for (int c = 0; c < COUNTS; c++)
            check_largest(spike, rare, counts[c],
                          100.0 * (1.0 - pow(1.0 - 1.0 / rare, counts[c]) - 1.0 / rare), 0.05);
}
END_TEST

/* The means of the largest of so many normal deviates (Harter, Expected values of normal order
   statistics, Biometrika 48, 1961), and of Pareto's law: n B(n, 1 - 1/a). */
START_TEST(the_largest_of_a_normal_and_of_a_long_tail)
{
    check_largest(normal, 1.0, 2, 0.56419, 0.03);
    check_largest(normal, 1.0, 4, 1.02938, 0.03);
    check_largest(normal, 1.0, 16, 1.76599, 0.03);
    check_largest(normal, 1.0, 64, 2.34, 0.03);
    for (int c = 0; c < COUNTS - 2; c++) {
        const double n = counts[c], a = 3.0;
        check_largest(pareto, a, n,
                      n * exp(lgamma(n) + lgamma(1.0 - 1.0 / a) - lgamma(n + 1.0 - 1.0 / a)) -
                          a / (a - 1.0),
                      0.05);
    }
}
END_TEST

START_TEST(without_noise_nobody_waits)
{
    struct waiting row = row_of(exponential, 0.0);
    const struct waiting_for line = {16, 1, {16}};
    ck_assert_double_eq(waiting_largest_us(&row, 64), 0.0);
    ck_assert_double_eq(waiting_neighbours_us(&row, line), 0.0);
    row_free(&row);
}
END_TEST

/* ---- neighbours ---- */

/* Each exchange of `sides` x `sides` processors (one dimension: of sides[0]), so many in a row. */
static double simulated_us(distribution *of, double how, int width, int height)
{
    enum { STEPS = 6000, BEFORE = 1000 };
    const int count = width * height;
    double *now = calloc(2 * (size_t)count, sizeof *now), *next = now + count;
    double begin = 0.0, own = 0.0, end = 0.0;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 7);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < count; i++) {
            const double us = of(gsl_rng_uniform_pos(random), how);
            own += step < BEFORE ? 0.0 : us;
            now[i] = next[i] + us;
        }
        for (int i = 0; i < count; i++) {
            const int x = i % width, y = i / width;
            next[i] = now[i];
            next[i] = x > 0 ? fmax(next[i], now[i - 1]) : next[i];
            next[i] = x + 1 < width ? fmax(next[i], now[i + 1]) : next[i];
            next[i] = y > 0 ? fmax(next[i], now[i - width]) : next[i];
            next[i] = y + 1 < height ? fmax(next[i], now[i + width]) : next[i];
            begin += step == BEFORE - 1 ? next[i] : 0.0;
            end += step == STEPS - 1 ? next[i] : 0.0;
        }
    }
    gsl_rng_free(random);
    free(now);
    return (end - begin - own) / count / (STEPS - BEFORE);
}

static void check_neighbours(distribution *of, double how, int width, int height)
{
    struct waiting row = row_of(of, how);
    const struct waiting_for whom = {
        width * height, height > 1 ? 2 : 1, {width, height}
    };
    const double got_us = waiting_neighbours_us(&row, whom);
    const double expected_us = simulated_us(of, how, width, height);
    row_free(&row);
    /* Many are drawn as fewer, of which more stand at an end. */
    const double tolerance = width * height <= 64 ? 0.05 : 0.08;
    ck_assert_msg(fabs(got_us / expected_us - 1.0) <= tolerance, "%d x %d (%g): %g, not %g", width,
                  height, how, got_us, expected_us);
}

START_TEST(neighbours_wait_for_their_neighbours)
{
    check_neighbours(exponential, 2.0, 4, 1);
    check_neighbours(exponential, 2.0, 16, 1);
    check_neighbours(exponential, 2.0, 64, 1);
    check_neighbours(exponential, 2.0, 2, 2);
    check_neighbours(exponential, 2.0, 4, 4);
    check_neighbours(exponential, 2.0, 8, 8);
    check_neighbours(uniform, 2.0, 64, 1);
    check_neighbours(uniform, 2.0, 8, 8);
    check_neighbours(spike, 30.0, 64, 1);
    check_neighbours(spike, 30.0, 8, 8);
    check_neighbours(spike, 30.0, 4, 4);
    check_neighbours(spike, 30.0, 2, 2);
    check_neighbours(exponential, 2.0, 20, 20);
    check_neighbours(exponential, 2.0, 500, 1);
}
END_TEST

/* Two wait for one another, whether it is called a grid or all. */
START_TEST(a_pair_is_all)
{
    struct waiting row = row_of(exponential, 2.0);
    const struct waiting_for pair = {2, 1, {2}};
    const double largest_us = waiting_largest_us(&row, 2);
    ck_assert_double_eq_tol(waiting_neighbours_us(&row, pair), largest_us, 0.04 * largest_us);
    row_free(&row);
}
END_TEST

/* ---- answers ---- */

static struct list table(void)
{
    struct list rows = {0};
    for (double work_us = 1000.0; work_us > 5.0; work_us /= 10.0) { /* in any order */
        struct waiting *row = list_add(&waiting_record, &rows);
        *row = row_of(exponential, 0.1 * work_us);
        row->work_us = work_us;
        add_among(row, 2, 0.06 * work_us);
        add_among(row, 8, 0.2 * work_us);
    }
    return rows;
}

static struct waiting_answer asked(double work_us, struct waiting_for whom)
{
    struct list rows = table();
    const struct waiting_answer answer = waiting_answer(&rows, WAITING_IN_REGISTERS, work_us, whom);
    const struct waiting_answer none = waiting_answer(&rows, WAITING_ON_MEMORY, work_us, whom);
    list_free(&waiting_record, &rows);
    ck_assert(isnan(none.waiting_us));
    ck_assert(answer.low_us <= answer.waiting_us && answer.waiting_us <= answer.high_us);
    return answer;
}

START_TEST(what_was_measured_answers)
{
    ck_assert_double_eq_tol(asked(100, (struct waiting_for){.processors = 2}).waiting_us, 6, 1e-9);
    ck_assert_double_eq_tol(asked(100, (struct waiting_for){.processors = 8}).waiting_us, 20, 1e-9);
    ck_assert_double_eq_tol(asked(100, (struct waiting_for){.processors = 8}).low_us, 18, 1e-9);
    ck_assert_double_eq_tol(asked(1000, (struct waiting_for){.processors = 8}).high_us, 240, 1e-9);
    ck_assert(!asked(100, (struct waiting_for){.processors = 8}).is_beyond_processors);
    ck_assert_double_eq(asked(100, (struct waiting_for){.processors = 1}).waiting_us, 0.0);
    ck_assert_double_eq(asked(0.0, (struct waiting_for){.processors = 8}).waiting_us, 0.0);
}
END_TEST

START_TEST(other_lengths_and_counts_follow)
{
    const struct waiting_answer between = asked(300, (struct waiting_for){.processors = 8});
    ck_assert_double_eq_tol(between.waiting_us, 60, 1e-6);
    const struct waiting_answer many = asked(100, (struct waiting_for){.processors = 64});
    ck_assert(many.is_beyond_processors);
    ck_assert_double_eq_tol(many.waiting_us, 20 * 3.744 / 1.718, 0.5);
    ck_assert_double_eq_tol(many.low_us, 18, 1e-9); /* noise may come to all at once */
    const struct waiting_answer four = asked(100, (struct waiting_for){.processors = 4});
    ck_assert_double_eq_tol(four.waiting_us, 6 * 1.0833 / 0.5, 0.3);
    const struct waiting_answer longer = asked(4000, (struct waiting_for){.processors = 8});
    ck_assert_double_eq_tol(longer.low_us, 2 * 180, 1e-6);
    ck_assert_double_eq_tol(longer.high_us, 4 * 240, 1e-6);
}
END_TEST

START_TEST(neighbours_are_waited_for_less_than_all)
{
    const double all_us = asked(100, (struct waiting_for){.processors = 64}).waiting_us;
    const double grid_us = asked(100,
                                 (struct waiting_for){
                                     64, 2, {8, 8}
    })
                               .waiting_us;
    const double line_us = asked(100, (struct waiting_for){64, 1, {64}}).waiting_us;
    ck_assert_double_lt(line_us, 0.8 * grid_us);
    ck_assert_double_lt(grid_us, 0.8 * all_us);
}
END_TEST

SUITE("waiting", the_largest_of_exponential_noise_is_a_harmonic_number,
      the_largest_of_uniform_noise, the_largest_of_rare_noise,
      the_largest_of_a_normal_and_of_a_long_tail, without_noise_nobody_waits,
      neighbours_wait_for_their_neighbours, a_pair_is_all, what_was_measured_answers,
      other_lengths_and_counts_follow, neighbours_are_waited_for_less_than_all)
