/* The sweep against curves whose regions are known: it asks, and must find them. */
#include "trainer/curve/sweep.h"

#include "test/suite.h"
#include "test/trainer/known_curve.h"

#include <math.h>

/* An edge is known to the byte but where its times are disturbed and its step is small: there to a
   hundredth. */
static double edge_tolerance(const struct truth *truth, size_t k)
{
    const double from_bytes = truth->lines[k].from_bytes;
    const struct truth before = {.lines = truth->lines, .count = k};
    const double after_us = known_us(truth, from_bytes), before_us = known_us(&before, from_bytes);
    const double step = fabs(after_us - before_us) / fmin(after_us, before_us);
    return truth->noise_us > 0.0 && step < 0.1 ? 0.01 * from_bytes : 0.5;
}

static void assert_found(struct list regions, const struct truth *truth, double tolerance_t0,
                         double tolerance_rinf)
{
    ck_assert_uint_eq(regions.count, truth->count);
    for (size_t k = 0; k < truth->count; k++) {
        const struct region *region = (const struct region *)regions.items + k;
        if (k + 1 < truth->count)
            ck_assert_double_eq_tol(region->bytes_upto, truth->lines[k + 1].from_bytes - 1,
                                    edge_tolerance(truth, k + 1));
        ck_assert_double_eq_tol(form_value(&region->setup_us, 2), truth->lines[k].t0_us,
                                tolerance_t0);
        ck_assert_double_eq_tol(1.0 / form_value(&region->per_byte_us, 2), truth->lines[k].rinf,
                                tolerance_rinf * truth->lines[k].rinf);
    }
    list_free(&region_record, &regions);
}

static const struct line one[] = {
    {0, 5, 200}
};
static const struct line three[] = {
    {0,     5,  200},
    {1025,  8,  500},
    {16385, 30, 950}
};
static const struct line large_step[] = {
    {0,     5,  200},
    {1025,  12, 500},
    {16385, 30, 950}
};
static const struct line knee[] = {
    {0,    5,     200},
    {4097, 20.36, 800}
};
static const struct line five[] = {
    {0,     5,  200},
    {93,    6,  220},
    {1025,  9,  500},
    {8256,  12, 700},
    {65536, 60, 950}
};
static const struct line downward[] = {
    {0,      4,  300},
    {8256,   2,  400},
    {100000, 80, 900}
};
static const struct line sp2[] = {
    {0,     47,  23.5},
    {217,   55,  22.6},
    {2049,  74,  29.3},
    {65536, 399, 36.2}
};

static const struct truth truths[] = {
    {.lines = one,      .count = 1},
    {.lines = three,    .count = 3},
    {.lines = knee,     .count = 2},
    {.lines = five,     .count = 5},
    {.lines = downward, .count = 3},
    {.lines = sp2,      .count = 4},
};

START_TEST(exact_curves_are_found_to_the_byte)
{
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        for (unsigned long seed = 1; seed <= OFTEN(6, 20); seed++) {
            struct truth truth = truths[i];
            struct sweep_plan with = usual_plan;
            with.seed = seed;
            with.bytes_most = seed % 2 ? 1048576 : 4194304;
            assert_found(known_sweep(&truth, &with), &truth, 1e-6, 1e-6);
            ck_assert_uint_le(truth.asked, 300);
        }
}
END_TEST

START_TEST(noise_leaves_large_steps_to_the_byte_and_small_ones_to_a_hundredth)
{
    static const struct line *const lines[] = {three, large_step};
    for (unsigned long seed = 1; seed <= OFTEN(12, 40); seed++) {
        /* the step at 1025 is several widths of the noise */
        struct truth truth = {.lines = lines[seed % 2], .count = 3, .noise_us = 0.05, .draws = 300};
        struct sweep_plan with = seed % 4 < 2 ? usual_plan : plan_of_launch();
        with.seed = seed;
        /* The median of the noise is ln 2 of its mean: a bias that no median removes. */
        struct list regions = known_sweep(&truth, &with);
        for (size_t k = 0; k < regions.count; k++) {
            struct region *region = (struct region *)regions.items + k;
            region->setup_us.terms[0].coefficient.numerator -= truth.noise_us * log(2.0);
        }
        assert_found(regions, &truth, 0.1, 0.01);
    }
}
END_TEST

/* A quick look leaves an edge between sizes a tenth apart, unless it is told of it. */
START_TEST(an_edge_that_is_known_of_is_found_to_the_byte_by_a_quick_look)
{
    for (unsigned long seed = 1; seed <= 40; seed++) {
        struct truth truth = {.lines = large_step, .count = 3, .noise_us = 0.05, .draws = 30};
        struct sweep_plan with = usual_plan;
        with.seed = seed;
        with.trusting = true;
        with.edge_ratio = 1.1;
        with.known_edge = 1024 + (seed % 2 ? 3 : 0); /* of doubles: what is left over is no size */
        with.granule = seed % 2 ? 8 : 1;
        struct list regions = known_sweep(&truth, &with);
        bool found = false;
        for (size_t k = 0; k < regions.count; k++) {
            const double upto = ((const struct region *)regions.items + k)->bytes_upto;
            found = found || upto == 1024;
        }
        ck_assert(found);
        list_free(&region_record, &regions);
    }
}
END_TEST

START_TEST(no_region_is_invented_on_a_straight_line)
{
    int invented = 0;
    for (unsigned long seed = 1; seed <= OFTEN(60, 200); seed++) {
        struct truth truth = truths[0];
        struct sweep_plan with = seed % 4 < 2 ? usual_plan : plan_of_launch();
        truth.noise_us = 0.3;
        truth.draws = 30;
        with.seed = seed;
        struct list regions = known_sweep(&truth, &with);
        invented += regions.count > 1;
        list_free(&region_record, &regions);
    }
    ck_assert_int_le(invented, 2);
}
END_TEST

START_TEST(what_disturbs_a_few_points_makes_no_region)
{
    int invented = 0, missed = 0;
    for (unsigned long seed = 1; seed <= OFTEN(30, 100); seed++) {
        struct truth straight = truths[0], broken = truths[1];
        struct sweep_plan with = seed % 4 < 2 ? usual_plan : plan_of_launch();
        straight.noise_us = broken.noise_us = 0.05;
        straight.draws = broken.draws = 30;
        straight.disturbances = broken.disturbances = 0.04;
        with.seed = seed;
        struct list one_region = known_sweep(&straight, &with), more = known_sweep(&broken, &with);
        invented += one_region.count > 1;
        missed += more.count != 3;
        list_free(&region_record, &one_region);
        list_free(&region_record, &more);
    }
    ck_assert_int_le(invented, 2);
    ck_assert_int_le(missed, 5);
}
END_TEST

/* How many points a sweep has of a line among disturbances, where a line between neighbours misses
   often. */
static size_t points_of(size_t refine_points, size_t points_most)
{
    struct truth truth = truths[0];
    struct sweep_plan with = usual_plan;
    struct curve curve = {0};
    struct error error;
    truth.noise_us = 0.05;
    truth.draws = 30;
    truth.disturbances = 0.3;
    truth.random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(truth.random, 4711);
    with.refine_points = refine_points;
    with.points_most = points_most;
    ck_assert_int_eq(sweep(&with, known_measure, &truth, &curve, &error), 0);
    struct list regions = regions_of(&curve);
    /* each may hold one out beyond the plan */
    const size_t count = curve.points.count - regions.count;
    curve_free(&curve);
    list_free(&region_record, &regions);
    gsl_rng_free(truth.random);
    return count;
}

START_TEST(disturbances_cost_no_more_sizes_than_planned)
{
    ck_assert_uint_le(points_of(48, 80), 80);
    ck_assert_uint_gt(points_of(48, 400), 80); /* or nothing is shown */
    ck_assert_uint_le(points_of(16, 400) + 16, points_of(48, 400));
}
END_TEST

/* What MPICH over shared memory looks like on a virtual machine. */
static const struct line shared_memory[] = {
    {0,    0.1245, 22000},
    {93,   0.1500, 12500},
    {440,  0.1715, 46000},
    {2168, 0.2290, 59000},
    {8232, 0.3150, 59000},
    {8256, 2.03,   16700},
};

static bool is_near(double edge, double truth)
{
    return fabs(edge - truth) <= fmax(16.0, 0.01 * truth);
}

/* The steps of a fifth and more: all but the one at 440, where a line only bends. */
START_TEST(large_steps_are_found_and_few_regions_invented)
{
    static const double steps[] = {93, 2168, 8232, 8256};
    int missed = 0, often_wrong = 0;
    for (unsigned long seed = 1; seed <= 30; seed++) {
        struct truth truth = {.lines = shared_memory, .count = 6, .noise_us = 0.003, .draws = 40};
        struct sweep_plan with = seed % 4 < 2 ? usual_plan : plan_of_launch();
        with.seed = seed;
        struct list regions = known_sweep(&truth, &with);
        const struct region *items = regions.items;
        int wrong = 0;
        for (size_t s = 0; s < 4; s++) {
            bool found = false;
            for (size_t k = 0; k + 1 < regions.count; k++)
                found |= is_near(items[k].bytes_upto + 1.0, steps[s]);
            missed += !found;
        }
        for (size_t k = 0; k + 1 < regions.count; k++) {
            bool is_true = fabs(items[k].bytes_upto - 440.0) < 150.0;
            for (size_t s = 0; s < 4; s++)
                is_true |= is_near(items[k].bytes_upto + 1.0, steps[s]);
            wrong += !is_true;
        }
        often_wrong += wrong > 1;
        list_free(&region_record, &regions);
    }
    ck_assert_int_le(missed, 2); /* of 120 */
    ck_assert_int_le(often_wrong, 1);
}
END_TEST

/* What users send are powers of two: where 2.5 KB around one take three times as long, both edges
   are found, to a hundredth, in nine of ten, whatever the seed. */
START_TEST(a_hump_of_two_and_a_half_kilobytes_at_a_power_of_two_is_found)
{
    int missed = 0, all = 0;
    for (double power = 8192; power <= 131072; power *= 2.0)
        for (unsigned long seed = 1; seed <= OFTEN(6, 40); seed++) {
            const struct line hump[] = {
                {0,              5,  200      },
                {power - 1768.0, 15, 200 / 3.0},
                {power + 733.0,  5,  200      }
            };
            struct truth truth = {
                .lines = hump, .count = 3, .noise_us = seed % 2 ? 0.05 : 0.0, .draws = 30};
            struct sweep_plan with = seed % 4 < 2 ? usual_plan : plan_of_launch();
            with.seed = seed;
            struct list regions = known_sweep(&truth, &with);
            const struct region *items = regions.items;
            int found = 0;
            for (size_t k = 0; k + 1 < regions.count; k++)
                for (int edge = 1; edge <= 2; edge++)
                    found += fabs(items[k].bytes_upto + 1.0 - hump[edge].from_bytes) <
                             0.01 * hump[edge].from_bytes;
            missed += found != 2;
            all++;
            list_free(&region_record, &regions);
        }
    ck_assert_msg(missed * 10 <= all, "%d of %d humps are missed", missed, all);
}
END_TEST

/* Of each point the least time is the truth, the median twice and the mean three times as much. */
static int measure_three(void *state, const struct ask *ask, struct point *point,
                         struct error *error)
{
    const int status = known_measure(state, ask, point, error);
    point->minimum_us = point->median_us;
    point->median_us = 2.0 * point->minimum_us;
    point->mean_us = 3.0 * point->minimum_us;
    point->half_width_us = 0.0;
    point->repetitions = 10;
    return status;
}

START_TEST(the_statistic_that_is_asked_for_is_fitted)
{
    static const enum statistic asked[] = {STATISTIC_MINIMUM, STATISTIC_MEDIAN, STATISTIC_MEAN};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct truth truth = truths[1], seen = truth;
        struct line lines[3];
        struct sweep_plan with = usual_plan;
        const double times = (double)i + 1.0;
        with.statistic = asked[i];
        struct list regions = regions_swept(&with, measure_three, &truth);
        for (size_t k = 0; k < truth.count; k++)
            lines[k] = (struct line){truth.lines[k].from_bytes, times * truth.lines[k].t0_us,
                                     truth.lines[k].rinf / times};
        seen.lines = lines;
        assert_found(regions, &seen, 1e-3, 1e-3);
    }
}
END_TEST

SUITE("sweep", a_hump_of_two_and_a_half_kilobytes_at_a_power_of_two_is_found,
      the_statistic_that_is_asked_for_is_fitted, exact_curves_are_found_to_the_byte,
      noise_leaves_large_steps_to_the_byte_and_small_ones_to_a_hundredth,
      an_edge_that_is_known_of_is_found_to_the_byte_by_a_quick_look,
      no_region_is_invented_on_a_straight_line, what_disturbs_a_few_points_makes_no_region,
      disturbances_cost_no_more_sizes_than_planned, large_steps_are_found_and_few_regions_invented)
