#include "trainer/curve/curve_moments.h"

#include "model/base/allocation.h"
#include "model/fit/fit.h"
#include "model/fit/summary.h"
#include "trainer/curve/edge.h"
#include "trainer/curve/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many points are enough for a line and one that is held out. */
enum { HELD_OUT_OF = 4 };

/* One point of so many is asked at every moment. */
enum { WITNESS_OF = 16 };

/* Where more of the witnesses say so, it is the machine. */
static const double witnesses_most = 0.2;

/* Fewer moments show no more edges than the sweep has seen. */
enum { EDGES_FROM = 2 };

static const struct record moments_record = {.name = "a point at several moments",
                                             .size = sizeof(struct moments),
                                             .fields = NULL,
                                             .count = 0,
                                             .place_offset = NO_PLACE};

static struct moments *moments_at(const struct curve_moments *curve, size_t i)
{
    return (struct moments *)curve->points.items + i;
}

/* ---- the points ---- */

/* By processors, then by size. */
static bool is_before(const struct point *a, const struct point *b)
{
    return a->processors != b->processors ? a->processors < b->processors : a->bytes < b->bytes;
}

static void insert(struct curve_moments *curve, const struct moments *added)
{
    list_add(&moments_record, &curve->points);
    size_t at = curve->points.count - 1;
    for (; at > 0 && is_before(added->looks, moments_at(curve, at - 1)->looks); at--)
        *moments_at(curve, at) = *moments_at(curve, at - 1);
    *moments_at(curve, at) = *added;
}

void curve_moments_begin(struct curve_moments *curve, const struct list *points)
{
    const struct point *items = points->items;
    for (size_t i = 0; i < points->count; i++)
        insert(curve, &(struct moments){
                          .looks[0] = items[i], .count = 1, .is_witness = i % WITNESS_OF == 0});
}

void curve_moments_free(struct curve_moments *curve)
{
    free(curve->points.items);
}

/* A neighbour in size that was measured already; NULL: there is none. */
static const struct moments *neighbour(const struct curve_moments *curve, size_t i, size_t at)
{
    if (at >= curve->points.count || moments_at(curve, at)->count == 0 ||
        moments_at(curve, at)->looks[0].processors != moments_at(curve, i)->looks[0].processors)
        return NULL;
    return moments_at(curve, at);
}

bool curve_moments_asks(const struct curve_moments *curve, size_t i)
{
    const struct moments *below = i > 0 ? neighbour(curve, i, i - 1) : NULL;
    return curve->all_more > 0 || moments_at(curve, i)->is_witness ||
           moments_at(curve, i)->count < MOMENTS_LEAST ||
           moments_doubtful(below, moments_at(curve, i), neighbour(curve, i, i + 1),
                            curve->statistic);
}

static bool is_said_by_witnesses(const struct curve_moments *curves, size_t count,
                                 bool (*is_said)(const struct moments *, enum statistic))
{
    size_t witnesses = 0, saying = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < curves[i].points.count; k++) {
            const struct moments *moments = moments_at(&curves[i], k);
            witnesses += moments->is_witness;
            saying += moments->is_witness && is_said(moments, curves[i].statistic);
        }
    return (double)saying > witnesses_most * (double)witnesses;
}

bool curve_moments_look_back(struct curve_moments *curves, size_t count, size_t moment)
{
    const bool quickened =
        moment < MOMENTS_MOST && is_said_by_witnesses(curves, count, moments_quickened);
    for (size_t i = 0; i < count; i++) {
        curves[i].quickened = curves[i].quickened || quickened;
        curves[i].all_more = quickened ? MOMENTS_QUICKER : curves[i].all_more;
        curves[i].all_more -= !quickened && curves[i].all_more > 0;
    }
    return count > 0 && curves->all_more > 0;
}

bool curve_moments_changed(const struct curve_moments *curves, size_t count)
{
    return count > 0 && curves->quickened && is_said_by_witnesses(curves, count, moments_unsettled);
}

struct list curve_moments_settled(const struct curve_moments *curve)
{
    struct list settled = {0};
    for (size_t i = 0; i < curve->points.count; i++)
        if (moments_at(curve, i)->count > 0)
            *(struct point *)list_add(&point_record, &settled) =
                moments_settled(moments_at(curve, i), curve->statistic);
    return settled;
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Appends how far each of the moments is from what stands for them. */
static size_t add_offs(const struct moments *moments, enum statistic statistic, double *offs)
{
    const struct point settled = moments_settled(moments, statistic);
    const double stands_us = point_time_us(&settled, statistic);
    size_t count = 0;
    for (size_t i = 0; i < moments->count && moments->count > 1; i++) {
        const double time_us = point_time_us(&moments->looks[i], statistic);
        if (time_us > 0.0 && stands_us > 0.0)
            offs[count++] = fmax(time_us, stands_us) / fmin(time_us, stands_us) - 1.0;
    }
    return count;
}

double curve_moments_p95(const struct curve_moments *curve)
{
    const size_t most = RECORD_COUNT(((const struct moments *)NULL)->looks);
    double *offs = memory_new(curve->points.count * most, sizeof *offs);
    size_t count = 0;
    for (size_t i = 0; i < curve->points.count; i++)
        count += add_offs(moments_at(curve, i), curve->statistic, offs + count);
    qsort(offs, count, sizeof *offs, upwards);
    const double p95 = count > 0 ? summary_quantile(offs, count, 0.95) : (double)NAN;
    free(offs);
    return p95;
}

struct list curve_moments_of_most(const struct list *settled)
{
    struct point *items = settled->items;
    size_t first = settled->count;
    while (first > 0 && items[first - 1].processors == items[settled->count - 1].processors)
        first--;
    return (struct list){.items = items + first, .count = settled->count - first};
}

/* ---- their regions ---- */

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

int curve_moments_fit(const struct curve_moments *curve, struct list settled, struct list *regions,
                      struct error *error)
{
    struct observation *seen = points_observe(&settled, curve->statistic);
    struct list edges = {0};
    int status = sweep_fit(&curve->packets, curve->granule, seen, settled.count, regions, error);
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

/* ---- where regions meet ---- */

static void add_size(struct curve_moments *curve, const struct point *like, double bytes)
{
    struct moments added = {.looks[0] = *like};
    added.looks[0].bytes = bytes;
    added.looks[0].held_out = false;
    insert(curve, &added);
}

/* One more size for each edge between regions of the points of one processor count. */
static void add_sizes(struct curve_moments *curve, struct list settled)
{
    struct list regions = {0};
    struct error error;
    if (curve_moments_fit(curve, settled, &regions, &error) != 0)
        return;
    struct observation *seen = points_observe(&settled, curve->statistic);
    const struct region *items = regions.items;
    for (size_t k = 0; k + 1 < regions.count; k++) {
        const double bytes =
            edge_middle(seen, settled.count, curve->granule, &items[k], &items[k + 1]);
        if (!isnan(bytes))
            add_size(curve, settled.items, bytes);
    }
    free(seen);
    list_free(&region_record, &regions);
}

void curve_moments_narrow(struct curve_moments *curve, size_t moment)
{
    if (moment < EDGES_FROM || moment + MOMENTS_LEAST > MOMENTS_MOST)
        return;
    struct list settled = curve_moments_settled(curve);
    add_sizes(curve, curve_moments_of_most(&settled));
    free(settled.items);
}
