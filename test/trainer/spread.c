/* What several passes over some items make of them, on a core that is made up: its time, its clock,
   and when others have a share of it. */
#include "trainer/node/spread.h"
#include "test/suite.h"
#include "test/trainer/core.h"

#include <math.h>

static const enum spread_choice least[ITEMS] = {SPREAD_LEAST, SPREAD_LEAST, SPREAD_LEAST},
                                agreed[ITEMS] = {SPREAD_AGREED, SPREAD_AGREED, SPREAD_AGREED},
                                middle[ITEMS] = {SPREAD_MIDDLE, SPREAD_MIDDLE, SPREAD_MIDDLE},
                                each[ITEMS] = {SPREAD_LEAST, SPREAD_AGREED, SPREAD_MIDDLE};

/* How much dearer others mostly make an item; and how exact a result is. */
static const double dearer = 1.8, exact = 0.003;

/* A pass ends with a visit, of 3.6 ms at most. */
static const double late_ns = 24 * 3.6e6;

/* ---- cores ---- */

static double one(double now_ns)
{
    (void)now_ns;
    return 1.0;
}

/* From 1.1 to 1.4, as others want more or less. */
static double crowded(double now_ns)
{
    return 1.25 + 0.15 * sin(now_ns / 77e3);
}

static double crowded_but(bool is_free, double now_ns)
{
    return is_free ? 1.0 : crowded(now_ns);
}

static double free_for_4_of_100_ms(double now_ns)
{
    return crowded_but(fmod(now_ns, 100e6) > 50e6 && fmod(now_ns, 100e6) < 54e6, now_ns);
}

/* No visit finds as many free samples as a measurement wants. */
static double free_for_400_us_of_5_ms(double now_ns)
{
    return crowded_but(fmod(now_ns, 5e6) < 400e3, now_ns);
}

static double free_after_3_s(double now_ns)
{
    return crowded_but(now_ns > 3e9, now_ns);
}

/* Three instructions a cycle, for one's own. */
static double narrow(double now_ns)
{
    return 1.367 + 0.002 * sin(now_ns / 77e3);
}

/* The same, shared with others who come and go. */
static double narrow_for_40_of_100_ms(double now_ns)
{
    return narrow(now_ns) * crowded_but(fmod(now_ns, 100e6) < 40e6, now_ns);
}

/* Others who do always the same for the first second. */
static double steady_for_1_s(double now_ns)
{
    return now_ns < 1e9 ? narrow(now_ns) : free_for_4_of_100_ms(now_ns);
}

static double ones(size_t item, size_t visit)
{
    (void)visit;
    return item == 2 ? 2.0 : 1.0;
}

static size_t measure_beside(double others, double *results, const enum spread_choice *choices,
                             double (*crowding)(double), double (*cycles)(size_t, size_t))
{
    core = (struct core){
        .crowding = crowding, .clock = one, .cycles = cycles, .own = 1.0, .others = others};
    return spread_over_passes(results, choices, ITEMS, &core_bench);
}

static size_t measure(double *results, const enum spread_choice *choices,
                      double (*crowding)(double), double (*cycles)(size_t, size_t))
{
    return measure_beside(dearer, results, choices, crowding, cycles);
}

/* ---- on a core of one's own ---- */

/* The first takes 1, 0.9, 0.8, ...; the second 0.5 but for one that a disturbance made dearer and
   one that the clock made cheaper; the third cannot be measured. */
static double falling(size_t item, size_t visit)
{
    return item == 0    ? 1.0 - 0.1 * (double)visit
           : item == 2  ? (double)NAN
           : visit == 2 ? 0.9
           : visit == 3 ? 0.4
                        : 0.5;
}

START_TEST(the_second_least_of_all_passes)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure(results, least, one, falling), 0);
    ck_assert_uint_eq(core.visits[0], 8);
    ck_assert_double_eq_tol(results[0], 0.4, exact);
    ck_assert_double_eq_tol(results[1], 0.5, exact);
    ck_assert(isnan(results[2]));
}
END_TEST

/* Of the second item one pass is dearer and one cheaper. */
START_TEST(the_middle_of_all_passes)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure(results, middle, one, falling), 0);
    ck_assert_double_eq_tol(results[0], 0.7, exact);
    ck_assert_double_eq_tol(results[1], 0.5, exact);
    ck_assert(isnan(results[2]));
}
END_TEST

/* One after the other, so that what lasts for a second meets each item once or twice. */
START_TEST(a_pass_measures_every_item_once)
{
    double results[ITEMS];
    measure(results, each, one, ones);
    for (size_t i = 0; i < core.calls; i++)
        ck_assert_uint_eq(core.order[i], i % ITEMS);
    ck_assert_uint_eq(core.visits[0], core.visits[ITEMS - 1]);
    ck_assert_double_eq_tol(core.now_ns, 2.4e9, late_ns);
}
END_TEST

/* Something that no look tells disturbs the second one in all passes but the twelfth and those from
   the fourteenth on, as much as it likes. */
static double busy(size_t item, size_t visit)
{
    return item != 1 || visit == 11 || visit >= 13 ? 1.0 : 3.5 - 0.1 * (double)visit;
}

START_TEST(passes_go_on_until_three_quiet_ones)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure(results, agreed, one, busy), 0);
    ck_assert_uint_eq(core.visits[1], 15);
    ck_assert_double_eq_tol(results[1], 1.0, exact);
    /* Over what wants them only. */
    ck_assert_uint_eq(core.visits[0], 8);
    /* Where that is not asked for, as few as ever. */
    measure(results, least, one, busy);
    ck_assert_uint_eq(core.visits[1], 8);
    ck_assert_double_eq_tol(results[1], 2.9, exact);
}
END_TEST

/* Never twice within 1 %. */
static double never(size_t item, size_t visit)
{
    (void)item, (void)visit;
    return 3.5 * pow(0.98, core.now_ns / 0.3e9);
}

START_TEST(passes_come_to_an_end)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure(results, each, one, never), 1);
    ck_assert_uint_eq(core.visits[1], 24);
    ck_assert_double_eq_tol(core.now_ns, 7.2e9, late_ns);
    ck_assert_uint_eq(core.visits[0], 8);
}
END_TEST

/* ---- on a shared one ---- */

static void check_free(const double *results)
{
    for (size_t i = 0; i < ITEMS; i++)
        ck_assert_double_eq_tol(results[i], ones(i, 0), exact);
}

START_TEST(what_is_measured_with_nobody_else_there_counts)
{
    static double (*const crowdings[])(double) = {free_for_4_of_100_ms, free_for_400_us_of_5_ms,
                                                  free_after_3_s, steady_for_1_s};
    for (size_t i = 0; i < sizeof crowdings / sizeof *crowdings; i++) {
        double results[ITEMS];
        ck_assert_uint_eq(measure(results, each, crowdings[i], ones), 0);
        check_free(results);
        ck_assert_double_le(core.now_ns, 7.2e9 + late_ns);
    }
}
END_TEST

/* Chains are not told of. */
START_TEST(what_never_is_is_told)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure(results, each, crowded, ones), 2);
    ck_assert_double_eq_tol(results[0], dearer, dearer * exact);
    ck_assert_double_eq_tol(results[1], dearer, dearer * exact);
    ck_assert_double_eq_tol(core.now_ns, 7.2e9, late_ns);
}
END_TEST

/* Where they hold up the chain that tells the cycles. */
START_TEST(what_others_make_cheaper_does_not_count)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure_beside(0.9, results, each, free_after_3_s, ones), 0);
    check_free(results);
}
END_TEST

START_TEST(for_chains_alone_nothing_waits)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure(results, middle, crowded, ones), 0);
    ck_assert_double_eq_tol(core.now_ns, 2.4e9, late_ns);
    ck_assert_double_eq_tol(results[0], dearer, dearer * exact);
}
END_TEST

/* Crowded by itself, and always the same. */
START_TEST(a_narrow_core_is_not_a_shared_one)
{
    double results[ITEMS];
    ck_assert_uint_eq(measure(results, each, narrow, ones), 0);
    ck_assert_double_eq_tol(core.now_ns, 2.4e9, late_ns);
    /* Agreement is asked all the same. */
    ck_assert_uint_eq(measure(results, each, narrow, never), 1);
    ck_assert_double_eq_tol(core.now_ns, 7.2e9, late_ns);
}
END_TEST

START_TEST(a_narrow_core_may_be_shared)
{
    double results[ITEMS];
    core = (struct core){.crowding = narrow_for_40_of_100_ms,
                         .clock = one,
                         .cycles = ones,
                         .own = 1.37,
                         .others = dearer};
    ck_assert_uint_eq(spread_over_passes(results, each, ITEMS, &core_bench), 0);
    check_free(results);
}
END_TEST

/* ---- samples ---- */

static struct spread_sample sample_at(double now_ns, double (*crowding)(double),
                                      double (*clock)(double))
{
    core = (struct core){.now_ns = now_ns,
                         .crowding = crowding,
                         .clock = clock,
                         .cycles = ones,
                         .own = INFINITY,
                         .visits = {1}};
    sampler_begin(&core.sampler);
    return core_bench.sample(NULL, 0);
}

static double from_60_us(double now_ns)
{
    return now_ns > 60e3 ? 1.5 : 1.0;
}

static double until_5_us(double now_ns)
{
    return now_ns < 5e3 ? 1.5 : 1.0;
}

START_TEST(a_sample_is_as_crowded_as_before_or_behind_it)
{
    ck_assert_double_eq(sample_at(0.0, one, one).crowding, 1.0);
    ck_assert_double_eq(sample_at(0.0, from_60_us, one).crowding, 1.0);
    ck_assert_double_gt(sample_at(20e3, from_60_us, one).crowding, 1.2);
    ck_assert_double_eq(sample_at(60e3, from_60_us, one).crowding, 1.5);
    ck_assert_double_gt(sample_at(0.0, until_5_us, one).crowding, 1.2);
}
END_TEST

static double slower(double now_ns)
{
    return now_ns > 60e3 ? 1.01 : 1.0;
}

static double slower_by_little(double now_ns)
{
    return now_ns > 60e3 ? 1.002 : 1.0;
}

START_TEST(a_sample_is_in_cycles_of_its_time)
{
    ck_assert_double_eq_tol(sample_at(0.0, one, one).cycles, 1.0, exact);
    ck_assert_double_eq_tol(sample_at(60e3, one, slower).cycles, 1.0, exact);
    ck_assert_double_eq_tol(sample_at(60e3, one, slower).crowding, 1.0, 1e-12);
    /* Between two clocks. */
    const double between = (1.0 + CORE_READING_NS / CORE_ITEM_NS) / 1.001;
    ck_assert_double_eq_tol(sample_at(0.0, one, slower_by_little).cycles, between, 1e-5);
    ck_assert(isinf(sample_at(0.0, one, slower).crowding));
}
END_TEST

static double half_from_200_ms(double now_ns)
{
    return now_ns > 0.2e9 ? 0.5 : 1.0;
}

START_TEST(the_clock_is_the_median_over_half_a_second)
{
    core = (struct core){.clock = half_from_200_ms};
    ck_assert_double_eq_tol(spread_clock_ghz(), 2.0 / CORE_CYCLE_NS, 1e-9);
    core = (struct core){.now_ns = -0.2e9, .clock = half_from_200_ms};
    ck_assert_double_eq_tol(spread_clock_ghz(), 1.0 / CORE_CYCLE_NS, 1e-9);
}
END_TEST

SUITE("spread", the_second_least_of_all_passes, the_middle_of_all_passes,
      a_pass_measures_every_item_once, passes_go_on_until_three_quiet_ones, passes_come_to_an_end,
      what_is_measured_with_nobody_else_there_counts, what_never_is_is_told,
      what_others_make_cheaper_does_not_count, for_chains_alone_nothing_waits,
      a_narrow_core_is_not_a_shared_one, a_narrow_core_may_be_shared,
      a_sample_is_as_crowded_as_before_or_behind_it, a_sample_is_in_cycles_of_its_time,
      the_clock_is_the_median_over_half_a_second)
