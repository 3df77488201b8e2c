#include "model/fit/fit.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/fit/packets.h"
#include "model/fit/segmentation.h"
#include "model/fit/summary.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

struct fit_plan fit_plan_default(void)
{
    return (struct fit_plan){.regions_most = 10, .points_least = 3, .noise_floor = 2e-5};
}

/* ---- one region ---- */

/* Hockney's line through the points by GSL, least squares of relative error, slope >= 0. */
static struct region fit_line(const struct observation *points, size_t count)
{
    double *x = memory_new(3 * count, sizeof *x), *t = x + count, *weight = t + count;
    for (size_t i = 0; i < count; i++) {
        x[i] = points[i].bytes;
        t[i] = points[i].time_us;
        weight[i] = 1.0 / (t[i] * t[i]);
    }
    double t0_us = 0.0, slope = 0.0, c00, c01, c11, chisq;
    if (x[count - 1] > x[0])
        gsl_fit_wlinear(x, 1, weight, 1, t, 1, count, &t0_us, &slope, &c00, &c01, &c11, &chisq);
    if (!(slope > 0.0)) {
        double sum = 0.0, weights = 0.0;
        for (size_t i = 0; i < count; i++) {
            sum += weight[i] * t[i];
            weights += weight[i];
        }
        t0_us = sum / weights;
        slope = 0.0;
    }
    free(x);
    return region_hockney(INFINITY, t0_us, 1.0 / slope);
}

static double relative_error(const struct region *region, const struct observation *point)
{
    return fabs(region_time_us(region, point->bytes, point->processors) - point->time_us) /
           point->time_us;
}

/* Fewer points than these have no majority to tell a bad one by. */
enum { TRIM_LEAST = 8, TRIM_ROUNDS = 3 };

/* The points that are not far beyond what is usual for this line: six standard deviations of a
   normal distribution whose median error is theirs. */
static size_t usual_points(const struct region *line, const struct observation *points,
                           size_t count, struct observation *usual)
{
    double *errors = memory_new(count, sizeof *errors);
    for (size_t i = 0; i < count; i++)
        errors[i] = relative_error(line, &points[i]);
    gsl_sort(errors, 1, count);
    const double most = 6.0 * 1.4826 * summary_quantile(errors, count, 0.5);
    free(errors);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (relative_error(line, &points[i]) <= most)
            usual[kept++] = points[i];
    return kept;
}

/* The line through the usual points: a median is spoilt now and then. */
struct region fit_region(const struct observation *points, size_t count)
{
    struct region line = fit_line(points, count);
    struct observation *usual = memory_new(count, sizeof *usual);
    for (int round = 0; round < TRIM_ROUNDS && count >= TRIM_LEAST; round++) {
        const size_t kept = usual_points(&line, points, count, usual);
        if (kept == count || 4 * kept < 3 * count)
            break;
        line = fit_line(usual, kept);
    }
    free(usual);
    return line;
}

/* ---- the points that are fitted ---- */

static size_t fitted_only(const struct observation *all, size_t count, struct observation *fitted)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!all[i].held_out && all[i].time_us > 0.0)
            fitted[kept++] = all[i];
    return kept;
}

/* Where the points alone cannot say, the left region keeps what it explains: a knee belongs to the
   region that ends there. */
static size_t settle_edge(const struct observation *points, size_t start, size_t edge, size_t end,
                          const struct fit_plan *plan)
{
    const struct region left = fit_region(points + start, edge - start);
    while (end - edge > plan->points_least &&
           relative_error(&left, &points[edge]) <= plan->noise_floor)
        edge++;
    return edge;
}

/* ---- the smallest sizes ---- */

/* A smaller step is none that a decision hangs on. */
static const double apart_least = 0.1;

/* So many points tell what comes next, and how far a point usually is from their line. */
enum { NEIGHBOURS = 16 };

/* Three standard deviations of a normal distribution whose median error is theirs. */
static double unusual_error(const struct region *line, const struct observation *points,
                            size_t count)
{
    double errors[NEIGHBOURS];
    for (size_t i = 0; i < count; i++)
        errors[i] = relative_error(line, &points[i]);
    gsl_sort(errors, 1, count);
    return 3.0 * 1.4826 * summary_quantile(errors, count, 0.5);
}

/* By what share of the larger one two times differ. */
static double step(double before_us, double after_us)
{
    return (after_us - before_us) / fmax(before_us, after_us);
}

/* Whether each of the first points lies off, to the same side: of the line through those that
   follow, and of the nearest of these. */
static bool stand_apart(const struct observation *points, size_t count, size_t first,
                        const struct fit_plan *plan)
{
    const struct observation *next = points + first;
    const size_t follow = count - first < NEIGHBOURS ? count - first : NEIGHBOURS;
    if (follow < TRIM_LEAST)
        return false;
    const struct region line = fit_region(next, follow);
    const double most = fmax(apart_least, unusual_error(&line, next, follow));
    const double side = next->time_us > points->time_us ? 1.0 : -1.0;
    for (size_t i = 0; i < first; i++) {
        const double line_us = region_time_us(&line, points[i].bytes, points[i].processors);
        if (!(side * step(points[i].time_us, line_us) > most))
            return false;
        for (size_t k = 0; k < plan->points_least; k++)
            if (!(side * step(points[i].time_us, next[k].time_us) > apart_least))
                return false;
    }
    return true;
}

/* How many of the first points are a region that is too small for a line to be drawn through as
   many sizes as a region needs: a vector of one element is contiguous, messages up to 24 bytes
   travel with their header. Instead, its sizes were asked for several times. */
static size_t points_apart(const struct observation *points, size_t count,
                           const struct fit_plan *plan)
{
    size_t apart = 0;
    for (size_t i = 1, sizes = 1; i < count && sizes <= plan->points_least; i++) {
        if (points[i].bytes == points[i - 1].bytes)
            continue;
        if (i >= plan->points_least && i > sizes && stand_apart(points, count, i, plan))
            apart = i;
        sizes++;
    }
    return apart;
}

static size_t choose_segments(const struct observation *points, size_t count,
                              const struct fit_plan *plan, size_t ends[SEGMENTS_MOST + 1])
{
    const size_t apart = points_apart(points, count, plan);
    size_t *const others = apart > 0 ? ends + 1 : ends;
    const size_t segments = segmentation_choose(points + apart, count - apart, plan, others);
    for (size_t k = 0; k < segments; k++)
        others[k] += apart;
    if (apart > 0)
        ends[0] = apart;
    return segments + (apart > 0);
}

/* ---- regions ---- */

static double more_us(const struct region *right, const struct region *left, double bytes)
{
    const double setup_us = form_value(&right->setup_us, 2.0) - form_value(&left->setup_us, 2.0);
    return setup_us +
           bytes * (form_value(&right->per_byte_us, 2.0) - form_value(&left->per_byte_us, 2.0));
}

/* Between the last point of a region and the first of the next: where their lines cross, so that
   neither is taken where it has no sense; half way, where they do not cross there. */
static double edge_bytes(const struct observation *last, const struct region *left,
                         const struct region *right)
{
    const double below = last[0].bytes, above = last[1].bytes;
    const double below_us = more_us(right, left, below), above_us = more_us(right, left, above);
    const double crosses = below_us * above_us < 0.0 ? below_us / (below_us - above_us) : 0.5;
    return floor(below + crosses * (above - below));
}

static void add_regions(const struct observation *points, size_t count, const size_t *ends,
                        size_t regions_count, const struct fit_plan *plan, struct list *regions)
{
    size_t start = 0;
    for (size_t k = 0; k < regions_count; k++) {
        size_t end = ends[k];
        const bool last = k + 1 == regions_count;
        if (!last)
            end = settle_edge(points, start, end, ends[k + 1], plan);
        struct region *region = list_add(&region_record, regions);
        *region = fit_region(points + start, end - start);
        if (k > 0)
            region[-1].bytes_upto = edge_bytes(&points[start - 1], &region[-1], region);
        start = end;
    }
    (void)count;
}

int fit_regions(const struct observation *observations, size_t count, const struct fit_plan *plan,
                struct list *regions, struct error *error)
{
    struct observation *points = memory_new(count, sizeof *points);
    const size_t fitted = fitted_only(observations, count, points);
    if (fitted == 0) {
        free(points);
        return error_set(error, "no point with a time above 0 to fit");
    }
    size_t ends[SEGMENTS_MOST + 1];
    const size_t segments = choose_segments(points, fitted, plan, ends);
    add_regions(points, fitted, ends, segments, plan, regions);
    free(points);
    fit_errors(regions, observations, count);
    return 0;
}

int fit_regions_at(const struct list *edges, const struct observation *observations, size_t count,
                   struct list *regions, struct error *error)
{
    struct observation *points = memory_new(count, sizeof *points);
    const size_t fitted = fitted_only(observations, count, points);
    const struct region *given = edges->items;
    for (size_t k = 0, start = 0, end; k < edges->count && fitted > 0; k++, start = end) {
        for (end = start; end < fitted && points[end].bytes <= given[k].bytes_upto;)
            end++;
        const size_t from = end > start ? start : start > 0 ? start - 1 : 0;
        struct region *region = list_add(&region_record, regions);
        const size_t own = end > start ? end - start : 1;
        *region = isnan(given[k].packet_bytes) ? fit_region(points + from, own)
                                               : packets_fit_region(&given[k], points + from, own);
        region->bytes_upto = given[k].bytes_upto;
    }
    free(points);
    if (fitted == 0)
        return error_set(error, "no point with a time above 0 to fit");
    fit_errors(regions, observations, count);
    return 0;
}

/* ---- errors ---- */

/* The first one that holds: the last holds for all. */
static size_t region_of(const struct list *regions, const struct observation *point)
{
    const struct region *items = regions->items;
    size_t k = 0;
    while (point->bytes > items[k].bytes_upto || point->processors > items[k].processors.most)
        k++;
    return k;
}

struct fit_quality fit_quality(const struct list *regions, const struct observation *observations,
                               size_t count, bool held_out)
{
    struct fit_quality quality = {0, NAN, NAN, NAN};
    const struct region *items = regions->items;
    double *errors = memory_new(count, sizeof *errors);
    for (size_t i = 0; i < count; i++)
        if (observations[i].held_out == held_out && observations[i].time_us > 0.0)
            errors[quality.count++] =
                relative_error(&items[region_of(regions, &observations[i])], &observations[i]);
    if (quality.count > 0) {
        gsl_sort(errors, 1, quality.count);
        quality.median = summary_quantile(errors, quality.count, 0.5);
        quality.p95 = summary_quantile(errors, quality.count, 0.95);
        quality.worst = errors[quality.count - 1];
    }
    free(errors);
    return quality;
}

static size_t points_of(const struct list *regions, size_t region,
                        const struct observation *observations, size_t count,
                        struct observation *own)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (region_of(regions, &observations[i]) == region)
            own[kept++] = observations[i];
    return kept;
}

void fit_errors(struct list *regions, const struct observation *observations, size_t count)
{
    struct region *items = regions->items;
    struct observation *own = memory_new(count, sizeof *own);
    for (size_t k = 0; k < regions->count; k++) {
        const size_t points = points_of(regions, k, observations, count, own);
        const struct fit_quality fitted = fit_quality(regions, own, points, false);
        const struct fit_quality held_out = fit_quality(regions, own, points, true);
        items[k].error = (struct region_error){
            .fitted_median = number_rounded(fitted.median, REGION_ERROR_DIGITS),
            .fitted_p95 = number_rounded(fitted.p95, REGION_ERROR_DIGITS),
            .held_out_median = number_rounded(held_out.median, REGION_ERROR_DIGITS),
            .held_out_p95 = number_rounded(held_out.p95, REGION_ERROR_DIGITS),
            .points = (double)fitted.count,
            .held_out_points = (double)held_out.count,
            .launches_p95 = NAN,
            .other_processors = items[k].error.other_processors,
            .power_processors = items[k].error.power_processors,
            .between_median = NAN,
            .between_p95 = NAN,
        };
    }
    free(own);
}
