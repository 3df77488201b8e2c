/* How long the suites of probes take: a few of their orders, as often as the suites give such. */
#include "trainer/base/clock.h"
#include "trainer/micro/logp_parts.h"
#include "trainer/micro/logp_probe.h"
#include "trainer/micro/logp_signing.h"
#include "trainer/micro/microbenchmarks.h"

#include <math.h>

/* What an order takes, all ranks together. */
static double order_s(const struct run *run, enum probe_number probe, const void *order,
                      size_t order_bytes)
{
    double results[PROBE_RESULTS];
    const double begin_s = clock_s();
    engine_probe(run->engine, probe, order, order_bytes, results);
    return clock_s() - begin_s;
}

/* ---- logp ---- */

/* Issues of the curves: up to 1024 and up to 512, from 1, an eighth and a fourth of that on, and
   what delays make of the curves that have some (logp_suite.c, logp_signing.c). */
static const double issues_small = 3580.0 * 13.75, issues_bulk = 1788.0 + 1600.0 * 2.5,
                    issues_crowd = 3264.0, issues_pairs = 1024.0 + 3580.0 + 3264.0 * 2.5;

/* About how long curves and bulk take of two processors that share memory, where the clock is not
   exact: 2.5 and 3.6 s in all, quick and not. */
static const double curves_usual_s = 1.5, bulk_usual_s = 2.0;

/* Sequences that are asked for, and how often each of the suite's is measured on an exact clock. */
enum { ISSUES_ASKED = 32, TIMES_EXACT = 2 };

static double issue_s(const struct run *run, enum logp_pattern pattern, int others, int bytes)
{
    const struct logp_order order = {.pattern = pattern,
                                     .others = others,
                                     .times = 1,
                                     .issues = ISSUES_ASKED,
                                     .capacity = LOGP_CAPACITY_MOST,
                                     .request_bytes = bytes,
                                     .reply_bytes = SIGNING_SMALL_BYTES,
                                     .reply_waits =
                                         SIGNING_SMALL_BYTES > run->protocol.eager_upto_bytes,
                                     .whole = true};
    return order_s(run, PROBE_LOGP, &order, sizeof order) / ISSUES_ASKED;
}

/* Both ways; replies that wait for their receive have no signature. */
static double bulk_s(const struct run *run)
{
    const bool all = run->options->points >= 48;
    double sum_s = 0.0;
    for (int bytes = 8, i = 0; bytes <= SIGNING_BYTES_MOST; bytes *= i == 0 ? 8 : 4, i++) {
        const double ways = run->protocol.eager_upto_bytes > bytes ? 2.0 : 1.0;
        if (bytes <= run->options->bytes_most && (all || i % 2 == 0))
            sum_s += ways * issues_bulk * issue_s(run, LOGP_PAIR, 1, bytes);
    }
    return sum_s;
}

/* What of the issues of few requesters is asked of one of so many. */
static double share_of(int requesters)
{
    return (double)logp_issues_of(requesters) / SIGNING_ISSUES_MOST;
}

static double crowds_s(const struct run *run, double alone_s)
{
    const int processors = run->processors, half = logp_pairs(run);
    double sum_s = 0.0;
    if (processors >= 4)
        sum_s += share_of(half) * (2.0 * issues_crowd + issues_pairs) *
                 issue_s(run, LOGP_PAIRS, half, 16);
    for (int k = 2; k <= logp_crowd_most(run); k *= 2)
        sum_s += share_of(k) * issues_crowd * (k * alone_s + alone_s);
    return processors < 3 ? 0.0 : sum_s + 2.0 * issues_crowd * alone_s;
}

double logp_foresee_s(struct run *run)
{
    if (run->crowded)
        return 0.0;
    const double alone_s = issue_s(run, LOGP_PAIR, 1, SIGNING_SMALL_BYTES);
    const double curves_s = issues_small * alone_s, crowded_s = crowds_s(run, alone_s);
    if (run->simulated)
        return TIMES_EXACT * (curves_s + bulk_s(run) + crowded_s);
    return curves_usual_s + bulk_usual_s * fmin(1.0, run->options->points / 48.0);
}
