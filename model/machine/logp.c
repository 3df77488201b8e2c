#include "model/machine/logp.h"

#include "model/base/memory.h"

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

/* What the source calls a close fit (X87). */
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

/* The mean over the send-only regime, which ends when the first reply can have returned (M <
   RTT / o_s) or when the network is full, whichever is first (004:117-121). */
static double send_overhead_us(const struct signature_point *points, size_t count,
                               double round_trip_us, double capacity)
{
    const double first_us = first_cost_us(points, count);
    const double issues_upto = isnan(capacity) ? round_trip_us / first_us : fmax(capacity, 1.0);
    double sum_us = 0.0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i].delay_us == 0.0 && points[i].issues <= issues_upto) {
            sum_us += points[i].cost_us;
            used++;
        }
    return used ? sum_us / (double)used : first_us;
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

/* In the steady state M issues take a constant more (or less) than M times the limit. */
double signature_asymptote_us(const struct signature_point *points, size_t count, double delay_us)
{
    const double from = most_issues(points, count, delay_us) / steady_share;
    double *inverse = memory_new(2 * count + 1, sizeof *inverse), *cost_us = inverse + count;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i].delay_us == delay_us && points[i].issues >= from) {
            inverse[used] = 1.0 / points[i].issues;
            cost_us[used++] = points[i].cost_us;
        }
    double limit_us = NAN, slope, cov00, cov01, cov11, sum;
    if (used >= 2)
        gsl_fit_linear(inverse, 1, cost_us, 1, used, &limit_us, &slope, &cov00, &cov01, &cov11,
                       &sum);
    free(inverse);
    return limit_us;
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
    double *both_us = memory_new(count, sizeof *both_us), median_us = NAN;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (points[i].delay_us == 0.0 || seen_before(points, i))
            continue;
        const double limit_us = signature_asymptote_us(points, count, points[i].delay_us);
        if (limit_us >= increase_least * gap_us)
            both_us[used++] = limit_us - points[i].delay_us;
    }
    gsl_sort(both_us, 1, used);
    if (used > 0)
        median_us = gsl_stats_median_from_sorted_data(both_us, 1, used);
    free(both_us);
    return median_us;
}

/* ---- all four ---- */

int logp_extract(struct logp *logp, const struct signature_point *points, size_t count,
                 double round_trip_us, double accuracy, struct error *error)
{
    const double o_s = send_overhead_us(points, count, round_trip_us, logp->capacity);
    const double g = signature_asymptote_us(points, count, 0.0);
    if (isnan(g) || isnan(o_s))
        return error_set(error, "fewer than two long sequences of requests without delay");
    const double both = overheads_us(points, count, g);
    if (isnan(both))
        return error_set(error, "no delay increases the gap of %.5g us", g);
    if (!(both > o_s))
        return error_set(error, "sending alone costs %.5g us, sending and receiving %.5g us", o_s,
                         both);
    if (round_trip_us / 2.0 < both)
        return error_set(error, "the overheads of %.5g us exceed half the round trip of %.5g us",
                         both, round_trip_us);
    logp->send_overhead_us = o_s;
    logp->receive_overhead_us = both - o_s;
    logp->gap_not_visible = g - both <= accuracy * g;
    logp->gap_us = logp->gap_not_visible ? (double)NAN : g;
    logp->latency_us = round_trip_us / 2.0 - both;
    return 0;
}

/* ---- what follows from them ---- */

double logp_round_trip_us(const struct logp *logp)
{
    return 2.0 * (logp->send_overhead_us + logp->latency_us + logp->receive_overhead_us);
}

double logp_messages_us(const struct logp *logp, double messages)
{
    const double o_s = logp->send_overhead_us, o_r = logp->receive_overhead_us;
    const double gap_us = fmax(fmax(o_s, o_r), isnan(logp->gap_us) ? 0.0 : logp->gap_us);
    return o_s + (messages - 1.0) * gap_us + logp->latency_us + o_r;
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

bool logp_crowd_fits(const struct logp_crowd *crowd)
{
    return fabs(crowd->ratio / crowd->processors - 1.0) <= crowd_tolerance;
}
