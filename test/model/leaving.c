/* Which messages leave a node, counted by hand. */
#include "model/cost/leaving.h"
#include "model/cost/pattern.h"
#include "test/suite.h"

#include <math.h>

START_TEST(messages_that_leave_a_node_are_counted)
{
    static const struct {
        const struct pattern *pattern;
        double processors, near, messages;
    } cases[] = {
        {&pattern_shift,               64,  32, 1 },
        {&pattern_exchange_pairs,      46,  32, 14},
        {&pattern_exchange_pairs,      256, 32, 32},
        {&pattern_exchange_neighbours, 64,  32, 0 },
        {&pattern_exchange_neighbours, 64,  1,  1 },
        {&pattern_halo_1,              64,  32, 1 },
        {&pattern_halo_1,              96,  32, 2 },
        {&pattern_halo_1_by_4,         96,  32, 8 },
        {&pattern_halo_2,              64,  32, 8 }, /* 8 x 8: one row's */
        {&pattern_halo_2,              256, 32, 32}, /* 16 x 16: two rows' */
        {&pattern_halo_3,              64,  32, 16},
        {&pattern_halo_2,              16,  16, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_double_eq(leaving_messages(cases[i].pattern, cases[i].processors, cases[i].near),
                            cases[i].messages);
    ck_assert(isnan(leaving_messages(&pattern_broadcast, 64.0, 32.0)));
    ck_assert(isnan(leaving_messages(&pattern_shift, 64.5, 32.0)));
    ck_assert(isnan(leaving_messages(&pattern_shift, 64.0, NAN)));
}
END_TEST

START_TEST(stages_in_which_messages_leave_a_node_are_counted)
{
    ck_assert_double_eq(leaving_messages(&pattern_many_to_many_staged, 12.0, 8.0), 32.0);
    ck_assert_double_eq(leaving_stages(&pattern_many_to_many_staged, 12.0, 8.0), 11.0);
    ck_assert_double_eq(leaving_stages(&pattern_many_to_many_staged, 8.0, 8.0), 0.0);
    ck_assert_double_eq(leaving_stages(&pattern_halo_1_by_4, 12.0, 8.0), 1.0);
    ck_assert_double_eq(leaving_stages(&pattern_synchronization, 12.0, 8.0), 1.0);
    ck_assert_double_eq(leaving_stages(&pattern_synchronization, 24.0, 8.0), 2.0);
    ck_assert(isnan(leaving_stages(&pattern_broadcast, 12.0, 8.0)));
}
END_TEST

START_TEST(messages_of_lines_and_rings_that_leave_a_node_are_counted)
{
    ck_assert_double_eq(leaving_lines(16.0, 8.0, 4.0, 4.0, false), 4.0);
    ck_assert_double_eq(leaving_lines(16.0, 8.0, 4.0, 4.0, true), 8.0);
    ck_assert_double_eq(leaving_lines(16.0, 8.0, 4.0, 1.0, true), 0.0);
    ck_assert_double_eq(leaving_lines(32.0, 8.0, 8.0, 4.0, false), 8.0);
    ck_assert_double_eq(leaving_lines(32.0, 8.0, 8.0, 4.0, true), 8.0);
    ck_assert(isnan(leaving_lines(16.0, 8.0, 8.0, 4.0, true))); /* as many are not there */
    ck_assert(isnan(leaving_lines(16.0, NAN, 4.0, 4.0, true)));
}
END_TEST

SUITE("leaving", messages_that_leave_a_node_are_counted,
      stages_in_which_messages_leave_a_node_are_counted,
      messages_of_lines_and_rings_that_leave_a_node_are_counted)
