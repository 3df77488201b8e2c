/* What one measured processor count bounds, in closed form. */
#include "model/machine/structure.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>

/* A machine of one measured p: messages of 10 us and a byte in 1 ns, and another utility. */
static const char *const form =
    "forecost: 1\n"
    "machine: {name: t, processors: 2, measured: {seed: 1}}\n"
    "communication:\n"
    "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 10, rinf_mb_per_s: "
    "1000}]}\n"
    "  - {utility: %s, processors: [%d, %d], processors_mean: %s, passes_p95: 0,\n"
    "     regions: [{t0_us: 10, rinf_mb_per_s: 1000, error: {held_out_p95: %g}}]}\n";

static struct machine machine_with(const char *utility, int p, const char *mean, double error_p95)
{
    char text[600];
    struct machine machine;
    struct error error;
    snprintf(text, sizeof text, form, utility, p, p, mean, error_p95);
    ck_assert_int_eq(machine_read_text(&machine, "t.yaml", text, strlen(text), &error), 0);
    return machine;
}

START_TEST(bounds_are_stages_and_messages)
{
    /* low_us and high_us without what is slower and quicker (a quarter, a tenth). T(0) is 10 us,
       T(100000) 110 us, of which 100 are bytes. */
    static const struct {
        const char *utility, *mean;
        double measured, bytes, asked, low_us, high_us;
    } cases[] = {
        {"broadcast",       "destinations", 1,  0,      15, 10,                4 * 10           },
        {"broadcast",       "destinations", 1,  0,      16, 10,                5 * 10           },
        {"broadcast",       "destinations", 1,  100000, 15, 110,               4 * 110 + 6 * 100},
        {"broadcast-rd",    "participants", 2,  0,      16, 40,                4 * 10           },
        {"broadcast-bt",    "participants", 2,  0,      16, 40,                6 * 10           },
        {"combine",         "participants", 2,  0,      16, 10 * 2 * 15. / 16, 8 * 10           },
        {"synchronization", "participants", 2,  0,      16, 20,                8 * 10           },
        {"many-to-one",     "sources",      1,  0,      15, 150,               150              },
        {"many-to-many",    "participants", 2,  0,      16, 10,                150              },
        {"many-to-many",    "participants", 2,  100000, 16, 7.5 * 100,         15 * 110         },
        {"vSR-packed",      "participants", 2,  0,      16, 10,                10               },
        {"EXCH1",           "participants", 2,  0,      16, 10,                20               },
        {"EXCH2",           "participants", 4,  0,      16, 10,                40               },
        {"exchange-pairs",  "participants", 2,  100000, 16, 110,               110 + 7 * 100    },
 /* among fewer, on grids of 4 x 4, 2 x 5 and 13 in a row */
        {"EXCH2",           "participants", 16, 0,      10, 10 * 3 / 4.,       10               },
        {"EXCH2",           "participants", 16, 0,      13, 10 * 2 / 4.,       10               },
        {"combine",         "participants", 16, 0,      2,  10 / 8.,           10               },
 /* the bytes that wait, those of pairs, and pieces around a ring */
        {"broadcast-rd",    "participants", 16, 100000, 2,  110 / 10.,         110              },
        {"exchange-pairs",  "participants", 16, 100000, 2,  110 / 8.,          110              },
        {"broadcast",       "destinations", 15, 100000, 1,  110 / 15.,         110              },
 /* from eight: a byte of one of their seven messages */
        {"one-to-many",     "destinations", 7,  100000, 15, 110,               15 * 110         },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine =
            machine_with(cases[i].utility, (int)cases[i].measured, cases[i].mean, 0.1);
        struct cost_answer answer;
        const bool fewer = cases[i].asked < cases[i].measured;
        const double low_us = cases[i].low_us / (fewer ? 1.25 : 1.1);
        const double high_us = cases[i].high_us * (fewer ? 1.1 : 1.25);
        ck_assert_int_eq(structure_answer(&machine, machine_cost(&machine, cases[i].utility),
                                          cases[i].bytes, cases[i].asked, &answer, NULL),
                         0);
        const double wider = pow(1.1, 1.6448536269514722 / 1.959963984540054); /* 90 of 100 */
        ck_assert_double_eq_tol(answer.low_us, low_us / wider, 1e-9 * low_us);
        ck_assert_double_eq_tol(answer.high_us, high_us * wider, 1e-9 * high_us);
        ck_assert_double_eq_tol(answer.time_us, sqrt(low_us * high_us), 1e-9 * high_us);
        ck_assert_double_eq(answer.measured_at, cases[i].measured);
        ck_assert(answer.flags & COST_EXTRAPOLATED_PROCESSORS);
        machine_free(&machine);
    }
}
END_TEST

START_TEST(what_nothing_bounds_is_not_known)
{
    static const struct {
        const char *utility;
        double asked;
    } cases[] = {
        {"broadcast-sender", 16 },
        {"own",              16 },
        {"many-to-many",     512},
        {"combine",          1  }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine = machine_with(cases[i].utility, 2, "participants", 0.1);
        struct cost_answer answer;
        struct error error;
        ck_assert_int_eq(structure_answer(&machine, machine_cost(&machine, cases[i].utility), 8.0,
                                          cases[i].asked, &answer, &error),
                         STRUCTURE_NOT_KNOWN);
        ck_assert_ptr_nonnull(strstr(error.text, "was measured at p = 2 alone"));
        machine_free(&machine);
    }
}
END_TEST

START_TEST(what_is_of_two_processors_answers_for_any_number)
{
    static const char *const utilities[] = {"exchange", "exchange-far", "point-to-point-far",
                                            "exchange-best"};
    for (size_t i = 0; i < sizeof utilities / sizeof *utilities; i++) {
        struct machine machine = machine_with(utilities[i], 2, "participants", 0.1);
        const struct cost *cost = machine_cost(&machine, utilities[i]);
        struct cost_answer answer;
        ck_assert_int_eq(structure_answer(&machine, cost, 0.0, 16.0, &answer, NULL), 0);
        ck_assert_double_eq(answer.time_us, 10.0);
        ck_assert_uint_eq(answer.flags, COST_EXTRAPOLATED_PROCESSORS);
        machine_free(&machine);
    }
}
END_TEST

START_TEST(where_it_was_measured_the_cost_answers)
{
    struct machine machine = machine_with("combine", 2, "participants", 0.1);
    const struct cost *cost = machine_cost(&machine, "combine");
    struct cost_answer by_structure, by_cost;
    ck_assert_int_eq(structure_answer(&machine, cost, 8.0, 2.0, &by_structure, NULL), 0);
    ck_assert_int_eq(cost_answer(cost, 8.0, 2.0, &by_cost, NULL), 0);
    ck_assert_double_eq(by_structure.time_us, by_cost.time_us);
    ck_assert_double_eq(by_structure.high_us, by_cost.high_us);
    ck_assert_double_eq(by_structure.measured_at, 0.0);
    ck_assert_uint_eq(by_structure.flags, 0);
    machine_free(&machine);
}
END_TEST

SUITE("structure", bounds_are_stages_and_messages, what_nothing_bounds_is_not_known,
      what_is_of_two_processors_answers_for_any_number, where_it_was_measured_the_cost_answers)
