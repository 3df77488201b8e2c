/* Packets in sweeps of curves whose packets are known, and none where there are none. */
#include "model/fit/packets.h"

#include "model/base/allocation.h"
#include "model/fit/summary.h"
#include "test/suite.h"
#include "test/sweep_plan.h"
#include "trainer/curve/sweep.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* A line in packets, then, from beyond_bytes, a line without; disturbed by exponential noise of a
   share of the time, and by spikes. */
struct truth {
    double t0_us, rinf;
    double packet_bytes, first_bytes, each_us;
    double beyond_bytes, beyond_t0_us, beyond_rinf; /* INFINITY: never */
    double noise;
    gsl_rng *random;
    size_t asked;
};

enum { DRAWS = 30, EXACT = OFTEN(5, 20), NOISY = OFTEN(10, 50), NONE = OFTEN(100, 1000) };

static double exact_us(const struct truth *truth, double bytes)
{
    if (bytes >= truth->beyond_bytes)
        return truth->beyond_t0_us + bytes / truth->beyond_rinf;
    double packets = 1.0;
    for (double room = truth->first_bytes; room < bytes; room += truth->packet_bytes)
        packets += 1.0;
    return truth->t0_us + bytes / truth->rinf + packets * truth->each_us;
}

static void disturb(struct truth *truth, struct point *point)
{
    double draws[DRAWS];
    for (size_t i = 0; i < DRAWS; i++) {
        draws[i] = point->median_us * (1.0 + gsl_ran_exponential(truth->random, truth->noise));
        if (gsl_rng_uniform(truth->random) < 0.01)
            draws[i] += 500.0;
    }
    const struct summary summary = summary_of(draws, DRAWS, 0.95);
    point->median_us = summary.median;
    point->half_width_us = 0.5 * (summary.median_high - summary.median_low);
}

static int measure(void *state, const struct ask *ask, struct point *point, struct error *error)
{
    struct truth *truth = state;
    (void)error;
    truth->asked++;
    *point = (struct point){.bytes = ask->bytes, .held_out = ask->held_out};
    point->median_us = exact_us(truth, ask->bytes);
    if (truth->noise > 0.0)
        disturb(truth, point);
    return 0;
}

static struct list sweep_of(struct truth *truth, unsigned long seed, double bytes_most,
                            double granule)
{
    struct sweep_plan plan = usual_plan;
    plan.bytes_least = granule > 1 ? granule : 0;
    plan.bytes_most = bytes_most;
    plan.granule = granule;
    plan.seed = seed;
    truth->random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(truth->random, 4711 + seed);
    const struct list regions = regions_swept(&plan, measure, truth);
    gsl_rng_free(truth->random);
    return regions;
}

/* The nCUBE's packets (Balasundaram, Static Performance Estimator) and the SP's (Abandah, IBM SP2,
   section 2.3), coarse ones and fine ones. */
static const struct truth truths[] = {
    {5,  200, 1024, 1024, 2,   INFINITY, 0,   0,   0, NULL, 0},
    {40, 35,  232,  216,  3,   INFINITY, 0,   0,   0, NULL, 0},
    {10, 500, 8192, 8192, 12,  INFINITY, 0,   0,   0, NULL, 0},
    {1,  900, 64,   64,   0.1, INFINITY, 0,   0,   0, NULL, 0},
    {5,  200, 1024, 1024, 2,   16385,    30,  950, 0, NULL, 0},
    {40, 35,  232,  216,  3,   65000,    399, 36,  0, NULL, 0},
    {2,  1e9, 1024, 1024, 5,   INFINITY, 0,   0,   0, NULL, 0},
};

static bool is_found(const struct list *regions, const struct truth *truth, double share)
{
    const struct region *region = regions->items;
    const double first =
        isnan(region->first_packet_bytes) ? region->packet_bytes : region->first_packet_bytes;
    const size_t ends = isfinite(truth->beyond_bytes);
    return regions->count == 1 + ends && region->packet_bytes == truth->packet_bytes &&
           first == truth->first_bytes &&
           fabs(region->per_packet_us - truth->each_us) <= share * truth->each_us &&
           (!ends ||
            (region[0].bytes_upto == truth->beyond_bytes - 1.0 && isnan(region[1].packet_bytes)));
}

/* How often of so many seeds not. */
static int missed(const struct truth *of, double noise, unsigned long seeds, double share)
{
    int missed = 0;
    for (unsigned long seed = 1; seed <= seeds; seed++) {
        struct truth truth = *of;
        truth.noise = noise;
        struct list regions = sweep_of(&truth, seed, seed % 2 ? 1048576 : 524288, 1);
        missed += !is_found(&regions, &truth, share);
        list_free(&region_record, &regions);
    }
    return missed;
}

START_TEST(packets_are_found_to_the_byte)
{
    int all = 0;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        const int of_one = missed(&truths[i], 0.0, EXACT, 1e-5);
        ck_assert_msg(of_one <= 1, "truth %zu: %d of %d missed", i, of_one, (int)EXACT);
        all += of_one;
    }
    ck_assert_int_le(all, OFTEN(1, 2)); /* of seven times as many */
}
END_TEST

/* Steps fade in the noise: beyond them a line says as much. */
START_TEST(packets_are_found_under_noise)
{
    for (size_t i = 0; i < 2; i++) {
        int found = 0;
        for (unsigned long seed = 1; seed <= NOISY; seed++) {
            struct truth truth = truths[i];
            truth.noise = 0.01;
            struct list regions = sweep_of(&truth, seed, 1048576, 1);
            const struct region *region = regions.items;
            found += region->packet_bytes == truth.packet_bytes &&
                     fabs(region->per_packet_us - truth.each_us) < 0.1 * truth.each_us;
            list_free(&region_record, &regions);
        }
        ck_assert_msg(5 * found >= 3 * NOISY, "truth %zu: %d of %d found", i, found, (int)NOISY);
    }
}
END_TEST

static bool has_packets(const struct list *regions)
{
    const struct region *items = regions->items;
    for (size_t k = 0; k < regions->count; k++)
        if (!isnan(items[k].packet_bytes))
            return true;
    return false;
}

/* A line, a line with a step (a law that begins elsewhere), both with noise of 1 to 5 %. */
START_TEST(no_packets_are_invented)
{
    static const struct truth none[] = {
        {5, 200, 1, INFINITY, 0, INFINITY, 0,  0,   0, NULL, 0},
        {5, 200, 1, INFINITY, 0, 8256,     20, 900, 0, NULL, 0},
    };
    int invented = 0;
    for (unsigned long seed = 1; seed <= NONE; seed++) {
        struct truth truth = none[seed % 2];
        truth.noise = 0.01 * (double)(1 + seed % 5);
        struct list regions = sweep_of(&truth, seed, 1048576, 1);
        invented += has_packets(&regions);
        list_free(&region_record, &regions);
    }
    ck_assert_int_le(invented, 1);
}
END_TEST

/* What is known of the largest processor count is fitted at another. */
START_TEST(known_packets_are_fitted_to_a_few_sizes)
{
    static const double sizes[] = {0, 500, 1024, 1025, 3000, 9000};
    struct truth truth = truths[0];
    struct observation points[6];
    struct region like = region_hockney(INFINITY, 1, 1);
    like.packet_bytes = 1024;
    like.per_packet_us = 1;
    for (size_t i = 0; i < 6; i++)
        points[i] = (struct observation){
            .bytes = sizes[i], .time_us = 3.0 * exact_us(&truth, sizes[i]), .processors = 2};
    const struct region region = packets_fit_region(&like, points, 6);
    ck_assert_double_eq_tol(region.per_packet_us, 6.0, 1e-9);
    ck_assert_double_eq_tol(region_time_us(&region, 2049, 2), 3.0 * exact_us(&truth, 2049), 1e-9);
    const struct region smooth = packets_smoothed(&region);
    for (double bytes = 1; bytes < 5000; bytes += 100)
        ck_assert_double_le(
            fabs(region_time_us(&smooth, bytes, 2) - region_time_us(&region, bytes, 2)),
            3.0 + 1e-9);
}
END_TEST

SUITE("packets", packets_are_found_to_the_byte, packets_are_found_under_noise,
      no_packets_are_invented, known_packets_are_fitted_to_a_few_sizes)
