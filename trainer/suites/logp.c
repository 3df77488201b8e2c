/* The LogP signature and what it tells (004:99-199). */
#include "trainer/acts/logp.h"

#include "model/base/memory.h"
#include "trainer/interruption.h"
#include "trainer/suites/microbenchmarks.h"

#include <math.h>
#include <stdlib.h>

enum {
    SMALL_BYTES = 16, /* four words (004:65) */
    CAPACITY_LEAST = 16,
    ISSUES_MOST = 1024, /* 16 times the capacity: long in the steady state */
    ISSUES_MOST_OF_BULK = 512,
    PARTNERS_MOST = 15, /* round trips within 16 processors (004:91) */
    ATTEMPTS = 3
};

/* Delays, in gaps: around the idle time and well above it (004:145). */
static const double delays[] = {0, 0.25, 0.5, 1, 2, 4};
enum { DELAYS = sizeof delays / sizeof *delays };

/* For the parameters of larger messages two curves are enough. */
static const double bulk_delays[] = {0, 1.5};
enum { BULK_DELAYS = sizeof bulk_delays / sizeof *bulk_delays };
static const int bulk_bytes[] = {8, 64, 256, 1024, 4096, 16384, 65536}; /* --quick: every other */
enum { BULK_SIZES = sizeof bulk_bytes / sizeof *bulk_bytes };

/* About the longest time for one point of a signature. */
static const double point_us_most = 2e4, bulk_point_us_most = 1e4;

/* Bulk is given up after so long, s: a disturbed machine would take all. */
static const double bulk_s_most = 6.0;

/* A round trip that moved by more while the signature was taken: the signature is taken again. */
static const double drift_most = 0.05;

/* What is measured, and on what. */
struct signing {
    struct run *run;
    struct measure_plan plan;
    struct logp_order order;
    int issues_most; /* of the curves */
    double eager_upto_bytes;
    double end_s;
    struct error *error;
};

static bool time_is_up(const struct signing *signing)
{
    return interruption_or_after(signing->end_s);
}

/* ---- one number ---- */

/* A measure_batch: `times` sequences. */
static int sequences(void *state, long times, double *elapsed_us, struct error *error)
{
    struct signing *signing = state;
    double results[ACT_RESULTS];
    (void)error;
    signing->order.times = times;
    signing->order.reply_waits = signing->order.reply_bytes > signing->eager_upto_bytes;
    crew_act(signing->run->crew, ACT_LOGP, &signing->order, sizeof signing->order, results);
    *elapsed_us = fmax(results[0], 0.0);
    return 0;
}

/* A measure_batch: `times` requests, each of which waits for the reply to the one before. */
static int round_trips(void *state, long times, double *elapsed_us, struct error *error)
{
    struct signing *signing = state;
    signing->order.issues = (int)times;
    signing->order.capacity = 1;
    signing->order.whole = true;
    const int status = sequences(signing, 1, elapsed_us, error);
    signing->order.whole = false;
    return status;
}

/* The median of a round trip with the processor `partner` in us. */
static int round_trip_us(struct signing *signing, int partner, double *time_us)
{
    struct point point = {0};
    signing->order.others = partner;
    signing->order.delay_us = 0.0;
    if (measure(&signing->plan, round_trips, signing, &point, signing->error) != 0)
        return -1;
    *time_us = point.median_us;
    return 0;
}

/* The mean time of an issue, as the order is. */
static int issue_cost_us(struct signing *signing, int issues, double delay_us, double *cost_us)
{
    struct point point = {0};
    signing->order.issues = issues;
    signing->order.delay_us = delay_us;
    if (measure(&signing->plan, sequences, signing, &point, signing->error) != 0)
        return -1;
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

/* One curve; 1 when the budget ended. */
static int curve(struct signing *signing, int from, double delay_us, struct list *points)
{
    for (int issues = from; issues <= signing->issues_most; issues = next_issues(issues)) {
        double cost_us;
        if (time_is_up(signing))
            return 1;
        if (issue_cost_us(signing, issues, delay_us, &cost_us) != 0)
            return -1;
        *(struct signature_point *)list_add(&signature_point_record, points) =
            (struct signature_point){issues, delay_us, cost_us};
    }
    return 0;
}

/* The curve without delay, then those with delays in units of its asymptote. */
static int signature(struct signing *signing, const double *in_gaps, size_t count, int delayed_from,
                     struct list *points)
{
    int status = curve(signing, 1, 0.0, points);
    const double gap_us = signature_asymptote_us(points->items, points->count, 0.0);
    for (size_t i = 1; i < count && status == 0; i++)
        status = curve(signing, delayed_from, in_gaps[i] * gap_us, points);
    return status;
}

static double clamped(double capacity)
{
    return fmin(fmax(ceil(capacity), CAPACITY_LEAST), LOGP_CAPACITY_MOST);
}

/* Four times what is under way at any time, so that the sender waits for the network and not for
   its own rule: 4 round trip / g. Where g is not known yet, it is at least o_s. */
static int choose_capacity(struct signing *signing, double trip_us)
{
    double first_us, gap_us;
    signing->order.capacity = LOGP_CAPACITY_MOST;
    if (issue_cost_us(signing, 1, 0.0, &first_us) != 0)
        return -1;
    signing->order.capacity = (int)clamped(first_us > 0.0 ? 2.0 * trip_us / first_us : INFINITY);
    if (issue_cost_us(signing, signing->issues_most, 0.0, &gap_us) != 0)
        return -1;
    if (gap_us > 0.0)
        signing->order.capacity = (int)clamped(4.0 * trip_us / gap_us);
    return 0;
}

/* ---- round trips over pairs ---- */

/* The nearest partner is the one that the signature is taken with. */
static int survey(struct signing *signing, struct logp *logp)
{
    const int most = signing->run->processors - 1;
    int nearest = 1;
    for (int partner = 1; partner <= most && partner <= PARTNERS_MOST; partner++) {
        double time_us;
        if (round_trip_us(signing, partner, &time_us) != 0)
            return -1;
        if (!(logp->round_trip_min_us <= time_us)) {
            logp->round_trip_min_us = time_us;
            nearest = partner;
        }
        if (!(logp->round_trip_max_us >= time_us))
            logp->round_trip_max_us = time_us;
    }
    signing->order.others = nearest;
    return 0;
}

/* ---- small messages ---- */

/* One attempt; *held: the round trip is the same afterwards. 1 when the budget ended. */
static int sign(struct signing *signing, struct logp *logp, bool *held)
{
    const double before_us = logp->round_trip_min_us;
    double after_us;
    logp->signature.count = 0;
    if (choose_capacity(signing, before_us) != 0)
        return -1;
    logp->capacity = signing->order.capacity;
    const int status = signature(signing, delays, DELAYS, 1, &logp->signature);
    if (status != 0)
        return status;
    if (round_trip_us(signing, signing->order.others, &after_us) != 0)
        return -1;
    *held = fabs(after_us - before_us) <= drift_most * before_us;
    logp->round_trip_min_us = *held ? before_us : after_us;
    return 0;
}

/* 1 when there are no parameters, *reason says why. A signature under a changing round trip is read
   all the same in the end, and said to be disturbed. */
static int small_messages(struct signing *signing, struct logp *logp, struct error *reason)
{
    bool held = false, told = false;
    int status = survey(signing, logp);
    error_fill(reason, place_at(NULL, 0, 0), "the budget ended before its signature was complete");
    for (int attempt = 1; attempt <= ATTEMPTS && !(held && told) && status == 0; attempt++) {
        status = sign(signing, logp, &held);
        if (status == 0 && (held || attempt == ATTEMPTS))
            told = logp_conclude(logp, logp->round_trip_min_us, signing->run->options->accuracy,
                                 reason) == 0;
    }
    logp->round_trip_max_us = fmax(logp->round_trip_max_us, logp->round_trip_min_us);
    if (told && !held)
        logp->note = memory_copy_text("disturbed: the round trip changed while it was measured");
    return status != 0 ? status : !told;
}

/* ---- bulk ---- */

/* Reads the parameters off a signature of long sequences; 1 when the budget ended or the signature
   tells nothing. */
static int bulk_signature(struct signing *signing, double trip_us,
                          struct signature_reading *reading)
{
    struct list points = {0};
    int status = choose_capacity(signing, trip_us);
    if (status == 0)
        status = signature(signing, bulk_delays, BULK_DELAYS, signing->issues_most / 8, &points);
    if (status == 0 && signature_read(points.items, points.count, trip_us, signing->order.capacity,
                                      signing->run->options->accuracy, reading, NULL) != 0)
        status = 1;
    list_free(&signature_point_record, &points);
    return status;
}

/* A store carries n bytes with the request, a get with the reply (004:179): o_s(n) and g(n) are
   those of stores, o_r(n) that of gets. */
static int measure_bulk(struct signing *signing, struct logp_bulk *bulk)
{
    const int partner = signing->order.others;
    struct signature_reading store, get;
    signing->order.request_bytes = (int)bulk->bytes;
    signing->order.reply_bytes = SMALL_BYTES;
    int status = round_trip_us(signing, partner, &bulk->transfer_us);
    if (status == 0)
        status = bulk_signature(signing, bulk->transfer_us, &store);
    if (status == 0) {
        bulk->send_overhead_us = store.send_overhead_us;
        bulk->gap_us = store.gap_us;
        bulk->gap_not_visible = store.gap_not_visible;
        signing->order.request_bytes = SMALL_BYTES;
        signing->order.reply_bytes = (int)bulk->bytes;
        status = bulk_signature(signing, bulk->transfer_us, &get);
    }
    if (status == 0)
        bulk->receive_overhead_us = get.receive_overhead_us;
    return status;
}

static int all_bulk(struct signing *signing, struct logp *logp, struct machine *machine)
{
    int status = 0;
    signing->plan.point_us_most = bulk_point_us_most;
    signing->issues_most = ISSUES_MOST_OF_BULK;
    if (!signing->run->simulated)
        signing->end_s = fmin(signing->end_s, MPI_Wtime() + bulk_s_most);
    const size_t step = signing->run->options->points < 48 ? 2 : 1;
    for (size_t i = 0; i < BULK_SIZES && status >= 0; i += step) {
        struct logp_bulk *bulk;
        if (bulk_bytes[i] > signing->run->options->bytes_most)
            break;
        if (time_is_up(signing)) {
            char *what = memory_format("logp bulk from %d bytes on", bulk_bytes[i]);
            run_not_measured(machine, what, "the time for it ended");
            free(what);
            break;
        }
        bulk = list_add(&logp_bulk_record, &logp->bulk);
        bulk->bytes = bulk_bytes[i];
        status = measure_bulk(signing, bulk);
    }
    if (status >= 0 && logp->bulk.count >= 2)
        logp_store_line(logp->bulk.items, logp->bulk.count, &logp->store_t0_us,
                        &logp->store_rinf_mb_per_s);
    if (isinf(logp->store_rinf_mb_per_s))
        logp->store_rinf_mb_per_s = NAN;
    return status < 0 ? -1 : 0;
}

/* ---- crowds ---- */

/* With all replies: with the last issues alone, how many replies are still to come would depend on
   how the requesters fell into step. */
static int crowd_gap_us(struct signing *signing, double *gap_us)
{
    struct list points = {0};
    signing->order.whole = true;
    const int status = curve(signing, signing->issues_most / 8, 0.0, &points);
    signing->order.whole = false;
    *gap_us = signature_asymptote_us(points.items, points.count, 0.0);
    list_free(&signature_point_record, &points);
    return status;
}

static int alone_gap_us(struct signing *signing, int partner, double *gap_us)
{
    signing->order.pattern = LOGP_PAIR;
    signing->order.others = partner;
    return crowd_gap_us(signing, gap_us);
}

static int crowd_of(struct signing *signing, enum logp_pattern pattern, int k, double alone_us,
                    struct list *crowds)
{
    double gap_us;
    signing->order.pattern = pattern;
    signing->order.others = k;
    const int status = crowd_gap_us(signing, &gap_us);
    if (status == 0 && alone_us > 0.0 && gap_us > 0.0)
        *(struct logp_crowd *)list_add(&logp_crowd_record, crowds) =
            (struct logp_crowd){k, gap_us, gap_us / alone_us};
    return status;
}

/* K requesters to one, or one to K; against the gap of the pair of ranks 0 and 1. */
static int crowds_of(struct signing *signing, enum logp_pattern pattern, struct list *crowds)
{
    double alone_us;
    int status = alone_gap_us(signing, 1, &alone_us);
    for (int k = 2; k < signing->run->processors && status == 0; k = 2 * k)
        status = crowd_of(signing, pattern, k, alone_us, crowds);
    return status;
}

/* Half of the processors ask the other half, against the first of these pairs alone (004:169). */
static int halves(struct signing *signing, struct list *pairs)
{
    const int half = signing->run->processors / 2;
    double alone_us;
    const int status = alone_gap_us(signing, half, &alone_us);
    return status != 0 ? status : crowd_of(signing, LOGP_PAIRS, half, alone_us, pairs);
}

static int all_crowds(struct signing *signing, struct logp *logp, struct machine *machine)
{
    const int processors = signing->run->processors;
    int status = 0;
    signing->order.request_bytes = signing->order.reply_bytes = SMALL_BYTES;
    signing->order.capacity = (int)logp->capacity;
    signing->issues_most = ISSUES_MOST;
    if (processors < 4)
        run_not_measured(machine, "logp pairs", "needs at least 4 processors");
    else
        status = halves(signing, &logp->pairs);
    if (processors < 3)
        run_not_measured(machine, "logp k_to_1 and one_to_k", "needs at least 3 processors");
    else if (status == 0)
        status = crowds_of(signing, LOGP_K_TO_1, &logp->k_to_1);
    if (processors >= 3 && status == 0)
        status = crowds_of(signing, LOGP_1_TO_K, &logp->one_to_k);
    return status < 0 ? -1 : 0;
}

/* ---- the section ---- */

static void report_part(struct run *run, const struct logp *logp)
{
    char *line = memory_format(
        logp->gap_not_visible ? "%-16s o_s %.4g us, o_r %.4g us, L %.4g us, gap not visible"
                              : "%-16s o_s %.4g us, o_r %.4g us, L %.4g us, g %.4g us",
        "logp", logp->send_overhead_us, logp->receive_overhead_us, logp->latency_us, logp->gap_us);
    progress_part(&run->progress, line);
    free(line);
}

/* because NULL: nothing else will be measured either. */
static int give_up(struct run *run, struct machine *machine, struct logp *logp, const char *because)
{
    record_free(&logp_record, logp);
    free(logp);
    if (!because)
        return -1;
    run_not_measured(machine, "logp", because);
    progress_part(&run->progress, "logp             not measured");
    return 0;
}

int logp_measure(struct run *run, struct machine *machine, struct error *error)
{
    struct error reason;
    struct signing signing = {
        .run = run,
        .plan = run->plan,
        .order = {.pattern = LOGP_PAIR,
                  .others = 1,
                  .request_bytes = SMALL_BYTES,
                  .reply_bytes = SMALL_BYTES},
        .error = error
    };
    struct logp *logp = memory_new(1, sizeof *logp);
    record_begin(&logp_record, logp);
    signing.end_s = run->share_end_s;
    signing.eager_upto_bytes =
        crew_find_switch(run->crew, bulk_bytes[BULK_SIZES - 1]).eager_upto_bytes;
    signing.plan.point_us_most = point_us_most;
    signing.plan.batches_least = 15; /* many points make up for it */
    signing.issues_most = ISSUES_MOST;
    logp->message_bytes = SMALL_BYTES;
    logp->latency_from = ROUND_TRIP_MINIMUM;
    const int status = small_messages(&signing, logp, &reason);
    if (status != 0)
        return give_up(run, machine, logp, status < 0 ? NULL : reason.text);
    machine->logp = logp;
    if (all_bulk(&signing, logp, machine) != 0 || all_crowds(&signing, logp, machine) != 0)
        return -1;
    report_part(run, logp);
    return 0;
}
