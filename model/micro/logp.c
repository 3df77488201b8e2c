#include "model/micro/logp.h"

#include "model/base/allocation.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* A delay counts as one that increases the gap from this on: below, it may be the knee's blur. */
static const double increase_least = 1.2;

/* Sequences that are no more than so many times shorter than the longest are in the steady state.
 */
static const double steady_share = 8.0;

/* What the source calls a close fit. */
static const double crowd_tolerance = 0.15;

/* ---- o_s: no reply is taken in yet ---- */

static double first_cost_us(const struct signature_point *points, size_t count)
{
    double least = INFINITY, cost_us = NAN;
    for (size_t i = 0; i < count; i++)
        if (points[i].delay_us == 0.0 && points[i].issues < least) {
            least = points[i].issues;
            cost_us = points[i].cost_us;
        }
    return cost_us;
}

static double median_of(double *values, size_t count)
{
    gsl_sort(values, 1, count);
    return gsl_stats_median_from_sorted_data(values, 1, count);
}

double signature_send_overhead_us(const struct signature_point *points, size_t count,
                                  double round_trip_us, double capacity)
{
    const double first_us = first_cost_us(points, count);
    const double issues_upto = isnan(capacity) ? round_trip_us / first_us : fmax(capacity, 1.0);
    double *cost_us = memory_new(count + 1, sizeof *cost_us);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i].delay_us == 0.0 && points[i].issues <= issues_upto)
            cost_us[used++] = points[i].cost_us;
    const double o_s = used ? median_of(cost_us, used) : first_us;
    free(cost_us);
    return o_s;
}

/* ---- asymptotes ---- */

static double most_issues(const struct signature_point *points, size_t count, double delay_us)
{
    double most = 0.0;
    for (size_t i = 0; i < count; i++)
        if (points[i].delay_us == delay_us)
            most = fmax(most, points[i].issues);
    return most;
}

/* The points in the steady state: 1 / M and the cost. */
static size_t steady_points(const struct signature_point *points, size_t count, double delay_us,
                            double *inverse, double *cost_us)
{
    const double from = most_issues(points, count, delay_us) / steady_share;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i].delay_us == delay_us && points[i].issues >= from) {
            inverse[used] = 1.0 / points[i].issues;
            cost_us[used++] = points[i].cost_us;
        }
    return used;
}

/* The median of the slopes between all pairs: a disturbed point does not move it. */
static double median_slope(const double *x, const double *y, size_t count)
{
    double *slopes = memory_new(count * count / 2 + 1, sizeof *slopes);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (x[i] != x[k])
                slopes[used++] = (y[i] - y[k]) / (x[i] - x[k]);
    const double slope = used ? median_of(slopes, used) : 0.0;
    free(slopes);
    return slope;
}

/* In the steady state M issues take a constant *extra_us more (or less) than M times the limit. */
static double steady_line(const struct signature_point *points, size_t count, double delay_us,
                          double *extra_us)
{
    double *inverse = memory_new(2 * count + 1, sizeof *inverse), *cost_us = inverse + count;
    const size_t used = steady_points(points, count, delay_us, inverse, cost_us);
    double limit_us = NAN;
    if (used >= 2) {
        *extra_us = median_slope(inverse, cost_us, used);
        for (size_t i = 0; i < used; i++)
            cost_us[i] -= *extra_us * inverse[i];
        limit_us = median_of(cost_us, used);
    }
    free(inverse);
    return limit_us;
}

double signature_asymptote_us(const struct signature_point *points, size_t count, double delay_us)
{
    double extra_us;
    return steady_line(points, count, delay_us, &extra_us);
}

enum { LAST_POINTS = 3 };

bool signature_settled(const struct signature_point *points, size_t count, double delay_us,
                       double accuracy)
{
    double extra_us = 0.0, below = INFINITY;
    const double limit_us = steady_line(points, count, delay_us, &extra_us);
    for (int last = 0; last < LAST_POINTS; last++) {
        const struct signature_point *longest = NULL;
        for (size_t i = 0; i < count; i++)
            if (points[i].delay_us == delay_us && points[i].issues < below &&
                (!longest || points[i].issues > longest->issues))
                longest = &points[i];
        if (!longest)
            return true;
        if (fabs(longest->cost_us - limit_us - extra_us / longest->issues) > accuracy * limit_us)
            return false;
        below = longest->issues;
    }
    return true;
}

/* ---- o_r: what a delay that increases the gap leaves ---- */

static bool seen_before(const struct signature_point *points, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (points[i].delay_us == points[at].delay_us)
            return true;
    return false;
}

/* The median over delays of g' - D: o_s + o_r. NAN where no delay increases the gap. */
static double overheads_us(const struct signature_point *points, size_t count, double gap_us)
{
    double *both_us = memory_new(count, sizeof *both_us);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i].delay_us == 0.0 || seen_before(points, i))
            continue;
        const double limit_us = signature_asymptote_us(points, count, points[i].delay_us);
        if (limit_us >= increase_least * gap_us)
            both_us[used++] = limit_us - points[i].delay_us;
    }
    const double median_us = used ? median_of(both_us, used) : (double)NAN;
    free(both_us);
    return median_us;
}

/* ---- all of them ---- */

int signature_read(const struct signature_point *points, size_t count, double round_trip_us,
                   double capacity, double accuracy, struct signature_reading *reading,
                   struct error *error)
{
    const double o_s = signature_send_overhead_us(points, count, round_trip_us, capacity);
    const double g = signature_asymptote_us(points, count, 0.0);
    if (isnan(g) || isnan(o_s))
        return error_set(error, "fewer than two long sequences of requests without delay");
    const double both = overheads_us(points, count, g);
    if (isnan(both))
        return error_set(error, "no delay increases the gap of %.5g us", g);
    if (!(both > o_s))
        return error_set(error, "sending alone costs %.5g us, sending and receiving %.5g us", o_s,
                         both);
    reading->send_overhead_us = o_s;
    reading->receive_overhead_us = both - o_s;
    reading->gap_not_visible = g - both <= accuracy * g;
    reading->gap_us = reading->gap_not_visible ? (double)NAN : g;
    return 0;
}

int logp_conclude(struct logp *logp, double round_trip_us, double accuracy, struct error *error)
{
    struct signature_reading reading;
    if (signature_read(logp->signature.items, logp->signature.count, round_trip_us, logp->capacity,
                       accuracy, &reading, error) != 0)
        return -1;
    const double both_us = reading.send_overhead_us + reading.receive_overhead_us;
    if (round_trip_us / 2.0 < both_us * (1.0 - accuracy))
        return error_set(error, "the overheads of %.5g us exceed half the round trip of %.5g us",
                         both_us, round_trip_us);
    logp->send_overhead_us = reading.send_overhead_us;
    logp->receive_overhead_us = reading.receive_overhead_us;
    logp->gap_us = reading.gap_us;
    logp->gap_not_visible = reading.gap_not_visible;
    logp->latency_us = fmax(0.0, round_trip_us / 2.0 - both_us);
    return 0;
}

/* ---- what follows from them ---- */

double logp_round_trip_us(const struct logp *logp)
{
    return 2.0 * (logp->send_overhead_us + logp->latency_us + logp->receive_overhead_us);
}

void logp_store_line(const struct logp_bulk *bulk, size_t count, double *t0_us,
                     double *rinf_mb_per_s)
{
    double per_byte_us, cov00, cov01, cov11, sum;
    double *bytes = memory_new(2 * count, sizeof *bytes), *time_us = bytes + count;
    for (size_t i = 0; i < count; i++) {
        bytes[i] = bulk[i].bytes;
        time_us[i] = bulk[i].transfer_us;
    }
    gsl_fit_linear(bytes, 1, time_us, 1, count, t0_us, &per_byte_us, &cov00, &cov01, &cov11, &sum);
    free(bytes);
    *rinf_mb_per_s = per_byte_us > 0.0 ? 1.0 / per_byte_us : (double)INFINITY;
}

bool logp_crowd_fits(const struct logp_crowd *crowd, double expected_ratio)
{
    return fabs(crowd->ratio / expected_ratio - 1.0) <= crowd_tolerance;
}
