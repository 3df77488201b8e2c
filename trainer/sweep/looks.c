#include "trainer/sweep/looks.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* ---- the second look ---- */

/* A time that moved by more of itself was measured on another machine, as it were; one that moved
   by less than the other is the same time, and the mean of both knows it better than either. */
static const double change_most = 0.22, agreement_most = 0.1;

static double change(const struct running *run, const struct point *point,
                     const struct point *before)
{
    const double before_us = running_time_us(run, before);
    return fabs(running_time_us(run, point) - before_us) / before_us;
}

/* The one whose time lies between those of the other two. */
static const struct point *between(const struct running *run, const struct point *a,
                                   const struct point *b, const struct point *c)
{
    const double a_us = running_time_us(run, a), b_us = running_time_us(run, b);
    const double c_us = running_time_us(run, c);
    const bool ab = a_us <= b_us, bc = b_us <= c_us, ac = a_us <= c_us;
    return ab == bc ? b : ab == ac ? c : a;
}

/* Of what was measured at two moments. What the moments differ by is noise as well, which the
   batches of one moment do not show. */
static struct point mean_of(const struct point *a, const struct point *b)
{
    struct point both = *a;
    const double all = a->repetitions + b->repetitions, of_b = b->repetitions / all;
    const double off_us = b->mean_us - a->mean_us;
    both.repetitions = all;
    both.minimum_us = fmin(a->minimum_us, b->minimum_us);
    both.median_us = 0.5 * (a->median_us + b->median_us);
    both.mean_us = a->mean_us + of_b * off_us;
    both.standard_deviation_us =
        sqrt((1.0 - of_b) * pow(a->standard_deviation_us, 2.0) +
             of_b * pow(b->standard_deviation_us, 2.0) + of_b * (1.0 - of_b) * off_us * off_us);
    both.maximum_us = fmax(a->maximum_us, b->maximum_us);
    both.half_width_us =
        0.5 * fmax(fabs(a->median_us - b->median_us), hypot(a->half_width_us, b->half_width_us));
    both.rejected = a->rejected + of_b * (b->rejected - a->rejected);
    both.spent_us = a->spent_us + b->spent_us;
    both.lost_us = a->lost_us + b->lost_us;
    return both;
}

double sweep_moved(const struct sweep_looks *looks)
{
    return looks->looked > 0 ? (double)looks->moved / (double)looks->looked : 0.0;
}

static void replace(struct running *run, struct point *point, const struct point *by)
{
    const double before_us = running_time_us(run, point);
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].bytes == point->bytes && run->sorted[i].time_us == before_us) {
            run->sorted[i].time_us = running_time_us(run, by);
            run->sorted[i].half_width_us = by->half_width_us;
            break;
        }
    *point = *by;
}

/* The mean of two times that agree; else two of three decide: a shared machine has moods that last
   for a few points and not for the next ones (measuring.md 3.7). Held-out points too: what they
   hold is a time like any other. */
static int look_again(struct running *run, size_t i, struct error *error)
{
    struct point *point = (struct point *)run->points->items + i;
    struct point again = {0}, third = {0};
    struct ask what = {point->bytes, point->held_out, true};
    if (point->half_width_us == 0.0)
        return 0;
    if (running_ask(run, &what, &again, error) != 0)
        return -1;
    if (run->spent)
        return 0;
    run->looks.looked++;
    const double changed = change(run, &again, point);
    if (changed <= agreement_most) {
        const struct point both = mean_of(point, &again);
        replace(run, point, &both);
        return 0;
    }
    run->looks.moved += changed > change_most;
    what.again = false;
    if (running_ask(run, &what, &third, error) != 0)
        return -1;
    if (!run->spent)
        replace(run, point, between(run, point, &again, &third));
    return 0;
}

int looks_again(struct running *run, struct error *error)
{
    for (; !run->plan->trusting && run->looked < run->points->count && !run->spent; run->looked++)
        if (look_again(run, run->looked, error) != 0)
            return -1;
    return 0;
}

/* ---- the last look ---- */

enum { LAST_LOOKS = 7 };

/* The points of a region, sorted, `count` of them. Sets *off to the share by which the median of a
   few, asked once more, is away from the region. */
static int look_at_region(struct running *run, const struct region *region,
                          const struct observation *points, size_t count, double *off,
                          struct error *error)
{
    double ratios[LAST_LOOKS];
    const size_t looks = count < LAST_LOOKS ? count : LAST_LOOKS;
    size_t seen = 0;
    for (size_t i = 0; i < looks; i++) {
        const struct observation *at = &points[looks > 1 ? i * (count - 1) / (looks - 1) : 0];
        struct point now = {0};
        if (running_ask(run, &(struct ask){.bytes = at->bytes, .again = true}, &now, error) != 0)
            return -1;
        if (run->spent)
            break;
        const double model_us = region_time_us(region, at->bytes, 2.0);
        if (model_us > 0.0)
            ratios[seen++] = running_time_us(run, &now) / model_us;
    }
    gsl_sort(ratios, 1, seen);
    *off = seen > 0 ? fabs(gsl_stats_median_from_sorted_data(ratios, 1, seen) - 1.0) : 0.0;
    return 0;
}

/* A mixture of two machines fits neither: whichever there is now, some region is off. */
int looks_at_regions(struct running *run, const struct list *regions, struct error *error)
{
    const struct region *items = regions->items;
    for (size_t k = 0, start = 0, end; k < regions->count && !run->spent; k++, start = end) {
        double off = 0.0;
        for (end = start; end < run->count && run->sorted[end].bytes <= items[k].bytes_upto;)
            end++;
        if (look_at_region(run, &items[k], &run->sorted[start], end - start, &off, error) != 0)
            return -1;
        run->looks.region_off = fmax(run->looks.region_off, off);
    }
    return 0;
}
