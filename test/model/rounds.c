/* Patterns of rounds among processors that share nodes: their times by hand, and what one message
   takes found again from them, so that times hold at processor counts that were never measured. */
#include "model/fit/hops.h"
#include "model/fit/learn.h"
#include "test/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by hand ---- */

/* Near messages take 5, far ones 20; of those started at once each further one adds 1 or 2. */
static const struct hop hand_hop = {5.0, 20.0, 1.0, 2.0};

static const struct {
    struct route route;
    double time_us, near, far;
} by_hand[] = {
  /* 1 waits for 2, up and back; one use is half of that. */
    {{.rounds = &rounds_line_shift, .processors = 3, .together = 2},                20.0,  0,    1   },
    {{.rounds = &rounds_line_shift, .processors = 3},                               5.0,   1,    0   },
 /* 0-1 and 2-3, then 1-2. */
    {{.rounds = &rounds_line_exchange, .processors = 4, .together = 2},             25.0,  1,    1   },
    {{.rounds = &rounds_line_exchange, .processors = 2, .together = 2},             5.0,   1,    0   },
 /* 2 x 2: 0-2 and 1-3 are far, 0-1 and 2-3 near. */
    {{.rounds = &rounds_grid_exchange, .processors = 4, .together = 2},             25.0,  1,    1   },
 /* 3 x 2 in nodes of three: 1, 3, 3, 1 up and back, then 2, 3 there and back, all far. */
    {{.rounds = &rounds_grid_shift, .processors = 6, .together = 3},                40.0,  0,    2   },
 /* Every round has a far one from or to everybody. */
    {{.rounds = &rounds_ring, .processors = 3, .together = 2},                      40.0,  0,    2   },
    {{.rounds = &rounds_ring, .processors = 4},                                     15.0,  3,    0   },
    {{.rounds = &rounds_dissemination, .processors = 3, .together = 2},             40.0,  0,    2   },
 /* The mean over four: all but 1 meet 3's node first; later 1 waits for 3, and in the ring all
  but 1. */
    {{.rounds = &rounds_dissemination, .processors = 4, .together = 3},             32.5,  0.5,  1.5 },
    {{.rounds = &rounds_ring, .processors = 4, .together = 3},                      56.25, 0.25, 2.75},
    {{.rounds = &rounds_dissemination, .processors = 9},                            20.0,  4,    0   },
 /* Two near and two far ones: the link waits for the first far one. */
    {{.tree = &tree_flat, .processors = 5, .together = 3},                          22.0,  0,    1   },
 /* Seventeen near ones end with 21, and the far one comes after. */
    {{.tree = &tree_flat, .processors = 19, .together = 18},                        23.0,  1,    0   },
    {{.tree = &tree_flat, .processors = 5},                                         8.0,   1,    0   },
 /* From the last of its node there is none beside it. */
    {{.tree = &tree_flat, .processors = 5, .together = 4, .root = 4},               26.0,  0,    1   },
 /* From 1 and 3 two far ones, from 2 a far one and a near one. */
    {{.tree = &tree_binomial, .other_roots = true, .processors = 4, .together = 2}, 40.0,  0,    2   },
    {{.tree = &tree_binomial, .other_roots = true, .processors = 5},                15.0,  3,    0   },
};

START_TEST(patterns_take_what_they_take_by_hand)
{
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        const struct arrival at = route_arrival(&by_hand[i].route, 0.0, hand_hop, hand_hop);
        ck_assert_msg(fabs(at.time_us - by_hand[i].time_us) < 1e-9 &&
                          fabs(at.near - by_hand[i].near) < 1e-9 &&
                          fabs(at.far - by_hand[i].far) < 1e-9,
                      "row %zu: %g us, %g near, %g far", i, at.time_us, at.near, at.far);
    }
}
END_TEST

START_TEST(rounds_of_too_many_messages_are_not_gone_through)
{
    const struct route few = {.rounds = &rounds_grid_exchange, .processors = 25000};
    const struct route many = {.rounds = &rounds_ring, .processors = 317};
    const struct route tree = {.tree = &tree_binary, .processors = 100000};
    ck_assert(route_is_bounded(&few));
    ck_assert(!route_is_bounded(&many));
    ck_assert(route_is_bounded(&tree));
}
END_TEST

/* ---- the truth ---- */

enum { NODE = 8, PROCESSORS_MOST = 64 };

/* What a message takes besides and with its bytes; the link carries `envelope` more. */
struct law {
    double upto, setup_us, rate;
};

static const struct law near_laws[] = {
    {1024,     5.0, 200.0},
    {INFINITY, 8.0, 500.0}
};
static const struct law far_laws[] = {
    {512,      20.0, 100.0},
    {INFINITY, 25.0, 900.0}
};
static const double envelope = 16.0;

static const struct law *law_between(int a, int b, double bytes)
{
    const struct law *laws = a / NODE == b / NODE ? near_laws : far_laws;
    return bytes <= laws[0].upto ? &laws[0] : &laws[1];
}

static double message_us(int a, int b, double bytes)
{
    const struct law *law = law_between(a, b, bytes);
    return law->setup_us + bytes / law->rate;
}

/* All neighbours at (row, column) and `down`, `right` further whose place is `parity` (2: any). */
static void let_neighbours(double *at_us, int p, int columns, bool down, int parity, double bytes)
{
    double before_us[PROCESSORS_MOST];
    for (int i = 0; i < p; i++)
        before_us[i] = at_us[i];
    const int rows = p / columns;
    for (int row = 0; row + down < rows; row++)
        for (int column = 0; column + !down < columns; column++) {
            const int a = row * columns + column, b = down ? a + columns : a + 1;
            if (parity < 2 && (down ? row : column) % 2 != parity)
                continue;
            const double end_us = fmax(before_us[a], before_us[b]) + message_us(a, b, bytes);
            at_us[a] = fmax(at_us[a], end_us);
            at_us[b] = fmax(at_us[b], end_us);
        }
}

static double latest_us(const double *at_us, int p)
{
    double latest = 0.0;
    for (int i = 0; i < p; i++)
        latest = fmax(latest, at_us[i]);
    return latest;
}

/* The longest side that divides p and is no longer than its root. */
static int columns_of(int p)
{
    int columns = (int)sqrt(p);
    while (p % columns != 0)
        columns--;
    return columns;
}

static double exchange2_us(double bytes, int p)
{
    double at_us[PROCESSORS_MOST] = {0.0};
    for (int turn = 0; turn < 4; turn++)
        let_neighbours(at_us, p, columns_of(p), turn < 2, turn % 2, bytes);
    return latest_us(at_us, p);
}

static double shift2_us(double bytes, int p)
{
    double at_us[PROCESSORS_MOST] = {0.0};
    for (int turn = 0; turn < 4; turn++)
        let_neighbours(at_us, p, columns_of(p), turn < 2, 2, bytes);
    return latest_us(at_us, p) / 2.0;
}

/* A line is a grid of one column. Two directions of one neighbour each, there and back. */
static double shift_us(double bytes, int p)
{
    return p > NODE ? fmax(message_us(0, 1, bytes), message_us(0, NODE, bytes))
                    : message_us(0, 1, bytes);
}

/* The link is free when near ones are through, and waits for the first far one. */
static double at_once_us(double bytes, int p)
{
    const struct law *near = law_between(0, 1, bytes), *far = law_between(0, NODE, bytes);
    const int beside = (p < NODE ? p : NODE) - 1, beyond = p > NODE ? p - NODE : 0;
    const double through_us =
        near->setup_us - envelope / near->rate + beside * (bytes + envelope) / near->rate;
    const double ready_us = far->setup_us - envelope / far->rate;
    return beyond == 0 ? through_us
                       : fmax(through_us, ready_us) + beyond * (bytes + envelope) / far->rate;
}

/* ---- learning ---- */

typedef double truth(double bytes, int p);

static const int line_counts[] = {2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64};
static const int grid_counts[] = {9, 12, 16, 24, 32, 45, 64};
static const double sizes[] = {8,   100,  300,  400,  450,  512,  513,  600,  700,  900,
                               960, 1000, 1024, 1025, 2000, 4000, 8000, 9000, 16384};

enum { SIZES = sizeof sizes / sizeof *sizes, COUNTS_MOST = 11 };

struct pattern {
    truth *time_us;
    int tree;
    const int *counts;
    size_t count;
};

static const struct pattern patterns[] = {
    {shift_us,     TREE_LINE_SHIFT,    line_counts, 11},
    {shift2_us,    TREE_GRID_SHIFT,    grid_counts, 7 },
    {exchange2_us, TREE_GRID_EXCHANGE, grid_counts, 7 },
    {at_once_us,   TREE_FLAT,          line_counts, 11},
};

static size_t observe(truth *time_us, const int *counts, size_t count, struct observation *points)
{
    size_t kept = 0;
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < count; k++)
            points[kept++] = (struct observation){.bytes = sizes[i],
                                                  .time_us = time_us(sizes[i], counts[k]),
                                                  .processors = counts[k],
                                                  .held_out = i % 6 == 3};
    return kept;
}

static struct list regions_upto(const double *upto, size_t count)
{
    struct list list = {0};
    for (size_t i = 0; i < count; i++)
        *(struct region *)list_add(&region_record, &list) = region_hockney(upto[i], 0.0, INFINITY);
    return list;
}

/* At the largest p the far messages' break alone is seen. */
static void make_cost(struct cost *cost, const struct pattern *pattern,
                      const struct observation *points, size_t count)
{
    static const double seen[] = {512, INFINITY};
    struct list list = regions_upto(seen, 2);
    struct observation own[SIZES];
    record_begin(&cost_record, cost);
    cost->processors_near = NODE;
    cost->processors = (struct span){pattern->counts[0], PROCESSORS_MOST};
    for (size_t k = 0; k < pattern->count; k++) {
        struct at_processors *at = list_add(&at_processors_record, &cost->by_processors);
        observe(pattern->time_us, &pattern->counts[k], 1, own);
        *at = (struct at_processors){.processors = pattern->counts[k]};
        ck_assert_int_eq(fit_regions_at(&list, own, SIZES, &at->regions, NULL), 0);
    }
    learn_regions(cost, NULL);
    fit_errors(&cost->regions, points, count);
    list_free(&region_record, &list);
}

static bool is_grid(const struct pattern *pattern)
{
    return pattern->counts == grid_counts;
}

/* The errors of hops are those of all points, held-out ones apart. */
static void require_counted(const struct cost *cost, const struct observation *points, size_t count)
{
    const struct region *hops = cost->hops.items;
    double fitted = 0.0, held_out = 0.0;
    for (size_t i = 0; i < count; i++)
        *(points[i].held_out ? &held_out : &fitted) += 1.0;
    for (size_t k = 0; k < cost->hops.count; k++) {
        fitted -= hops[k].error.points;
        held_out -= hops[k].error.held_out_points;
    }
    ck_assert_double_eq(fitted, 0.0);
    ck_assert_double_eq(held_out, 0.0);
}

START_TEST(hops_answer_at_every_p_within_a_millionth)
{
    static const double two[] = {1024, INFINITY};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct observation points[SIZES * COUNTS_MOST];
        struct cost cost;
        struct list breaks = regions_upto(two, 2);
        const struct pattern *pattern = &patterns[i];
        const size_t count = observe(pattern->time_us, pattern->counts, pattern->count, points);
        make_cost(&cost, pattern, points, count);
        ck_assert_msg(hops_learn(&cost, pattern->tree, &breaks, points, count), "pattern %zu", i);
        require_counted(&cost, points, count);
        for (int p = 2; p <= PROCESSORS_MOST; p++)
            for (double bytes = 8; bytes < 16000; bytes += 333) {
                struct cost_answer answer;
                if (is_grid(pattern) && columns_of(p) < 2)
                    continue;
                const double expected_us = pattern->time_us(bytes, p);
                ck_assert_int_eq(cost_answer(&cost, bytes, p, &answer, NULL), 0);
                ck_assert_msg(fabs(answer.time_us - expected_us) <= 1e-6 * expected_us,
                              "pattern %zu, p = %d, n = %g: %g, not %g", i, p, bytes,
                              answer.time_us, expected_us);
            }
        list_free(&region_record, &breaks);
        record_free(&cost_record, &cost);
    }
}
END_TEST

static bool is_learned(const struct pattern *pattern, double processors_near)
{
    static const struct list no_breaks;
    struct observation points[SIZES * COUNTS_MOST];
    struct cost cost;
    const size_t count = observe(pattern->time_us, pattern->counts, pattern->count, points);
    make_cost(&cost, pattern, points, count);
    cost.processors_near = processors_near;
    const bool learned = hops_learn(&cost, pattern->tree, &no_breaks, points, count);
    ck_assert(learned || (cost.tree == TREE_UNKNOWN && cost.hops.count == 0));
    record_free(&cost_record, &cost);
    return learned;
}

/* Rows of four in nodes of four: as many near messages as far ones, always. */
static const int rows_of_nodes[] = {16, 20, 24, 28};

static double half_far_us(double bytes, int p)
{
    (void)p;
    return 2.0 * (message_us(0, 1, bytes) + message_us(0, NODE, bytes));
}

/* The same messages where all are near. */
static double ring_us(double bytes, int p)
{
    return (p - 1) * message_us(0, 1, bytes);
}

static double dissemination_us(double bytes, int p)
{
    return ceil(log2(p)) * message_us(0, 1, bytes);
}

static double line_exchange_us(double bytes, int p)
{
    return (p > 2 ? 2.0 : 1.0) * message_us(0, 1, bytes);
}

static const struct pattern near_alone[] = {
    {ring_us,          TREE_RING,          line_counts, 11},
    {dissemination_us, TREE_DISSEMINATION, line_counts, 11},
    {line_exchange_us, TREE_LINE_EXCHANGE, line_counts, 11},
};

START_TEST(what_points_do_not_tell_is_not_learned)
{
    static const int few_counts[] = {3, 8, 16, 64};
    const struct pattern wrong = {exchange2_us, TREE_RING, grid_counts, 7};
    const struct pattern alike = {half_far_us, TREE_GRID_EXCHANGE, rows_of_nodes, 4};
    const struct pattern few = {at_once_us, TREE_FLAT, few_counts, 4};
    const struct pattern too_few = {at_once_us, TREE_FLAT, few_counts, 3};
    ck_assert(!is_learned(&wrong, NODE));
    ck_assert(!is_learned(&alike, 4));
    ck_assert(is_learned(&few, NODE));
    ck_assert(!is_learned(&too_few, NODE));
    /* Where none is far, regions of each p know as much. */
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        ck_assert(!is_learned(&patterns[i], NAN));
    for (size_t i = 0; i < sizeof near_alone / sizeof *near_alone; i++)
        ck_assert(!is_learned(&near_alone[i], NAN));
}
END_TEST

/* Flat, but for noise that makes longer messages and further ones a little faster. */
static double falling_us(double bytes, int p)
{
    return p > NODE ? 20.0 - 1e-5 * bytes : 5.0 - 1e-6 * bytes;
}

static double falling_with_p_us(double bytes, int p)
{
    (void)bytes;
    return (p > NODE ? 20.0 : 5.0) - 1e-3 * p;
}

/* A table with less than nothing a byte would not be read again. */
START_TEST(nothing_longer_arrives_earlier)
{
    static const struct list no_breaks;
    static const struct pattern falling[] = {
        {falling_us,        TREE_LINE_SHIFT, line_counts, 11},
        {falling_with_p_us, TREE_FLAT,       line_counts, 11},
    };
    for (size_t i = 0; i < sizeof falling / sizeof *falling; i++) {
        struct observation points[SIZES * COUNTS_MOST];
        struct cost cost;
        const size_t count = observe(falling[i].time_us, line_counts, 11, points);
        make_cost(&cost, &falling[i], points, count);
        ck_assert(hops_learn(&cost, falling[i].tree, &no_breaks, points, count));
        const struct region *const near = cost.hops.items, *const far = cost.hops_far.items;
        for (size_t k = 0; k < cost.hops.count; k++) {
            ck_assert_double_ge(form_value(&near[k].per_byte_us, 2.0), 0.0);
            ck_assert_double_ge(form_value(&far[k].per_byte_us, 2.0), 0.0);
            ck_assert(!(near[k].gap_us < 0.0) && !(far[k].gap_us < 0.0));
        }
        record_free(&cost_record, &cost);
    }
}
END_TEST

SUITE("rounds", patterns_take_what_they_take_by_hand,
      rounds_of_too_many_messages_are_not_gone_through, hops_answer_at_every_p_within_a_millionth,
      what_points_do_not_tell_is_not_learned, nothing_longer_arrives_earlier)
