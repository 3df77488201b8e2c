/* What is said of more processors than were measured: by the shape that foretells the last count,
   of alike counts, and of nodes; or that it is not known. */
#include "model/machine/farther.h"
#include "model/machine/structure.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1400 };

struct point {
    double processors, time_us;
};

/* A table of a utility with these times, and of a message of 1 us. */
static void print_table(char text[TEXT], const char *utility, const char *more,
                        const struct point *points, size_t count)
{
    int length =
        snprintf(text, TEXT,
                 "forecost: 3\n"
                 "machine: {name: t, measured: {seed: 1}}\n"
                 "communication:\n"
                 "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 1}]}\n"
                 "  - {utility: %s, processors: [%g, %g], passes_p95: 0, %s\n"
                 "     regions: [{setup_us: {p^3: 1}}], by_processors: [\n",
                 utility, points[0].processors, points[count - 1].processors, more);
    for (size_t i = 0; i < count; i++)
        length += snprintf(text + length, (size_t)(TEXT - length),
                           "     {processors: %g, regions: [{t0_us: %g}]}%s\n",
                           points[i].processors, points[i].time_us, i + 1 < count ? "," : "]}");
}

/* Of eight bytes. */
static int ask_text(const char *text, const char *utility, double processors,
                    struct cost_answer *answer, struct error *error)
{
    struct machine machine;
    ck_assert_msg(machine_read_text(&machine, "t.yaml", text, strlen(text), error) == 0, "%s",
                  error->text);
    const int status =
        structure_answer(&machine, machine_cost(&machine, utility), 8.0, processors, answer, error);
    machine_free(&machine);
    return status;
}

static int ask(const char *utility, const char *more, const struct point *points, size_t count,
               double processors, struct cost_answer *answer, struct error *error)
{
    char text[TEXT];
    print_table(text, utility, more, points, count);
    return ask_text(text, utility, processors, answer, error);
}

#define ASK(utility, more, points, processors)                                                     \
    ask(utility, more, points, sizeof(points) / sizeof *(points), processors, &answer, &error)

START_TEST(a_shape_that_foretells_the_last_count_answers)
{
    static const struct point tree[] = {
        {4,  20},
        {8,  30},
        {16, 40},
        {32, 50}
    };
    static const struct point each[] = {
        {4,  8 },
        {8,  12},
        {16, 20},
        {32, 36}
    };
    static const struct point same[] = {
        {4,  7},
        {8,  7},
        {16, 7},
        {32, 7}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("reduce", "", tree, 128.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 70.0, 0.01);
    ck_assert_int_eq(ASK("many-to-many", "", each, 128.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 4.0 + 128.0, 0.01);
    ck_assert_double_le(answer.high_us, 1.3 * answer.low_us);
    ck_assert_int_eq(ASK("halo-3", "", same, 512.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 7.0, 0.01);
    ck_assert(answer.flags & COST_EXTRAPOLATED_PROCESSORS);
}
END_TEST

START_TEST(powers_of_two_are_foretold_by_powers_of_two)
{
    static const struct point points[] = {
        {4,  20 },
        {6,  60 },
        {8,  30 },
        {11, 80 },
        {16, 40 },
        {23, 100}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("reduce", "", points, 64.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 60.0, 0.01);
    ck_assert_int_eq(ASK("reduce", "", points, 46.0), 0);
    ck_assert_double_ge(answer.time_us, 100.0);
}
END_TEST

START_TEST(where_no_shape_foretells_it_is_not_known)
{
    static const struct point switched[] = {
        {4,  10},
        {8,  12},
        {16, 14},
        {32, 90}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("all-gather", "", switched, 128.0), STRUCTURE_NOT_KNOWN);
    ck_assert_str_eq(error.text, "all-gather was measured at p = 4 to 32: what it takes at p = 128 "
                                 "is not known");
}
END_TEST

START_TEST(among_nodes_the_stages_or_messages_between_nodes_grow)
{
    static const struct point tree[] = {
        {4,  4 },
        {8,  6 },
        {16, 16},
        {32, 26}
    };
    static const struct point halo[] = {
        {4,  3 },
        {8,  3 },
        {16, 13},
        {32, 13}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("reduce", "processors_near: 8,", tree, 128.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 46.0, 0.01);
    /* a node within a line has two neighbours from 24 on, and none more */
    ck_assert_int_eq(ASK("halo-1", "processors_near: 8,", halo, 256.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 13.0, 0.01);
    /* within a node nothing tells what goes between nodes */
    ck_assert_int_eq(ASK("reduce", "processors_near: 24,", tree, 128.0), STRUCTURE_NOT_KNOWN);
}
END_TEST

START_TEST(where_a_node_ends_between_two_counts_what_leaves_it_answers)
{
    static const struct point line[] = {
        {4,  3 },
        {8,  3 },
        {16, 13}
    };
    static const struct point stages[] = {
        {8,  7 },
        {16, 45}
    };
    static const struct point far[] = {
        {8,  3 },
        {16, 13}
    };
    struct cost_answer answer;
    struct error error;
    /* one message leaves a node of 8 among 10 as among 16, and none among 6 */
    ck_assert_int_eq(ASK("halo-1", "processors_near: 8,", line, 10.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 13.0, 1e-9);
    ck_assert_int_eq(ASK("halo-1", "processors_near: 8,", line, 6.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 3.0, 1e-9);
    /* fewer than were measured, none of which leaves a node either */
    ck_assert_int_eq(ASK("halo-1-by-2", "processors_near: 8,", far, 6.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 3.0, 1e-9);
    /* of 15 stages 30 us are for leaving a node, of 11 as much less; half of the messages leave */
    ck_assert_int_eq(ASK("many-to-many-staged", "processors_near: 8,", stages, 12.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 11.0 + 30.0 * 11.0 / 15.0, 1e-9);
    ck_assert(answer.low_us < 11.0 + 15.0 && answer.low_us > 20.0);
    /* without nodes the power of p does */
    ck_assert_int_eq(ASK("halo-1", "", line, 10.0), 0);
    ck_assert(answer.time_us > 3.0 && answer.time_us < 10.0);
}
END_TEST

/* Of 15 stages 30 us are for leaving a node, and what bytes take goes by the messages, half of
 * which leave. */
START_TEST(where_a_node_ends_bytes_go_by_the_messages_that_leave)
{
    static const char text[] =
        "forecost: 3\n"
        "machine: {name: t, measured: {seed: 1}}\n"
        "communication:\n"
        "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 1}]}\n"
        "  - {utility: many-to-many-staged, processors: [8, 16], passes_p95: 0, processors_near: "
        "8,\n"
        "     regions: [{setup_us: {p^3: 1}}], by_processors: [\n"
        "     {processors: 8, regions: [{t0_us: 7}]},\n"
        "     {processors: 16, regions: [{t0_us: 45, rinf_mb_per_s: 2}]}]}\n";
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ask_text(text, "many-to-many-staged", 12.0, &answer, &error), 0);
    ck_assert_double_eq_tol(answer.time_us, 11.0 + 30.0 * 11.0 / 15.0 + 8.0 / 2.0 * 0.5, 1e-9);
    ck_assert_uint_eq(answer.flags, 0);
}
END_TEST

/* As above, but leaving takes so long that 12 may take a fourth of what is answered. */
START_TEST(an_interval_between_two_counts_that_says_little_is_flagged)
{
    static const char text[] =
        "forecost: 3\n"
        "machine: {name: t, measured: {seed: 1}}\n"
        "communication:\n"
        "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 1}]}\n"
        "  - {utility: reduce-repeated, processors: [8, 16], passes_p95: 0, processors_near: 8,\n"
        "     regions: [{setup_us: {p^3: 1}}], by_processors: [\n"
        "     {processors: 8, regions: [{t0_us: 7}]},\n"
        "     {processors: 16, regions: [{t0_us: 450}]}]}\n";
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ask_text(text, "reduce-repeated", 12.0, &answer, &error), 0);
    ck_assert(answer.high_us > 4.0 * answer.low_us);
    ck_assert_uint_eq(answer.flags, COST_OTHER_ALGORITHM);
    ck_assert_int_eq(ask_text(text, "reduce-repeated", 16.0, &answer, &error), 0);
    ck_assert_uint_eq(answer.flags, 0);
}
END_TEST

/* A reduction among 16 has four stages for three among 8. */
START_TEST(what_outgrows_its_messages_between_two_counts_is_flagged)
{
    static const struct point other[] = {
        {8,  10},
        {16, 40}
    };
    static const struct point same[] = {
        {8,  10},
        {16, 20}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("reduce", "", other, 12.0), 0);
    ck_assert_uint_eq(answer.flags, COST_OTHER_ALGORITHM);
    ck_assert_int_eq(ASK("reduce", "", other, 16.0), 0);
    ck_assert_uint_eq(answer.flags, 0);
    ck_assert_int_eq(ASK("reduce", "", same, 12.0), 0);
    ck_assert_uint_eq(answer.flags, 0);
}
END_TEST

/* A table of these costs and of messages of 1 us. */
#define TABLE(costs)                                                                               \
    "forecost: 3\n"                                                                                \
    "machine: {name: t, measured: {seed: 1}}\n"                                                    \
    "communication:\n"                                                                             \
    "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 1}]}\n" costs

/* Of 64 in nodes of 32 a node's 8 messages on a grid and 16 in a box leave it, of 256 32 and 64:
   what the eight bytes take beyond no bytes is four times as long. */
START_TEST(of_one_count_of_several_nodes_bytes_grow_with_the_messages_that_leave)
{
    static const char grid[] =
        TABLE("  - {utility: halo-2, processors: [32, 64], passes_p95: 0, processors_near: 32,\n"
              "     regions: [{setup_us: {p^3: 1}}], by_processors: [\n"
              "     {processors: 32, regions: [{t0_us: 3}]},\n"
              "     {processors: 64, regions: [{t0_us: 10, rinf_mb_per_s: 0.8}]}]}\n");
    static const char box[] =
        TABLE("  - {utility: halo-3, processors: [64, 64], passes_p95: 0, processors_near: 32,\n"
              "     regions: [{t0_us: 10, rinf_mb_per_s: 0.8}]}\n");
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ask_text(grid, "halo-2", 256.0, &answer, &error), 0);
    ck_assert_double_eq_tol(answer.time_us, 10.0 + 4.0 * 10.0, 1e-9);
    ck_assert(answer.low_us < sqrt(20.0 * 50.0) && answer.low_us > 20.0);
    ck_assert_int_eq(ask_text(box, "halo-3", 256.0, &answer, &error), 0);
    ck_assert(answer.low_us < sqrt(20.0 * 50.0) && answer.high_us > 50.0);
    ck_assert(answer.high_us < 3.0 * answer.low_us);
}
END_TEST

START_TEST(a_combination_may_become_a_reduction_and_a_broadcast)
{
    static const char text[] =
        TABLE("  - {utility: combine, processors: [8, 32], passes_p95: 0,\n"
              "     regions: [{setup_us: {p^3: 1}}], by_processors: [\n"
              "     {processors: 8, regions: [{t0_us: 30}]},\n"
              "     {processors: 16, regions: [{t0_us: 40}]},\n"
              "     {processors: 32, regions: [{t0_us: 50}]}]}\n"
              "  - {utility: reduce, processors: [8, 32], passes_p95: 0,\n"
              "     regions: [{setup_us: {p^3: 1}}], by_processors: [\n"
              "     {processors: 8, regions: [{t0_us: 33}]},\n"
              "     {processors: 16, regions: [{t0_us: 44}]},\n"
              "     {processors: 32, regions: [{t0_us: 55}]}]}\n"
              "  - {utility: broadcast, processors_mean: destinations, processors: [7, 31], "
              "passes_p95: 0,\n"
              "     regions: [{setup_us: {p^3: 1}}], by_processors: [\n"
              "     {processors: 7, regions: [{t0_us: 33}]},\n"
              "     {processors: 15, regions: [{t0_us: 44}]},\n"
              "     {processors: 31, regions: [{t0_us: 55}]}]}\n");
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ask_text(text, "combine", 128.0, &answer, &error), 0);
    ck_assert(answer.low_us < 70.0 && answer.low_us > 55.0);
    ck_assert(answer.high_us > 2.0 * 77.0 && answer.high_us < 2.0 * 100.0);
    ck_assert(answer.time_us > answer.low_us && answer.time_us < answer.high_us);
}
END_TEST

/* Half of all away, on a torus: as at any of the last three counts or as much longer as a cube of
   so many is wide. */
START_TEST(times_that_rise_and_fall_with_the_distance_are_as_at_any_count)
{
    static const struct point pairs[] = {
        {4,  2  },
        {8,  3  },
        {16, 1.5},
        {32, 2  },
        {64, 2.5}
    };
    static const struct point risen[] = {
        {4,  2},
        {8,  4},
        {16, 4},
        {32, 4},
        {64, 4}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("exchange-pairs", "", pairs, 256.0), 0);
    ck_assert(answer.low_us < 1.5 && answer.low_us > 1.2);
    ck_assert(answer.high_us > 2.5 * cbrt(4.0) && answer.high_us < 3.0 * cbrt(4.0));
    ck_assert_double_eq_tol(answer.time_us, sqrt(1.5 * 2.5 * cbrt(4.0)), 1e-9);
    ck_assert_int_eq(ASK("exchange-pairs", "", pairs, 4096.0), STRUCTURE_NOT_KNOWN);
    ck_assert_int_eq(ASK("exchange-pairs", "", risen, 512.0), 0);
    ck_assert_double_eq_tol(answer.time_us, 4.0, 1e-9);
}
END_TEST

/* Neighbours eight apart take less than those four apart. Of 8 x 8 numbers differ by 1 and 8, of 16
   x 16 by 1 and 16: 2 + 6 for 2 + 3 us one after the other, 6 for 3 us at once. */
START_TEST(neighbours_on_a_grid_take_what_their_distance_does)
{
    static const char torus[] = TABLE(
        "  - {utility: halo-1, processors: [64, 64], regions: [{t0_us: 2}]}\n"
        "  - {utility: halo-1-by-4, processors: [64, 64], regions: [{t0_us: 8}]}\n"
        "  - {utility: halo-1-by-8, processors: [64, 64], regions: [{t0_us: 3}]}\n"
        "  - {utility: halo-1-by-16, processors: [64, 64], regions: [{t0_us: 6}]}\n"
        "  - {utility: halo-2, processors: [64, 64], passes_p95: 0, regions: [{t0_us: 10}]}\n");
    struct machine machine;
    struct span factor;
    struct error error;
    ck_assert_int_eq(machine_read_text(&machine, "t.yaml", torus, strlen(torus), &error), 0);
    ck_assert(farther_factor(&machine, &pattern_halo_2, 8.0, 64.0, 256.0, &factor));
    ck_assert_double_eq_tol(factor.least, 8.0 / 5.0, 1e-9);
    ck_assert_double_eq_tol(factor.most, 6.0 / 3.0, 1e-9);
    /* 32 apart, which was not measured, is as any */
    ck_assert(farther_factor(&machine, &pattern_halo_2, 8.0, 64.0, 1024.0, &factor));
    ck_assert_double_eq_tol(factor.least, fmin(4.0 / 5.0, 2.0 / 3.0), 1e-9);
    ck_assert_double_eq_tol(factor.most, 8.0 / 3.0, 1e-9);
    ck_assert(!farther_factor(&machine, &pattern_halo_1, 8.0, 64.0, 256.0, &factor));
    machine_free(&machine);
    struct cost_answer answer;
    ck_assert_int_eq(ask_text(torus, "halo-2", 256.0, &answer, &error), 0);
    ck_assert(answer.low_us < 16.0 && answer.low_us > 12.0);
    ck_assert(answer.high_us > 20.0 * cbrt(4.0));
}
END_TEST

/* Within a node a stage adds 7.5 us, or a processor 1 us; between nodes of 16 the steps are of 13.8
   and 27.6 us, or as within. Two nodes that take less than one tell nothing of more. */
START_TEST(what_is_a_tree_within_a_node_is_not_taken_for_a_message_a_processor)
{
    static const struct point tree[] = {
        {4,  15  },
        {8,  22.5},
        {16, 30  },
        {32, 43.8},
        {64, 71.4}
    };
    static const struct point each[] = {
        {4,  4 },
        {8,  8 },
        {16, 16},
        {32, 32},
        {64, 64}
    };
    static const struct point fallen[] = {
        {16, 30},
        {32, 40},
        {64, 39}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("reduce-scatter", "processors_near: 16,", tree, 256.0), 0);
    ck_assert(answer.low_us < 112.8 && answer.time_us < 180.0 && answer.high_us > 237.0);
    ck_assert_int_eq(ASK("reduce-scatter", "processors_near: 32,", fallen, 256.0),
                     STRUCTURE_NOT_KNOWN);
    ck_assert_int_eq(ASK("reduce-scatter", "processors_near: 16,", each, 256.0), 0);
    ck_assert(answer.low_us > 200.0 && answer.high_us < 300.0);
}
END_TEST

/* Two explanations of the last step: that the library changed, and 7.5 us a stage go on, or that
   what is linear came out. */
START_TEST(what_foretold_the_count_before_the_last_is_held)
{
    static const struct point points[] = {
        {4,  15  },
        {8,  22.5},
        {16, 30  },
        {32, 37.5},
        {64, 52.5}
    };
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ASK("reduce-scatter", "", points, 256.0), 0);
    ck_assert(answer.low_us < 67.5 && answer.high_us > 82.5);
}
END_TEST

SUITE("beyond", a_shape_that_foretells_the_last_count_answers,
      powers_of_two_are_foretold_by_powers_of_two, where_no_shape_foretells_it_is_not_known,
      among_nodes_the_stages_or_messages_between_nodes_grow,
      where_a_node_ends_between_two_counts_what_leaves_it_answers,
      where_a_node_ends_bytes_go_by_the_messages_that_leave,
      an_interval_between_two_counts_that_says_little_is_flagged,
      what_outgrows_its_messages_between_two_counts_is_flagged,
      of_one_count_of_several_nodes_bytes_grow_with_the_messages_that_leave,
      a_combination_may_become_a_reduction_and_a_broadcast,
      times_that_rise_and_fall_with_the_distance_are_as_at_any_count,
      neighbours_on_a_grid_take_what_their_distance_does,
      what_is_a_tree_within_a_node_is_not_taken_for_a_message_a_processor,
      what_foretold_the_count_before_the_last_is_held)
