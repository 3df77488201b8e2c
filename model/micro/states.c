#include "model/micro/states.h"

#include "model/base/allocation.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Two readings of one state differ by less: on an idle machine nine of ten are within 7 % of their
   median, and states are 1.3 and more apart. */
static const double apart = 1.22;

/* Fewer measurements are chance, or an interruption, and no state. */
static const double share_least = 0.05;

/* Readings while the state changed lie anywhere between two of them. */
static const double between_most = 0.02;

double states_gauge(double before_us, double behind_us)
{
    if (!(before_us > 0.0 && behind_us > 0.0) ||
        fmax(before_us, behind_us) > apart * fmin(before_us, behind_us))
        return 0.0;
    return sqrt(before_us * behind_us);
}

/* ---- where one state ends ---- */

/* The widest gap in the logarithm that leaves a state on both sides of it, with next to no readings
   within a factor of `apart`: where what is above it begins; 0: there is none. *inside: how many
   readings below that lie in the gap. */
static size_t widest_gap(const double *sorted, size_t count, size_t all, size_t *inside)
{
    const size_t least = (size_t)ceil(share_least * (double)all),
                 few = (size_t)(between_most * (double)all);
    size_t found = 0;
    double widest = 1.0;
    for (size_t i = least; i + least <= count; i++)
        for (size_t skipped = 0; skipped <= few && i + skipped + least <= count; skipped++) {
            const double ratio = sorted[i + skipped] / sorted[i - 1];
            if (ratio >= apart && ratio > widest * (1.0 + 0.1 * (double)skipped)) {
                widest = ratio;
                found = i + skipped;
                *inside = skipped;
            }
        }
    return found;
}

/* Whether half of the readings are about the same: a machine that is disturbed has all sorts of
   times, and they are of no state. */
static bool is_one(const double *sorted, size_t count)
{
    return gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.75) <
           apart * gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.25);
}

static void add_state(const double *sorted, size_t count, struct list *states)
{
    if (!is_one(sorted, count))
        return;
    struct machine_state *state = list_add(&machine_state_record, states);
    *state = (struct machine_state){.gauge_us = gsl_stats_median_from_sorted_data(sorted, 1, count),
                                    .low_us = sorted[0],
                                    .high_us = sorted[count - 1]};
}

/* The readings from the least on, split at their widest gaps. */
static void split(const double *sorted, size_t count, size_t all, size_t most, struct list *states)
{
    size_t inside = 0;
    const size_t at = most > 1 ? widest_gap(sorted, count, all, &inside) : 0;
    if (at == 0) {
        add_state(sorted, count, states);
        return;
    }
    split(sorted, at - inside, all, most - 1, states);
    split(sorted + at, count - at, all, states->count < most ? most - states->count : 1, states);
}

static int commonest_first(const void *a, const void *b)
{
    const struct machine_state *one = a, *other = b;
    return (one->share < other->share) - (one->share > other->share);
}

/* The share of each in the time that was spent in any of them. */
static void share_time(struct list *states, const double *gauges_us, const double *spent_us,
                       size_t count)
{
    struct machine_state *items = states->items;
    double all_us = 0.0;
    for (size_t i = 0; i < count; i++) {
        const int state = states_which(states, gauges_us[i]);
        if (state < 0)
            continue;
        items[state].share += spent_us[i];
        all_us += spent_us[i];
    }
    for (size_t i = 0; i < states->count; i++)
        items[i].share /= all_us;
}

void states_find(const double *gauges_us, const double *spent_us, size_t count, struct list *states)
{
    double *sorted = memory_new(count + 1, sizeof *sorted);
    size_t some = 0;
    for (size_t i = 0; i < count; i++)
        if (gauges_us[i] > 0.0)
            sorted[some++] = gauges_us[i];
    gsl_sort(sorted, 1, some);
    struct list found = {0};
    if (some > 0)
        split(sorted, some, some, STATES_MOST, &found);
    if (found.count > 1) {
        share_time(&found, gauges_us, spent_us, count);
        qsort(found.items, found.count, sizeof(struct machine_state), commonest_first);
    }
    const struct machine_state *items = found.items;
    for (size_t i = 0; i < found.count && found.count > 1; i++)
        *(struct machine_state *)list_add(&machine_state_record, states) = items[i];
    list_free(&machine_state_record, &found);
    free(sorted);
}

/* ---- what a state makes of times ---- */

/* Times that span less tell a line no slope. */
static const double span_least = 1.5;

static double median_ratio(const double *first_us, const double *other_us, size_t count)
{
    double *ratios = memory_new(count + 1, sizeof *ratios);
    for (size_t i = 0; i < count; i++)
        ratios[i] = other_us[i] / first_us[i];
    gsl_sort(ratios, 1, count);
    const double median = gsl_stats_median_from_sorted_data(ratios, 1, count);
    free(ratios);
    return median;
}

struct state_factor states_line(const double *first_us, const double *other_us, size_t count)
{
    const double ratio = median_ratio(first_us, other_us, count);
    struct state_factor line = {.ratio = ratio, .factor = ratio, .points = (double)count};
    double *weights = memory_new(count + 1, sizeof *weights), add, factor, c00, c01, c11, chi2;
    for (size_t i = 0; i < count; i++)
        weights[i] = 1.0 / (other_us[i] * other_us[i]);
    if (count > 2 &&
        gsl_stats_max(first_us, 1, count) > span_least * gsl_stats_min(first_us, 1, count)) {
        gsl_fit_wlinear(first_us, 1, weights, 1, other_us, 1, count, &add, &factor, &c00, &c01,
                        &c11, &chi2);
        if (factor > 0.0) {
            line.add_us = add;
            line.factor = factor;
        }
    }
    free(weights);
    return line;
}

int states_which(const struct list *states, double gauge_us)
{
    const struct machine_state *items = states->items;
    for (size_t i = 0; i < states->count; i++)
        if (gauge_us >= items[i].low_us && gauge_us <= items[i].high_us)
            return (int)i;
    return -1;
}
