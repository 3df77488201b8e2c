/* The parameters of larger messages: stores and gets (Culler, Fast Network Interfaces,
   Bulk-transfer microbenchmark). */
#include "trainer/micro/logp_parts.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"

#include <math.h>
#include <stdlib.h>

enum { ISSUES_MOST = 512 };

/* Every other one comes first, should the time end, and alone with --quick. */
static const int bulk_bytes[] = {8, 64, 256, 1024, 4096, 16384, SIGNING_BYTES_MOST};
enum { BULK_SIZES = sizeof bulk_bytes / sizeof *bulk_bytes };

/* About the longest time for one point of a signature. */
static const double bulk_point_us_most = 1e4;

/* Bulk is given up after so long, s: a disturbed machine would take all. */
static const double bulk_s_most = 6.0;

/* Keeps the signature's points under that name. Returns as signing_read. */
static int bulk_signature(struct signing *signing, const char *kept_as, double trip_us,
                          struct signature_reading *reading, struct error *reason)
{
    int status = signing_choose_capacity(signing, trip_us);
    signing->kept_as = kept_as;
    if (status == 0)
        status = signing_read(signing, trip_us, reading, reason);
    signing->kept_as = NULL;
    return status;
}

/* A store carries n bytes with the request, a get with the reply (Culler, Fast Network Interfaces,
   Bulk-transfer microbenchmark): o_s(n) and g(n) are those of stores, o_r(n) that of gets. */
static int measure_bulk(struct signing *signing, struct logp_bulk *bulk, struct error *reason)
{
    const int partner = signing->order.others;
    struct signature_reading store, get;
    signing->kept_bytes = bulk->bytes;
    signing->order.request_bytes = (int)bulk->bytes;
    signing->order.reply_bytes = SIGNING_SMALL_BYTES;
    int status = signing_round_trip_us(signing, partner, &bulk->transfer_us);
    if (status == 0)
        status = bulk_signature(signing, "store", bulk->transfer_us, &store, reason);
    if (status == 0) {
        bulk->send_overhead_us = store.send_overhead_us;
        bulk->gap_us = store.gap_us;
        bulk->gap_not_visible = store.gap_not_visible;
        signing->order.request_bytes = SIGNING_SMALL_BYTES;
        signing->order.reply_bytes = (int)bulk->bytes;
        status = bulk_signature(signing, "get", bulk->transfer_us, &get, reason);
    }
    if (status == 0)
        bulk->receive_overhead_us = get.receive_overhead_us;
    return status;
}

/* One size; what it lacks is said. */
static int one_size(struct signing *signing, struct logp *logp, struct machine *machine, int bytes)
{
    struct logp_bulk *bulk = list_add(&logp_bulk_record, &logp->bulk);
    struct error reason;
    bulk->bytes = bytes;
    error_fill(&reason, place_at(NULL, 0, 0), "the time for it ended");
    const int status = measure_bulk(signing, bulk, &reason);
    if (status == 1) {
        char *what = memory_format("logp bulk of %d bytes", bytes);
        run_not_measured(machine, what, reason.text);
        free(what);
    }
    return status;
}

/* Every other size from number `first` on. */
static int sizes_from(struct signing *signing, struct logp *logp, struct machine *machine,
                      size_t first)
{
    int status = 0;
    for (size_t i = first; i < BULK_SIZES && status >= 0; i += 2)
        if (bulk_bytes[i] <= signing->run->options->bytes_most)
            status = one_size(signing, logp, machine, bulk_bytes[i]);
    return status;
}

static int by_bytes(const void *one, const void *other)
{
    const double a = ((const struct logp_bulk *)one)->bytes;
    const double b = ((const struct logp_bulk *)other)->bytes;
    return (a > b) - (a < b);
}

static void draw_line(struct logp *logp)
{
    qsort(logp->bulk.items, logp->bulk.count, sizeof(struct logp_bulk), by_bytes);
    if (logp->bulk.count >= 2)
        logp_store_line(logp->bulk.items, logp->bulk.count, &logp->store_t0_us,
                        &logp->store_rinf_mb_per_s);
    if (isinf(logp->store_rinf_mb_per_s))
        logp->store_rinf_mb_per_s = NAN;
}

int logp_measure_bulk(struct signing *signing, struct logp *logp, struct machine *machine)
{
    signing->plan.point_us_most = bulk_point_us_most;
    signing->issues_most = ISSUES_MOST;
    if (!signing->run->simulated)
        signing->end_s = fmin(signing->end_s, clock_s() + bulk_s_most);
    int status = sizes_from(signing, logp, machine, 0);
    if (status >= 0 && signing->run->options->points >= 48)
        status = sizes_from(signing, logp, machine, 1);
    if (status >= 0)
        draw_line(logp);
    return status < 0 ? -1 : 0;
}
