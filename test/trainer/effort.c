/* How long a calibration will take: shares of a budget, and sums over points of known times. */
#include "trainer/effort/effort.h"
#include "trainer/effort/asked.h"

#include "test/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct effort effort_of(struct effort_part *parts, size_t count, double budget_s)
{
    struct effort effort = {
        .parts = parts, .count = count, .processors = 1024, .begun_s = 2.0, .budget_s = budget_s};
    effort_share(&effort);
    return effort;
}

/* 8 s for three: the first leaves what it does not need to the two behind it. */
START_TEST(what_a_part_leaves_is_shared_by_those_behind_it)
{
    struct effort_part parts[] = {
        {.name = "a", .suite = "one", .needs_s = 1.0},
        {.name = "b", .suite = "one", .needs_s = 9.0},
        {.name = "c", .suite = "two", .needs_s = 9.0}
    };
    const struct effort effort = effort_of(parts, 3, 10.0);
    ck_assert_double_eq(parts[0].gets_s, 1.0);
    ck_assert_double_eq(parts[1].gets_s, 3.5);
    ck_assert_double_eq(parts[2].gets_s, 3.5);
    ck_assert(!effort_is_short(&parts[0]) && effort_is_short(&parts[1]));
    ck_assert_double_eq(effort_needs_s(&effort), 21.0);
    ck_assert_double_eq(effort_takes_s(&effort), 10.0);
}
END_TEST

/* A suite that is large gets a third of 12 s, not a fourth. */
START_TEST(what_is_large_gets_a_third)
{
    struct effort_part parts[] = {
        {.name = "a", .suite = "one", .needs_s = 100.0, .is_large = true },
        {.name = "b", .suite = "two", .needs_s = 100.0, .is_large = false},
        {.name = "c", .suite = "two", .needs_s = 100.0, .is_large = false},
        {.name = "d", .suite = "two", .needs_s = 100.0, .is_large = false}
    };
    effort_of(parts, 4, 14.0);
    ck_assert_double_eq(parts[0].gets_s, 4.0);
    ck_assert_double_eq_tol(parts[1].gets_s, 8.0 / 3.0, 1e-12);
}
END_TEST

START_TEST(what_was_not_asked_takes_as_long_as_others)
{
    struct effort_part parts[] = {
        {.name = "a", .suite = "one", .needs_s = 2.0},
        {.name = "b", .suite = "two", .needs_s = NAN},
        {.name = "c", .suite = "two", .needs_s = 4.0}
    };
    struct effort effort = {.parts = parts, .count = 3};
    effort_fill(&effort);
    ck_assert_double_eq(parts[0].needs_s, 2.0);
    ck_assert_double_eq(parts[1].needs_s, 3.0);
    parts[0].needs_s = parts[1].needs_s = parts[2].needs_s = NAN;
    effort_fill(&effort);
    ck_assert_double_eq(effort_needs_s(&effort), 0.0);
}
END_TEST

START_TEST(a_budget_that_is_over_gives_nothing)
{
    struct effort_part parts[] = {
        {.name = "a", .suite = "one", .needs_s = 1.0}
    };
    const struct effort effort = effort_of(parts, 1, 1.0);
    ck_assert_double_eq(parts[0].gets_s, 0.0);
    ck_assert_double_eq(effort_takes_s(&effort), 2.0);
}
END_TEST

/* 540 s of 1024 ranks are 153.6 core-hours; no more digits are said than are known. */
START_TEST(it_is_said_in_one_line)
{
    struct effort_part parts[] = {
        {.name = "a", .suite = "one", .needs_s = 38.0 },
        {.name = "b", .suite = "two", .needs_s = 500.0}
    };
    struct effort effort = effort_of(parts, 2, 300.0);
    char *line = effort_line(&effort);
    ck_assert_str_eq(line, "about 9 min of 1024 ranks, 150 core-hours; with --budget 300: one; cut "
                           "short: two");
    free(line);
    effort = effort_of(parts, 2, 600.0);
    line = effort_line(&effort);
    ck_assert_str_eq(line, "about 9 min of 1024 ranks, 150 core-hours; --budget 600 is enough");
    free(line);
}
END_TEST

static const struct sweep_plan plan = {.bytes_most = 1048576,
                                       .granule = 1,
                                       .start_points = 48,
                                       .refine_points = 48,
                                       .points_most = 400,
                                       .seed = 7,
                                       .edge_ratio = 1};

/* A point of n bytes takes 1 ms and 1 ns a byte: straight on, far beyond what was asked. */
static struct asked linear(void)
{
    struct asked asked = {0};
    asked.count = asked_sizes(&plan, asked.bytes);
    for (size_t i = 0; i < asked.count; i++)
        asked.point_s[i] = 1e-3 + 1e-9 * asked.bytes[i];
    return asked;
}

START_TEST(long_messages_are_foretold_by_short_ones)
{
    const struct asked asked = linear();
    ck_assert_uint_eq(asked.count, ASKED_MOST);
    ck_assert_double_le(asked.bytes[asked.count - 1], 262144.0);
    ck_assert_double_eq_tol(asked_at(&asked, 1048576.0), 1e-3 + 1048576e-9, 1e-12);
    ck_assert_double_eq_tol(asked_at(&asked, 10.0), 1e-3 + 10e-9, 1e-12);
}
END_TEST

/* In noise a sweep makes all its points, the longest among them; the mean of n over the logarithm
   up to N is N / ln N. */
START_TEST(a_sweep_in_noise_takes_all_its_points)
{
    const struct asked asked = linear();
    struct usual usual = usual_in_noise();
    const double mean_s = 1e-3 + 1e-9 * 1048576.0 / log(1048576.0);
    const double all_s = 399 * mean_s + 1e-3 + 1e-9 * 1048576.0;
    ck_assert_double_eq_tol(usual_sweep_s(&usual, &plan, &asked) / all_s, 1.0, 0.02);
    usual_free(&usual);
}
END_TEST

/* The first power between 16 and 64 processors, and never more than the square. */
START_TEST(other_counts_are_foretold_by_a_power)
{
    ck_assert_double_eq_tol(asked_among(4.0, 64, 1.0, 16, 32), 2.0, 1e-12);
    ck_assert_double_eq_tol(asked_among(4.0, 64, 4.0, 16, 2), 4.0, 1e-12);
    ck_assert_double_eq_tol(asked_among(1000.0, 64, 1.0, 16, 32), 250.0, 1e-9);
    ck_assert_double_eq(asked_among(3.0, 2, 3.0, 2, 2), 3.0);
}
END_TEST

SUITE("effort", what_a_part_leaves_is_shared_by_those_behind_it, what_is_large_gets_a_third,
      what_was_not_asked_takes_as_long_as_others, a_budget_that_is_over_gives_nothing,
      it_is_said_in_one_line, long_messages_are_foretold_by_short_ones,
      a_sweep_in_noise_takes_all_its_points, other_counts_are_foretold_by_a_power)
