#include "model/tables/launched.h"

#include "model/base/allocation.h"
#include "model/fit/summary.h"

#include <math.h>
#include <stdlib.h>

/* Sizes between the edges at which the launches are compared, spread over the logarithm. */
enum { SPREAD_SIZES = 60 };

static double time_us(const struct cost *cost, double bytes, double processors)
{
    struct cost_answer answer;
    return cost_answer(cost, bytes, processors, &answer, NULL) == 0 ? answer.time_us : (double)NAN;
}

static double median_of(double *values, size_t count)
{
    return count ? summary_of(values, count, 0.95).median : (double)NAN;
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What of the launches' times stands for the machine: others who use it make a launch slower by up
   to a factor of two, and none quicker, so that lower quartiles repeat themselves where medians do
   not (doc/accuracy.md). */
static double quartile_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, upwards);
    return summary_quantile(values, count, 0.25);
}

/* ---- sizes ---- */

static size_t add_edges(const struct launched *launched, double *sizes, size_t count)
{
    const struct span *range = &launched->costs[0]->bytes;
    for (size_t k = 0; k < launched->count; k++) {
        const struct list *regions = cost_regions_at(launched->costs[k], launched->processors);
        for (size_t i = 0; i + 1 < regions->count; i++) {
            const double edge = ((const struct region *)regions->items)[i].bytes_upto;
            if (edge < range->least || edge + 1.0 > range->most)
                continue;
            sizes[count++] = edge;
            sizes[count++] = edge + 1.0;
        }
    }
    return count;
}

/* Both sides of all edges, and some between; ascending; to be freed. */
static double *make_sizes(const struct launched *launched, size_t *count)
{
    const struct span *range = &launched->costs[0]->bytes;
    size_t room = SPREAD_SIZES + 1;
    for (size_t k = 0; k < launched->count; k++)
        room += 2 * cost_regions_at(launched->costs[k], launched->processors)->count;
    double *sizes = memory_new(room, sizeof *sizes);
    *count = add_edges(launched, sizes, 0);
    const double low = log1p(range->least), high = log1p(range->most);
    const size_t spread = range->most > range->least ? SPREAD_SIZES : 0;
    for (size_t i = 0; i <= spread; i++)
        sizes[(*count)++] =
            round(expm1(low + (high - low) * (double)i / fmax(1.0, (double)spread)));
    qsort(sizes, *count, sizeof *sizes, upwards);
    return sizes;
}

/* ---- times ---- */

struct observation *launched_observe(const struct launched *launched, size_t *count)
{
    double *sizes = make_sizes(launched, count);
    double *times = memory_new(launched->count, sizeof *times);
    struct observation *seen = memory_new(*count, sizeof *seen);
    for (size_t i = 0; i < *count; i++) {
        for (size_t k = 0; k < launched->count; k++)
            times[k] = time_us(launched->costs[k], sizes[i], launched->processors);
        const double quartile_us = quartile_of(times, launched->count);
        seen[i] = (struct observation){.bytes = sizes[i],
                                       .time_us = quartile_us,
                                       .half_width_us =
                                           (median_of(times, launched->count) - quartile_us) / 2.0,
                                       .processors = launched->processors,
                                       .held_out = i % 5 == 2};
    }
    free(times);
    free(sizes);
    return seen;
}

static double share_at(const struct cost *cost, double processors)
{
    const struct at_processors *at = cost->by_processors.items;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        if (at[i].processors == processors)
            return at[i].mean_over_maximum;
    return cost->mean_over_maximum;
}

double launched_mean_over_maximum(const struct launched *launched, double processors)
{
    double *shares = memory_new(launched->count, sizeof *shares);
    size_t count = 0;
    for (size_t k = 0; k < launched->count; k++)
        if (share_at(launched->costs[k], processors) > 0.0)
            shares[count++] = share_at(launched->costs[k], processors);
    const double share = count > 0 ? median_of(shares, count) : 0.0;
    free(shares);
    return share;
}

/* ---- what all have alike ---- */

bool launched_packets(const struct launched *launched, struct packets *common)
{
    double *ends = memory_new(launched->count, sizeof *ends);
    bool alike = true;
    for (size_t k = 0; k < launched->count && alike; k++) {
        struct packets packets;
        alike = packets_among(cost_regions_at(launched->costs[k], launched->processors), &packets);
        if (k == 0)
            *common = packets;
        alike =
            alike && packets.bytes == common->bytes && packets.first_bytes == common->first_bytes;
        ends[k] = packets.upto_bytes;
    }
    qsort(ends, launched->count, sizeof *ends, upwards);
    common->upto_bytes = ends[launched->count / 2];
    free(ends);
    return alike;
}

bool launched_have(const struct launched *launched, double processors)
{
    for (size_t k = 0; k < launched->count; k++)
        if (cost_regions_at(launched->costs[k], processors) == &launched->costs[k]->regions)
            return false;
    return true;
}

bool launched_parts_alike(const struct launched *launched)
{
    for (size_t k = 1; k < launched->count; k++)
        if (launched->costs[k]->part_bytes != launched->costs[0]->part_bytes)
            return false;
    return true;
}

/* ---- errors ---- */

/* Those of the launches that have the number, at `offset` of the errors of their regions for bytes;
   into values, of room for all launches. */
static size_t errors_at(const struct launched *launched, double bytes, size_t offset,
                        double *values)
{
    size_t count = 0;
    for (size_t k = 0; k < launched->count; k++) {
        const struct region *region = cost_region(launched->costs[k], bytes, launched->processors);
        const double value = *(const double *)(const void *)((const char *)&region->error + offset);
        if (!isnan(value))
            values[count++] = value;
    }
    return count;
}

/* Errors are the median of the launches' own in the middle of the region, points their sum. */
static void take_errors(struct region_error *error, const struct launched *launched, double bytes)
{
    static const size_t medians[] = {offsetof(struct region_error, fitted_median),
                                     offsetof(struct region_error, fitted_p95),
                                     offsetof(struct region_error, held_out_median),
                                     offsetof(struct region_error, held_out_p95)};
    static const size_t sums[] = {offsetof(struct region_error, points),
                                  offsetof(struct region_error, held_out_points)};
    double *values = memory_new(launched->count, sizeof *values);
    for (size_t i = 0; i < sizeof medians / sizeof *medians; i++) {
        const size_t count = errors_at(launched, bytes, medians[i], values);
        *(double *)(void *)((char *)error + medians[i]) = median_of(values, count);
    }
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        double sum = 0.0;
        for (size_t count = errors_at(launched, bytes, sums[i], values); count > 0; count--)
            sum += values[count - 1];
        *(double *)(void *)((char *)error + sums[i]) = sum;
    }
    free(values);
}

/* What the interval T / (1 + e) to T (1 + e) needs for one of the two times to hold the other. */
static double apart(double one_us, double other_us)
{
    const double least_us = fmin(one_us, other_us);
    return least_us > 0.0 ? fmax(one_us, other_us) / least_us - 1.0 : 1.0;
}

void launched_errors(const struct launched *launched, const struct observation *seen, size_t count,
                     struct region *region)
{
    double *off = memory_new(count * launched->count + 1, sizeof *off);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const double merged_us = region_answer_us(region, seen[i].bytes, launched->processors);
        for (size_t k = 0; k < launched->count; k++)
            off[kept++] =
                apart(time_us(launched->costs[k], seen[i].bytes, launched->processors), merged_us);
    }
    if (count > 0)
        take_errors(&region->error, launched, seen[count / 2].bytes);
    qsort(off, kept, sizeof *off, upwards);
    region->error.launches_p95 = kept ? summary_quantile(off, kept, 0.95) : (double)NAN;
    free(off);
}
