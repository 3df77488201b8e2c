/* Many processors at once: k to one, one to k, half to half (Culler, Fast Network Interfaces,
   Validation of communication scaling). */
#include "trainer/micro/logp_parts.h"

#include <math.h>

/* Those of many together are as many as those of a few alone, but of each
   enough to be in the steady state, four times what is under way at any time. Of 512 requesters
   with 1024 each, a simulator had four million messages for one point. */
enum { ISSUES_FEWEST = 4 * LOGP_CAPACITY_MOST, ISSUES_TOGETHER = 8 * SIGNING_ISSUES_MOST };

int logp_issues_of(int requesters)
{
    const double each = (double)ISSUES_TOGETHER / requesters;
    return (int)fmin(SIGNING_ISSUES_MOST, fmax(ISSUES_FEWEST, each));
}

/* A simulator looks through all that is on its way for each message that ends: with 128 at most
   among 256 all parameters take it 2 min, with 512 among 1024 more than 10. */
enum { SIMULATED_CROWD_MOST = 128 };
static const char *const left_out = "logp pairs, k_to_1 and one_to_k of more than 128";

int logp_crowd_most(const struct run *run)
{
    const int most = run->processors - 1;
    return run->simulated && most > SIMULATED_CROWD_MOST ? SIMULATED_CROWD_MOST : most;
}

int logp_pairs(const struct run *run)
{
    const int half = run->processors / 2, most = logp_crowd_most(run);
    return half < most ? half : most;
}

/* With all replies: with the last issues alone, how many replies are still to come would depend on
   how the requesters fell into step. */
static int crowd_gap_us(struct signing *signing, double *gap_us)
{
    struct list points = {0};
    signing->order.whole = true;
    const int status = signing_curve(signing, signing->issues_most / 8, 0.0, &points);
    signing->order.whole = false;
    *gap_us = signature_asymptote_us(points.items, points.count, 0.0);
    list_free(&signature_point_record, &points);
    return status;
}

static int alone_gap_us(struct signing *signing, int partner, double *gap_us)
{
    signing->order.pattern = LOGP_PAIR;
    signing->order.others = partner;
    signing->issues_most = SIGNING_ISSUES_MOST;
    return crowd_gap_us(signing, gap_us);
}

static int crowd_of(struct signing *signing, enum logp_pattern pattern, int k, double alone_us,
                    struct list *crowds)
{
    double gap_us;
    signing->order.pattern = pattern;
    signing->order.others = k;
    signing->issues_most = logp_issues_of(k);
    const int status = crowd_gap_us(signing, &gap_us);
    if (status == 0 && alone_us > 0.0 && gap_us > 0.0) {
        struct logp_crowd *crowd = list_add(&logp_crowd_record, crowds);
        crowd->processors = k;
        crowd->gap_us = gap_us;
        crowd->ratio = gap_us / alone_us;
    }
    return status;
}

/* K requesters to one, or one to K; against the gap of the pair of ranks 0 and 1. */
static int crowds_of(struct signing *signing, enum logp_pattern pattern, struct list *crowds)
{
    double alone_us;
    int status = alone_gap_us(signing, 1, &alone_us);
    for (int k = 2; k <= logp_crowd_most(signing->run) && status == 0; k = 2 * k)
        status = crowd_of(signing, pattern, k, alone_us, crowds);
    return status;
}

/* Of pairs that all do as many one after the other as a curve has issues: how they began is then
   lost. Returns as signing_curve. */
static int busy_round_trip_us(struct signing *signing, double *trip_us)
{
    const int capacity = signing->order.capacity;
    struct list points = {0};
    signing->order.capacity = 1;
    signing->order.whole = true;
    const int status = signing_curve(signing, signing->issues_most, 0.0, &points);
    signing->order.whole = false;
    signing->order.capacity = capacity;
    if (status == 0)
        *trip_us = ((const struct signature_point *)points.items)->cost_us;
    list_free(&signature_point_record, &points);
    return status;
}

/* The other parameters of pairs that are all busy. Returns as signing_read. */
static int read_pairs(struct signing *signing, struct logp_crowd *crowd, struct error *reason)
{
    struct signature_reading reading;
    double trip_us = NAN;
    int status = busy_round_trip_us(signing, &trip_us);
    if (status == 0)
        status = signing_read(signing, trip_us, &reading, reason);
    if (status != 0)
        return status;
    crowd->send_overhead_us = reading.send_overhead_us;
    crowd->receive_overhead_us = reading.receive_overhead_us;
    crowd->latency_us =
        fmax(0.0, trip_us / 2.0 - reading.send_overhead_us - reading.receive_overhead_us);
    return 0;
}

/* Half of the processors ask the other half, against the first of these pairs alone (Culler, Fast
   Network Interfaces, Validation of communication scaling). */
static int halves(struct signing *signing, struct list *pairs, struct machine *machine)
{
    const int half = logp_pairs(signing->run);
    struct error reason;
    double alone_us;
    int status = alone_gap_us(signing, half, &alone_us);
    if (status == 0)
        status = crowd_of(signing, LOGP_PAIRS, half, alone_us, pairs);
    if (status != 0 || pairs->count == 0)
        return status;
    error_fill(&reason, place_at(NULL, 0, 0), "the time for it ended");
    status = read_pairs(signing, (struct logp_crowd *)pairs->items + pairs->count - 1, &reason);
    if (status == 1)
        run_not_measured(machine, "logp overheads and latency of pairs at once", reason.text);
    return status < 0 ? -1 : 0;
}

int logp_measure_crowds(struct signing *signing, struct logp *logp, struct machine *machine)
{
    const int processors = signing->run->processors;
    int status = 0;
    signing->order.request_bytes = signing->order.reply_bytes = SIGNING_SMALL_BYTES;
    signing->order.capacity = (int)logp->capacity;
    if (processors < 4)
        run_not_measured(machine, "logp pairs", "needs at least 4 processors");
    else
        status = halves(signing, &logp->pairs, machine);
    if (processors < 3)
        run_not_measured(machine, "logp k_to_1 and one_to_k", "needs at least 3 processors");
    else if (status == 0)
        status = crowds_of(signing, LOGP_K_TO_1, &logp->k_to_1);
    if (2 * logp_crowd_most(signing->run) < processors)
        run_not_measured(machine, left_out, "a simulator takes too long for them");
    if (processors >= 3 && status == 0)
        status = crowds_of(signing, LOGP_1_TO_K, &logp->one_to_k);
    return status < 0 ? -1 : 0;
}
