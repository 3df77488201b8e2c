#include "trainer/loops/jumps.h"

#include <math.h>

/* Jumps below that are no matter, and what lies closer together in octaves is. */
static const double jump_least = 1.2, octaves_least = 0.1;

/* The next larger usual one; the curve's count: there is none. */
static size_t next_of(const struct loop_curve *curve, const bool *is_usual, size_t point)
{
    const struct loop_point *points = curve->points.items;
    const double bytes = points[point].shape.nest_bytes;
    size_t next = curve->points.count;
    for (size_t i = 0; i < curve->points.count; i++)
        if (is_usual[i] && points[i].shape.nest_bytes > bytes &&
            (next == curve->points.count ||
             points[i].shape.nest_bytes < points[next].shape.nest_bytes))
            next = i;
    return next;
}

bool jumps_largest(const struct loop_curve *curve, const bool *is_usual, const bool *is_settled,
                   size_t pair[2])
{
    const struct loop_point *points = curve->points.items;
    const size_t count = curve->points.count;
    double largest = log(jump_least);
    bool is_any = false;
    for (size_t i = 0; i < count; i++) {
        const size_t next = is_usual[i] ? next_of(curve, is_usual, i) : count;
        if (next == count || is_settled[i])
            continue;
        const double jump = fabs(log(points[next].alone_ns / points[i].alone_ns));
        const double octaves = log2(points[next].shape.nest_bytes / points[i].shape.nest_bytes);
        if (jump > largest && octaves > octaves_least) {
            largest = jump;
            pair[0] = i;
            pair[1] = next;
            is_any = true;
        }
    }
    return is_any;
}
