/* The LogP signature and what it tells (Culler, Fast Network Interfaces, Small-message
   performance). */
#include "model/base/allocation.h"
#include "trainer/micro/logp_parts.h"
#include "trainer/micro/microbenchmarks.h"

#include <math.h>
#include <stdlib.h>

enum {
    PARTNERS_MOST = 15, /* round trips within 16 processors (Culler, Fast Network Interfaces,
                           Small-message performance) */
    ATTEMPTS = 3
};

/* Delays, in gaps: around the idle time and well above it (Culler, Fast Network Interfaces,
   Small-message performance). */
static const double delays[] = {0, 0.25, 0.5, 1, 2, 4};
enum { DELAYS = sizeof delays / sizeof *delays };

/* About the longest time for one point of a signature. */
static const double point_us_most = 2e4;

/* A round trip that moved by more while the signature was taken: the signature is taken again. */
static const double drift_most = 0.05;

/* ---- round trips over pairs ---- */

/* The nearest partner is the one that the signature is taken with. */
static int survey(struct signing *signing, struct logp *logp)
{
    const int most = signing->run->processors - 1;
    int nearest = 1;
    logp->round_trip_min_us = logp->round_trip_max_us = NAN;
    for (int partner = 1; partner <= most && partner <= PARTNERS_MOST; partner++) {
        double time_us;
        if (signing_round_trip_us(signing, partner, &time_us) != 0)
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
    if (signing_choose_capacity(signing, before_us) != 0)
        return -1;
    logp->capacity = signing->order.capacity;
    const int status = signing_signature(signing, delays, DELAYS, 1, &logp->signature);
    if (status != 0)
        return status;
    if (signing_round_trip_us(signing, signing->order.others, &after_us) != 0)
        return -1;
    *held = fabs(after_us - before_us) <= drift_most * before_us;
    logp->round_trip_min_us = *held ? before_us : after_us;
    return 0;
}

/* What is odd about the parameters, to be freed; or NULL. */
static char *note_of(const struct logp *logp, bool held, double accuracy)
{
    if (!held)
        return memory_copy_text("disturbed: the round trip changed while it was measured");
    if (signature_settled(logp->signature.items, logp->signature.count, 0.0, accuracy))
        return NULL;
    return memory_copy_text("not settled: the cost of a message still changed after the longest "
                            "sequence, so that the gap is uncertain");
}

/* 1 when there are no parameters, *reason says why. A signature under a changing round trip is read
   all the same in the end, and said to be disturbed. */
static int small_messages(struct signing *signing, struct logp *logp, struct error *reason)
{
    bool held = false, told = false;
    int status = 0;
    error_fill(reason, place_at(NULL, 0, 0), "the budget ended before its signature was complete");
    for (int attempt = 1; attempt <= ATTEMPTS && !(held && told) && status == 0; attempt++) {
        status = survey(signing, logp);
        if (status == 0)
            status = sign(signing, logp, &held);
        if (status == 0 && (held || attempt == ATTEMPTS))
            told = logp_conclude(logp, logp->round_trip_min_us, signing->run->options->accuracy,
                                 reason) == 0;
    }
    const bool one_pair = signing->run->processors == 2;
    logp->round_trip_max_us =
        fmax(one_pair ? 0.0 : logp->round_trip_max_us, logp->round_trip_min_us);
    if (told)
        logp->note = note_of(logp, held, signing->run->options->accuracy);
    return status != 0 ? status : !told;
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
                  .request_bytes = SIGNING_SMALL_BYTES,
                  .reply_bytes = SIGNING_SMALL_BYTES},
        .error = error
    };
    struct logp *logp = memory_new(1, sizeof *logp);
    record_begin(&logp_record, logp);
    signing.end_s = run->share_end_s;
    signing.eager_upto_bytes = engine_find_switch(run->engine, SIGNING_BYTES_MOST).eager_upto_bytes;
    signing.plan.point_us_most = point_us_most;
    signing.plan.batches_least = 15; /* many points make up for it */
    signing.issues_most = SIGNING_ISSUES_MOST;
    logp->message_bytes = SIGNING_SMALL_BYTES;
    logp->latency_from = ROUND_TRIP_MINIMUM;
    const int status = small_messages(&signing, logp, &reason);
    if (status != 0)
        return give_up(run, machine, logp, status < 0 ? NULL : reason.text);
    machine->logp = logp;
    if (logp_measure_bulk(&signing, logp, machine) != 0 ||
        logp_measure_crowds(&signing, logp, machine) != 0)
        return -1;
    report_part(run, logp);
    return 0;
}
