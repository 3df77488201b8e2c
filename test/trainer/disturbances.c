/* Disturbances injected into a fake clock: a hog on the core, a rank that is stopped and continued,
   modes, drift. After a sweep and later passes the regions' medians are right or the curve is
   marked; never neither. */
#include "model/base/allocation.h"
#include "model/fit/summary.h"
#include "test/suite.h"
#include "test/sweep_plan.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/edge.h"
#include "trainer/curve/sweep.h"
#include "trainer/engine/measure.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

enum { SEEDS = OFTEN(5, 20), REGIONS = 3, SIZES = 5 };
static const double sizes[REGIONS][SIZES] = {
    {0,     32,    128,    512,    1024   },
    {1025,  2048,  4096,   8192,   16384  },
    {16385, 40000, 100000, 400000, 1048576}
};
static const double moved_most = 0.1;
static const double between_us = 5e6; /* other utilities are measured */

/* A rank that runs for run_us and then not for pause_us, until ends_us. Pauses are lengthened and
   shortened by up to a third by chance, so that nothing beats with them. */
struct pauses {
    double run_us, pause_us, ends_us;
};

/* Two speeds, each kept for an exponential time. */
struct modes {
    double factor, mean_us;
};

struct fake {
    struct pauses pauses;
    struct modes modes;
    double drift_a_second; /* how much slower it becomes, of the first speed */
    double over_us;        /* when the budget ends */
    gsl_rng *random;
    double now_us, run_until_us, mode_until_us, speed;
    double bytes;
};

static double truth_us(double bytes)
{
    return bytes <= 1024 ? 1 + bytes / 2000 : bytes <= 16384 ? 2 + bytes / 5000 : 6 + bytes / 8000;
}

static double between_two_thirds_and_four(const struct fake *fake, double mean)
{
    return mean * (2.0 + 2.0 * gsl_rng_uniform(fake->random)) / 3.0;
}

static double slowness(struct fake *fake)
{
    while (fake->modes.mean_us > 0 && fake->now_us >= fake->mode_until_us) {
        fake->speed = fake->speed == 1 ? fake->modes.factor : 1;
        fake->mode_until_us += gsl_ran_exponential(fake->random, fake->modes.mean_us);
    }
    return fake->speed * (1 + 1e-6 * fake->drift_a_second * fake->now_us);
}

/* The clock goes on by what that much work takes. */
static void work(struct fake *fake, double work_us)
{
    const bool paused = fake->pauses.run_us > 0 && fake->now_us < fake->pauses.ends_us;
    double left_us = work_us * slowness(fake);
    while (paused && fake->now_us + left_us > fake->run_until_us) {
        left_us -= fmax(0.0, fake->run_until_us - fake->now_us);
        fake->now_us = fmax(fake->now_us, fake->run_until_us) +
                       between_two_thirds_and_four(fake, fake->pauses.pause_us);
        fake->run_until_us = fake->now_us + between_two_thirds_and_four(fake, fake->pauses.run_us);
    }
    fake->now_us += left_us;
}

static int batch(void *state, long times, struct batch_time *took, struct error *error)
{
    struct fake *fake = state;
    (void)error;
    const double begin_us = fake->now_us, use_us = truth_us(fake->bytes);
    const double noise_us = 0.02 * use_us;
    work(fake, (double)times * (use_us + gsl_ran_exponential(fake->random, noise_us) - noise_us));
    *took = (struct batch_time){fake->now_us - begin_us, 1.0};
    return 0;
}

/* The trainer's own, of what is asked in several passes. */
static const struct measure_plan plan = {
    .accuracy = 0.05,
    .confidence = 0.95,
    .batch_us = 50,
    .batches_least = 10,
    .batches_most = 60,
    .batches_alike = 3,
    .point_us_most = 7.5e3,
};

static bool is_over(void *state)
{
    const struct fake *fake = state;
    return fake->now_us > fake->over_us;
}

static int measure_point(void *state, const struct ask *ask, struct point *point,
                         struct error *error)
{
    struct fake *fake = state;
    if (is_over(fake))
        return 1;
    *point = (struct point){.bytes = ask->bytes, .held_out = ask->held_out};
    fake->bytes = ask->bytes;
    const struct measure_plan with = ask->again ? measure_shortly(&plan) : plan;
    return measure(&with, batch, fake, point, error);
}

/* What is known of a curve in the end. */
struct outcome_of_curve {
    struct list regions;
    const char *disturbed;
};

/* Once more, by chance. */
static void ask_again(struct fake *fake, struct curve *curve)
{
    struct error error;
    size_t *order = memory_new(curve->points.count, sizeof *order), asked = 0;
    for (size_t i = 0; i < curve->points.count; i++)
        if (curve_asks(curve, i))
            order[asked++] = i;
    if (asked > 0)
        gsl_ran_shuffle(fake->random, order, asked, sizeof *order);
    for (size_t i = 0; i < asked; i++) {
        struct passes *at = curve_at(curve, order[i]);
        const struct ask ask = {at->of[0].bytes, at->of[0].held_out, true};
        if (measure_point(fake, &ask, &at->of[at->count], &error) == 0)
            at->count++;
    }
    free(order);
}

static struct outcome_of_curve measure_curve(struct fake *fake, unsigned long seed)
{
    struct sweep_plan with = plan_of_launch();
    struct curve curve = {0};
    struct error error;
    with.seed = seed;
    fake->random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(fake->random, seed);
    fake->speed = 1;
    if (fake->over_us == 0)
        fake->over_us = 60e6;
    ck_assert_int_eq(sweep(&with, measure_point, fake, &curve, &error), 0);
    const bool spoilt[PASSES_LEAST] = {curve_is_mixture(&curve) ||
                                       passes_disturbance(curve.points.items, curve.points.count,
                                                          (const bool[PASSES_LEAST]){false},
                                                          curve.statistic)};
    fake->now_us += between_us;
    bool more = false;
    for (size_t pass = 1; pass < PASSES_MOST || more; pass++) {
        edge_add_sizes(&curve, pass);
        ask_again(fake, &curve);
        more = curves_look_back(&curve, 1, pass);
        fake->now_us += pass + 1 < PASSES_LEAST ? between_us : 0;
    }
    struct outcome_of_curve outcome = {
        regions_of(&curve),
        passes_disturbance(curve.points.items, curve.points.count, spoilt, STATISTIC_MEDIAN)};
    if (!outcome.disturbed && curves_changed(&curve, 1))
        outcome.disturbed = "the machine became quicker while it was measured";
    curve_free(&curve);
    gsl_rng_free(fake->random);
    return outcome;
}

static double predicted_us(const struct list *regions, double bytes)
{
    const struct region *region = regions->items;
    while (bytes > region->bytes_upto)
        region++;
    return region_time_us(region, bytes, 2);
}

/* By what share the median of a region's times is off, of the region that is worst, on a machine
   that is so much slower all the while. */
static double off(const struct list *regions, double factor)
{
    double worst = 0;
    for (size_t k = 0; k < REGIONS; k++) {
        double ratios[SIZES];
        for (size_t i = 0; i < SIZES; i++)
            ratios[i] = predicted_us(regions, sizes[k][i]) / (factor * truth_us(sizes[k][i]));
        worst = fmax(worst, fabs(summary_of(ratios, SIZES, 0.95).median - 1));
    }
    return worst;
}

/* How one kind of disturbance came out: the curve is marked, or it is right, or neither. */
struct outcome {
    int marked, right, neither;
};

/* Right is a table of the machine at its first speed, in its other mode, or at its last speed. */
static bool is_right(const struct fake *fake, const struct list *regions)
{
    const double mode = fake->modes.factor > 0 ? fake->modes.factor : 1;
    const double last = 1 + 1e-6 * fake->drift_a_second * fake->now_us;
    return fmin(off(regions, 1), fmin(off(regions, mode), off(regions, last))) <= moved_most;
}

static struct outcome inject(const struct fake *disturbed)
{
    struct outcome outcome = {0};
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        struct fake fake = *disturbed;
        struct outcome_of_curve curve = measure_curve(&fake, seed);
        const bool right = is_right(&fake, &curve.regions);
        outcome.marked += curve.disturbed != NULL;
        outcome.right += right;
        outcome.neither += !curve.disturbed && !right;
        list_free(&region_record, &curve.regions);
    }
    return outcome;
}

START_TEST(a_quiet_machine_is_not_marked)
{
    const struct outcome outcome = inject(&(struct fake){0});
    ck_assert_int_eq(outcome.right, SEEDS);
    ck_assert_int_eq(outcome.marked, 0);
}
END_TEST

START_TEST(a_hog_on_the_core_is_noticed)
{
    for (double slice_us = 1000; slice_us <= 16000; slice_us *= 4) {
        const struct outcome outcome = inject(&(struct fake){
            .pauses = {slice_us, slice_us, 1e12}
        });
        ck_assert_int_eq(outcome.marked, SEEDS);
    }
}
END_TEST

START_TEST(what_a_hog_disturbed_is_right_when_it_has_left)
{
    const struct outcome outcome = inject(&(struct fake){
        .pauses = {4000, 4000, 1e5}
    });
    ck_assert_int_eq(outcome.right, SEEDS);
    ck_assert_int_eq(outcome.marked, 0);
}
END_TEST

START_TEST(a_budget_that_ends_while_a_hog_is_there_leaves_a_mark)
{
    const struct outcome outcome = inject(&(struct fake){
        .pauses = {4000, 4000, 1e12},
          .over_us = 3e5
    });
    ck_assert_int_eq(outcome.marked, SEEDS);
}
END_TEST

START_TEST(a_rank_that_is_stopped_and_continued)
{
    for (double stop_us = 1e4; stop_us <= 1e6; stop_us *= 10) {
        const struct outcome outcome = inject(&(struct fake){
            .pauses = {stop_us, stop_us, 1e12}
        });
        ck_assert_int_eq(outcome.neither, 0);
    }
}
END_TEST

/* From many in a point to one in several sweeps. */
START_TEST(modes)
{
    static const double factors[] = {1.15, 1.3, 2, 5};
    int sweeps = 0, neither = 0;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        for (double mean_us = 1e3; mean_us <= 1e6; mean_us *= 10) {
            const struct outcome outcome = inject(&(struct fake){
                .modes = {factors[i], mean_us}
            });
            sweeps += SEEDS;
            neither += outcome.neither;
        }
    ck_assert_msg(100 * neither < sweeps, "%d of %d sweeps neither", neither, sweeps);
}
END_TEST

START_TEST(drift)
{
    static const double shares_a_second[] = {0.1, 0.5, 1, 2, 5};
    for (size_t i = 0; i < sizeof shares_a_second / sizeof *shares_a_second; i++) {
        const struct outcome outcome = inject(&(struct fake){.drift_a_second = shares_a_second[i]});
        ck_assert_msg(outcome.neither == 0, "%d times neither at %g", outcome.neither,
                      shares_a_second[i]);
    }
}
END_TEST

SUITE("disturbances", a_quiet_machine_is_not_marked, a_hog_on_the_core_is_noticed,
      what_a_hog_disturbed_is_right_when_it_has_left,
      a_budget_that_ends_while_a_hog_is_there_leaves_a_mark, a_rank_that_is_stopped_and_continued,
      modes, drift)
