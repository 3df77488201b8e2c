/* The states of a machine from the readings of a gauge, against readings of known states. */
#include "model/micro/states.h"

#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

enum { READINGS = 600 };

/* What a reading is made of: with probability `share` of so many us, each reading off by a few
   percent; `odd` of all are anywhere up to ten times the first. */
struct made {
    double us[STATES_MOST], share[STATES_MOST], odd;
};

/* Returns the share of the second one. */
static double make_readings(const struct made *made, unsigned long seed, double *gauges_us)
{
    int second = 0, odd = 0;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, seed);
    for (int i = 0; i < READINGS; i++) {
        double draw = gsl_rng_uniform(random);
        int state = 0;
        while (state + 1 < STATES_MOST && draw >= made->share[state] && made->share[state + 1] > 0)
            draw -= made->share[state++];
        const bool is_odd = gsl_rng_uniform(random) < made->odd;
        gauges_us[i] = is_odd ? made->us[0] * (1.0 + 9.0 * gsl_rng_uniform(random))
                              : made->us[state] * exp(gsl_ran_gaussian(random, 0.025));
        odd += is_odd;
        second += !is_odd && state == 1;
    }
    gsl_rng_free(random);
    return (double)second / (READINGS - odd);
}

static struct list states_of(const struct made *made, unsigned long seed, double *second)
{
    double gauges_us[READINGS], spent_us[READINGS];
    struct list states = {0};
    *second = make_readings(made, seed, gauges_us);
    for (int i = 0; i < READINGS; i++)
        spent_us[i] = 50.0;
    states_find(gauges_us, spent_us, READINGS, &states);
    return states;
}

static const struct machine_state *state_at(const struct list *states, size_t i)
{
    return (const struct machine_state *)states->items + i;
}

START_TEST(two_states_are_found_with_their_shares)
{
    const struct made made = {
        {1.0,  1.8 },
        {0.35, 0.65},
        0.01
    };
    for (unsigned long seed = 1; seed <= 50; seed++) {
        double second;
        struct list states = states_of(&made, seed, &second);
        ck_assert_uint_eq(states.count, 2);
        ck_assert_double_eq_tol(state_at(&states, 0)->share, second, 0.02);
        ck_assert_double_eq_tol(state_at(&states, 0)->gauge_us, 1.8, 0.02);
        ck_assert_double_eq_tol(state_at(&states, 1)->gauge_us, 1.0, 0.02);
        ck_assert_int_eq(states_which(&states, 1.75), 0);
        ck_assert_int_eq(states_which(&states, 1.02), 1);
        ck_assert_int_eq(states_which(&states, 1.4), -1);
        list_free(&machine_state_record, &states);
    }
}
END_TEST

START_TEST(three_states_are_found_whichever_is_the_commonest)
{
    static const struct made cases[] = {
        {{0.11, 0.19, 0.66}, {0.5, 0.3, 0.2}, 0.01},
        {{0.11, 0.19, 0.66}, {0.1, 0.2, 0.7}, 0.01},
        {{0.11, 0.19, 0.66}, {0.2, 0.7, 0.1}, 0.0 },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (unsigned long seed = 1; seed <= 20; seed++) {
            double second;
            struct list states = states_of(&cases[c], seed, &second);
            ck_assert_uint_eq(states.count, 3);
            ck_assert_double_ge(state_at(&states, 0)->share, state_at(&states, 1)->share);
            ck_assert_double_ge(state_at(&states, 1)->share, state_at(&states, 2)->share);
            list_free(&machine_state_record, &states);
        }
}
END_TEST

/* A tail of disturbed readings is no state, nor is a rare one. */
START_TEST(a_machine_of_one_state_has_none)
{
    static const struct made cases[] = {
        {{1.0},      {1.0},        0.0 },
        {{1.0},      {1.0},        0.05},
        {{1.0},      {1.0},        0.3 },
        {{1.0, 1.9}, {0.98, 0.02}, 0.0 },
        {{1.0, 1.1}, {0.5, 0.5},   0.0 },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (unsigned long seed = 1; seed <= 20; seed++) {
            double second;
            struct list states = states_of(&cases[c], seed, &second);
            ck_assert_msg(states.count == 0, "case %zu seed %lu: %zu states", c, seed,
                          states.count);
        }
}
END_TEST

/* A machine that is slow for 0.65 of the time, and 2.5 times as slow: of measurements of as many
   messages each, fewer than half fall into that time. */
START_TEST(shares_are_of_time)
{
    const struct made made = {
        {1.0,                        2.5                               },
        {0.35 / (0.35 + 0.65 / 2.5), (0.65 / 2.5) / (0.35 + 0.65 / 2.5)},
        0.0
    };
    double gauges_us[READINGS], spent_us[READINGS];
    struct list states = {0};
    ck_assert_double_lt(make_readings(&made, 1, gauges_us), 0.5);
    for (int i = 0; i < READINGS; i++)
        spent_us[i] = gauges_us[i] > 1.6 ? 125.0 : 50.0;
    states_find(gauges_us, spent_us, READINGS, &states);
    ck_assert_uint_eq(states.count, 2);
    ck_assert_double_eq_tol(state_at(&states, 0)->share, 0.65, 0.03);
    ck_assert_double_eq_tol(state_at(&states, 0)->gauge_us, 2.5, 0.05);
    list_free(&machine_state_record, &states);
}
END_TEST

START_TEST(what_the_gauge_does_not_tell_is_of_no_state)
{
    struct list states = {0};
    states_find(NULL, NULL, 0, &states);
    states_find((const double[]){0.0, 0.0}, (const double[]){1.0, 1.0}, 2, &states);
    ck_assert_uint_eq(states.count, 0);
    ck_assert_int_eq(states_which(&states, 1.0), -1);
    ck_assert_double_eq(states_gauge(1.0, 1.9), 0.0);
    ck_assert_double_eq(states_gauge(0.0, 1.0), 0.0);
    ck_assert_double_eq_tol(states_gauge(1.0, 1.1), 1.0488, 1e-4);
}
END_TEST

START_TEST(a_state_is_a_line_over_the_times_of_the_first)
{
    double first_us[8], other_us[8];
    for (int i = 0; i < 8; i++) {
        first_us[i] = 0.4 * pow(2.0, i);
        other_us[i] = 3.0 + 1.5 * first_us[i];
    }
    const struct state_factor line = states_line(first_us, other_us, 8);
    ck_assert_double_eq_tol(line.add_us, 3.0, 1e-9);
    ck_assert_double_eq_tol(line.factor, 1.5, 1e-9);
    ck_assert_double_eq_tol(line.ratio, 0.5 * (3.0 / 3.2 + 3.0 / 6.4) + 1.5, 1e-9);
    for (int i = 0; i < 8; i++)
        other_us[i] = 2.0 * (first_us[i] = 5.0 + 0.1 * i);
    const struct state_factor alike = states_line(first_us, other_us, 8);
    ck_assert_double_eq(alike.add_us, 0.0);
    ck_assert_double_eq_tol(alike.factor, 2.0, 1e-9);
}
END_TEST

SUITE("states", a_state_is_a_line_over_the_times_of_the_first,
      two_states_are_found_with_their_shares, three_states_are_found_whichever_is_the_commonest,
      a_machine_of_one_state_has_none, shares_are_of_time,
      what_the_gauge_does_not_tell_is_of_no_state)
