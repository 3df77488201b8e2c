/* Broadcasts among processors that share nodes: their times follow from what one message takes, and
   that is found again from the times. The truth is gone through process by process here. */
#include "model/fit/hops.h"
#include "model/fit/learn.h"
#include "test/suite.h"

#include <math.h>
#include <stdlib.h>

enum { PROCESSORS_MOST = 64, OPERATIONS_MOST = 4096 };

/* A process: whom it sends to (or receives from, negative numbers less one) one after the other. */
struct process {
    int partners[OPERATIONS_MOST], parts[OPERATIONS_MOST];
    int count, next;
    double free_us;
};

static struct process processes[PROCESSORS_MOST];

static void add(struct process *process, int partner, int part)
{
    ck_assert_int_lt(process->count, OPERATIONS_MOST);
    process->partners[process->count] = partner;
    process->parts[process->count++] = part;
}

static void make_processes(const struct route *route, int parts)
{
    const int p = route->processors;
    for (int me = 0; me < p; me++) {
        processes[me] = (struct process){.count = 0};
        for (int part = 0; part < parts; part++) {
            if (me > 0)
                add(&processes[me], -1 - route->tree->parent(me, p), part);
            for (int which = 0, child; (child = route->tree->child(me, p, which)) >= 0; which++)
                add(&processes[me], child, part);
        }
    }
}

/* A sender and its receiver meet, and are busy until the message is there. */
static bool let_meet(const struct route *route, int me, struct hop whole, struct hop last,
                     int parts)
{
    struct process *from = &processes[me];
    if (from->next == from->count || from->partners[from->next] < 0)
        return false;
    const int other = from->partners[from->next], part = from->parts[from->next];
    struct process *to = &processes[other];
    if (to->next == to->count || to->partners[to->next] != -1 - me)
        return false;
    ck_assert_int_eq(to->parts[to->next], part);
    const int p = route->processors;
    const bool far = route->together > 0 && (route->root + me) % p / route->together !=
                                                (route->root + other) % p / route->together;
    const struct hop hop = part + 1 < parts ? whole : last;
    from->free_us = to->free_us =
        fmax(from->free_us, to->free_us) + (far ? hop.far_us : hop.near_us);
    from->next++;
    to->next++;
    return true;
}

static double truth_us(const struct route *route, int parts, struct hop whole, struct hop last)
{
    double latest_us = 0.0;
    make_processes(route, parts);
    for (bool moved = true; moved;) {
        moved = false;
        for (int me = 0; me < route->processors; me++)
            moved |= let_meet(route, me, whole, last, parts);
    }
    for (int me = 0; me < route->processors; me++) {
        ck_assert_int_eq(processes[me].next, processes[me].count);
        latest_us = fmax(latest_us, processes[me].free_us);
    }
    return latest_us;
}

static const struct tree *const trees[] = {&tree_doubling, &tree_binary, &tree_binomial};

START_TEST(routes_end_when_processes_do)
{
    static const struct hop hops[] = {
        {.near_us = 5.0, .far_us = 20.0},
        {.near_us = 8.0, .far_us = 9.0 },
        {.near_us = 7.0, .far_us = 3.0 }
    };
    for (size_t t = 0; t < 3; t++)
        for (int p = 2; p <= PROCESSORS_MOST; p++)
            for (int parts = 1; parts <= 9; parts += 4)
                for (int together = 0; together <= 6; together += 3) {
                    const struct route route = {.tree = trees[t],
                                                .processors = p,
                                                .root = (p * parts) % p + p / 3,
                                                .together = together};
                    const struct hop whole = hops[p % 3], last = hops[parts % 3];
                    const double expected_us = truth_us(&route, parts, whole, last);
                    ck_assert_double_eq_tol(route_arrival(&route, parts - 1.0, whole, last).time_us,
                                            expected_us, 1e-9 * expected_us);
                }
}
END_TEST

START_TEST(many_parts_are_not_gone_through_one_by_one)
{
    const struct hop whole = {.near_us = 5.0, .far_us = 20.0},
                     last = {.near_us = 1.0, .far_us = 4.0};
    for (size_t t = 0; t < 3; t++)
        for (int p = 2; p <= 30; p += 7) {
            const struct route route = {.tree = trees[t], .processors = p, .together = 4};
            const double expected_us = truth_us(&route, 500, whole, last);
            ck_assert_double_eq_tol(route_arrival(&route, 499.0, whole, last).time_us, expected_us,
                                    1e-9 * expected_us);
            ck_assert(isfinite(route_arrival(&route, 1e9, whole, last).time_us));
        }
}
END_TEST

/* ---- learning ---- */

static const double near_upto = 1024, far_upto = 512;

static const struct list no_breaks;

static struct hop true_hop(double bytes)
{
    return (struct hop){.near_us = bytes <= near_upto ? 5.0 + bytes / 200.0 : 8.0 + bytes / 500.0,
                        .far_us = bytes <= far_upto ? 20.0 + bytes / 100.0 : 25.0 + bytes / 900.0};
}

static double true_us(const struct tree *tree, double bytes, int p)
{
    const struct route route = {.tree = tree, .processors = p, .together = 8};
    return truth_us(&route, 1, true_hop(bytes), true_hop(bytes));
}

static const int measured[] = {2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64};
static const double sizes[] = {0,   100,  300,  400,  450,  512,  513,  600,  700,
                               900, 1000, 1024, 1025, 2000, 4000, 8000, 9000, 16384};

enum { COUNTS = sizeof measured / sizeof *measured, SIZES = sizeof sizes / sizeof *sizes };

static size_t observe(const struct tree *tree, const int *counts, size_t count,
                      struct observation *points)
{
    size_t kept = 0;
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < count; k++)
            points[kept++] = (struct observation){.bytes = sizes[i],
                                                  .time_us = true_us(tree, sizes[i], counts[k]),
                                                  .processors = counts[k],
                                                  .held_out = i % 6 == 3};
    return kept;
}

static void make_cost(struct cost *cost, const struct tree *tree, const struct observation *points,
                      size_t count)
{
    static const double edges[] = {far_upto, near_upto, INFINITY};
    struct observation own[SIZES];
    struct list list = {0};
    for (size_t i = 0; i < 3; i++)
        *(struct region *)list_add(&region_record, &list) = region_hockney(edges[i], 0.0, INFINITY);
    record_begin(&cost_record, cost);
    cost->processors_near = 8;
    for (size_t k = 0; k < COUNTS; k++) {
        struct at_processors *at = list_add(&at_processors_record, &cost->by_processors);
        observe(tree, &measured[k], 1, own);
        *at = (struct at_processors){.processors = measured[k]};
        ck_assert_int_eq(fit_regions_at(&list, own, SIZES, &at->regions, NULL), 0);
    }
    learn_regions(cost, NULL);
    fit_errors(&cost->regions, points, count);
    free(list.items);
}

START_TEST(hops_are_found_and_answer_at_every_p)
{
    for (size_t t = 0; t < 3; t++) {
        struct observation points[SIZES * COUNTS];
        struct cost cost;
        const size_t count = observe(trees[t], measured, COUNTS, points);
        make_cost(&cost, trees[t], points, count);
        ck_assert(hops_learn(&cost, TREE_DOUBLING + (int)t, &no_breaks, points, count));
        for (int p = 2; p <= PROCESSORS_MOST; p++)
            for (double bytes = 0; bytes < 16000; bytes += 333) {
                struct cost_answer answer;
                const double expected_us = true_us(trees[t], bytes, p);
                ck_assert_int_eq(cost_answer(&cost, bytes, p, &answer, NULL), 0);
                ck_assert_double_eq_tol(answer.time_us, expected_us, 1e-6 * expected_us);
            }
        record_free(&cost_record, &cost);
    }
}
END_TEST

/* Messages one after another of a combine by recursive doubling, 8 processors a node: within a node
   near ones alone; 16 and 64 three near ones, then far ones; 6 and 12 two more, before and after.
 */
START_TEST(exchanges_follow_their_closed_form)
{
    static const struct {
        int processors;
        double near, far;
    } truth[] = {
        {2,  1, 0},
        {8,  3, 0},
        {6,  4, 0},
        {16, 3, 1},
        {64, 3, 3},
    };
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        const struct route route = {
            .rounds = &rounds_doubling, .processors = truth[i].processors, .together = 8};
        const struct hop hop = {.near_us = 5.0, .far_us = 20.0};
        const struct arrival at = route_arrival(&route, 0.0, hop, hop);
        ck_assert_double_eq_tol(at.time_us, 5.0 * truth[i].near + 20.0 * truth[i].far, 1e-12);
        ck_assert_double_eq(at.near, truth[i].near);
        ck_assert_double_eq(at.far, truth[i].far);
    }
}
END_TEST

/* Of one tree others take the times over, of which fewer points are known. */
START_TEST(another_law_adopts_hops_near_and_far)
{
    struct observation points[SIZES * COUNTS];
    struct cost whole, cost;
    const size_t count = observe(trees[0], measured, COUNTS, points);
    make_cost(&whole, trees[0], points, count);
    make_cost(&cost, trees[0], points, count);
    ck_assert(!hops_adopt(&cost, &whole, points, count)); /* it has none */
    ck_assert_int_eq(cost.tree, TREE_UNKNOWN);
    ck_assert(hops_learn(&whole, TREE_DOUBLING, &no_breaks, points, count));
    ck_assert(hops_adopt(&cost, &whole, points, count));
    ck_assert_uint_gt(whole.hops_far.count, 0);
    ck_assert_uint_eq(cost.hops_far.count, whole.hops_far.count);
    for (int p = 2; p <= PROCESSORS_MOST; p++)
        ck_assert_double_eq_tol(cost_hops_time_us(&cost, 600, p, 0), true_us(trees[0], 600, p),
                                1e-6 * true_us(trees[0], 600, p));
    record_free(&cost_record, &cost);
    record_free(&cost_record, &whole);
}
END_TEST

/* Cut into parts, each part more of a message without a rest takes as long as the one before. */
START_TEST(a_message_of_whole_parts_has_no_empty_one)
{
    struct cost cost;
    record_begin(&cost_record, &cost);
    cost.tree = TREE_BINARY;
    cost.part_bytes = 1000;
    *(struct region *)list_add(&region_record, &cost.hops) = region_hockney(INFINITY, 5.0, 100.0);
    for (int p = 2; p <= 9; p++) {
        const double one = cost_hops_time_us(&cost, 1000, p, 0);
        const double two = cost_hops_time_us(&cost, 2000, p, 0);
        const double three = cost_hops_time_us(&cost, 3000, p, 0);
        ck_assert_double_gt(two, one);
        ck_assert_double_eq_tol(three - two, two - one, 1e-9 * three);
    }
    record_free(&cost_record, &cost);
}
END_TEST

START_TEST(another_tree_explains_nothing)
{
    struct observation points[SIZES * COUNTS];
    struct cost cost;
    const size_t count = observe(&tree_binary, measured, COUNTS, points);
    make_cost(&cost, &tree_binary, points, count);
    ck_assert(!hops_learn(&cost, TREE_BINOMIAL, &no_breaks, points, count));
    ck_assert_int_eq(cost.tree, TREE_UNKNOWN);
    ck_assert_uint_eq(cost.hops.count, 0);
    record_free(&cost_record, &cost);
}
END_TEST

/* Without hops: nine of ten times lie within what the table says of its errors, most of which were
   not measured. */
START_TEST(functions_of_p_say_how_far_off_they_are)
{
    struct observation points[SIZES * COUNTS];
    struct cost cost;
    int within = 0, all = 0;
    const size_t count = observe(&tree_binary, measured, COUNTS, points);
    make_cost(&cost, &tree_binary, points, count);
    for (int p = 2; p <= PROCESSORS_MOST; p++)
        for (double bytes = 0; bytes < 16000; bytes += 333) {
            struct cost_answer answer;
            const double expected_us = true_us(&tree_binary, bytes, p);
            ck_assert_int_eq(cost_answer(&cost, bytes, p, &answer, NULL), 0);
            within += answer.low_us <= expected_us * (1 + 1e-6) &&
                      expected_us <= answer.high_us * (1 + 1e-6);
            all++;
        }
    ck_assert_int_ge(10 * within, 9 * all);
    record_free(&cost_record, &cost);
}
END_TEST

SUITE("hops", routes_end_when_processes_do, many_parts_are_not_gone_through_one_by_one,
      hops_are_found_and_answer_at_every_p, exchanges_follow_their_closed_form,
      another_law_adopts_hops_near_and_far, a_message_of_whole_parts_has_no_empty_one,
      another_tree_explains_nothing, functions_of_p_say_how_far_off_they_are)
