/* What stands for several passes, which points are asked again, and which curves are marked. */
#include "trainer/curve/curve.h"

#include "model/fit/fit.h"
#include "test/suite.h"
#include "trainer/curve/curve_states.h"
#include "trainer/curve/edge.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static struct passes passes_of(size_t count, const double times_us[])
{
    struct passes passes = {.count = count, .at_once = 1};
    for (size_t i = 0; i < count; i++)
        passes.of[i] = (struct point){.median_us = times_us[i], .repetitions = 10};
    return passes;
}

/* One pass of a point that is twice as long, or a fifth longer, does not stand: the others say the
   same without it. Where every other pass of two of ten points is a fifth longer, the halves are a
   fifth apart; of one of ten it is between two of them. A curve of one pass each knows nothing. */
START_TEST(passes_are_told_by_how_far_their_halves_are_apart)
{
    struct curve curve = {.granule = 1.0, .statistic = STATISTIC_MEDIAN};
    struct point points[10];
    for (size_t i = 0; i < 10; i++)
        points[i] = (struct point){
            .bytes = (double)i, .processors = 2.0, .median_us = 10.0, .repetitions = 10.0};
    curve_add_points(&curve, &(struct list){.items = points, .count = 10});
    ck_assert(isnan(curve_passes_p95(&curve)));
    struct passes *passes = curve.points.items;
    for (size_t i = 0; i < 10; i++) {
        const double times_us[] = {10.0, 10.0, 10.0, i == 3 ? 20.0 : i == 5 ? 11.5 : 10.0};
        const bool was_witness = passes[i].is_witness;
        passes[i] = passes_of(4, times_us);
        passes[i].is_witness = was_witness;
    }
    for (size_t i = 0; i < 10; i += 2)
        passes[i].of[1].median_us = 12.0;
    ck_assert_double_eq_tol(curve_passes_p95(&curve), 0.0, 1e-12);
    for (size_t i = 0; i < 2; i++) {
        passes[i].of[1].median_us = passes[i].of[3].median_us = 12.0;
        ck_assert_double_eq_tol(curve_passes_p95(&curve), i == 0 ? 0.55 * 0.2 : 0.2, 1e-12);
    }
    curve_free(&curve);
}
END_TEST

/* Two states of a machine, twice as long in the second: what stands is of the commonest, also where
   it is the slower one, and the other one's factor is learned. */
START_TEST(what_stands_is_of_the_commonest_state)
{
    struct curve curve = {.granule = 1.0, .statistic = STATISTIC_MEDIAN};
    struct point points[12];
    struct list states = {0};
    struct cost cost;
    record_begin(&cost_record, &cost);
    for (size_t i = 0; i < 12; i++)
        points[i] = (struct point){
            .bytes = (double)i, .processors = 2.0, .median_us = 10.0, .repetitions = 10.0};
    curve_add_points(&curve, &(struct list){.items = points, .count = 12});
    struct passes *passes = curve.points.items;
    for (size_t i = 0; i < 12; i++) {
        passes[i] = passes_of(5, (const double[]){20.0, 20.2, 10.0, 20.4, 20.2});
        for (size_t k = 0; k < 5; k++) {
            passes[i].of[k].bytes = (double)i;
            passes[i].of[k].gauge_us = k == 2 ? 1.0 : 1.9;
            passes[i].of[k].spent_us = 1.0;
        }
    }
    passes[11] = passes_of(2, (const double[]){10.0, 10.1});
    passes[11].of[0].gauge_us = passes[11].of[1].gauge_us = 1.0;
    passes[11].of[0].spent_us = passes[11].of[1].spent_us = 1.0;
    curve_states_find(&curve, 1, &states);
    ck_assert_uint_eq(states.count, 2);
    const struct point settled = passes_settled(&passes[0], STATISTIC_MEDIAN);
    ck_assert_double_eq_tol(settled.median_us, 20.2, 1e-9);
    ck_assert(!passes_lack_commonest(&passes[0]));
    ck_assert(passes_lack_commonest(&passes[11]));
    ck_assert_double_lt(curve_passes_p95(&curve), 0.02);
    const struct region region = region_hockney(INFINITY, 20.0, INFINITY);
    *(struct region *)list_add(&region_record, &cost.regions) = region;
    curve_states_learn(&curve, &states, &cost);
    ck_assert_uint_eq(cost.states.count, 1);
    const struct state_factor *factor = cost.states.items;
    ck_assert_double_eq(factor->state, 2.0);
    ck_assert_double_eq_tol(factor->ratio, 10.0 / 20.2, 0.001);
    ck_assert_double_eq_tol(factor->factor, 10.0 / 20.2, 0.001);
    ck_assert_double_eq(factor->points, 11.0);
    list_free(&machine_state_record, &states);
    record_free(&cost_record, &cost);
    curve_free(&curve);
}
END_TEST

START_TEST(the_mean_of_those_that_are_as_quick_as_the_quickest_stands)
{
    static const struct {
        size_t count;
        double times_us[PASSES_MOST], settled_us;
        bool unsettled;
    } cases[] = {
        {1, {10},             10,   false},
        {2, {10, 10.8},       10.4, false},
        {2, {11.5, 10},       10,   false},
        {2, {10, 12.5},       10,   true },
        {3, {20, 10, 10},     10,   false},
        {3, {10, 20, 21},     10,   true },
        {3, {20, 12, 10},     10,   false},
        {3, {10, 10.3, 10.9}, 10.4, false},
        {3, {0, 20, 10},      10,   true },
        {2, {0, 0},           0,    false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct passes passes = passes_of(cases[i].count, cases[i].times_us);
        const struct point settled = passes_settled(&passes, STATISTIC_MEDIAN);
        ck_assert_double_eq_tol(settled.median_us, cases[i].settled_us, 1e-9);
        ck_assert_int_eq(passes_unsettled(&passes, STATISTIC_MEDIAN), cases[i].unsettled);
    }
}
END_TEST

START_TEST(what_is_quicker_than_ever_by_more_than_noise_has_quickened)
{
    static const struct {
        size_t count;
        double times_us[4];
        bool quickened;
    } cases[] = {
        {1, {10},             false},
        {2, {12.5, 10},       true },
        {2, {12, 10},         false},
        {2, {10, 12.5},       false},
        {3, {20, 10, 10},     false},
        {4, {10, 20, 20, 15}, false},
        {4, {13, 20, 20, 10}, true },
        {2, {10, 0},          false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct passes passes = passes_of(cases[i].count, cases[i].times_us);
        ck_assert_int_eq(passes_quickened(&passes, STATISTIC_MEDIAN), cases[i].quickened);
    }
}
END_TEST

START_TEST(what_stands_alone_or_above_its_neighbours_is_doubtful)
{
    static const double slow[] = {20, 21}, quick[] = {10, 10.5}, alone[] = {10, 12};
    struct passes below = passes_of(2, quick), above = passes_of(2, quick);
    const struct passes of_slow = passes_of(2, slow), of_alone = passes_of(2, alone);
    const struct passes of_quick = passes_of(2, quick);
    below.of[0].bytes = below.of[1].bytes = 0;
    above.of[0].bytes = above.of[1].bytes = 16;
    ck_assert(passes_doubtful(&below, &of_slow, &above, STATISTIC_MEDIAN));
    ck_assert(passes_doubtful(NULL, &of_alone, NULL, STATISTIC_MEDIAN));
    ck_assert(!passes_doubtful(&below, &of_quick, &above, STATISTIC_MEDIAN));
    ck_assert(!passes_doubtful(NULL, &of_slow, &above, STATISTIC_MEDIAN));
    /* on the way from 10 to 40 us */
    struct passes half = of_slow, high = passes_of(1, (const double[]){40});
    half.of[0].bytes = half.of[1].bytes = 8;
    high.of[0].bytes = 16;
    ck_assert(!passes_doubtful(&below, &half, &high, STATISTIC_MEDIAN));
    half.of[0].bytes = half.of[1].bytes = 4;
    ck_assert(passes_doubtful(&below, &half, &high, STATISTIC_MEDIAN));
}
END_TEST

START_TEST(what_neighbours_contradict_is_doubtful_for_longer_than_what_is_alone)
{
    static const double quick[] = {10, 10},
                        alone[(PASSES_LEAST + PASSES_FEWEST)] = {20, 24, 24, 24, 24, 24};
    struct passes below = passes_of(2, quick), above = passes_of(2, quick);
    for (size_t count = 2; count <= (PASSES_LEAST + PASSES_FEWEST); count++) {
        const struct passes of_alone = passes_of(count, alone);
        ck_assert_int_eq(passes_doubtful(NULL, &of_alone, NULL, STATISTIC_MEDIAN),
                         count < (PASSES_LEAST + PASSES_FEWEST));
        ck_assert(passes_doubtful(&below, &of_alone, &above, STATISTIC_MEDIAN));
    }
}
END_TEST

/* One that is spoilt does no harm where two are not. */
START_TEST(two_passes_of_three_have_to_be_undisturbed)
{
    struct passes points[2];
    for (size_t i = 0; i < 2; i++)
        points[i] = passes_of(3, (const double[]){10, 10, 10});
    const bool one[PASSES_LEAST] = {false, true, false}, two[PASSES_LEAST] = {true, true, false};
    ck_assert_ptr_null(passes_disturbance(points, 2, one, STATISTIC_MEDIAN));
    ck_assert_str_eq(passes_disturbance(points, 2, two, STATISTIC_MEDIAN),
                     "others used the processors");
    for (size_t i = 0; i < 2; i++) {
        points[i].of[0].spent_us = points[i].of[2].spent_us = 100;
        points[i].of[0].lost_us = points[i].of[2].lost_us = 16;
    }
    ck_assert_str_eq(
        passes_disturbance(points, 2, (const bool[PASSES_LEAST]){false}, STATISTIC_MEDIAN),
        "ranks were interrupted");
    points[0].count = points[1].count = 2;
    ck_assert_ptr_nonnull(
        passes_disturbance(points, 2, (const bool[PASSES_LEAST]){false}, STATISTIC_MEDIAN));
}
END_TEST

/* Later passes are short and of few points: what spoilt all the first ones is not seen there. */
START_TEST(later_passes_excuse_none_of_the_first_ones)
{
    struct passes points[2];
    for (size_t i = 0; i < 2; i++)
        points[i] = passes_of(6, (const double[]){10, 10, 10, 10, 10, 10});
    ck_assert_ptr_nonnull(passes_disturbance(
        points, 2, (const bool[PASSES_LEAST]){true, true, true}, STATISTIC_MEDIAN));
    ck_assert_ptr_null(
        passes_disturbance(points, 2, (const bool[PASSES_LEAST]){true}, STATISTIC_MEDIAN));
}
END_TEST

/* A step of an eighth after 8248 bytes, as between the two cores of a node; 2 % of noise, and half
   of the first pass's times are slower by half. */
static double step_us(double bytes)
{
    return bytes <= 8248 ? 0.41 + 2.12e-4 * bytes : 1.93 + 6.5e-5 * bytes;
}

static double straight_us(double bytes)
{
    return 0.41 + 2.12e-4 * bytes;
}

static void ask(struct passes *passes, double (*exact_us)(double bytes), size_t i, size_t pass)
{
    struct point *point = &passes->of[passes->count];
    *point = passes->of[0];
    point->median_us = exact_us(point->bytes) * (1 + 0.02 * (double)((i * 7 + pass * 3) % 5) / 5);
    point->median_us *= pass == 0 && i % 2 == 0 ? 1.5 : 1.0;
    point->half_width_us = 0.01 * point->median_us;
    passes->count++;
}

/* At all passes of a launch; returns how many sizes it had in the end. */
static size_t sizes_after_passes(double (*exact_us)(double bytes), struct curve *curve)
{
    static const double bytes[] = {256,   512,   1024,  1300,  1600,  1850,  2185,
                                   2600,  3240,  4400,  8255,  10400, 11883, 14466,
                                   17048, 21178, 25307, 29695, 41320, 58632};
    struct list points = {0};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        *(struct point *)list_add(&point_record, &points) =
            (struct point){.bytes = bytes[i], .processors = 2, .held_out = i % 5 == 2};
    curve_add_points(curve, &points);
    free(points.items);
    for (size_t pass = 0; pass < PASSES_MOST; pass++) {
        const size_t before = curve->points.count;
        edge_add_sizes(curve, pass);
        ck_assert(curve->points.count == before ||
                  (pass > 1 && pass + PASSES_LEAST <= PASSES_MOST));
        for (size_t i = 0; i < curve->points.count; i++) {
            struct passes *at = (struct passes *)curve->points.items + i;
            at->count = pass == 0 ? 0 : at->count;
            if (pass == 0 || curve_asks(curve, i))
                ask(at, exact_us, i, pass);
        }
    }
    return curve->points.count;
}

START_TEST(an_edge_that_the_first_pass_hid_is_narrowed_by_later_ones)
{
    struct curve curve = {.granule = 1, .statistic = STATISTIC_MEDIAN};
    const size_t count = sizes_after_passes(step_us, &curve);
    double below = 0, above = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct passes *at = (const struct passes *)curve.points.items + i;
        const double bytes = at->of[0].bytes;
        ck_assert_uint_ge(at->count, PASSES_LEAST);
        ck_assert(i == 0 || bytes > at[-1].of[0].bytes);
        below = bytes <= 8248 ? bytes : below;
        above = bytes > 8248 ? fmin(above, bytes) : above;
    }
    ck_assert_double_le(above, 1.02 * below);
    ck_assert_uint_le(count, 20 + 6);
    struct list settled = curve_settled(&curve), regions = {0};
    struct error error;
    ck_assert_int_eq(curve_fit(&curve, settled, &regions, &error), 0);
    const struct region *first = regions.items;
    ck_assert_uint_eq(regions.count, 2);
    ck_assert_double_eq_tol(first->bytes_upto, 8248, 0.02 * 8248);
    list_free(&region_record, &regions);
    free(settled.items);
    curve_free(&curve);
}
END_TEST

START_TEST(where_no_lines_meet_no_size_is_added)
{
    struct curve curve = {.granule = 1, .statistic = STATISTIC_MEDIAN};
    ck_assert_uint_eq(sizes_after_passes(straight_us, &curve), 20);
    curve_free(&curve);
}
END_TEST

/* A curve of 40 sizes on a machine that is slower by a factor but from one pass on, before
   another one; returns how many times it was asked. */
static size_t asked_of_a_host_that_moves(size_t quick_from, size_t quick_until, struct curve *curve)
{
    struct list points = {0};
    for (size_t i = 0; i < 40; i++)
        *(struct point *)list_add(&point_record, &points) =
            (struct point){.bytes = 100.0 * (double)(i + 1), .processors = 2};
    curve_add_points(curve, &points);
    free(points.items);
    size_t asked = 0;
    bool more = true;
    for (size_t pass = 0; pass < PASSES_MOST || more; pass++) {
        for (size_t i = 0; i < curve->points.count; i++) {
            struct passes *at = (struct passes *)curve->points.items + i;
            at->count = pass == 0 ? 0 : at->count;
            if (pass > 0 && !curve_asks(curve, i))
                continue;
            ck_assert_uint_lt(at->count, sizeof at->of / sizeof *at->of);
            ask(at, straight_us, i, 1);
            if (pass < quick_from || pass >= quick_until)
                at->of[at->count - 1].median_us *= 4;
            asked++;
        }
        more = curves_look_back(curve, 1, pass);
    }
    return asked;
}

/* The largest settled time of a size as a multiple of the quick one. */
static double slowest_settled(const struct curve *curve)
{
    double slowest = 0;
    struct list settled = curve_settled(curve);
    for (size_t i = 0; i < settled.count; i++) {
        const struct point *point = (const struct point *)settled.items + i;
        slowest = fmax(slowest, point->median_us / straight_us(point->bytes));
    }
    free(settled.items);
    return slowest;
}

START_TEST(what_was_asked_before_a_machine_became_quicker_is_asked_again)
{
    for (size_t from = 1; from < PASSES_MOST; from++) {
        struct curve curve = {.granule = 1, .statistic = STATISTIC_MEDIAN};
        asked_of_a_host_that_moves(from, SIZE_MAX, &curve);
        ck_assert_msg(slowest_settled(&curve) < 1.05, "from pass %zu on: %g", from,
                      slowest_settled(&curve));
        ck_assert(!curves_changed(&curve, 1));
        curve_free(&curve);
    }
}
END_TEST

START_TEST(a_machine_that_stays_as_it_is_costs_the_witnesses_only)
{
    struct curve curve = {.granule = 1, .statistic = STATISTIC_MEDIAN};
    const size_t asked = asked_of_a_host_that_moves(0, SIZE_MAX, &curve);
    ck_assert_uint_eq(asked, 40 * PASSES_LEAST + 3 * (PASSES_MOST - PASSES_LEAST));
    ck_assert(!curves_changed(&curve, 1));
    curve_free(&curve);
}
END_TEST

START_TEST(a_machine_that_was_quick_at_one_pass_only_is_marked)
{
    for (size_t from = PASSES_LEAST; from < PASSES_MOST; from++) {
        struct curve curve = {.granule = 1, .statistic = STATISTIC_MEDIAN};
        asked_of_a_host_that_moves(from, from + 1, &curve);
        ck_assert(curves_changed(&curve, 1));
        curve_free(&curve);
    }
}
END_TEST

SUITE("passes", passes_are_told_by_how_far_their_halves_are_apart,
      what_stands_is_of_the_commonest_state,
      the_mean_of_those_that_are_as_quick_as_the_quickest_stands,
      what_is_quicker_than_ever_by_more_than_noise_has_quickened,
      what_stands_alone_or_above_its_neighbours_is_doubtful,
      what_neighbours_contradict_is_doubtful_for_longer_than_what_is_alone,
      two_passes_of_three_have_to_be_undisturbed, later_passes_excuse_none_of_the_first_ones,
      an_edge_that_the_first_pass_hid_is_narrowed_by_later_ones,
      where_no_lines_meet_no_size_is_added,
      what_was_asked_before_a_machine_became_quicker_is_asked_again,
      a_machine_that_stays_as_it_is_costs_the_witnesses_only,
      a_machine_that_was_quick_at_one_pass_only_is_marked)
