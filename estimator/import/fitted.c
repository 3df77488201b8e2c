/* From series to a machine's communication: the same fit as the trainer's. */
#include "estimator/import/import.h"
#include "model/base/allocation.h"
#include "model/fit/counts.h"
#include "model/fit/learn.h"
#include "model/fit/measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of so many sizes is kept from the fit, to say how far it is off. */
enum { HELD_OUT_OF = 5, HELD_OUT_FIRST = 2 };

static const struct import_series *series_at(const struct imported *imported, size_t i)
{
    return (const struct import_series *)imported->series.items + i;
}

static bool is_same_pattern(const struct import_series *a, const struct import_series *b)
{
    return a->test->pattern == b->test->pattern;
}

/* ---- whether series belong together ---- */

static int cannot_join(const struct import_series *first, const struct import_series *second,
                       const char *why, struct error *error)
{
    return error_at(error, second->place, "%s of %.0f processes %s at %s:%u: expected one of them",
                    second->test->pattern->name, second->processors, why, first->place.file,
                    first->place.line);
}

static int check_pair(const struct import_series *first, const struct import_series *second,
                      struct error *error)
{
    if (first->processors == second->processors)
        return cannot_join(first, second, "a second time, after that", error);
    if (first->statistic != second->statistic || first->across != second->across)
        return cannot_join(first, second, "by another statistic than that", error);
    return 0;
}

static int check_all(const struct imported *imported, struct error *error)
{
    for (size_t i = 0; i < imported->series.count; i++) {
        const struct import_series *it = series_at(imported, i);
        if (it->points.count == 0)
            return error_at(error, it->place, "%s without a time: expected rows of times below",
                            it->test->name);
        for (size_t k = 0; k < i; k++)
            if (is_same_pattern(series_at(imported, k), it) &&
                check_pair(series_at(imported, k), it, error) != 0)
                return -1;
    }
    return 0;
}

/* ---- one pattern ---- */

/* The points of a series as of the utility, one of each few held out. */
static void add_points(const struct import_series *series, const struct cost *cost,
                       struct list *points)
{
    const struct point *items = series->points.items;
    for (size_t i = 0; i < series->points.count; i++) {
        struct point *point = list_add(&point_record, points);
        *point = items[i];
        snprintf(point->utility, sizeof point->utility, "%s", cost->utility);
        point->processors = cost_formula_p(cost, series->processors);
        point->held_out = i % HELD_OUT_OF == HELD_OUT_FIRST;
    }
}

static void widen(struct span *span, double value)
{
    span->least = fmin(span->least, value);
    span->most = fmax(span->most, value);
}

static void describe(const struct import_series *series, struct cost *cost)
{
    cost->utility = memory_copy_text(series->test->pattern->name);
    cost->statistic = (int)series->statistic;
    cost->processors_mean = series->test->pattern->processors_mean;
    cost->measures = (int)series->measures;
    cost->across = (int)series->across;
    cost->source = memory_copy_text(series->source);
    cost->note = memory_copy_text(series->note);
    cost->processors = cost->bytes = (struct span){INFINITY, -INFINITY};
}

/* All series of one pattern, of which the one given is the first. */
static struct list gather(const struct imported *imported, size_t first, struct cost *cost)
{
    struct list points = {0};
    for (size_t i = first; i < imported->series.count; i++)
        if (is_same_pattern(series_at(imported, first), series_at(imported, i)))
            add_points(series_at(imported, i), cost, &points);
    const struct point *items = points.items;
    for (size_t i = 0; i < points.count; i++) {
        widen(&cost->processors, items[i].processors);
        widen(&cost->bytes, items[i].bytes);
    }
    return points;
}

static void end_at_whole_sizes(struct list *regions)
{
    struct region *items = regions->items;
    for (size_t k = 0; k + 1 < regions->count; k++)
        items[k].bytes_upto = floor(items[k].bytes_upto);
}

/* The edges of the regions, at the most processors, from all sizes. */
static int fit_edges(const struct cost *cost, const struct list *points, struct list *edges,
                     struct error *error)
{
    const struct fit_plan plan = fit_plan_default();
    struct list most = counts_points(points, cost->processors.most);
    struct observation *seen = points_observe(&most, (enum statistic)cost->statistic);
    const int status = fit_regions(seen, most.count, &plan, edges, error);
    if (status == 0)
        end_at_whole_sizes(edges);
    free(seen);
    free(most.items);
    return status;
}

/* The regions of a cost that has none yet, with those edges, from the points that are not held out.
 */
static int fit_between(struct cost *cost, const struct list *points, const struct list *edges,
                       struct error *error)
{
    struct list regions = {0};
    struct list most = counts_points(points, cost->processors.most);
    struct observation *seen = points_observe(&most, (enum statistic)cost->statistic);
    const int status = fit_regions_at(edges, seen, most.count, &regions, error);
    free(seen);
    free(most.items);
    if (status != 0)
        return -1;
    counts_fit(cost, points, (enum statistic)cost->statistic, regions);
    seen = points_observe(points, (enum statistic)cost->statistic);
    if (cost->by_processors.count > 0) {
        learn_regions(cost, NULL);
        fit_errors(&cost->regions, seen, points->count);
    }
    measured_learn(cost, seen, points->count);
    free(seen);
    return 0;
}

/* The errors at held-out sizes are those of the fit without them. */
static void keep_held_out_errors(struct list *regions, const struct list *judged)
{
    struct region *items = regions->items;
    const struct region *without = judged->items;
    for (size_t k = 0; k < regions->count && regions->count == judged->count; k++) {
        items[k].error.held_out_median = without[k].error.held_out_median;
        items[k].error.held_out_p95 = without[k].error.held_out_p95;
        items[k].error.held_out_points = without[k].error.held_out_points;
        items[k].error.points -= without[k].error.held_out_points;
    }
}

/* Held-out sizes judge a fit without them, and are given back to the regions of the table. */
static int fit_cost(struct cost *cost, const struct list *points, struct error *error)
{
    struct list edges = {0}, all = {0};
    struct list most = counts_points(points, cost->processors.most);
    struct cost judged = {.processors = cost->processors,
                          .bytes = cost->bytes,
                          .statistic = cost->statistic,
                          .processors_mean = cost->processors_mean,
                          .utility = cost->utility};
    judged.mean_over_maximum = cost->mean_over_maximum = counts_mean_over_maximum(&most);
    free(most.items);
    for (size_t i = 0; i < points->count; i++) {
        struct point *point = list_add(&point_record, &all);
        *point = ((const struct point *)points->items)[i];
        point->held_out = false;
    }
    int status = fit_edges(cost, &all, &edges, error);
    if (status == 0)
        status = fit_between(&judged, points, &edges, error);
    if (status == 0)
        status = fit_between(cost, &all, &edges, error);
    if (status == 0) {
        const struct at_processors *without = judged.by_processors.items;
        struct at_processors *at = cost->by_processors.items;
        keep_held_out_errors(&cost->regions, &judged.regions);
        for (size_t i = 0; i < cost->by_processors.count; i++)
            keep_held_out_errors(&at[i].regions, &without[i].regions);
        counts_count(cost, points);
    }
    list_free(&region_record, &edges);
    list_free(&region_record, &judged.regions);
    list_free(&at_processors_record, &judged.by_processors);
    free(all.items);
    return status;
}

static int fit_pattern(struct imported *imported, size_t first, struct list *all,
                       struct error *error)
{
    struct cost *cost = list_add(&cost_record, &imported->machine.communication);
    describe(series_at(imported, first), cost);
    struct list points = gather(imported, first, cost);
    const int status = fit_cost(cost, &points, error);
    const struct point *items = points.items;
    for (size_t i = 0; i < points.count; i++)
        *(struct point *)list_add(&point_record, all) = items[i];
    free(points.items);
    return status;
}

int import_fit(struct imported *imported, struct list *points, struct error *error)
{
    if (check_all(imported, error) != 0)
        return -1;
    for (size_t i = 0; i < imported->series.count; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i && is_first; k++)
            is_first = !is_same_pattern(series_at(imported, k), series_at(imported, i));
        if (is_first && fit_pattern(imported, i, points, error) != 0)
            return -1;
    }
    return 0;
}
