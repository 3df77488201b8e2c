/* LogP parameters from signatures: the source's own numbers (Culler, Fast Network Interfaces,
   Small-message performance), a simulated network of known truth, noise. */
#include "model/micro/logp.h"

#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

static const double issues[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024};
enum { ISSUES = sizeof issues / sizeof *issues, DELAYS = 5, POINTS = ISSUES * DELAYS };

static struct logp begun(void)
{
    struct logp logp;
    record_begin(&logp_record, &logp);
    return logp;
}

/* logp_conclude with these points, which logp borrows for its time. */
static int extract(struct logp *logp, const struct signature_point *points, size_t count,
                   double round_trip_us, struct error *error)
{
    logp->signature = (struct list){(void *)points, count};
    const int status = logp_conclude(logp, round_trip_us, 0.05, error);
    logp->signature = (struct list){0};
    return status;
}

/* ---- a network that is known ---- */

struct truth {
    double o_s, o_r, g, l;
    int capacity;
};

enum { MESSAGES_MOST = 16384 };

/* The issue of m requests, event by event: the requester takes a reply in when the network is full,
   the replier each request in turn, and each direction lets a message in every g. */
static double issue_us(const struct truth *truth, int m, double delay_us)
{
    static double reply_us[MESSAGES_MOST];
    double now = 0, departs = -INFINITY, replier = 0, reply_departs = -INFINITY;
    for (int i = 0; i < m; i++) {
        if (i >= truth->capacity)
            now = fmax(now, reply_us[i - truth->capacity]) + truth->o_r;
        now += truth->o_s;
        departs = fmax(now, departs + truth->g);
        replier = fmax(replier, departs + truth->l) + truth->o_r + truth->o_s;
        reply_departs = fmax(replier, reply_departs + truth->g);
        reply_us[i] = reply_departs + truth->l;
        now += delay_us;
    }
    return now / m;
}

static size_t signature_of(const struct truth *truth, const double delays_us[DELAYS], double noise,
                           gsl_rng *random, struct signature_point points[POINTS])
{
    size_t count = 0;
    for (int d = 0; d < DELAYS; d++)
        for (int i = 0; i < ISSUES; i++, count++) {
            points[count].issues = issues[i];
            points[count].delay_us = delays_us[d];
            points[count].cost_us = issue_us(truth, (int)issues[i], delays_us[d]);
            if (noise > 0)
                points[count].cost_us *= 1.0 + gsl_ran_gaussian(random, noise);
        }
    return count;
}

static double round_trip_us(const struct truth *truth)
{
    return 2.0 * (truth->o_s + truth->l + truth->o_r);
}

static const struct truth networks[] = {
    {1.4,  2.2,  7.6,  6.35, 16},
    {1.7,  1.6,  13.6, 7.5,  16},
    {2.0,  2.6,  12.4, 11.1, 16},
    {0.1,  0.15, 0.5,  0.4,  16},
    {20.0, 30.0, 80.0, 500,  32},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

static void delays_for(const struct truth *truth, double delays_us[DELAYS])
{
    static const double shares[DELAYS] = {0, 0.2, 1, 2, 4};
    for (int d = 0; d < DELAYS; d++)
        delays_us[d] = shares[d] * fmax(truth->g, truth->o_s + truth->o_r);
}

START_TEST(the_truth_of_a_simulated_network_is_extracted)
{
    struct signature_point points[POINTS];
    double delays_us[DELAYS];
    for (size_t k = 0; k < NETWORKS; k++) {
        const struct truth *truth = &networks[k];
        struct logp logp = begun();
        logp.capacity = truth->capacity;
        delays_for(truth, delays_us);
        const size_t count = signature_of(truth, delays_us, 0, NULL, points);
        ck_assert_int_eq(extract(&logp, points, count, round_trip_us(truth), NULL), 0);
        ck_assert_double_eq_tol(logp.send_overhead_us, truth->o_s, 1e-9 * truth->o_s);
        ck_assert_double_eq_tol(logp.receive_overhead_us, truth->o_r, 1e-3 * truth->o_r);
        ck_assert_double_eq_tol(logp.gap_us, truth->g, 5e-3 * truth->g);
        ck_assert_double_eq_tol(logp.latency_us, truth->l, 1e-3 * truth->l);
        ck_assert(!logp.gap_not_visible);
        ck_assert_double_eq_tol(logp_round_trip_us(&logp), round_trip_us(truth), 1e-9);
    }
}
END_TEST

START_TEST(noise_of_two_percent_keeps_the_truth_within_a_few)
{
    struct signature_point points[POINTS];
    double delays_us[DELAYS];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long seed = 1; seed <= 20; seed++)
        for (size_t k = 0; k < NETWORKS; k++) {
            const struct truth *truth = &networks[k];
            struct logp logp = begun();
            gsl_rng_set(random, seed);
            logp.capacity = truth->capacity;
            delays_for(truth, delays_us);
            const size_t count = signature_of(truth, delays_us, 0.02, random, points);
            ck_assert_int_eq(extract(&logp, points, count, round_trip_us(truth), NULL), 0);
            ck_assert_double_eq_tol(logp.send_overhead_us, truth->o_s, 0.03 * truth->o_s);
            /* o_r is a difference of larger times: it is as uncertain as those. */
            ck_assert_double_eq_tol(logp.receive_overhead_us, truth->o_r,
                                    0.07 * (truth->g + truth->o_r));
            /* A limit extrapolated from four points: 0.86 times their noise, four sigma. */
            ck_assert_double_eq_tol(logp.gap_us, truth->g, 0.07 * truth->g);
        }
    gsl_rng_free(random);
}
END_TEST

START_TEST(a_few_disturbed_points_move_nothing)
{
    struct signature_point points[POINTS];
    double delays_us[DELAYS];
    const struct truth *truth = &networks[0];
    struct logp logp = begun();
    logp.capacity = truth->capacity;
    delays_for(truth, delays_us);
    const size_t count = signature_of(truth, delays_us, 0, NULL, points);
    for (size_t i = 2; i < count; i += 7) /* a preemption in each seventh */
        points[i].cost_us += 650;
    ck_assert_int_eq(extract(&logp, points, count, round_trip_us(truth), NULL), 0);
    ck_assert_double_eq_tol(logp.send_overhead_us, truth->o_s, 1e-9);
    ck_assert_double_eq_tol(logp.receive_overhead_us, truth->o_r, 0.01 * truth->o_r);
    ck_assert_double_eq_tol(logp.gap_us, truth->g, 0.01 * truth->g);
}
END_TEST

START_TEST(a_gap_that_overheads_hide_is_not_visible)
{
    static const struct truth bound = {2.0, 2.6, 3.0, 11.1, 16}; /* 3.0 below 4.6 */
    struct signature_point points[POINTS];
    double delays_us[DELAYS];
    struct logp logp = begun();
    logp.capacity = bound.capacity;
    delays_for(&bound, delays_us);
    const size_t count = signature_of(&bound, delays_us, 0, NULL, points);
    ck_assert_int_eq(extract(&logp, points, count, round_trip_us(&bound), NULL), 0);
    ck_assert(logp.gap_not_visible);
    ck_assert(isnan(logp.gap_us));
    ck_assert_double_eq_tol(logp.send_overhead_us, 2.0, 1e-9);
    ck_assert_double_eq_tol(logp.receive_overhead_us, 2.6, 0.05);
}
END_TEST

/* ---- the source's numbers ---- */

/* o_s 1.4 at small M, 7.6 for ever, 19.6 with D = 16: Culler, Fast Network Interfaces,
   Small-message performance. L is what the round trip leaves, not what table 4 prints, which is the
   Meiko's value. */
START_TEST(the_paragon_comes_out_as_printed)
{
    static const struct signature_point points[] = {
        {1,   0,  1.4 },
        {2,   0,  1.4 },
        {4,   0,  1.4 },
        {8,   0,  1.4 },
        {64,  0,  7.6 },
        {128, 0,  7.6 },
        {64,  16, 19.6},
        {128, 16, 19.6},
    };
    struct logp logp = begun();
    ck_assert_int_eq(extract(&logp, points, sizeof points / sizeof *points, 19.9, NULL), 0);
    ck_assert_double_eq_tol(logp.send_overhead_us, 1.4, 1e-12);
    ck_assert_double_eq_tol(logp.gap_us, 7.6, 1e-12);
    ck_assert_double_eq_tol(logp.receive_overhead_us, 2.2, 1e-12);
    ck_assert_double_eq_tol(logp.latency_us, 6.35, 1e-12);
}
END_TEST

/* Tables 3 and 4, with the round trip that L was taken from: the least one of the Paragon, the
   longest of the others. */
START_TEST(table_4_adds_up_to_table_3)
{
    static const struct {
        double o_s, o_r, l, round_trip_us;
    } truth[] = {
        {1.4, 2.2, 6.35, 19.9},
        {1.7, 1.6, 7.5,  21.6},
        {2.0, 2.6, 11.1, 31.5},
    };
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        struct logp logp = begun();
        logp.send_overhead_us = truth[i].o_s;
        logp.receive_overhead_us = truth[i].o_r;
        logp.latency_us = truth[i].l;
        ck_assert_double_eq_tol(logp_round_trip_us(&logp), truth[i].round_trip_us, 0.1 + 1e-9);
    }
}
END_TEST

START_TEST(table_5_fits_the_model_within_15_percent_and_a_wrong_one_does_not)
{
    static const struct logp_crowd table[] = {
        {.processors = 7,  .ratio = 6   },
        {.processors = 15, .ratio = 16.8},
        {.processors = 3,  .ratio = 3   },
    };
    static const struct logp_crowd wrong[] = {
        {.processors = 7, .ratio = 5.9},
        {.processors = 3, .ratio = 3.5},
        {.processors = 4, .ratio = 1  },
    };
    for (size_t i = 0; i < 3; i++) {
        ck_assert(logp_crowd_fits(&table[i], table[i].processors));
        ck_assert(!logp_crowd_fits(&wrong[i], wrong[i].processors));
    }
}
END_TEST

START_TEST(the_line_through_stores_is_the_least_squares_one)
{
    struct logp_bulk bulk[4] = {
        {.bytes = 0,   .transfer_us = 11},
        {.bytes = 100, .transfer_us = 19},
        {.bytes = 200, .transfer_us = 31},
        {.bytes = 300, .transfer_us = 39}
    };
    double t0_us, rinf;
    logp_store_line(bulk, 4, &t0_us, &rinf);
    ck_assert_double_eq_tol(t0_us, 10.6, 1e-9); /* worked out by hand: slope 0.096 */
    ck_assert_double_eq_tol(rinf, 1 / 0.096, 1e-9);
    for (int i = 0; i < 4; i++) /* t0 can be negative (Culler, Fast Network Interfaces,
                                   Bulk-transfer time and bandwidth) */
        bulk[i].transfer_us = 0.001 * bulk[i].bytes * bulk[i].bytes;
    logp_store_line(bulk, 4, &t0_us, &rinf);
    ck_assert_double_lt(t0_us, 0);
    for (int i = 0; i < 4; i++)
        bulk[i].transfer_us = 5;
    logp_store_line(bulk, 4, &t0_us, &rinf);
    ck_assert(isinf(rinf));
}
END_TEST

/* The points of a curve without delay up to `most` issues, 1, 2, 3, 4, 6, 8, ... */
static size_t curve_upto(const struct truth *truth, int most, struct signature_point *points)
{
    size_t count = 0;
    for (int m = 1; m <= most; m = m < 2 ? m + 1 : (m & (m - 1)) == 0 ? m + m / 2 : m / 3 * 4)
        points[count++] = (struct signature_point){m, 0.0, issue_us(truth, m, 0.0)};
    return count;
}

/* Culler, Fast Network Interfaces, Small-message performance: the asymptote may need a very large
   number of issues. */
START_TEST(a_curve_settles_only_long_after_the_network_is_full)
{
    static const struct truth shallow = {1.7, 1.6, 13.6, 7.5, 16},
                              deep = {1.7, 1.6, 13.6, 7.5, 700};
    struct signature_point points[64];
    size_t count = curve_upto(&shallow, 1024, points);
    ck_assert(signature_settled(points, count, 0.0, 0.05));
    count = curve_upto(&deep, 1024, points);
    ck_assert(!signature_settled(points, count, 0.0, 0.05));
    const double too_early_us = signature_asymptote_us(points, count, 0.0);
    ck_assert_double_gt(fabs(too_early_us / deep.g - 1.0), 0.5);
    int most = 1024;
    while (most < MESSAGES_MOST && !signature_settled(points, count, 0.0, 0.05))
        count = curve_upto(&deep, most = 2 * most, points);
    ck_assert(signature_settled(points, count, 0.0, 0.05));
    ck_assert_double_eq_tol(signature_asymptote_us(points, count, 0.0), deep.g, 0.05 * deep.g);
    ck_assert(signature_settled(points, 2, 0.0, 0.05)); /* of two points nothing is known */
}
END_TEST

START_TEST(what_tells_nothing_is_an_error)
{
    static const struct signature_point points[] = {
        {1,   0,   1.4},
        {64,  0,   7.6},
        {128, 0,   7.6},
        {64,  0.1, 7.6},
        {128, 0.1, 7.6},
        {64,  30,  31 },
        {128, 30,  31 },
    };
    struct logp logp = begun();
    struct error error;
    ck_assert_int_eq(extract(&logp, points, 1, 20, &error), -1);
    ck_assert_ptr_nonnull(strstr(error.text, "fewer than two"));
    ck_assert_int_eq(extract(&logp, points, 5, 20, &error), -1);
    ck_assert_str_eq(error.text, "no delay increases the gap of 7.6 us");
    ck_assert_int_eq(extract(&logp, points, 7, 20, &error), -1); /* o_r = -0.4 */
    ck_assert_ptr_nonnull(strstr(error.text, "sending alone costs 1.4 us"));
    ck_assert(isnan(logp.send_overhead_us)); /* nothing was set */
    const struct signature_point slow[] = {
        {1,   0,  1.4 },
        {64,  0,  7.6 },
        {128, 0,  7.6 },
        {64,  16, 19.6},
        {128, 16, 19.6}
    };
    ck_assert_int_eq(extract(&logp, slow, 5, 6.8, &error), -1);
    ck_assert_str_eq(error.text, "the overheads of 3.6 us exceed half the round trip of 6.8 us");
    /* Equal but for what the times are accurate to: nothing is left for L. */
    ck_assert_int_eq(extract(&logp, slow, 5, 7.19, &error), 0);
    ck_assert_double_eq(logp.latency_us, 0.0);
}
END_TEST

SUITE("logp", the_truth_of_a_simulated_network_is_extracted,
      noise_of_two_percent_keeps_the_truth_within_a_few, a_few_disturbed_points_move_nothing,
      a_gap_that_overheads_hide_is_not_visible, the_paragon_comes_out_as_printed,
      table_4_adds_up_to_table_3, table_5_fits_the_model_within_15_percent_and_a_wrong_one_does_not,
      the_line_through_stores_is_the_least_squares_one,
      a_curve_settles_only_long_after_the_network_is_full, what_tells_nothing_is_an_error)
