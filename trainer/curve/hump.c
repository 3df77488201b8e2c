#include "trainer/curve/hump.h"

#include <math.h>

/* The search for humps passes over times that stand apart by less; the bisection finds them where
   a straight line misses. Abrupt changes of message times that we know are of a fifth and more
   (test/trainer/sweep.c, shared memory). */
static const double apart_least = 0.1;

/* Sizes that differ by less than this share are in one hump: of 2.5 KB at 1 MB it is the whole. */
static const double beside_share = 0.0005;

/* So many sizes that a fit may see make a region; with those held out there may be twice as many.
 */
enum { REGION_SIZES = 3, SIZES_MOST = 2 * REGION_SIZES, HUMPS_MOST = 8 };

/* By how much the middle one lies above (or below) the line between two others, of what that says.
 */
static double off_line(const struct observation *from, const struct observation *middle,
                       const struct observation *to)
{
    const double share = (middle->bytes - from->bytes) / (to->bytes - from->bytes);
    const double line_us = from->time_us + share * (to->time_us - from->time_us);
    return line_us > 0.0 ? middle->time_us / line_us - 1.0 : 0.0;
}

static double noise_of(const struct observation *point)
{
    return point->half_width_us / point->time_us;
}

/* Whether count sizes from that one on stand apart from two on each side, which a line joins. At a
   step the sizes of one side are as the first of them is. */
static bool is_apart(const struct observation *first, size_t count)
{
    const struct observation *left = first - 1, *right = first + count;
    double least = INFINITY;
    if (!(left->bytes > first[-2].bytes && right[1].bytes > right->bytes))
        return false;
    const bool is_above = off_line(left, first, right) > 0.0;
    for (size_t i = 0; i < count; i++) {
        const double off = off_line(left, &first[i], right);
        least = fmin(least, (is_above ? off : -off) - 3.0 * noise_of(&first[i]));
    }
    const double sides =
        fmax(fabs(off_line(&first[-2], left, right)), fabs(off_line(left, right, &right[1])));
    return least > apart_least && sides < 0.5 * least;
}

static size_t fitted_of(const struct observation *first, size_t count)
{
    size_t fitted = 0;
    for (size_t i = 0; i < count; i++)
        fitted += !first[i].held_out;
    return fitted;
}

/* Between sizes that stand apart, and beside the only one. */
static int measure_beside(struct running *run, const struct observation *first, size_t count,
                          struct error *error)
{
    const double from = first->bytes, upto = first[count - 1].bytes;
    const double beside = fmax(run->plan->granule, beside_share * from);
    size_t fitted = fitted_of(first, count);
    for (int i = 1; fitted < REGION_SIZES && i <= 2 * REGION_SIZES && !run->spent; i++) {
        const double bytes = running_size(run, count > 1 ? from + (upto - from) * i / 7.0
                                               : i % 2   ? from - beside * ((i + 1) / 2)
                                                         : from + beside * (i / 2));
        if (running_knows(run, bytes))
            continue;
        if (running_measure(run, bytes, false, error) != 0)
            return -1;
        fitted++;
    }
    return 0;
}

/* Measuring moves the sizes: the next one is looked for from the start. */
static bool next_hump(const struct running *run, double after, size_t *at, size_t *count)
{
    for (size_t i = 2; i + 2 < run->count; i++)
        for (size_t n = 1; n <= SIZES_MOST && i + n + 1 < run->count; n++)
            if (run->sorted[i].bytes > after && fitted_of(&run->sorted[i], n) < REGION_SIZES &&
                is_apart(&run->sorted[i], n)) {
                *at = i;
                *count = n;
                return true;
            }
    return false;
}

int hump_measure(struct running *run, struct error *error)
{
    double after = -1.0;
    size_t at, count;
    for (int i = 0; i < HUMPS_MOST && !run->spent && next_hump(run, after, &at, &count); i++) {
        struct observation sizes[SIZES_MOST];
        for (size_t k = 0; k < count; k++)
            sizes[k] = run->sorted[at + k];
        if (measure_beside(run, sizes, count, error) != 0)
            return -1;
        after = fmax(sizes[count - 1].bytes, after);
        for (size_t k = 0; k < run->count; k++) /* and what was measured beside it */
            if (run->sorted[k].bytes <= sizes[count - 1].bytes * (1.0 + 4.0 * beside_share))
                after = fmax(after, run->sorted[k].bytes);
    }
    return 0;
}
