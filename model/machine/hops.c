#include "model/machine/hops.h"

#include "model/base/memory.h"
#include "model/machine/route.h"
#include "model/machine/summary.h"

#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* Which messages the last processor waits for depends on what they take, and is found with it. */
enum { ROUNDS_MOST = 8, COUNTS_LEAST = 4, COLUMNS = 4 };

/* Hops explain enough when 95 % of the points are within this; or within this share of what the
   regions are off. */
static const double good_enough = 0.01, gain = 0.5;

/* Regions say nothing of other roots than the first, which matter where some messages go far: there
   hops that are about as good are kept beside them. */
static const double about_as_good = 1.1;

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
    return (struct hop){line[0] + line[1] * bytes, line[2] + line[3] * bytes};
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
        const double values[COLUMNS] = {at.near, at.near * point->bytes, at.far,
                                        at.far * point->bytes};
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

static bool fit_line(const struct cost *cost, const struct part *part, double line[COLUMNS])
{
    const bool has_far = cost->processors_near > 0.0;
    for (size_t k = 0; k < COLUMNS; k++)
        line[k] = 0.0;
    line[0] = 1.0;
    line[2] = has_far ? 4.0 : 0.0;
    for (int round = 0; round < ROUNDS_MOST; round++)
        if (!fit_round(cost, part, has_far ? COLUMNS : COLUMNS / 2, line))
            return false;
    /* Noise on a flat line: nothing that is longer arrives earlier. */
    line[1] = fmax(0.0, line[1]);
    line[3] = fmax(0.0, line[3]);
    return true;
}

static void add_hop(struct list *hops, double bytes_upto, double setup_us, double per_byte_us)
{
    *(struct region *)list_add(&region_record, hops) =
        region_hockney(bytes_upto, setup_us, 1.0 / per_byte_us);
}

static bool fit_hops(struct cost *cost, const struct list *edges, const struct observation *points,
                     size_t count)
{
    const struct region *regions = edges->items;
    double above = -1.0, line[COLUMNS];
    for (size_t k = 0; k < edges->count; above = regions[k++].bytes_upto) {
        const struct part part = points_in(points, count, above, regions[k].bytes_upto);
        const bool is_fitted = fit_line(cost, &part, line);
        free(part.points);
        if (!is_fitted)
            return false;
        add_hop(&cost->hops, regions[k].bytes_upto, line[0], line[1]);
        if (cost->processors_near > 0.0)
            add_hop(&cost->hops_far, regions[k].bytes_upto, line[2], line[3]);
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
        error->fitted_median = summary_quantile(off[0], count[0], 0.5);
        error->fitted_p95 = summary_quantile(off[0], count[0], 0.95);
    }
    if (count[1] > 0) {
        error->held_out_median = summary_quantile(off[1], count[1], 0.5);
        error->held_out_p95 = summary_quantile(off[1], count[1], 0.95);
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
    const double share = cost->processors_near > 0.0 ? about_as_good : gain;
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

/* Regions tell smooth functions of p, each p by its own. */
static bool is_left_to_regions(const struct cost *cost)
{
    const struct route route = cost_route(cost, 2.0, 0);
    return route.rounds && route.rounds->is_smooth && !(cost->processors_near > 0.0);
}

bool hops_learn(struct cost *cost, int tree, const struct observation *points, size_t count)
{
    const struct at_processors *at = cost->by_processors.items;
    if (cost->by_processors.count < COUNTS_LEAST)
        return false;
    cost->tree = tree;
    if (is_left_to_regions(cost)) {
        cost->tree = TREE_UNKNOWN;
        return false;
    }
    if (fit_hops(cost, &at[0].regions, points, count) && keep_or_forget(cost, points, count))
        return true;
    hops_forget(cost);
    return false;
}

bool hops_adopt(struct cost *cost, const struct cost *whole, const struct observation *points,
                size_t count)
{
    const struct region *hops = whole->hops.items, *far = whole->hops_far.items;
    if (whole->hops.count == 0)
        return false;
    cost->tree = whole->tree;
    for (size_t k = 0; k < whole->hops.count; k++) {
        add_hop(&cost->hops, hops[k].bytes_upto, form_value(&hops[k].setup_us, 2.0),
                form_value(&hops[k].per_byte_us, 2.0));
        if (whole->hops_far.count > 0)
            add_hop(&cost->hops_far, far[k].bytes_upto, form_value(&far[k].setup_us, 2.0),
                    form_value(&far[k].per_byte_us, 2.0));
    }
    return keep_or_forget(cost, points, count);
}
