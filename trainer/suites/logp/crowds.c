/* Many processors at once: k to one, one to k, half to half (004:169). */
#include "trainer/suites/logp/parts.h"

#include <math.h>

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

int logp_measure_crowds(struct signing *signing, struct logp *logp, struct machine *machine)
{
    const int processors = signing->run->processors;
    int status = 0;
    signing->order.request_bytes = signing->order.reply_bytes = SIGNING_SMALL_BYTES;
    signing->order.capacity = (int)logp->capacity;
    signing->issues_most = SIGNING_ISSUES_MOST;
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
