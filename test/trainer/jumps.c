/* Where a curve jumps, of curves that are known, and when a processor is slow. */
#include "trainer/loops/jumps.h"

#include "test/suite.h"

/* Points of so many bytes each, in no order, and their times. */
static struct loop_curve curve_of(struct loop_point *points, size_t count, const double *bytes,
                                  const double *times)
{
    struct loop_curve curve = {
        .points = {.items = points, .count = count}
    };
    for (size_t i = 0; i < count; i++)
        points[i] = (struct loop_point){
            .shape = {.row = 10.0, .nest_bytes = bytes[i]},
              .alone_ns = times[i]
        };
    return curve;
}

static const double bytes[] = {8e3, 64e3, 16e3, 32e3, 128e3}, times[] = {1, 4, 1.1, 1.2, 4.2};
static const bool all[] = {true, true, true, true, true};

START_TEST(the_largest_is_found_between_neighbours)
{
    struct loop_point points[5];
    const struct loop_curve curve = curve_of(points, 5, bytes, times);
    const bool none[5] = {false}, settled[5] = {[3] = true};
    size_t pair[2] = {9, 9};
    ck_assert(jumps_largest(&curve, all, none, pair));
    ck_assert_uint_eq(pair[0], 3);
    ck_assert_uint_eq(pair[1], 1);
    ck_assert(!jumps_largest(&curve, all, settled, pair));
}
END_TEST

START_TEST(other_points_are_passed_over)
{
    struct loop_point points[5];
    const struct loop_curve curve = curve_of(points, 5, bytes, times);
    const bool none[5] = {false}, some[] = {true, true, true, false, true};
    size_t pair[2];
    ck_assert(jumps_largest(&curve, some, none, pair));
    ck_assert_uint_eq(pair[0], 2);
    ck_assert_uint_eq(pair[1], 1);
}
END_TEST

START_TEST(what_lies_close_together_is_no_jump)
{
    struct loop_point points[2];
    const double near[] = {1000, 1050}, far[] = {1000, 1100}, two[] = {1, 2};
    const bool none[2] = {false};
    size_t pair[2];
    struct loop_curve curve = curve_of(points, 2, near, two);
    ck_assert(!jumps_largest(&curve, all, none, pair));
    curve = curve_of(points, 2, far, two);
    ck_assert(jumps_largest(&curve, all, none, pair));
}
END_TEST

SUITE("jumps", the_largest_is_found_between_neighbours, other_points_are_passed_over,
      what_lies_close_together_is_no_jump)
