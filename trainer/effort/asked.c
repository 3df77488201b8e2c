#include "trainer/effort/asked.h"

#include "model/base/allocation.h"
#include "model/fit/points.h"

#include <math.h>
#include <stdlib.h>

/* A point of the longest message takes as long as this many of those that are asked for it. The
   longest that is asked is past most changes of protocol, behind which bytes cost other times, and
   still takes no more than a few of some hundred points. */
static const double short_by = 4.0, shorter = 16.0, shorter_still = 128.0;

/* With the number of processors nothing shrinks by much, and nothing grows faster than each to all
   others one after the other. */
static const double power_least = -0.5, power_most = 2.0;

/* Seen through noise. */
enum { REGIONS_IN_NOISE = 3 };

/* Sizes that a mean is of. */
enum { STEPS = 64 };

size_t asked_sizes(const struct sweep_plan *plan, double sizes[ASKED_MOST])
{
    const double most = plan->bytes_most;
    const double wanted[ASKED_MOST] = {0.0, most / shorter_still, most / shorter, most / short_by};
    size_t count = 0;
    for (size_t i = 0; i < ASKED_MOST; i++) {
        const double bytes =
            fmin(most, fmax(plan->bytes_least, plan->granule * ceil(wanted[i] / plan->granule)));
        if (count == 0 || bytes > sizes[count - 1])
            sizes[count++] = bytes;
    }
    return count;
}

double asked_at(const struct asked *asked, double bytes)
{
    size_t above = 1;
    if (asked->count == 1)
        return asked->point_s[0];
    while (above + 1 < asked->count && asked->bytes[above] < bytes)
        above++;
    const double width = asked->bytes[above] - asked->bytes[above - 1];
    const double slope = (asked->point_s[above] - asked->point_s[above - 1]) / width;
    if (bytes > asked->bytes[above])
        return asked->point_s[above] + fmax(0.0, slope) * (bytes - asked->bytes[above]);
    return asked->point_s[above - 1] + slope * (bytes - asked->bytes[above - 1]);
}

double asked_among(double most_s, int most, double fewer_s, int fewer, int processors)
{
    if (fewer >= most || !(most_s > 0.0) || !(fewer_s > 0.0))
        return most_s;
    const double power = log(most_s / fewer_s) / log((double)most / fewer);
    return most_s * pow((double)processors / most, fmin(power_most, fmax(power_least, power)));
}

/* ---- what is usual ---- */

struct usual usual_of(const struct curve *curve, const struct sweep_plan *plan,
                      const struct list *regions)
{
    const struct region *items = regions->items;
    struct usual usual = {.size_count = curve->points.count,
                          .region_count = regions->count,
                          .begun = sweep_begins_with(plan),
                          .bytes_most = plan->bytes_most};
    usual.sizes = memory_new(usual.size_count + 1, sizeof *usual.sizes);
    usual.regions = memory_new(usual.region_count + 1, sizeof *usual.regions);
    for (size_t i = 0; i < usual.size_count; i++)
        usual.sizes[i] = curve_at(curve, i)->of[0].bytes;
    for (size_t k = 1; k < usual.region_count; k++)
        usual.regions[k] = items[k - 1].bytes_upto;
    return usual;
}

void usual_free(struct usual *usual)
{
    free(usual->sizes);
    free(usual->regions);
    *usual = (struct usual){0};
}

struct usual usual_in_noise(void)
{
    return (struct usual){.region_count = REGIONS_IN_NOISE};
}

/* ---- what it says of another plan ---- */

/* How many of the ascending numbers are below the longest message of the plan. */
static size_t within(const double *numbers, size_t count, double most)
{
    size_t below = 0;
    while (below < count && numbers[below] <= most)
        below++;
    return below;
}

/* Over sizes spread evenly over the logarithm. */
static double spread_s(const struct sweep_plan *plan, const struct asked *asked)
{
    const double from = fmax(plan->bytes_least, plan->granule);
    const double span = log(fmax(1.0, plan->bytes_most / from));
    double sum_s = 0.0;
    for (int i = 0; i < STEPS; i++)
        sum_s += asked_at(asked, from * exp(span * (i + 0.5) / STEPS));
    return sum_s / STEPS;
}

/* Over the first sizes of the usual ones. */
static double mean_s(const struct usual *usual, size_t count, const struct asked *asked)
{
    double sum_s = 0.0;
    for (size_t i = 0; i < count; i++)
        sum_s += asked_at(asked, usual->sizes[i]);
    return count > 0 ? sum_s / (double)count : 0.0;
}

/* How many of the sizes within the plan's the usual sweep did not begin with. */
static double added(const struct usual *usual, const struct sweep_plan *plan, size_t count)
{
    const double share = log(fmax(2.0, plan->bytes_most)) / log(fmax(2.0, usual->bytes_most));
    return fmax(0.0, (double)count - fmin(1.0, share) * (double)usual->begun);
}

double usual_sweep_s(const struct usual *usual, const struct sweep_plan *plan,
                     const struct asked *asked)
{
    const double begun = (double)sweep_begins_with(plan);
    const size_t count = within(usual->sizes, usual->size_count, plan->bytes_most);
    if (plan->bytes_most <= plan->bytes_least)
        return begun * asked_at(asked, plan->bytes_least);
    const double longest_s = asked_at(asked, plan->bytes_most);
    if (usual->size_count == 0)
        return longest_s + ((double)plan->points_most - 1.0) * spread_s(plan, asked);
    const double more = fmin(added(usual, plan, count), (double)plan->points_most - begun);
    return longest_s + (begun - 1.0) * spread_s(plan, asked) +
           fmax(0.0, more) * mean_s(usual, count, asked);
}

/* Those of one region, as first_pass.c spreads them over the sizes from..end - 1. */
static double region_s(const struct usual *usual, size_t from, size_t end,
                       const struct asked *asked)
{
    const size_t spots = end - from < SPOTS_A_REGION ? end - from : SPOTS_A_REGION;
    double sum_s = 0.0;
    for (size_t i = 0; i < spots; i++) {
        const size_t at = spots > 1 ? from + i * (end - from - 1) / (spots - 1) : from;
        sum_s += asked_at(asked, usual->sizes[at]);
    }
    return sum_s;
}

double usual_spots_s(const struct usual *usual, const struct sweep_plan *plan,
                     const struct asked *asked)
{
    const size_t count = within(usual->sizes, usual->size_count, plan->bytes_most);
    double sum_s = 0.0;
    if (plan->bytes_most <= plan->bytes_least)
        return asked_at(asked, plan->bytes_least);
    if (usual->size_count == 0)
        return SPOTS_A_REGION * (double)usual->region_count * spread_s(plan, asked);
    for (size_t k = 0, from = 0, end; k < usual->region_count && from < count; k++, from = end) {
        const bool is_last = k + 1 == usual->region_count;
        end = is_last ? count : within(usual->sizes, count, usual->regions[k + 1]);
        sum_s += region_s(usual, from, end, asked);
    }
    return sum_s;
}
