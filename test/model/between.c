/* What is said of a processor count between measured ones where no law says it: what the library
   may choose, grids of other shapes, and messages that go farther. */
#include "model/machine/structure.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1400 };

/* What a utility takes among so many; of a machine on which far exchanges take 4 us for 1 us. */
struct question {
    const char *utility, *more;
    double below, below_us, above, above_us;
    const char *law_error; /* of the law that takes p us; NULL: none */
};

static struct cost_answer ask(const struct question *question, double processors)
{
    char text[TEXT];
    struct machine machine;
    struct cost_answer answer;
    struct error error;
    snprintf(text, sizeof text,
             "forecost: 3\n"
             "machine: {name: t, measured: {seed: 1}}\n"
             "communication:\n"
             "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 1}]}\n"
             "  - {utility: exchange, processors: [2, 2], regions: [{t0_us: 1}]}\n"
             "  - {utility: exchange-far, processors: [2, 2], regions: [{t0_us: 4}]}\n"
             "  - {utility: %s, processors: [%g, %g], passes_p95: 0, %s\n"
             "     regions: [{setup_us: {p: 1}%s}], by_processors: [\n"
             "     {processors: %g, regions: [{t0_us: %g}]},\n"
             "     {processors: %g, regions: [{t0_us: %g}]}]}\n",
             question->utility, question->below, question->above, question->more,
             question->law_error ? question->law_error : "", question->below, question->below_us,
             question->above, question->above_us);
    ck_assert_msg(machine_read_text(&machine, "t.yaml", text, strlen(text), &error) == 0, "%s",
                  error.text);
    ck_assert_int_eq(structure_answer(&machine, machine_cost(&machine, question->utility), 8.0,
                                      processors, &answer, &error),
                     0);
    machine_free(&machine);
    return answer;
}

static bool holds(const struct cost_answer *answer, double low_us, double high_us)
{
    return answer->low_us <= low_us && answer->high_us >= high_us &&
           answer->low_us <= answer->time_us && answer->time_us <= answer->high_us;
}

/* From three quarters of what an even growth is to all that is more; a machine of one kind of
   processors has it so, too. */
START_TEST(what_the_library_may_choose_is_held)
{
    const struct question flat = {"many-to-many", "", 8.0, 10.0, 16.0, 20.0, NULL};
    const struct question nodes = {
        "many-to-many", "processors_near: 8,", 8.0, 10.0, 16.0, 90.0, NULL};
    struct cost_answer answer = ask(&flat, 12.0);
    ck_assert(holds(&answer, 10.0 + 10.0 * 0.375, 20.0));
    answer = ask(&nodes, 12.0);
    ck_assert(holds(&answer, 10.0 + 80.0 * 0.375, 90.0));
    ck_assert_double_eq_tol(answer.time_us, sqrt(40.0 * 90.0), 1e-9);
    ck_assert_double_ge(answer.low_us, 35.0); /* and not more */
    ck_assert_double_le(answer.high_us, 105.0);
    ck_assert_uint_eq(answer.flags, 0);
    answer = ask(&nodes, 16.0); /* measured */
    ck_assert_double_ge(answer.low_us, 90.0 / 1.1);
    ck_assert_double_le(answer.high_us, 90.0 * 1.1);
}
END_TEST

/* What the other counts bear out answers where a node ends, too, and not the middle. */
START_TEST(a_law_that_is_borne_out_answers)
{
    struct question nodes = {"many-to-many",
                             "processors_near: 8,",
                             8.0,
                             10.0,
                             16.0,
                             90.0,
                             ", error: {fitted_p95: 0, other_processors: 0.005}"};
    ck_assert_double_eq_tol(ask(&nodes, 12.0).time_us, 10.0 * pow(1.5, log2(9.0)), 1e-9);
    nodes.law_error = ", error: {fitted_p95: 0, other_processors: 0.05}";
    ck_assert_double_eq_tol(ask(&nodes, 12.0).time_us, sqrt(40.0 * 90.0), 1e-9);
}
END_TEST

/* Those beyond a power of two take a stage more: as long as the one that 16 have more than 8, or
   as a share of those that they have more than two. */
START_TEST(what_is_folded_takes_a_stage_more)
{
    const struct question combine = {"combine", "processors_near: 8,", 8.0, 30.0, 16.0, 80.0, NULL};
    const struct question tree = {"broadcast", "processors_near: 8,", 8.0, 30.0, 16.0, 80.0, NULL};
    const struct question two = {"combine", "processors_near: 2,", 2.0, 10.0, 16.0, 80.0, NULL};
    struct cost_answer answer = ask(&combine, 12.0);
    ck_assert(holds(&answer, 30.0 + 50.0 * 0.375, 130.0));
    answer = ask(&tree, 12.0);
    ck_assert(holds(&answer, 30.0 + 50.0 * 0.375, 80.0));
    ck_assert_double_le(answer.high_us, 90.0);
    answer = ask(&two, 12.0);
    ck_assert(holds(&answer, 63.0, 80.0 + 70.0 / 3.0));
    ck_assert_double_le(answer.high_us, 115.0);
    answer = ask(&two, 8.0); /* a power of two has none */
    ck_assert_double_le(answer.high_us, 90.0);
}
END_TEST

/* It may take less among more. */
START_TEST(what_falls_is_held_at_both_ends)
{
    const struct question falls = {"broadcast", "", 7.0, 20.0, 15.0, 10.0, NULL};
    const struct cost_answer answer = ask(&falls, 11.0);
    ck_assert(holds(&answer, 10.0, 20.0));
}
END_TEST

/* What comes in at one processor may share a link already among few more. */
START_TEST(what_crowds_may_take_as_long_as_among_more)
{
    const struct question one = {"many-to-one", "", 7.0, 20.0, 15.0, 40.0, NULL};
    const struct cost_answer answer = ask(&one, 11.0);
    ck_assert(holds(&answer, 27.0, 40.0));
}
END_TEST

/* 12 in a box of 3 x 2 x 2 have at most four neighbours, as 16 have; 8 have three. */
START_TEST(a_box_takes_as_long_as_one_with_as_many_neighbours)
{
    const struct question box = {"halo-3", "", 8.0, 30.0, 16.0, 40.0, NULL};
    const struct cost_answer answer = ask(&box, 12.0);
    ck_assert_double_eq_tol(answer.time_us, 40.0, 1e-9);
    ck_assert(holds(&answer, 30.0, 40.0));
}
END_TEST

/* Around a longer ring the last message may go as far as any; where nodes end, these say how far.
   Neighbours on a line are as far apart among any. */
START_TEST(messages_may_go_farther_where_their_partners_do)
{
    const struct question ring = {"shift", "", 8.0, 2.0, 16.0, 2.0, NULL};
    const struct question line = {"halo-1", "", 8.0, 2.0, 16.0, 2.0, NULL};
    const struct question nodes = {"shift", "processors_near: 8,", 8.0, 1.0, 16.0, 4.0, NULL};
    struct cost_answer answer = ask(&ring, 12.0);
    ck_assert(holds(&answer, 2.0, 5.0));
    ck_assert_double_eq_tol(answer.time_us, 2.0, 1e-9);
    answer = ask(&line, 12.0);
    ck_assert_double_le(answer.high_us, 2.5);
    answer = ask(&nodes, 12.0);
    ck_assert_double_eq_tol(answer.time_us, 4.0, 1e-9);
    ck_assert_double_le(answer.high_us, 5.0);
    answer = ask(&ring, 8.0); /* measured */
    ck_assert_double_le(answer.high_us, 2.1);
}
END_TEST

/* Of a grid of 4 x 4 alone: on another the messages along either direction may go farther. */
START_TEST(on_another_grid_messages_may_go_farther_along_each_direction)
{
    static const char text[] =
        "forecost: 3\n"
        "machine: {name: t, measured: {seed: 1}}\n"
        "communication:\n"
        "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 1}]}\n"
        "  - {utility: exchange, processors: [2, 2], regions: [{t0_us: 1}]}\n"
        "  - {utility: exchange-far, processors: [2, 2], regions: [{t0_us: %d}]}\n"
        "  - {utility: halo-2, processors: [16, 16], passes_p95: 0, regions: [{t0_us: 10}]}\n";
    static const double high_us[] = {11.0, 17.0};
    for (int i = 0; i < 2; i++) {
        char with[TEXT];
        struct machine machine;
        struct cost_answer answer;
        struct error error;
        snprintf(with, sizeof with, text, 1 + 3 * i);
        ck_assert_int_eq(machine_read_text(&machine, "t.yaml", with, strlen(with), &error), 0);
        ck_assert_int_eq(structure_answer(&machine, machine_cost(&machine, "halo-2"), 8.0, 12.0,
                                          &answer, &error),
                         0);
        ck_assert_double_eq_tol(answer.high_us, high_us[i], 1e-9);
        machine_free(&machine);
    }
}
END_TEST

SUITE("between", a_law_that_is_borne_out_answers, what_the_library_may_choose_is_held,
      what_is_folded_takes_a_stage_more, what_falls_is_held_at_both_ends,
      what_crowds_may_take_as_long_as_among_more,
      a_box_takes_as_long_as_one_with_as_many_neighbours,
      messages_may_go_farther_where_their_partners_do,
      on_another_grid_messages_may_go_farther_along_each_direction)
