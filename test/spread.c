/* What several passes over some items make of them, with measurements that are told. */
#include "trainer/node/spread.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>

enum { ITEMS = 3, CALLS = 100 };

static const enum spread_choice least[ITEMS] = {SPREAD_LEAST, SPREAD_LEAST, SPREAD_LEAST},
                                agreed[ITEMS] = {SPREAD_AGREED, SPREAD_AGREED, SPREAD_AGREED};

struct script {
    size_t calls, order[CALLS], times[ITEMS];
};

/* The first takes 10, 9, 8, ...; the second 5 but for one that a disturbance made dearer and one
   that the clock made cheaper; the third cannot be measured. */
static double measure(void *state, size_t item)
{
    struct script *script = state;
    const double pass = (double)script->times[item]++;
    if (script->calls < CALLS)
        script->order[script->calls++] = item;
    return item == 0   ? 10.0 - pass
           : item == 2 ? (double)NAN
           : pass == 2 ? 9.0
           : pass == 3 ? 4.0
                       : 5.0;
}

START_TEST(the_second_least_of_all_passes)
{
    struct script script = {0};
    double results[ITEMS];
    spread_over_passes(results, least, ITEMS, measure, &script);
    ck_assert_uint_ge(script.times[0], 4);
    ck_assert_double_eq(results[0], 10.0 - (double)script.times[0] + 2.0);
    ck_assert_double_eq(results[1], 5.0);
    ck_assert(isnan(results[2]));
}
END_TEST

/* Of the second item one pass is dearer and one cheaper. */
START_TEST(the_middle_of_all_passes)
{
    static const enum spread_choice middle[ITEMS] = {SPREAD_MIDDLE, SPREAD_MIDDLE, SPREAD_MIDDLE};
    struct script script = {0};
    double results[ITEMS];
    spread_over_passes(results, middle, ITEMS, measure, &script);
    ck_assert_double_eq(results[0], 10.0 - floor(0.5 * (double)(script.times[0] - 1)));
    ck_assert_double_eq(results[1], 5.0);
    ck_assert(isnan(results[2]));
}
END_TEST

/* One after the other, so that what lasts for a second meets each item once or twice. */
START_TEST(a_pass_measures_every_item_once)
{
    struct script script = {0};
    double results[ITEMS];
    spread_over_passes(results, least, ITEMS, measure, &script);
    for (size_t i = 0; i < script.calls; i++)
        ck_assert_uint_eq(script.order[i], i % ITEMS);
    ck_assert_uint_eq(script.times[0], script.times[ITEMS - 1]);
}
END_TEST

/* Something disturbs all passes but the twelfth and those from the fourteenth on, as much as it
 * likes. */
static double busy(void *state, size_t item)
{
    struct script *script = state;
    const size_t pass = script->times[item]++;
    script->calls++;
    return item == 0 ? 3.0 : pass == 11 || pass >= 13 ? 1.0 : 3.5 - 0.1 * (double)pass;
}

START_TEST(passes_go_on_until_three_quiet_ones)
{
    struct script script = {0};
    double results[2];
    spread_over_passes(results, agreed, 2, busy, &script);
    ck_assert_uint_eq(script.times[1], 15);
    ck_assert_double_eq(results[1], 1.0);
    /* Where that is not asked for, as few as ever. */
    script = (struct script){0};
    spread_over_passes(results, least, 2, busy, &script);
    ck_assert_uint_eq(script.times[1], 8);
    ck_assert_double_eq(results[0], 3.0);
}
END_TEST

/* The first item never twice the same. */
START_TEST(passes_come_to_an_end)
{
    struct script script = {0};
    double results[ITEMS];
    spread_over_passes(results, agreed, ITEMS, measure, &script);
    ck_assert_uint_eq(script.times[0], 24);
}
END_TEST

SUITE("spread", the_second_least_of_all_passes, the_middle_of_all_passes,
      a_pass_measures_every_item_once, passes_go_on_until_three_quiet_ones, passes_come_to_an_end)
