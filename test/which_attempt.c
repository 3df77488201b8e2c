/* Which of several disturbed attempts at a sweep stands: attempts of which it is told beforehand
   how much moves in them. */
#include "trainer/attempts.h"

#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum { ATTEMPTS = 3 };

/* Of each attempt: the share of its points that a second look finds slower by half, and whether the
   machine was looked around and found disturbed. Every attempt is slower than the one before it by
   half, so that its regions tell which one stands. */
struct scripted {
    double moving[ATTEMPTS];
    bool disturbed[ATTEMPTS];
    int over_after; /* attempts the budget ends; 0: it does not */
    int attempt, number, kept;
    gsl_rng *random;
};

static double scripted_us(int attempt, double bytes)
{
    return pow(1.5, attempt) * (5.0 + bytes / 200.0);
}

static void begin_scripted(void *state)
{
    ((struct scripted *)state)->attempt++;
}

static int measure_scripted(void *state, const struct ask *ask, struct point *point,
                            struct error *error)
{
    struct scripted *scripted = state;
    const bool moves = gsl_rng_uniform(scripted->random) < scripted->moving[scripted->attempt - 1];
    (void)error;
    *point = (struct point){.bytes = ask->bytes, .held_out = ask->held_out, .repetitions = 10};
    point->median_us =
        scripted_us(scripted->attempt, ask->bytes) * (ask->again && moves ? 1.5 : 1.0);
    point->half_width_us = 1e-3 * point->median_us;
    return 0;
}

static int look_around_scripted(void *state, const char **disturbance, struct error *error)
{
    const struct scripted *scripted = state;
    (void)error;
    *disturbance = scripted->disturbed[scripted->attempt - 1] ? "scripted" : NULL;
    return 0;
}

static bool is_over_scripted(void *state)
{
    const struct scripted *scripted = state;
    return scripted->over_after > 0 && scripted->attempt >= scripted->over_after;
}

static bool always(void *state, double need)
{
    (void)state;
    return need >= 0.0 && need <= 1.0;
}

/* Which attempt the last points in the file are of. */
static void keep_scripted(void *state, const struct list *points)
{
    struct scripted *scripted = state;
    const struct point *point = points->items;
    ck_assert_double_eq(point->attempt, scripted->number);
    scripted->kept =
        1 + (int)lround(log(point->median_us / scripted_us(1, point->bytes)) / log(1.5));
}

/* Attempts are counted from 1. */
static void assert_stands(struct scripted scripted, int expected, bool is_disturbed)
{
    const struct attempts attempts = {.most = ATTEMPTS,
                                      .number = &scripted.number,
                                      .begin = begin_scripted,
                                      .measure = measure_scripted,
                                      .look_around = look_around_scripted,
                                      .is_over = is_over_scripted,
                                      .may_repeat = always,
                                      .keep = keep_scripted,
                                      .state = &scripted};
    const struct sweep_plan sizes_plan = {0, 1048576, 1, 48, 400, 1, false, 1, STATISTIC_MEDIAN};
    struct swept swept = {0};
    struct error error;
    scripted.random = gsl_rng_alloc(gsl_rng_mt19937);
    ck_assert_int_eq(attempts_sweep(&attempts, &sizes_plan, &swept, &error), 0);
    gsl_rng_free(scripted.random);
    ck_assert_uint_ge(swept.regions.count, 1);
    for (size_t i = 0; i < swept.regions.count; i++) {
        const struct region *region = (const struct region *)swept.regions.items + i;
        const double bytes = fmin(region->bytes_upto, sizes_plan.bytes_most);
        ck_assert_double_eq_tol(region_time_us(region, bytes, 2.0) / scripted_us(expected, bytes),
                                1.0, 0.1);
    }
    ck_assert_int_eq(scripted.kept, expected);
    ck_assert(!swept.disturbance == !is_disturbed);
    swept_free(&swept);
}

START_TEST(of_disturbed_attempts_the_one_that_moved_least_stands)
{
    static const bool all[ATTEMPTS] = {true, true, true};
    static const double moving[][ATTEMPTS] = {
        {0.02, 0.15, 0.1 },
        {0.15, 0.02, 0.1 },
        {0.15, 0.1,  0.02},
        {0,    0,    0   },
    };
    static const int expected[] = {1, 2, 3, 1};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct scripted scripted = {0};
        memcpy(scripted.moving, moving[i], sizeof scripted.moving);
        memcpy(scripted.disturbed, all, sizeof scripted.disturbed);
        assert_stands(scripted, expected[i], true);
    }
}
END_TEST

START_TEST(an_undisturbed_attempt_stands_whatever_moved)
{
    assert_stands(
        (struct scripted){
            .moving = {0,    0.1,   0   },
              .disturbed = {true, false, true}
    },
        2, false);
}
END_TEST

/* The points of the second are the better ones, but not all of them were asked. */
START_TEST(an_attempt_that_the_budget_ends_does_not_stand_for_a_whole_one)
{
    assert_stands(
        (struct scripted){
            .moving = {0.15, 0.02},
              .disturbed = {true, true},
              .over_after = 2
    },
        1, true);
    assert_stands((struct scripted){.moving = {0.15}, .disturbed = {true}, .over_after = 1}, 1,
                  true);
}
END_TEST

SUITE("which-attempt", of_disturbed_attempts_the_one_that_moved_least_stands,
      an_undisturbed_attempt_stands_whatever_moved,
      an_attempt_that_the_budget_ends_does_not_stand_for_a_whole_one)
