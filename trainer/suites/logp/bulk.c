/* The parameters of larger messages: stores and gets (004:179). */
#include "trainer/suites/logp/parts.h"

#include "model/base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { ISSUES_MOST = 512 };

/* For the parameters of larger messages two curves are enough. */
static const double bulk_delays[] = {0, 1.5};
enum { BULK_DELAYS = sizeof bulk_delays / sizeof *bulk_delays };
static const int bulk_bytes[] = {
    8, 64, 256, 1024, 4096, 16384, SIGNING_BYTES_MOST}; /* --quick: every other */
enum { BULK_SIZES = sizeof bulk_bytes / sizeof *bulk_bytes };

/* About the longest time for one point of a signature. */
static const double bulk_point_us_most = 1e4;

/* Bulk is given up after so long, s: a disturbed machine would take all. */
static const double bulk_s_most = 6.0;

/* Reads the parameters off a signature of long sequences; 1 when the budget ended or the signature
   tells nothing. */
static int bulk_signature(struct signing *signing, double trip_us,
                          struct signature_reading *reading)
{
    struct list points = {0};
    int status = signing_choose_capacity(signing, trip_us);
    if (status == 0)
        status =
            signing_signature(signing, bulk_delays, BULK_DELAYS, signing->issues_most / 8, &points);
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
    signing->order.reply_bytes = SIGNING_SMALL_BYTES;
    int status = signing_round_trip_us(signing, partner, &bulk->transfer_us);
    if (status == 0)
        status = bulk_signature(signing, bulk->transfer_us, &store);
    if (status == 0) {
        bulk->send_overhead_us = store.send_overhead_us;
        bulk->gap_us = store.gap_us;
        bulk->gap_not_visible = store.gap_not_visible;
        signing->order.request_bytes = SIGNING_SMALL_BYTES;
        signing->order.reply_bytes = (int)bulk->bytes;
        status = bulk_signature(signing, bulk->transfer_us, &get);
    }
    if (status == 0)
        bulk->receive_overhead_us = get.receive_overhead_us;
    return status;
}

int logp_measure_bulk(struct signing *signing, struct logp *logp, struct machine *machine)
{
    int status = 0;
    signing->plan.point_us_most = bulk_point_us_most;
    signing->issues_most = ISSUES_MOST;
    if (!signing->run->simulated)
        signing->end_s = fmin(signing->end_s, MPI_Wtime() + bulk_s_most);
    const size_t step = signing->run->options->points < 48 ? 2 : 1;
    for (size_t i = 0; i < BULK_SIZES && status >= 0; i += step) {
        struct logp_bulk *bulk;
        if (bulk_bytes[i] > signing->run->options->bytes_most)
            break;
        if (signing_time_is_up(signing)) {
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
