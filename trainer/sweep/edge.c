#include "trainer/sweep/edge.h"

#include <math.h>

enum { ASKS_MOST = 4 };

/* The gap about an edge: the last fitted point of the left region, the first of the right. */
static bool gap_about(const struct running *run, double edge, double *left, double *right)
{
    *left = *right = NAN;
    for (size_t i = 0; i < run->count; i++) {
        if (run->sorted[i].held_out)
            continue;
        if (run->sorted[i].bytes <= edge)
            *left = run->sorted[i].bytes;
        else if (isnan(*right))
            *right = run->sorted[i].bytes;
    }
    return !isnan(*left) && !isnan(*right);
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
    for (int times = 1; times <= ASKS_MOST; times++) {
        if (running_measure(run, bytes, false, error) != 0)
            return -1;
        if (run->spent)
            return 0;
        const struct point *point =
            (const struct point *)run->points->items + run->points->count - 1;
        sum_us += running_time_us(run, point);
        const double mean_us = sum_us / times, noise_us = point->half_width_us / sqrt(times);
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
    double below, above;
    if (!gap_about(run, left->bytes_upto, &below, &above))
        return 0;
    while (above - below > granule && above > run->plan->edge_ratio * below) {
        const double middle = granule * floor(0.5 * (below + above) / granule);
        enum side side;
        if (find_side(run, left, right, middle, &side, error) != 0)
            return -1;
        if (side == SIDE_UNKNOWN)
            return measure_quarters(run, below, above, error);
        *(side == SIDE_LEFT ? &below : &above) = middle;
    }
    return 0;
}
