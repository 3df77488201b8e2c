#include "model/fit/counts.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/fit/summary.h"

#include <math.h>
#include <stdlib.h>

/* Of the mean over processors as a share of the longest time, whose median alone is wanted. */
enum { SHARE_DIGITS = 4 };
#define SHARE_CONFIDENCE 0.95

static const struct point *point_at(const struct list *points, size_t i)
{
    return (const struct point *)points->items + i;
}

void counts_count(struct cost *cost, const struct list *points)
{
    double rejected = 0.0;
    cost->points = cost->held_out_points = 0.0;
    for (size_t i = 0; i < points->count; i++) {
        *(point_at(points, i)->held_out ? &cost->held_out_points : &cost->points) += 1.0;
        rejected += point_at(points, i)->rejected;
    }
    cost->rejected = rejected / (double)points->count;
}

double counts_mean_over_maximum(const struct list *points)
{
    double *shares = memory_new(points->count + 1, sizeof *shares), share = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
        if (point_at(points, i)->mean_over_maximum > 0.0)
            shares[count++] = point_at(points, i)->mean_over_maximum;
    if (count > 0)
        share = number_rounded(summary_of(shares, count, SHARE_CONFIDENCE).median, SHARE_DIGITS);
    free(shares);
    return fmin(1.0, share);
}

struct list counts_points(const struct list *points, double processors)
{
    struct list some = {0};
    for (size_t i = 0; i < points->count; i++)
        if (point_at(points, i)->processors == processors)
            *(struct point *)list_add(&point_record, &some) = *point_at(points, i);
    return some;
}

double counts_next(const struct list *points, double after)
{
    double next = INFINITY;
    for (size_t i = 0; i < points->count; i++)
        if (point_at(points, i)->processors > after)
            next = fmin(next, point_at(points, i)->processors);
    return next;
}

/* The same regions at another processor count. */
static void add_at(const struct list *all, const struct list *regions, double processors,
                   enum statistic statistic, struct cost *cost)
{
    struct list points = counts_points(all, processors);
    struct observation *seen = points_observe(&points, statistic);
    struct at_processors at = {.processors = processors,
                               .mean_over_maximum = counts_mean_over_maximum(&points)};
    struct error error;
    if (fit_regions_at(regions, seen, points.count, &at.regions, &error) == 0)
        *(struct at_processors *)list_add(&at_processors_record, &cost->by_processors) = at;
    free(seen);
    free(points.items);
}

void counts_fit(struct cost *cost, const struct list *points, enum statistic statistic,
                struct list regions)
{
    const double most = cost->processors.most;
    for (double p = counts_next(points, 0.0); p < most; p = counts_next(points, p))
        add_at(points, &regions, p, statistic, cost);
    if (cost->by_processors.count == 0)
        cost->regions = regions;
    else
        *(struct at_processors *)list_add(&at_processors_record, &cost->by_processors) =
            (struct at_processors){most, cost->mean_over_maximum, regions};
}
