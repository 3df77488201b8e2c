#include "trainer/curve/curve.h"

#include "model/base/allocation.h"
#include "model/fit/fit.h"
#include "model/fit/summary.h"

#include <math.h>
#include <stdlib.h>

/* So many points are enough for a line and one that is held out. */
enum { HELD_OUT_OF = 4 };

const struct record curve_record = {.name = "a curve",
                                    .size = sizeof(struct curve),
                                    .fields = NULL,
                                    .count = 0,
                                    .place_offset = NO_PLACE};

void curve_free(struct curve *curve)
{
    free(curve->points.items);
    curve->points = (struct list){0};
}

struct curve *curves_find(const struct list *curves, int utility)
{
    struct curve *items = curves->items;
    for (size_t i = 0; i < curves->count; i++)
        if (items[i].utility == utility)
            return &items[i];
    return NULL;
}

/* ---- its points ---- */

struct passes *curve_at(const struct curve *curve, size_t i)
{
    return (struct passes *)curve->points.items + i;
}

/* By processors, then by size. */
static bool is_before(const struct point *a, const struct point *b)
{
    return a->processors != b->processors ? a->processors < b->processors : a->bytes < b->bytes;
}

static void insert(struct curve *curve, const struct passes *added)
{
    list_add(&passes_record, &curve->points);
    size_t at = curve->points.count - 1;
    for (; at > 0 && is_before(added->of, curve_at(curve, at - 1)->of); at--)
        *curve_at(curve, at) = *curve_at(curve, at - 1);
    *curve_at(curve, at) = *added;
}

void curve_add(struct curve *curve, const struct passes *passes)
{
    struct passes added = *passes;
    added.is_witness = curve->points.count % WITNESS_OF == 0;
    insert(curve, &added);
}

void curve_add_size(struct curve *curve, const struct point *like, double bytes)
{
    struct passes added = {.of[0] = *like, .at_once = 1};
    added.of[0].bytes = bytes;
    added.of[0].held_out = false;
    insert(curve, &added);
}

void curve_add_points(struct curve *curve, const struct list *points)
{
    const struct point *items = points->items;
    for (size_t i = 0; i < points->count; i++)
        curve_add(curve, &(struct passes){.of[0] = items[i], .count = 1, .at_once = 1});
}

/* ---- which are asked ---- */

/* A neighbour in size that was measured already; NULL: there is none. */
static const struct passes *neighbour(const struct curve *curve, size_t i, size_t at)
{
    if (at >= curve->points.count || curve_at(curve, at)->count == 0 ||
        curve_at(curve, at)->of[0].processors != curve_at(curve, i)->of[0].processors)
        return NULL;
    return curve_at(curve, at);
}

bool curve_asks(const struct curve *curve, size_t i)
{
    const struct passes *below = i > 0 ? neighbour(curve, i, i - 1) : NULL;
    return curve->all_more > 0 || curve_at(curve, i)->is_witness ||
           passes_count(curve_at(curve, i)) < PASSES_LEAST ||
           passes_lack_commonest(curve_at(curve, i)) ||
           passes_doubtful(below, curve_at(curve, i), neighbour(curve, i, i + 1), curve->statistic);
}

static bool is_said_by_witnesses(const struct curve *curves, size_t count,
                                 bool (*is_said)(const struct passes *, enum statistic))
{
    size_t witnesses = 0, saying = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < curves[i].points.count; k++) {
            const struct passes *passes = curve_at(&curves[i], k);
            witnesses += passes->is_witness;
            saying += passes->is_witness && is_said(passes, curves[i].statistic);
        }
    return (double)saying > PASSES_TELL * (double)witnesses;
}

bool curves_look_back(struct curve *curves, size_t count, size_t pass)
{
    const bool quickened =
        pass < PASSES_MOST && is_said_by_witnesses(curves, count, passes_quickened);
    for (size_t i = 0; i < count; i++) {
        curves[i].quickened = curves[i].quickened || quickened;
        curves[i].all_more = quickened ? PASSES_FEWEST : curves[i].all_more;
        curves[i].all_more -= !quickened && curves[i].all_more > 0;
    }
    return count > 0 && curves->all_more > 0;
}

bool curves_changed(const struct curve *curves, size_t count)
{
    return count > 0 && curves->quickened && is_said_by_witnesses(curves, count, passes_unsettled);
}

bool curve_is_mixture(const struct curve *curve)
{
    size_t asked = 0, changed = 0;
    for (size_t i = 0; i < curve->points.count; i++) {
        asked += curve_at(curve, i)->at_once > 1;
        changed += passes_changed(curve_at(curve, i), curve->statistic);
    }
    return (double)changed > PASSES_TELL * (double)asked;
}

/* ---- what they say ---- */

bool curve_has_times(const struct curve *curve)
{
    for (size_t i = curve->points.count; i-- > 0;) {
        const struct point *point = curve_at(curve, i)->of;
        if (point->processors != curve_at(curve, curve->points.count - 1)->of[0].processors)
            break;
        if (!point->held_out && point_time_us(point, curve->statistic) > 0.0)
            return true;
    }
    return false;
}

bool curve_has_later(const struct curve *curve)
{
    for (size_t i = 0; i < curve->points.count; i++)
        if (passes_count(curve_at(curve, i)) > 1)
            return true;
    return false;
}

struct list curve_settled(const struct curve *curve)
{
    struct list settled = {0};
    for (size_t i = 0; i < curve->points.count; i++)
        if (curve_at(curve, i)->count > 0)
            *(struct point *)list_add(&point_record, &settled) =
                passes_settled(curve_at(curve, i), curve->statistic);
    return settled;
}

struct list curve_of_most(const struct list *settled)
{
    struct point *items = settled->items;
    size_t first = settled->count;
    while (first > 0 && items[first - 1].processors == items[settled->count - 1].processors)
        first--;
    return (struct list){.items = items + first, .count = settled->count - first};
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What stands for every other pass over all points, from the first or from the second one on; 0:
   nothing does. */
static double half_us(const struct passes *passes, bool second, enum statistic statistic)
{
    struct passes half = {.at_once = second ? 1 : passes->at_once};
    for (size_t i = 0; i < passes->count; i++) {
        const size_t pass = i < passes->at_once ? 0 : i - passes->at_once + 1;
        if ((pass % 2 == 1) == second)
            half.of[half.count++] = passes->of[i];
    }
    if (half.count == 0)
        return 0.0;
    const struct point settled = passes_settled(&half, statistic);
    return point_time_us(&settled, statistic);
}

/* How far the halves of a point's passes are from one another: -1: it does not say. */
static double half_off(const struct passes *passes, enum statistic statistic)
{
    const double one_us = half_us(passes, false, statistic);
    const double other_us = half_us(passes, true, statistic);
    return one_us > 0.0 && other_us > 0.0 ? fmax(one_us, other_us) / fmin(one_us, other_us) - 1.0
                                          : -1.0;
}

double curve_passes_p95(const struct curve *curve)
{
    double *offs = memory_new(curve->points.count + 1, sizeof *offs);
    size_t count = 0;
    for (size_t i = 0; i < curve->points.count; i++) {
        const double off = half_off(curve_at(curve, i), curve->statistic);
        if (off >= 0.0)
            offs[count++] = off;
    }
    qsort(offs, count, sizeof *offs, upwards);
    const double p95 = count > 0 ? summary_quantile(offs, count, 0.95) : (double)NAN;
    free(offs);
    return p95;
}

/* ---- the regions through them ---- */

int curve_fit_observed(const struct packets *packets, double granule,
                       const struct observation *points, size_t count, struct list *regions,
                       struct error *error)
{
    const struct fit_plan plan = fit_plan_default();
    const int status = packets->bytes > 0.0
                           ? packets_fit(packets, points, count, &plan, regions, error)
                           : fit_regions(points, count, &plan, regions, error);
    if (status != 0)
        return -1;
    struct region *items = regions->items;
    for (size_t k = 0; k + 1 < regions->count; k++)
        items[k].bytes_upto = granule * floor(items[k].bytes_upto / granule);
    return 0;
}

/* Whether there was a region that had none. */
static bool hold_out_in_each(const struct list *regions, struct point *points, size_t count)
{
    const struct region *items = regions->items;
    bool had_none = false;
    for (size_t k = 0, start = 0, end; k < regions->count; k++, start = end) {
        bool has_one = false;
        for (end = start; end < count && points[end].bytes <= items[k].bytes_upto; end++)
            has_one = has_one || points[end].held_out;
        if (has_one || end - start < HELD_OUT_OF)
            continue;
        points[(start + end) / 2].held_out = true;
        had_none = true;
    }
    return had_none;
}

int curve_fit(const struct curve *curve, struct list settled, struct list *regions,
              struct error *error)
{
    struct observation *seen = points_observe(&settled, curve->statistic);
    struct list edges = {0};
    int status =
        curve_fit_observed(&curve->packets, curve->granule, seen, settled.count, regions, error);
    free(seen);
    if (status == 0 && hold_out_in_each(regions, settled.items, settled.count)) {
        edges = *regions;
        *regions = (struct list){0};
        seen = points_observe(&settled, curve->statistic);
        status = fit_regions_at(&edges, seen, settled.count, regions, error);
        free(seen);
    }
    list_free(&region_record, &edges);
    return status;
}
