#include "model/fit/hops.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/cost/route.h"
#include "model/fit/summary.h"

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which messages the last processor waits for depends on what they take, and is found with it. */
enum { ROUNDS_MOST = 8, COUNTS_LEAST = 4 };

/* What is learned in a region: of near messages, and as many of far ones. */
enum { SETUP, PER_BYTE, GAP, FAR, COLUMNS = 2 * FAR };

/* Hops explain enough when 95 % of the points are within this; or within this share of what the
   regions are off. */
static const double good_enough = 0.01, gain = 0.5;

/* Regions say nothing of other roots than the first, which matter where some messages go far: there
   hops that are at most twice as far off are kept. With 1.1 hops that were 2.4 % off were given up
   for regions that were 1.6 % off, and a broadcast from another root was 78 % too dear
   (test/shim.bats, nodes of 3). */
static const double about_as_good = 2.0;

/* The points in one region. */
struct part {
    const struct observation **points;
    size_t count;
};

static struct part points_in(const struct observation *points, size_t count, double above,
                             double upto)
{
    struct part part = {memory_new(count, sizeof(void *)), 0};
    for (size_t i = 0; i < count; i++)
        if (points[i].bytes > above && points[i].bytes <= upto && points[i].time_us > 0.0)
            part.points[part.count++] = &points[i];
    return part;
}

/* ---- the times of one region ---- */

static struct hop hop_of(const double line[COLUMNS], double bytes)
{
    const double *const far = line + FAR;
    const double near_bytes_us = line[PER_BYTE] * bytes, far_bytes_us = far[PER_BYTE] * bytes;
    return (struct hop){line[SETUP] + near_bytes_us, far[SETUP] + far_bytes_us,
                        line[GAP] + near_bytes_us, far[GAP] + far_bytes_us};
}

static bool is_at_once(const struct route *route)
{
    return route->tree && route->tree->sends_at_once;
}

static struct arrival arrival_of(const struct cost *cost, const struct observation *point,
                                 struct hop hop)
{
    const struct route route = cost_route(cost, point->processors, 0);
    return route_arrival(&route, 0.0, hop, hop);
}

/* Least squares of relative error over the points, with as many near and far messages one after
   another as the times of before say. False: the points do not determine them. */
static bool fit_round(const struct cost *cost, const struct part *part, size_t columns,
                      double line[COLUMNS])
{
    size_t rows = 0, rank = 0;
    for (size_t i = 0; i < part->count; i++)
        rows += !part->points[i]->held_out;
    if (rows < columns)
        return false;
    gsl_matrix *x = gsl_matrix_alloc(rows, columns), *v = gsl_matrix_alloc(columns, columns);
    gsl_vector *y = gsl_vector_alloc(rows), *c = gsl_vector_alloc(columns);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(rows, columns);
    double chisq;
    for (size_t i = 0, row = 0; i < part->count; i++) {
        const struct observation *point = part->points[i];
        if (point->held_out)
            continue;
        const struct arrival at = arrival_of(cost, point, hop_of(line, point->bytes));
        const double values[COLUMNS] = {
            at.near, (at.near + at.near_gaps) * point->bytes, at.near_gaps,
            at.far,  (at.far + at.far_gaps) * point->bytes,   at.far_gaps};
        for (size_t k = 0; k < columns; k++)
            gsl_matrix_set(x, row, k, values[k] / point->time_us);
        gsl_vector_set(y, row++, 1.0);
    }
    const int status = gsl_multifit_linear_tsvd(x, y, 1e-12, c, v, &chisq, &rank, work);
    for (size_t k = 0; k < columns && status == 0; k++)
        line[k] = gsl_vector_get(c, k);
    gsl_multifit_linear_free(work);
    gsl_matrix_free(x);
    gsl_matrix_free(v);
    gsl_vector_free(y);
    gsl_vector_free(c);
    return status == 0;
}

/* Nothing that is longer arrives earlier: noise on a flat line; nor is a link free before it was
   taken. */
static void set_bounds(double line[FAR])
{
    line[PER_BYTE] = fmax(0.0, line[PER_BYTE]);
    line[GAP] = fmax(0.0, line[GAP]);
}

/* Where near messages keep the sender's link busy until far ones are ready, at all p measured, the
   times do not tell when that is: then as with shorter messages, if not before the near ones. */
static void set_far_latency(const struct cost *cost, const struct part *part, double latency_us,
                            double line[COLUMNS])
{
    for (size_t i = 0; i < part->count; i++) {
        const struct observation *point = part->points[i];
        if (arrival_of(cost, point, hop_of(line, point->bytes)).far > 0.0)
            return;
    }
    line[FAR + SETUP] = line[FAR + GAP] + fmax(latency_us, line[SETUP] - line[GAP]);
}

/* Whether near messages and far ones are not always waited for in the same proportion. */
static bool are_told_apart(const struct cost *cost, const struct part *part,
                           const double line[COLUMNS])
{
    double least = INFINITY, most = 0.0;
    for (size_t i = 0; i < part->count; i++) {
        const struct observation *point = part->points[i];
        const struct arrival at = arrival_of(cost, point, hop_of(line, point->bytes));
        least = fmin(least, at.near / (at.near + at.far));
        most = fmax(most, at.near / (at.near + at.far));
    }
    return least < most || most == 1.0;
}

static bool are_same(const double *one, const double *other)
{
    for (size_t k = 0; k < COLUMNS; k++)
        if (one[k] < other[k] || one[k] > other[k])
            return false;
    return true;
}

/* *line is that of shorter messages before. */
static bool fit_line(const struct cost *cost, const struct part *part, double line[COLUMNS])
{
    const bool has_far = cost->processors_near > 0.0;
    const double shorter_latency_us = line[FAR + SETUP] - line[FAR + GAP];
    const struct route route = cost_route(cost, 2.0, 0);
    double before[COLUMNS];
    for (size_t k = 0; k < COLUMNS; k++)
        line[k] = 0.0;
    line[SETUP] = 1.0;
    line[FAR + SETUP] = has_far ? 4.0 : 0.0;
    for (int round = 0; round < ROUNDS_MOST; round++) {
        memcpy(before, line, sizeof before);
        if (!fit_round(cost, part, has_far ? COLUMNS : FAR, line))
            return false;
        if (are_same(before, line))
            break;
    }
    if (has_far && !are_told_apart(cost, part, line))
        return false;
    set_bounds(line);
    set_bounds(line + FAR);
    if (has_far && is_at_once(&route))
        set_far_latency(cost, part, shorter_latency_us, line);
    return true;
}

static void add_hop(const struct cost *cost, struct list *hops, double bytes_upto,
                    const double line[FAR])
{
    const struct route route = cost_route(cost, 2.0, 0);
    struct region *hop = list_add(&region_record, hops);
    *hop = region_hockney(bytes_upto, line[SETUP], 1.0 / line[PER_BYTE]);
    if (is_at_once(&route))
        hop->gap_us = line[GAP];
}

/* ---- the breaks ---- */

/* Whether the points above one size up to another may have times of their own. */
static bool are_enough(const struct observation *points, size_t count, double above, double upto)
{
    const struct part part = points_in(points, count, above, upto);
    double least = INFINITY, most = 0.0;
    size_t fitted = 0;
    for (size_t i = 0; i < part.count; i++)
        if (!part.points[i]->held_out) {
            fitted++;
            least = fmin(least, part.points[i]->bytes);
            most = fmax(most, part.points[i]->bytes);
        }
    free(part.points);
    return fitted >= COLUMNS && most > least;
}

/* A region with no more than its bound, divided at a break of others where enough points are on
   both sides. */
static void add_edges(struct list *edges, double above, double upto, const struct list *others,
                      const struct observation *points, size_t count)
{
    const struct region *other = others->items;
    for (size_t i = 0; i < others->count; i++) {
        const double at = other[i].bytes_upto;
        if (at > above && at < upto && are_enough(points, count, above, at) &&
            are_enough(points, count, at, upto)) {
            *(struct region *)list_add(&region_record, edges) = region_hockney(at, 0.0, INFINITY);
            above = at;
        }
    }
    *(struct region *)list_add(&region_record, edges) = region_hockney(upto, 0.0, INFINITY);
}

static struct list edges_with(const struct list *own, const struct list *others,
                              const struct observation *points, size_t count)
{
    const struct region *regions = own->items;
    struct list edges = {0};
    double above = -1.0;
    for (size_t k = 0; k < own->count; above = regions[k++].bytes_upto)
        add_edges(&edges, above, regions[k].bytes_upto, others, points, count);
    return edges;
}

static bool fit_hops(struct cost *cost, const struct list *edges, const struct observation *points,
                     size_t count)
{
    const struct region *regions = edges->items;
    double above = -1.0, line[COLUMNS] = {0.0};
    for (size_t k = 0; k < edges->count; above = regions[k++].bytes_upto) {
        const struct part part = points_in(points, count, above, regions[k].bytes_upto);
        const bool is_fitted = fit_line(cost, &part, line);
        free(part.points);
        if (!is_fitted)
            return false;
        add_hop(cost, &cost->hops, regions[k].bytes_upto, line);
        if (cost->processors_near > 0.0)
            add_hop(cost, &cost->hops_far, regions[k].bytes_upto, line + FAR);
    }
    return true;
}

/* ---- how well they explain ---- */

static void set_errors(const struct cost *cost, const struct part *part, struct region_error *error)
{
    double *off[2] = {memory_new(part->count + 1, sizeof(double)),
                      memory_new(part->count + 1, sizeof(double))};
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < part->count; i++) {
        const struct observation *point = part->points[i];
        const double time_us = cost_hops_time_us(cost, point->bytes, point->processors, 0);
        off[point->held_out][count[point->held_out]++] =
            fabs(time_us - point->time_us) / point->time_us;
    }
    for (int kind = 0; kind < 2; kind++)
        gsl_sort(off[kind], 1, count[kind]);
    if (count[0] > 0) {
        error->fitted_median =
            number_rounded(summary_quantile(off[0], count[0], 0.5), REGION_ERROR_DIGITS);
        error->fitted_p95 =
            number_rounded(summary_quantile(off[0], count[0], 0.95), REGION_ERROR_DIGITS);
    }
    if (count[1] > 0) {
        error->held_out_median =
            number_rounded(summary_quantile(off[1], count[1], 0.5), REGION_ERROR_DIGITS);
        error->held_out_p95 =
            number_rounded(summary_quantile(off[1], count[1], 0.95), REGION_ERROR_DIGITS);
    }
    error->points = (double)count[0];
    error->held_out_points = (double)count[1];
    free(off[0]);
    free(off[1]);
}

static double worst_of(const struct list *regions)
{
    const struct region *items = regions->items;
    double worst = 0.0;
    for (size_t k = 0; k < regions->count; k++)
        worst = fmax(worst, region_relative_error(&items[k]));
    return worst;
}

static bool keep_or_forget(struct cost *cost, const struct observation *points, size_t count)
{
    struct region *hops = cost->hops.items;
    double above = -1.0;
    for (size_t k = 0; k < cost->hops.count; above = hops[k++].bytes_upto) {
        const struct part part = points_in(points, count, above, hops[k].bytes_upto);
        set_errors(cost, &part, &hops[k].error);
        free(part.points);
    }
    const bool has_roots = cost->processors_near > 0.0 && !cost_route(cost, 2.0, 0).rounds;
    const double share = has_roots ? about_as_good : gain;
    if (worst_of(&cost->hops) <= fmax(good_enough, share * worst_of(&cost->regions)))
        return true;
    hops_forget(cost);
    return false;
}

void hops_forget(struct cost *cost)
{
    list_free(&region_record, &cost->hops);
    list_free(&region_record, &cost->hops_far);
    cost->tree = TREE_UNKNOWN;
}

/* ---- the two ways ---- */

/* Regions tell smooth functions of p; and longer roads are not gone. */
static bool is_left_to_regions(const struct cost *cost)
{
    const struct route route = cost_route(cost, cost->processors.most, 0);
    const bool is_smooth = route.rounds ? route.rounds->is_smooth : is_at_once(&route);
    return (is_smooth && !(cost->processors_near > 0.0)) || !route_is_bounded(&route);
}

bool hops_learn(struct cost *cost, int tree, const struct list *breaks,
                const struct observation *points, size_t count)
{
    const struct at_processors *at = cost->by_processors.items;
    if (cost->by_processors.count < COUNTS_LEAST)
        return false;
    struct list edges = edges_with(&at[0].regions, breaks, points, count);
    cost->tree = tree;
    const bool is_learned = !is_left_to_regions(cost) && fit_hops(cost, &edges, points, count) &&
                            keep_or_forget(cost, points, count);
    if (!is_learned)
        hops_forget(cost);
    list_free(&region_record, &edges);
    return is_learned;
}

static void take_over(struct list *hops, const struct list *whole)
{
    const struct region *items = whole->items;
    for (size_t k = 0; k < whole->count; k++) {
        struct region *hop = list_add(&region_record, hops);
        *hop = items[k];
        hop->measured_us = marks_copy(items[k].measured_us.of, items[k].measured_us.count);
        hop->error = region_begin().error;
    }
}

bool hops_adopt(struct cost *cost, const struct cost *whole, const struct observation *points,
                size_t count)
{
    if (whole->hops.count == 0)
        return false;
    cost->tree = whole->tree;
    take_over(&cost->hops, &whole->hops);
    take_over(&cost->hops_far, &whole->hops_far);
    return keep_or_forget(cost, points, count);
}
