#include "trainer/curve/edge.h"

#include <math.h>
#include <stdlib.h>

/* Where the times of both lines differ by less, an edge that is off by a hundredth of its size
   costs less than noise does, and the hundreds of times that it takes to know it to the byte are
   better spent on other sizes. */
static const double step_worth_bytes = 0.1, near_ratio = 1.01;

/* Where they differ by more at either end of a gap, a size in it may be off by as much. */
static const double step_worth_a_size = 0.05;

/* The gap about an edge: the last fitted point of the left region, the first of the right. */
struct gap {
    double below, above;
    bool exact; /* the times of both have no noise */
};

static bool gap_about(const struct observation *points, size_t count, double edge, struct gap *gap)
{
    const struct observation *left = NULL, *right = NULL;
    for (size_t i = 0; i < count && !right; i++) {
        const struct observation *point = &points[i];
        if (!point->held_out)
            *(point->bytes <= edge ? &left : &right) = point;
    }
    if (!left || !right)
        return false;
    *gap = (struct gap){left->bytes, right->bytes,
                        left->half_width_us == 0.0 && right->half_width_us == 0.0};
    return true;
}

/* By how much of the less the times of both lines differ. */
static double step_at(double bytes, const struct region *left, const struct region *right)
{
    const double left_us = region_time_us(left, bytes, 2.0);
    const double right_us = region_time_us(right, bytes, 2.0);
    return fabs(left_us - right_us) / fmin(left_us, right_us);
}

/* Whether no size in the gap is worth a measurement. */
static bool is_narrow(const struct running *run, const struct gap *gap, const struct region *left,
                      const struct region *right)
{
    if (gap->above - gap->below <= run->plan->granule ||
        gap->above <= run->plan->edge_ratio * gap->below)
        return true;
    return !gap->exact && gap->above <= near_ratio * gap->below &&
           step_at(gap->above, left, right) < step_worth_bytes;
}

double edge_middle(const struct observation *points, size_t count, double granule,
                   const struct region *left, const struct region *right)
{
    struct gap gap;
    if (!gap_about(points, count, left->bytes_upto, &gap) || gap.above <= near_ratio * gap.below)
        return NAN;
    const double step = fmax(step_at(gap.below, left, right), step_at(gap.above, left, right));
    double middle = granule * floor(0.5 * (gap.below + gap.above) / granule);
    for (size_t i = 0; i < count; i++)
        middle += points[i].bytes == middle ? granule : 0.0; /* held out: another one then */
    return step >= step_worth_a_size && middle > gap.below && middle < gap.above ? middle : NAN;
}

enum side { SIDE_LEFT, SIDE_RIGHT, SIDE_UNKNOWN };

/* To which of two lines a size belongs. Measured again (a few times, summed up by the mean) while
   it lies between them within its noise; to the left when both explain it. */
static int find_side(struct running *run, const struct region *left, const struct region *right,
                     double bytes, enum side *side, struct error *error)
{
    const double left_us = region_time_us(left, bytes, 2.0);
    const double right_us = region_time_us(right, bytes, 2.0);
    double sum_us = 0.0;
    *side = SIDE_UNKNOWN;
    for (int times = 1; times <= RUNNING_ASKS_MOST; times++) {
        if (running_measure(run, bytes, false, error) != 0)
            return -1;
        if (run->spent)
            return 0;
        sum_us += running_time_us(run, &run->last);
        const double mean_us = sum_us / times, noise_us = run->last.half_width_us / sqrt(times);
        if (fabs(left_us - right_us) < 0.5 * noise_us)
            return 0;
        const double to_left = fabs(left_us - mean_us), to_right = fabs(right_us - mean_us);
        *side = to_left <= fmax(to_right, 0.1 * MISS_FLOOR * mean_us) ? SIDE_LEFT : SIDE_RIGHT;
        if (fabs(to_left - to_right) > noise_us)
            return 0;
    }
    return 0;
}

/* Two more points in a gap where the lines cannot yet be told apart: the next fit knows more. */
static int measure_quarters(struct running *run, double below, double above, struct error *error)
{
    const double quarter = running_size(run, 0.25 * (above - below));
    for (int i = 1; i <= 3 && quarter > 0.0; i += 2)
        if (running_measure(run, running_size(run, below + i * quarter), false, error) != 0)
            return -1;
    return 0;
}

int edge_narrow(struct running *run, const struct region *left, const struct region *right,
                struct error *error)
{
    const double granule = run->plan->granule;
    struct gap gap;
    if (!gap_about(run->sorted, run->count, left->bytes_upto, &gap))
        return 0;
    while (!is_narrow(run, &gap, left, right)) {
        const double middle = granule * floor(0.5 * (gap.below + gap.above) / granule);
        enum side side;
        if (find_side(run, left, right, middle, &side, error) != 0)
            return -1;
        if (side == SIDE_UNKNOWN)
            return measure_quarters(run, gap.below, gap.above, error);
        *(side == SIDE_LEFT ? &gap.below : &gap.above) = middle;
    }
    return 0;
}

/* ---- steps ---- */

/* A time that grows by so much more than its bytes shows a step, which noise seldom does. Between
   sizes that are nearer than this it may stay where it is. */
static const double step_least = 1.25, far_ratio = 1.1;

/* How much faster than the bytes the time grows from one size to the next; 0: the sizes are near.
 */
static double step_between(const struct point *below, const struct point *above,
                           enum statistic statistic)
{
    const double below_us = point_time_us(below, statistic);
    if (!(below->bytes > 0.0 && below_us > 0.0 && above->bytes > far_ratio * below->bytes))
        return 0.0;
    return point_time_us(above, statistic) / below_us / (above->bytes / below->bytes);
}

/* The point of the next larger size; NULL: there is none. */
static const struct point *next_of(const struct list *points, const struct point *of)
{
    const struct point *items = points->items, *next = NULL;
    for (size_t i = 0; i < points->count; i++)
        if (items[i].bytes > of->bytes && (!next || items[i].bytes < next->bytes))
            next = &items[i];
    return next;
}

double edge_within_step(const struct list *points, double granule, enum statistic statistic)
{
    const struct point *items = points->items;
    double highest = step_least, bytes = NAN;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *above = next_of(points, &items[i]);
        const bool is_gap = above && above->bytes - items[i].bytes >= 2.0 * granule;
        const double step = is_gap ? step_between(&items[i], above, statistic) : 0.0;
        if (step <= highest)
            continue;
        highest = step;
        bytes = granule * floor(0.5 * (items[i].bytes + above->bytes) / granule);
    }
    return bytes;
}

/* ---- between points that several passes asked ---- */

/* One more size for each edge between regions of the points of one processor count. */
static void add_sizes(struct curve *curve, struct list settled)
{
    struct list regions = {0};
    struct error error;
    if (curve_fit(curve, settled, &regions, &error) != 0)
        return;
    struct observation *seen = points_observe(&settled, curve->statistic);
    const struct region *items = regions.items;
    for (size_t k = 0; k + 1 < regions.count; k++) {
        const double bytes =
            edge_middle(seen, settled.count, curve->granule, &items[k], &items[k + 1]);
        if (!isnan(bytes))
            curve_add_size(curve, settled.items, bytes);
    }
    free(seen);
    list_free(&region_record, &regions);
}

void edge_add_sizes(struct curve *curve, size_t pass)
{
    if (pass < PASSES_FEWEST || pass + PASSES_LEAST > PASSES_MOST)
        return;
    struct list settled = curve_settled(curve);
    add_sizes(curve, curve_of_most(&settled));
    free(settled.items);
}
