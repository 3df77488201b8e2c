/* How much longer messages take between computations: rows of known ratios, at and between the
   sizes and the amounts of work that they are of. */
#include "model/micro/in_situ.h"

#include "test/suite.h"

#include <math.h>

static struct list rows(void)
{
    static const struct in_situ made[] = {
        {8,     1.0,  1.2, 1.6, 2.0, 8.0},
        {1023,  1.0,  1.0, 1.4, 1.8, 5.0},
        {65535, 1.5,  1.5, 2.0, 3.0, 4.0},
        {1e6,   0.75, 2.0, 2.5, 3.5, 3.5}
    };
    struct list list = {0};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        *(struct in_situ *)list_add(&in_situ_record, &list) = made[i];
    return list;
}

static double ratio(double bytes, double touched_bytes)
{
    struct list list = rows();
    const struct in_situ_ratio found = in_situ_ratio(&list, bytes, touched_bytes);
    list_free(&in_situ_record, &list);
    ck_assert(found.low <= found.ratio && found.ratio <= found.high);
    return found.ratio;
}

START_TEST(nothing_is_known_or_touched)
{
    struct list none = {0};
    ck_assert_double_eq(in_situ_ratio(&none, 8, 1e6).ratio, 1.0);
    ck_assert_double_eq(ratio(8, 0.0), 1.0);
    ck_assert_double_eq(ratio(65535, NAN), 1.0);
}
END_TEST

START_TEST(what_was_measured_answers)
{
    ck_assert_double_eq(ratio(65535, 8.0), 1.5);
    ck_assert_double_eq(ratio(8, 262144.0), 1.2);
    ck_assert_double_eq(ratio(1023, 1048576.0), 1.4);
    ck_assert_double_eq(ratio(8, 4194304.0), 2.0);
    ck_assert_double_eq(ratio(8, 33554432.0), 8.0);
}
END_TEST

START_TEST(beyond_the_ends_it_is_as_at_the_ends)
{
    ck_assert_double_eq(ratio(0, 4194304.0), 2.0);
    ck_assert_double_eq(ratio(1e9, 4194304.0), 3.5);
    ck_assert_double_eq(ratio(1023, 1e12), 5.0);
    ck_assert_double_eq(ratio(65535, 32768.0), 1.5);
    struct list list = rows();
    ck_assert(in_situ_ratio(&list, 8, 33554433.0).is_beyond);
    ck_assert(!in_situ_ratio(&list, 1e9, 33554432.0).is_beyond);
    list_free(&in_situ_record, &list);
}
END_TEST

/* Tables of before have no more than 4 MB; what one row has not is known of none. */
START_TEST(work_that_was_not_measured_is_beyond)
{
    struct list list = rows();
    ((struct in_situ *)list.items)[3].after_32m = NAN;
    const struct in_situ_ratio found = in_situ_ratio(&list, 1023, 4194305.0);
    ck_assert_double_eq(found.ratio, 1.8);
    ck_assert(found.is_beyond);
    ck_assert(!in_situ_ratio(&list, 1023, 4194304.0).is_beyond);
    list_free(&in_situ_record, &list);
}
END_TEST

/* 8191 + 1 is halfway from 1023 + 1 to 65535 + 1 by logarithms, and 512 KB from 256 KB to 1 MB. */
START_TEST(between_it_goes_by_logarithms)
{
    struct list list = rows();
    const struct in_situ_ratio found = in_situ_ratio(&list, 8191, 524288.0);
    ck_assert_double_eq_tol(found.ratio, (1.25 + 1.7) / 2.0, 1e-9);
    ck_assert_double_eq_tol(found.low, 1.25, 1e-9);
    ck_assert_double_eq_tol(found.high, 1.7, 1e-9);
    list_free(&in_situ_record, &list);
}
END_TEST

START_TEST(nothing_is_quicker_for_it)
{
    ck_assert_double_eq(ratio(1e6, 8.0), 1.0);
}
END_TEST

SUITE("in situ", nothing_is_known_or_touched, what_was_measured_answers,
      beyond_the_ends_it_is_as_at_the_ends, work_that_was_not_measured_is_beyond,
      between_it_goes_by_logarithms, nothing_is_quicker_for_it)
