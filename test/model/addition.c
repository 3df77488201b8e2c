/* A table to which a calibration is added: what was measured takes the place of its like, and all
   else stays, points too. */
#include "model/tables/addition.h"
#include "model/base/allocation.h"
#include "model/fit/points.h"
#include "test/suite.h"

#include <stdlib.h>
#include <string.h>

static const char *const before_text =
    "forecost: 1\n"
    "machine:\n"
    "  name: it\n"
    "  measured: {date: monday}\n"
    "  added:\n"
    "    - {what: \"swap, exchange\", measured: {date: tuesday}}\n"
    "    - {what: combine}\n"
    "communication:\n"
    "  - utility: exchange\n"
    "    note: old\n"
    "    regions: [{t0_us: 1}]\n"
    "    in_situ: [{bytes: 8, written: 2, after_256k: 2, after_1m: 2, after_4m: 3}]\n"
    "  - {utility: combine, note: old, regions: [{t0_us: 1}]}\n"
    "node: {clock_mhz: 1, rate_mflops: 1}\n"
    "not_measured:\n"
    "  - {what: exchange-far, because: old}\n"
    "  - {what: eager_upto_bytes, because: old}\n"
    "  - {what: exchange beyond 8 bytes, because: old}\n";

static const char *const now_text =
    "forecost: 1\n"
    "machine: {name: other, measured: {date: friday}}\n"
    "communication:\n"
    "  - {utility: point-to-point, note: new, regions: [{t0_us: 1}]}\n"
    "  - {utility: exchange, note: new, regions: [{t0_us: 1}]}\n"
    "not_measured:\n"
    "  - {what: node units, because: new}\n"
    "  - {what: logp, because: new}\n";

static struct machine machine_of(const char *text)
{
    struct machine machine;
    struct error error;
    char line[800];
    if (machine_read_text(&machine, "it", text, strlen(text), &error) != 0)
        ck_abort_msg("%s", error_line(&error, line, sizeof line));
    return machine;
}

static void expect_note(const struct machine *machine, const char *utility, const char *note)
{
    const struct cost *cost = machine_cost(machine, utility);
    ck_assert_ptr_nonnull(cost);
    ck_assert_str_eq(cost->note, note);
}

START_TEST(what_is_measured_takes_the_place_of_its_like)
{
    struct machine into = machine_of(before_text), now = machine_of(now_text);
    addition_make(&into, &now);
    machine_free(&now);
    ck_assert_str_eq(into.machine.name, "it");
    ck_assert_str_eq(into.machine.measured->date, "monday");
    ck_assert_uint_eq(into.communication.count, 3);
    expect_note(&into, "exchange", "new");
    expect_note(&into, "point-to-point", "new");
    expect_note(&into, "combine", "old");
    ck_assert_ptr_nonnull(into.node);
    machine_free(&into);
}
END_TEST

/* Another suite measures them. */
START_TEST(rows_in_situ_stay_until_there_are_new_ones)
{
    struct machine into = machine_of(before_text), now = machine_of(now_text);
    addition_make(&into, &now);
    machine_free(&now);
    const struct list *rows = &machine_cost(&into, "exchange")->in_situ;
    ck_assert_uint_eq(rows->count, 1);
    ck_assert_double_eq(((const struct in_situ *)rows->items)->after_4m, 3.0);
    struct machine again = machine_of(before_text);
    ((struct in_situ *)machine_cost(&again, "exchange")->in_situ.items)->after_4m = 4.0;
    addition_make(&into, &again);
    machine_free(&again);
    rows = &machine_cost(&into, "exchange")->in_situ;
    ck_assert_uint_eq(rows->count, 1);
    ck_assert_double_eq(((const struct in_situ *)rows->items)->after_4m, 4.0);
    machine_free(&into);
}
END_TEST

START_TEST(it_is_said_what_was_added_and_what_is_left_of_earlier_additions)
{
    static const char *const says[] = {"swap", "combine", "point-to-point, exchange"};
    struct machine into = machine_of(before_text), now = machine_of(now_text);
    addition_make(&into, &now);
    machine_free(&now);
    const struct addition *rows = into.machine.added.items;
    ck_assert_uint_eq(into.machine.added.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(rows[i].what, says[i]);
    ck_assert_str_eq(rows[0].measured->date, "tuesday");
    ck_assert_str_eq(rows[2].measured->date, "friday");
    machine_free(&into);
}
END_TEST

/* Of what is kept nothing is missing because this calibration did not measure it. */
START_TEST(what_is_missing_is_what_neither_has)
{
    static const char *const says[] = {"exchange-far", "logp"};
    struct machine into = machine_of(before_text), now = machine_of(now_text);
    addition_make(&into, &now);
    machine_free(&now);
    const struct not_measured *rows = into.not_measured.items;
    ck_assert_uint_eq(into.not_measured.count, 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert_str_eq(rows[i].what, says[i]);
    machine_free(&into);
}
END_TEST

static void add_point(struct list *points, const char *utility, double attempt)
{
    struct point *point = list_add(&point_record, points);
    memset(point, 0, sizeof *point);
    strcpy(point->utility, utility);
    point->attempt = attempt;
}

/* Of "combine", which was not measured to its end now, the earlier ones stand: both together would
   be taken for one calibration. Of "iSR" there were none. */
START_TEST(points_are_those_of_one_calibration_each)
{
    static const char *const says[] = {"combine",  "swap-0.3-basic", "exchange-far",
                                       "exchange", "memory-load-1",  "iSR"};
    static const char *const old[] = {"exchange", "combine", "memory-load-1", "swap-0.3-basic",
                                      "exchange-far"};
    static const char *const new[] = {"exchange", "memory-load-1", "combine", "iSR"};
    const char *names[] = {"exchange", "memory"};
    const struct things measured = {names, 2};
    struct list into = {0}, now = {0};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        add_point(&into, old[i], 1);
    for (size_t i = 0; i < sizeof new / sizeof *new; i++)
        add_point(&now, new[i], 2);
    addition_of_points(&into, &now, &measured);
    const struct point *points = into.items;
    ck_assert_uint_eq(into.count, sizeof says / sizeof *says);
    for (size_t i = 0; i < into.count; i++) {
        ck_assert_str_eq(points[i].utility, says[i]);
        ck_assert_double_eq(points[i].attempt, i < 3 ? 1 : 2);
    }
    free(into.items);
    free(now.items);
}
END_TEST

START_TEST(a_long_list_of_names_says_how_many_more_there_are)
{
    const char *names[] = {"exchange", "combine", "swap"};
    const struct things things = {names, 3};
    const struct {
        size_t most;
        const char *says;
    } cases[] = {
        {0,   "exchange and 2 more"         },
        {9,   "exchange, combine and 1 more"},
        {100, "exchange, combine, swap"     }
    };
    for (size_t i = 0; i < 3; i++) {
        char *text = things_text(&things, cases[i].most);
        ck_assert_str_eq(text, cases[i].says);
        free(text);
    }
}
END_TEST

SUITE("addition", what_is_measured_takes_the_place_of_its_like,
      rows_in_situ_stay_until_there_are_new_ones,
      it_is_said_what_was_added_and_what_is_left_of_earlier_additions,
      what_is_missing_is_what_neither_has, points_are_those_of_one_calibration_each,
      a_long_list_of_names_says_how_many_more_there_are)
