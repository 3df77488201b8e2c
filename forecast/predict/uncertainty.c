#include "forecast/predict/uncertainty.h"

#include <math.h>

const struct record uncertain_record = {
    .name = "an uncertain time", .size = sizeof(struct uncertain), .place_offset = NO_PLACE};

/* Of a normal variable: 95 of 100 cases lie within so many standard deviations, 50 within these. */
static const double deviations_95 = 1.959963984540054, deviations_50 = 0.6744897501960817;

/* The median of the residuals at sizes that the fit never saw is the model's own error there; what
   the interval is wider than that is shared. */
static void spreads(const struct cost_answer *each, double *shared, double *own)
{
    const double all = each->time_us > 0.0 ? log(each->high_us / each->time_us) / deviations_95 : 0;
    const double median = region_median_error(each->region);
    *own =
        isnan(median) || each->measured_at > 0.0 ? 0.0 : fmin(all, log1p(median) / deviations_50);
    *shared = sqrt(fmax(0.0, all * all - *own * *own));
}

/* What one processor count leaves open is open for all patterns at once, as where processors are
   farther from one another than those that were measured. */
static const struct region other_counts;

static bool same_errors(const struct uncertain *a, const struct uncertain *b)
{
    return a->region == b->region && a->bytes == b->bytes && a->processors == b->processors &&
           a->shared == b->shared && a->own == b->own;
}

static void add(struct list *list, const struct uncertain *more)
{
    struct uncertain *known = list->items;
    for (size_t i = list->count; i-- > 0;)
        if (same_errors(&known[i], more)) {
            known[i].time_us += more->time_us;
            return;
        }
    *(struct uncertain *)list_add(&uncertain_record, list) = *more;
}

void uncertain_add(struct list *list, const struct cost_answer *each, double bytes,
                   double processors, double time_us)
{
    const struct region *region = each->measured_at > 0.0 ? &other_counts : each->region;
    struct uncertain more = {region, bytes, processors, time_us, 0.0, 0.0};
    spreads(each, &more.shared, &more.own);
    if (more.shared + more.own > 0.0)
        add(list, &more);
}

void uncertain_add_spread(struct list *list, double spread, double time_us)
{
    if (spread > 0.0)
        add(list, &(struct uncertain){.time_us = time_us, .shared = spread});
}

double uncertain_factor_of(double spread)
{
    return exp(deviations_95 * spread);
}

void uncertain_add_all(struct list *list, const struct list *more)
{
    const struct uncertain *items = more->items;
    for (size_t i = 0; i < more->count; i++)
        add(list, &items[i]);
}

/* ---- the delta method ---- */

/* The standard deviation in us of what shares the region of entry i; 0 for all but the first. */
static double region_deviation(const struct uncertain *items, size_t count, size_t i)
{
    double sum = 0.0;
    for (size_t k = 0; k < i; k++)
        if (items[k].region == items[i].region)
            return 0.0;
    for (size_t k = i; k < count; k++)
        if (items[k].region == items[i].region)
            sum += items[k].time_us * items[k].shared;
    return sum;
}

double uncertain_factor(const struct list *list, double total_us)
{
    const struct uncertain *items = list->items;
    double variance = 0.0;
    for (size_t i = 0; i < list->count; i++) {
        const double shared = region_deviation(items, list->count, i);
        const double own = items[i].time_us * items[i].own;
        variance += shared * shared + own * own;
    }
    return total_us > 0.0 ? exp(deviations_95 * sqrt(variance) / total_us) : 1.0;
}
