#include "trainer/micro/logp_signing.h"

#include "model/micro/logp.h"
#include "trainer/base/interruption.h"

#include <math.h>
#include <stdio.h>

enum {
    CAPACITY_LEAST = 16,
    LONGER_MOST = 16 /* times as many issues at most, where a curve has not settled */
};

/* What one more point of a curve that has not settled may take of the time that is left: the rest
   of the section must not lack it. */
static const double settling_share = 1.0 / 16.0;

/* Whether a number of so many issues, each of which takes that long, needs no more than that share
   of the time that is left. */
static bool has_time(const struct signing *signing, int issues, double cost_us, double share)
{
    static const double batches = 3.0;
    return !interruption_or_after(signing->end_s - 1e-6 * batches * issues * cost_us / share);
}

/* ---- one number ---- */

/* A measure_batch: `times` sequences. */
static int sequences(void *state, long times, struct batch_time *took, struct error *error)
{
    struct signing *signing = state;
    double results[PROBE_RESULTS];
    (void)error;
    signing->order.times = times;
    signing->order.reply_waits = signing->order.reply_bytes > signing->eager_upto_bytes;
    engine_probe(signing->run->engine, PROBE_LOGP, &signing->order, sizeof signing->order, results);
    *took = (struct batch_time){fmax(results[0], 0.0), 1.0};
    return 0;
}

/* A measure_batch: `times` requests, each of which waits for the reply to the one before. */
static int round_trips(void *state, long times, struct batch_time *took, struct error *error)
{
    struct signing *signing = state;
    signing->order.issues = (int)times;
    signing->order.capacity = 1;
    signing->order.whole = true;
    const int status = sequences(signing, 1, took, error);
    signing->order.whole = false;
    return status;
}

/* The median of a round trip with the processor `partner` in us. */
int signing_round_trip_us(struct signing *signing, int partner, double *time_us)
{
    struct point point = {0};
    signing->order.others = partner;
    signing->order.delay_us = 0.0;
    if (measure(&signing->plan, round_trips, signing, &point, signing->error) != 0)
        return -1;
    *time_us = point.median_us;
    return 0;
}

/* The times of the whole sequence, delays included. */
static void keep_point(struct signing *signing, int issues, double delay_us, struct point *point)
{
    snprintf(point->utility, sizeof point->utility, "logp-%s-%d-%.4g", signing->kept_as, issues,
             delay_us);
    point->processors = 2.0;
    point->bytes = signing->kept_bytes;
    point->attempt = 1.0;
    run_keep_point(signing->run, point);
}

/* The mean time of an issue, as the order is. */
static int issue_cost_us(struct signing *signing, int issues, double delay_us, double *cost_us)
{
    struct point point = {0};
    signing->order.issues = issues;
    signing->order.delay_us = delay_us;
    if (measure(&signing->plan, sequences, signing, &point, signing->error) != 0)
        return -1;
    if (signing->kept_as)
        keep_point(signing, issues, delay_us, &point);
    *cost_us = point.median_us / issues;
    return 0;
}

/* ---- a signature ---- */

/* 1, 2, 3, 4, 6, 8, 12, ... */
static int next_issues(int issues)
{
    if (issues < 2)
        return issues + 1;
    return (issues & (issues - 1)) == 0 ? issues + issues / 2 : issues / 3 * 4;
}

/* Whether a curve that has all its issues goes on to so many: until it settles (Culler, Fast
   Network Interfaces, Small-message performance), of two processors only, for those of many last
   long. */
static bool settles_later(const struct signing *signing, int issues, double delay_us,
                          double cost_us, const struct list *points)
{
    return signing->order.pattern == LOGP_PAIR && issues <= LONGER_MOST * signing->issues_most &&
           !signature_settled(points->items, points->count, delay_us,
                              signing->run->options->accuracy) &&
           has_time(signing, issues, cost_us, settling_share);
}

/* The next point of a curve, of *issues. */
static int add_point(struct signing *signing, int *issues, double delay_us, double *cost_us,
                     struct list *points)
{
    if (issue_cost_us(signing, *issues, delay_us, cost_us) != 0)
        return -1;
    *(struct signature_point *)list_add(&signature_point_record, points) =
        (struct signature_point){*issues, delay_us, *cost_us};
    *issues = next_issues(*issues);
    return 0;
}

/* One curve; 1 when the budget ended. Longer sequences that do not settle either are dropped: on a
   busy machine they are the most disturbed. */
int signing_curve(struct signing *signing, int from, double delay_us, struct list *points)
{
    double cost_us = 0.0;
    int issues = from, status = 0;
    while (issues <= signing->issues_most && status == 0)
        status = has_time(signing, issues, cost_us, 1.0)
                     ? add_point(signing, &issues, delay_us, &cost_us, points)
                     : 1;
    const size_t before = points->count;
    while (status == 0 && settles_later(signing, issues, delay_us, cost_us, points))
        status = add_point(signing, &issues, delay_us, &cost_us, points);
    if (points->count > before &&
        !signature_settled(points->items, points->count, delay_us, signing->run->options->accuracy))
        points->count = before;
    return status;
}

/* The curve without delay, then those with delays in units of its asymptote. */
int signing_signature(struct signing *signing, const double *in_gaps, size_t count,
                      int delayed_from, struct list *points)
{
    int status = signing_curve(signing, 1, 0.0, points);
    const double gap_us = signature_asymptote_us(points->items, points->count, 0.0);
    for (size_t i = 1; i < count && status == 0; i++)
        status = signing_curve(signing, delayed_from, in_gaps[i] * gap_us, points);
    return status;
}

int signing_read(struct signing *signing, double trip_us, struct signature_reading *reading,
                 struct error *reason)
{
    static const double in_gaps[] = {0, 1.5};
    struct list points = {0};
    int status = signing_signature(signing, in_gaps, sizeof in_gaps / sizeof *in_gaps,
                                   signing->issues_most / 8, &points);
    if (status == 0 && signature_read(points.items, points.count, trip_us, signing->order.capacity,
                                      signing->run->options->accuracy, reading, reason) != 0)
        status = 1;
    list_free(&signature_point_record, &points);
    return status;
}

int signing_send_overhead_us(struct signing *signing, double trip_us, double *send_overhead_us)
{
    enum { SHORT_MOST = 4 };
    struct list points = {0};
    double cost_us;
    int issues = 1, status = 0;
    signing->order.capacity = LOGP_CAPACITY_MOST;
    while (issues <= SHORT_MOST && status == 0)
        status = add_point(signing, &issues, 0.0, &cost_us, &points);
    *send_overhead_us =
        status == 0 ? signature_send_overhead_us(points.items, points.count, trip_us, (double)NAN)
                    : (double)NAN;
    list_free(&signature_point_record, &points);
    return status;
}

static double clamped(double capacity)
{
    return fmin(fmax(ceil(capacity), CAPACITY_LEAST), LOGP_CAPACITY_MOST);
}

/* Four times what is under way at any time, so that the sender waits for the network and not for
   its own rule: 4 round trip / g. Where g is not known yet, it is at least o_s. */
int signing_choose_capacity(struct signing *signing, double trip_us)
{
    double first_us, gap_us;
    signing->order.capacity = LOGP_CAPACITY_MOST;
    if (issue_cost_us(signing, 1, 0.0, &first_us) != 0)
        return -1;
    signing->order.capacity = (int)clamped(first_us > 0.0 ? 2.0 * trip_us / first_us : INFINITY);
    if (!has_time(signing, signing->issues_most, trip_us, 1.0))
        return 0;
    if (issue_cost_us(signing, signing->issues_most, 0.0, &gap_us) != 0)
        return -1;
    if (gap_us > 0.0)
        signing->order.capacity = (int)clamped(4.0 * trip_us / gap_us);
    return 0;
}
