/* What was measured answers, where laws do not say it: steps, odd and even processor counts, and
   noise, of which the truth is known. */
#include "model/fit/measured.h"

#include "model/fit/learn.h"
#include "model/machine/machine.h"
#include "model/machine/structure.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>

enum { SIZES = 12, COUNTS = 5 };

static double size_of(size_t i)
{
    return i == 0 ? 0.0 : pow(2.0, (double)i + 1.0);
}

/* One region at each p from 2 on, of a law that is right nowhere. */
static struct cost cost_with_counts(size_t counts)
{
    struct cost cost;
    record_begin(&cost_record, &cost);
    for (size_t i = 0; i < counts; i++) {
        struct at_processors *at = list_add(&at_processors_record, &cost.by_processors);
        at->processors = 2.0 + (double)i;
        *(struct region *)list_add(&region_record, &at->regions) =
            region_hockney(INFINITY, 10.0, 1000.0);
    }
    cost.processors = (struct span){2.0, 1.0 + (double)counts};
    cost.bytes = (struct span){0.0, size_of(SIZES - 1)};
    learn_regions(&cost, NULL);
    return cost;
}

typedef double truth_us(double bytes, double processors);

static size_t observe(truth_us *truth, size_t counts, double half_width,
                      struct observation *observations)
{
    size_t count = 0;
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < counts; k++) {
            const double p = 2.0 + (double)k, time_us = truth(size_of(i), p);
            observations[count++] = (struct observation){.bytes = size_of(i),
                                                         .time_us = time_us,
                                                         .half_width_us = half_width * time_us,
                                                         .processors = p};
        }
    return count;
}

static struct cost_answer answer_of(const struct cost *cost, double bytes, double processors)
{
    struct cost_answer answer;
    ck_assert_int_eq(cost_answer(cost, bytes, processors, &answer, NULL), 0);
    return answer;
}

static const struct region *own_region(const struct cost *cost, size_t count)
{
    const struct at_processors *at = cost->by_processors.items;
    return at[count].regions.items;
}

/* Every measured time to half a per cent, and in its interval. */
static void all_answer(const struct cost *cost, const struct observation *seen, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct cost_answer answer = answer_of(cost, seen[i].bytes, seen[i].processors);
        ck_assert_double_eq_tol(answer.time_us, seen[i].time_us, 0.0051 * seen[i].time_us);
        ck_assert_double_le(answer.low_us, seen[i].time_us * 1.0001);
        ck_assert_double_ge(answer.high_us, seen[i].time_us * 0.9999);
    }
}

/* ---- the law is right ---- */

static double as_the_law(double bytes, double processors)
{
    (void)processors;
    return 10.0 + bytes / 1000.0;
}

START_TEST(what_a_law_says_needs_no_measured_times)
{
    struct observation seen[SIZES * COUNTS];
    const size_t count = observe(as_the_law, COUNTS, 0.0, seen);
    struct cost cost = cost_with_counts(COUNTS);
    measured_learn(&cost, seen, count);
    for (size_t i = 0; i < COUNTS; i++) {
        ck_assert_uint_eq(own_region(&cost, i)->measured_us.count, 0);
        ck_assert(isnan(own_region(&cost, i)->error.between_p95));
    }
    all_answer(&cost, seen, count);
    record_free(&cost_record, &cost);
}
END_TEST

/* ---- a step at the smallest sizes that no region has ---- */

static double stepped(double bytes, double processors)
{
    return as_the_law(bytes, processors) * (bytes <= 8.0 ? 1.9 : 1.0);
}

START_TEST(a_step_at_the_smallest_sizes_is_kept)
{
    struct observation seen[SIZES * COUNTS];
    const size_t count = observe(stepped, COUNTS, 0.0, seen);
    struct cost cost = cost_with_counts(COUNTS);
    measured_learn(&cost, seen, count);
    all_answer(&cost, seen, count);
    const struct region *region = own_region(&cost, 2);
    ck_assert_uint_ge(region->measured_us.count, 3);
    ck_assert_uint_le(region->measured_us.count, 6); /* not all twelve: the law says the others */
    /* The size beside the step is told by neighbours on both of its sides. */
    ck_assert_double_ge(region->error.between_p95, 0.2);
    ck_assert_double_le(region->error.between_median, 0.01);
    const struct cost_answer within = answer_of(&cost, 6.0, 4.0);
    ck_assert_double_eq_tol(within.time_us, stepped(6.0, 4.0), 0.01);
    /* Between the two sides of the step: whatever is there is in the interval. */
    const struct cost_answer beside = answer_of(&cost, 12.0, 4.0);
    ck_assert_double_le(beside.low_us, 1.1 * as_the_law(12.0, 4.0));
    ck_assert_double_ge(beside.high_us, 1.9 * as_the_law(12.0, 4.0) / 1.15);
    record_free(&cost_record, &cost);
}
END_TEST

/* ---- odd processor counts are slower ---- */

static double odd_or_even(double bytes, double processors)
{
    return as_the_law(bytes, processors) * (fmod(processors, 2.0) > 0.0 ? 1.5 : 1.0);
}

START_TEST(odd_counts_answer_as_measured_and_tell_how_far_others_may_be)
{
    struct observation seen[SIZES * COUNTS];
    const size_t count = observe(odd_or_even, COUNTS, 0.0, seen);
    struct cost cost = cost_with_counts(COUNTS);
    measured_learn(&cost, seen, count);
    all_answer(&cost, seen, count);
    const struct region *law = cost.regions.items;
    ck_assert_double_eq_tol(law->error.other_processors, 0.5, 0.01);
    record_free(&cost_record, &cost);
}
END_TEST

START_TEST(between_counts_the_law_meets_both)
{
    struct cost cost = cost_with_counts(2);
    struct at_processors *at = cost.by_processors.items;
    at[0].processors = 4.0;
    at[1].processors = 16.0;
    cost.processors = (struct span){4.0, 16.0};
    *(struct region *)at[1].regions.items = region_hockney(INFINITY, 40.0, 1000.0);
    /* A law that grows evenly in p, and is half of what was measured at one end. */
    *(struct region *)cost.regions.items = region_hockney(INFINITY, 0.0, 1000.0);
    ((struct region *)cost.regions.items)->setup_us =
        (struct form){.count = 1, .terms = {{basis_named("p"), {2.5 / 2.0, 1.0}}}};
    ck_assert_double_eq_tol(answer_of(&cost, 0.0, 4.0).time_us, 10.0, 1e-9);
    ck_assert_double_eq_tol(answer_of(&cost, 0.0, 16.0).time_us, 40.0, 1e-9);
    ck_assert_double_eq_tol(answer_of(&cost, 0.0, 8.0).time_us, 20.0, 1e-9);
    ck_assert_double_eq_tol(answer_of(&cost, 0.0, 4.001).time_us, 10.0, 0.01);
    record_free(&cost_record, &cost);
}
END_TEST

/* ---- noise ---- */

/* Twice the noise of a point's own interval, now above and now below. */
static double noisy(double bytes, double processors)
{
    const unsigned drawn = (unsigned)(bytes * 7.0 + processors * 13.0) * 2654435761u >> 16;
    return as_the_law(bytes, processors) * (1.0 + 0.03 * ((double)(drawn % 1000) / 500.0 - 1.0));
}

START_TEST(noise_is_not_kept)
{
    struct observation seen[SIZES * COUNTS];
    const size_t count = observe(noisy, COUNTS, 0.04, seen);
    struct cost cost = cost_with_counts(COUNTS);
    measured_learn(&cost, seen, count);
    for (size_t i = 0; i < COUNTS; i++)
        ck_assert_uint_eq(own_region(&cost, i)->measured_us.count, 0);
    record_free(&cost_record, &cost);
}
END_TEST

/* ---- beyond the last count ---- */

/* What stands before the utility's name. */
static const char *const beyond_text =
    "forecost: 3\n"
    "machine: {name: t, measured: {seed: 1}}\n"
    "communication:\n"
    "  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 10}]}\n"
    "  - utility: ";

/* Stages of a tree up to 16, and a law with a cube of p that no tree has. */
static const char *const tree_text = "\n"
                                     "    processors: [2, 16]\n"
                                     "    passes_p95: 0\n"
                                     "    regions: [{setup_us: {ceil(log2(p)): 10, p^3: 0.001}}]\n"
                                     "    by_processors:\n"
                                     "      - {processors: 2, regions: [{t0_us: 10}]}\n"
                                     "      - {processors: 4, regions: [{t0_us: 20}]}\n"
                                     "      - {processors: 6, regions: [{t0_us: 30}]}\n"
                                     "      - {processors: 8, regions: [{t0_us: 30}]}\n"
                                     "      - {processors: 11, regions: [{t0_us: 40}]}\n"
                                     "      - {processors: 16, regions: [{t0_us: 40}]}\n";

/* The same to half of a hundredth: 10 us and 0.45 us a processor more, or 0.9 us a doubling. */
static const char *const either_text = "\n"
                                       "    processors: [2, 4]\n"
                                       "    passes_p95: 0\n"
                                       "    regions: [{setup_us: {1: 9.1, log2(p): 0.9}}]\n"
                                       "    by_processors:\n"
                                       "      - {processors: 2, regions: [{t0_us: 10}]}\n"
                                       "      - {processors: 3, regions: [{t0_us: 10.5}]}\n"
                                       "      - {processors: 4, regions: [{t0_us: 10.9}]}\n";

static int ask_of(const char *law, const char *utility, double processors,
                  struct cost_answer *answer, struct error *error)
{
    char text[1200];
    struct machine machine;
    snprintf(text, sizeof text, "%s%s%s", beyond_text, utility, law);
    ck_assert_int_eq(machine_read_text(&machine, "t.yaml", text, strlen(text), error), 0);
    const int status =
        structure_answer(&machine, machine_cost(&machine, utility), 8.0, processors, answer, error);
    machine_free(&machine);
    return status;
}

static int ask_beyond(const char *utility, double processors, struct cost_answer *answer,
                      struct error *error)
{
    return ask_of(tree_text, utility, processors, answer, error);
}

START_TEST(beyond_the_last_count_no_law_grows_faster_than_its_messages)
{
    struct cost_answer answer;
    struct error error;
    for (double p = 32.0; p <= 1024.0; p *= 2.0) {
        ck_assert_int_eq(ask_beyond("broadcast-rd", p, &answer, &error), 0);
        const double tree_us = 10.0 * log2(p);
        ck_assert_double_le(answer.time_us, 1.26 * tree_us);
        ck_assert_double_le(answer.low_us, tree_us);
        ck_assert_double_ge(answer.high_us, tree_us);
        ck_assert(answer.flags & COST_EXTRAPOLATED_PROCESSORS);
    }
}
END_TEST

START_TEST(beyond_the_last_count_all_laws_that_fit_as_well_are_in_the_interval)
{
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ask_of(either_text, "many-to-many", 16.0, &answer, &error), 0);
    ck_assert_double_le(answer.low_us, 9.1 + 0.9 * 4.0);
    ck_assert_double_ge(answer.high_us, 10.0 + 0.45 * 14.0);
    ck_assert_double_le(answer.high_us, 1.2 * (10.0 + 0.45 * 14.0));
}
END_TEST

START_TEST(further_beyond_it_is_not_known)
{
    struct cost_answer answer;
    struct error error;
    ck_assert_int_eq(ask_beyond("broadcast-rd", 1025.0, &answer, &error), STRUCTURE_NOT_KNOWN);
    ck_assert_str_eq(error.text, "broadcast-rd was measured at p = 2 to 16: what it takes at p = "
                                 "1025 is not known");
    ck_assert_int_eq(ask_beyond("broadcast-bt-sender", 64.0, &answer, &error), 0);
    ck_assert_double_le(answer.high_us, 40.0 * 4.0 * 1.25 * 1.25);
    ck_assert_int_eq(ask_beyond("broadcast-bt-sender", 65.0, &answer, &error), STRUCTURE_NOT_KNOWN);
}
END_TEST

SUITE("measured", what_a_law_says_needs_no_measured_times, a_step_at_the_smallest_sizes_is_kept,
      odd_counts_answer_as_measured_and_tell_how_far_others_may_be,
      between_counts_the_law_meets_both, noise_is_not_kept,
      beyond_the_last_count_no_law_grows_faster_than_its_messages,
      beyond_the_last_count_all_laws_that_fit_as_well_are_in_the_interval,
      further_beyond_it_is_not_known)
