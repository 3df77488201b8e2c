/* Halos at other distances than were measured, worked out by hand: nodes of four processors, within
   which an exchange takes 10 us, and 30 us between them. */
#include "forecast/price/distance.h"
#include "forecast/predict/tiles.h"
#include "forecast/price/composition.h"
#include "forecast/price/contention.h"
#include "forecast/price/price.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double near = 1e-9;

static const char *const start =
    "forecost: 2\n"
    "machine: {name: t, processors: 16, measured: {seed: 1}}\n"
    "communication:\n"
    "  - {utility: exchange, regions: [{t0_us: 10}]}\n"
    "  - {utility: exchange-pairs, regions: [{processors_upto: 4, t0_us: 10}, {t0_us: 30}]}\n"
    "  - {utility: halo-1, regions: [{processors_upto: 4, t0_us: 20}, {t0_us: 60}]}\n"
    "  - {utility: halo-2, regions: [{t0_us: 70}]}\n"
    "  - {utility: EXCH2, regions: [{t0_us: 100}]}\n";
static const char *const distances = "  - {utility: halo-1-by-2, regions: [{t0_us: 50}]}\n"
                                     "  - {utility: halo-1-by-4, regions: [{t0_us: 60}]}\n";

static struct machine read_table(const char *text)
{
    struct machine machine;
    struct error error;
    ck_assert_msg(machine_read_text(&machine, "t.yaml", text, strlen(text), &error) == 0, "%s",
                  error.text);
    return machine;
}

/* With pairs of neighbours that take so long together; 0: the table has no distances. */
static struct machine machine_of(double neighbours_us)
{
    char text[1600];
    const int length = snprintf(text, sizeof text, "%s", start);
    if (neighbours_us > 0.0)
        snprintf(text + length, sizeof text - (size_t)length,
                 "%s  - {utility: exchange-neighbours, regions: [{t0_us: %g}]}\n", distances,
                 neighbours_us);
    return read_table(text);
}

static struct distance ask(const struct machine *machine, const char *utility,
                           const struct halo_exchange *halo)
{
    return distance_of_halo(machine, machine_cost(machine, utility), 16.0, 8.0, halo, false);
}

static struct halo_exchange line(double side, double stride)
{
    return (struct halo_exchange){
        .directions = 1, .neighbours = 2.0, .processors = 16.0, .lines = {{side, stride}}};
}

static struct halo_exchange grid(double rows, double columns)
{
    return (struct halo_exchange){
        .directions = 2,
        .neighbours = 4.0,
        .processors = 16.0,
        .lines = {{rows, columns}, {columns, 1.0}}
    };
}

static void check(struct distance it, double factor, double low, double high)
{
    ck_assert_double_eq_tol(it.factor, factor, near);
    ck_assert_double_eq_tol(it.low, low, near);
    ck_assert_double_eq_tol(it.high, high, near);
    ck_assert_uint_eq(it.flags, 0);
}

START_TEST(where_it_was_measured_nothing_is_asked)
{
    struct machine machine = machine_of(0.0);
    const struct halo_exchange all = line(16, 1), square = grid(4, 4);
    check(ask(&machine, "halo-1", &all), 1.0, 1.0, 1.0);
    check(ask(&machine, "halo-2", &square), 1.0, 1.0, 1.0);
    machine_free(&machine);
}
END_TEST

/* Lines of four are within nodes; that all of 16 in one line do not take longer is the bound. */
START_TEST(near_lines_take_what_they_take_alone)
{
    struct machine machine = machine_of(10.0);
    const struct halo_exchange rows = line(4, 1), columns = line(4, 4), pairs = line(2, 1);
    check(ask(&machine, "halo-1", &rows), 20. / 60., 20. / 60., 1.0);
    check(ask(&machine, "halo-1", &columns), 1.0, 1.0, 1.0);
    check(ask(&machine, "halo-1", &pairs), 10. / 60., 10. / 60., 10. / 60.);
    machine_free(&machine);
}
END_TEST

START_TEST(where_neighbours_are_in_one_anothers_way_lines_are_too)
{
    struct machine machine = machine_of(15.0);
    const struct halo_exchange rows = line(4, 1);
    check(ask(&machine, "halo-1", &rows), 30. / 60., 20. / 60., 1.0);
    machine_free(&machine);
    machine = machine_of(150.0); /* never more than all in one line */
    check(ask(&machine, "halo-1", &rows), 1.0, 20. / 60., 1.0);
    machine_free(&machine);
}
END_TEST

/* Five apart is between 4 and 8, which the table does not have; three between 2 and 4. */
START_TEST(between_distances_the_interval_has_both)
{
    struct machine machine = machine_of(10.0);
    const struct halo_exchange three = line(5, 3), five = line(3, 5);
    check(ask(&machine, "halo-1", &three), 1.0, 50. / 60., 1.0);
    ck_assert_uint_eq(ask(&machine, "halo-1", &five).flags, COST_OTHER_DISTANCE);
    machine_free(&machine);
}
END_TEST

/* On 4 x 4 the columns take 60 us, the rows 20, and both 70: half of the rows is not hidden. Of
   8 x 2 the columns take 50 us and the pairs 10; a tenth to nine are not hidden. */
START_TEST(what_is_not_hidden_is_not_hidden_on_another_grid)
{
    struct machine machine = machine_of(10.0);
    const struct halo_exchange tall = grid(8, 2);
    check(ask(&machine, "halo-2", &tall), 55. / 70., 51. / 70., 59. / 70.);
    const struct distance in_turn =
        distance_of_halo(&machine, machine_cost(&machine, "EXCH2"), 16.0, 8.0, &tall, true);
    check(in_turn, 60. / 80., 56. / 80., 60. / 80.);
    machine_free(&machine);
}
END_TEST

START_TEST(what_the_table_does_not_say_is_flagged)
{
    struct machine machine = machine_of(0.0);
    const struct halo_exchange tall = grid(8, 2);
    const struct distance it = ask(&machine, "halo-2", &tall);
    ck_assert_double_eq(it.factor, 1.0);
    ck_assert_uint_eq(it.flags, COST_OTHER_DISTANCE);
    machine_free(&machine);
}
END_TEST

static const char nodes_of_eight[] =
    "forecost: 2\n"
    "machine: {name: t, processors: 16, measured: {seed: 1}}\n"
    "communication:\n"
    "  - {utility: exchange, regions: [{t0_us: 10}]}\n"
    "  - {utility: halo-1, processors_near: 8, regions: [{processors_upto: 8, t0_us: 20}, "
    "{t0_us: 60, rinf_mb_per_s: 1}]}\n"
    "  - {utility: halo-1-by-4, regions: [{t0_us: 60, rinf_mb_per_s: 1}]}\n";

/* Of four lines of four across two nodes of eight one message of each leaves a node, and two where
   they are rings: what their bytes take between nodes, 8 us, they take again. */
START_TEST(of_a_ring_more_leaves_a_node_than_of_a_line)
{
    struct machine machine = read_table(nodes_of_eight);
    struct halo_exchange columns = line(4, 4), within = line(4, 1);
    check(ask(&machine, "halo-1", &columns), 1.0, 1.0, 1.0);
    columns.lines[0].is_ring = true;
    check(ask(&machine, "halo-1", &columns), 76. / 68., 1.0, 76. / 68.);
    const struct distance open = ask(&machine, "halo-1", &within);
    within.lines[0].is_ring = true;
    check(ask(&machine, "halo-1", &within), open.factor, open.low, open.high);
    machine_free(&machine);
}
END_TEST

/* Sixteen messages between neighbours: two of them in the way of one another, as of a pair. */
START_TEST(messages_contend_with_those_at_their_distance)
{
    struct machine machine = machine_of(10.0);
    const struct contention beside = contention_of(&machine, "point-to-point", 2.0, 16.0, 8.0, 1.0);
    const struct contention across = contention_of(&machine, "point-to-point", 2.0, 16.0, 8.0, 8.0);
    ck_assert_double_eq_tol(beside.factor, 1.0, near);
    ck_assert_double_eq_tol(beside.answer.high_us, 30.0, near);
    ck_assert_double_gt(across.factor, 2.9);
    machine_free(&machine);
}
END_TEST

/* Nodes of eight; leaving one takes 40 us more, and a byte 1 us. */
START_TEST(bytes_and_leaving_a_node_take_what_an_exchange_with_the_neighbours_does)
{
    struct machine machine = read_table(nodes_of_eight);
    const struct halo_exchange columns = line(4, 4), within = line(4, 1), all = line(16, 1);
    const struct halo_exchange square = grid(4, 4);
    ck_assert_double_eq_tol(distance_bytes_us(&machine, 8.0, &all), 8.0, near);
    ck_assert(isnan(distance_bytes_us(&machine, 8.0, &square))); /* no halo-2 */
    ck_assert_double_eq_tol(distance_farther_us(&machine, 8.0, &columns, 0), 48.0, near);
    ck_assert_double_eq_tol(distance_farther_us(&machine, 8.0, &within, 0), 0.0, near);
    machine_free(&machine);
}
END_TEST

static double gathered_us(const char *farthest)
{
    char text[800];
    snprintf(text, sizeof text,
             "forecost: 2\n"
             "machine: {name: t, processors: 16, measured: {seed: 1}}\n"
             "communication:\n"
             "  - {utility: point-to-point, regions: [{t0_us: 10}]}\n"
             "  - {utility: point-to-point-far, regions: [{t0_us: 100}]}\n"
             "  - {utility: halo-1, processors_near: 4, regions: [{processors_upto: 4, "
             "t0_us: 20}, {t0_us: %s}]}\n",
             farthest);
    struct machine machine = read_table(text);
    struct charge charge;
    struct error error;
    ck_assert_int_eq(
        composition_charge(
            &charge, &machine, "gather",
            &(struct charged){.uses = 1.0, .bytes = 8.0, .participants = 16.0, .at_once = 1.0},
            &error),
        0);
    machine_free(&machine);
    return charge.time_us;
}

/* Of fifteen messages three are within the node of four, where there are nodes. */
START_TEST(of_messages_from_each_those_from_other_nodes_are_far)
{
    ck_assert_double_eq_tol(gathered_us("120"), 3 * 10 + 12 * 100, near);
    ck_assert_double_eq_tol(gathered_us("20"), 15 * 10, near);
}
END_TEST

/* To receive and to send takes 14 us each way in a stage of two messages of 8 bytes, 2 of them
   without the bytes, to which an exchange with all neighbours adds 8. */
START_TEST(a_stage_takes_no_longer_than_an_exchange_with_its_neighbours)
{
    struct machine machine =
        read_table("forecost: 2\n"
                   "machine: {name: t, processors: 16, measured: {seed: 1}}\n"
                   "communication:\n"
                   "  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 1}]}\n"
                   "  - {utility: one-to-many, processors_mean: destinations, measures: sender, "
                   "regions: [{t0_us: 1, rinf_mb_per_s: 1}]}\n"
                   "  - {utility: many-to-one, processors_mean: sources, measures: receiver, "
                   "regions: [{t0_us: 1, rinf_mb_per_s: 2}]}\n"
                   "  - {utility: halo-2, regions: [{t0_us: 70, rinf_mb_per_s: 1}]}\n");
    struct pipeline pipeline = {
        .active = 7.0,
        .fill = 6.0,
        .lines = 1.0,
        .outer = 16.0,
        .strip = 1.0,
        .chain = 7.0,
        .across = 1.0,
        .message_count = 2,
        .messages = {{.bytes = 8.0, .apart = 4.0, .side = 4.0},
                     {.bytes = 8.0, .apart = 1.0, .side = 4.0}}
    };
    struct tiles tiles;
    struct error error;
    ck_assert_int_eq(tiles_choose(&tiles, &machine, &pipeline, 0.0, &error), 0);
    ck_assert_double_eq_tol(tiles.share_us, 2 * 2 + 8, near);
    pipeline.messages[0].side = 2.0; /* one of two sends or receives: nothing to compare with */
    ck_assert_int_eq(tiles_choose(&tiles, &machine, &pipeline, 0.0, &error), 0);
    ck_assert_double_eq_tol(tiles.share_us, 14 + 9, near);
    machine_free(&machine);
}
END_TEST

/* Sixteen pairs where eight pairs take so long, and two 10 us; a message to the farthest takes 20
   us more than one to the next. */
static struct contention of_pairs(const char *together_us, double *with_distance)
{
    char text[400];
    snprintf(text, sizeof text,
             "forecost: 2\n"
             "machine: {name: t, processors: 16, measured: {seed: 1}}\n"
             "communication:\n"
             "  - {utility: exchange, regions: [{t0_us: 10}]}\n"
             "  - {utility: exchange-far, regions: [{t0_us: 30}]}\n"
             "  - {utility: exchange-pairs, regions: [{processors_upto: 4, t0_us: 10}, "
             "{t0_us: %s}]}\n",
             together_us);
    struct machine machine = read_table(text);
    struct contention it = contention_of(&machine, "point-to-point", 2.0, 16.0, 8.0, 0.0);
    *with_distance = it.factor;
    contention_leave_distance_out(&it, &machine, 16.0, 8.0);
    it.answer.region = NULL; /* of the machine */
    machine_free(&machine);
    return it;
}

/* More pairs are farther apart: that is no contention, but the interval has it. */
START_TEST(pairs_farther_apart_are_no_contention)
{
    double with_distance;
    const struct contention some = of_pairs("45", &with_distance);
    ck_assert_double_eq_tol(some.factor, with_distance * 10.0 / 30.0, near);
    ck_assert_double_eq_tol(some.factor * contention_widening(&some), with_distance, near);
    const struct contention none = of_pairs("28", &with_distance);
    ck_assert_double_eq_tol(with_distance, 2.8, near);
    ck_assert_double_eq_tol(none.factor, 1.0, near);
    ck_assert_double_eq_tol(contention_widening(&none), with_distance, near);
}
END_TEST

/* Groups of four four apart, and so in two nodes of eight: one of a tree's two stages leaves one,
   and takes 40 us more; up to three may. */
START_TEST(a_group_with_processors_in_other_nodes_waits_for_them)
{
    struct machine machine =
        read_table("forecost: 2\n"
                   "machine: {name: t, processors: 16, measured: {seed: 1}}\n"
                   "communication:\n"
                   "  - {utility: exchange, regions: [{t0_us: 10}]}\n"
                   "  - {utility: halo-1, processors_near: 8, regions: [{processors_upto: 8, "
                   "t0_us: 20}, {t0_us: 60}]}\n"
                   "  - {utility: halo-1-by-4, regions: [{t0_us: 60}]}\n"
                   "  - {utility: broadcast, processors_mean: destinations, "
                   "regions: [{t0_us: 100}]}\n");
    struct use use = {.class = TRAFFIC_CLASSES,
                      .bytes = 8.0,
                      .processors = 4.0,
                      .at_once = 1.0,
                      .times = 1.0,
                      .is_call = true,
                      .halo = line(4, 4)};
    const struct demand demand = {.utility = "broadcast"};
    struct charge charge;
    struct error error;
    use.halo.own = use.halo.lines[0];
    ck_assert_int_eq(price_use(&machine, &demand, &use, &charge, &error), 0);
    ck_assert_double_eq_tol(charge.time_us, 140.0, near);
    ck_assert_double_eq_tol(charge.high_us, 220.0, near);
    use.processors = 8.0; /* a tree of three stages over 28: those of 8 and of 16 leave */
    use.halo = line(8, 4);
    use.halo.own = use.halo.lines[0];
    ck_assert_int_eq(price_use(&machine, &demand, &use, &charge, &error), 0);
    ck_assert_double_eq_tol(charge.time_us, 180.0, near);
    use.processors = 4.0;
    use.halo = line(4, 1);
    use.halo.own = use.halo.lines[0];
    ck_assert_int_eq(price_use(&machine, &demand, &use, &charge, &error), 0);
    ck_assert_double_eq_tol(charge.time_us, 100.0, near);
    machine_free(&machine);
}
END_TEST

SUITE("distance", pairs_farther_apart_are_no_contention,
      a_group_with_processors_in_other_nodes_waits_for_them,
      bytes_and_leaving_a_node_take_what_an_exchange_with_the_neighbours_does,
      of_messages_from_each_those_from_other_nodes_are_far,
      a_stage_takes_no_longer_than_an_exchange_with_its_neighbours,
      where_it_was_measured_nothing_is_asked, near_lines_take_what_they_take_alone,
      where_neighbours_are_in_one_anothers_way_lines_are_too,
      between_distances_the_interval_has_both, what_is_not_hidden_is_not_hidden_on_another_grid,
      what_the_table_does_not_say_is_flagged, messages_contend_with_those_at_their_distance,
      of_a_ring_more_leaves_a_node_than_of_a_line)
