/* The parameters of larger messages: stores and gets (Culler, Fast Network Interfaces,
   Bulk-transfer microbenchmark). */
#include "trainer/micro/logp_parts.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"

#include <math.h>
#include <stdlib.h>

enum { ISSUES_MOST = 512 };

/* Of every other one the signatures come first, should the time end; with --quick these are all. */
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
static void order_store(struct signing *signing, double bytes)
{
    signing->order.request_bytes = (int)bytes;
    signing->order.reply_bytes = SIGNING_SMALL_BYTES;
}

/* What takes next to no time: T(n) and o_s(n). */
static int begin_size(struct signing *signing, struct logp_bulk *bulk)
{
    order_store(signing, bulk->bytes);
    if (signing_round_trip_us(signing, signing->order.others, &bulk->transfer_us) != 0)
        return -1;
    return signing_send_overhead_us(signing, bulk->transfer_us, &bulk->send_overhead_us);
}

/* The signatures of one size. */
static int measure_bulk(struct signing *signing, struct logp_bulk *bulk, struct error *reason)
{
    struct signature_reading store, get;
    signing->kept_bytes = bulk->bytes;
    order_store(signing, bulk->bytes);
    int status = bulk_signature(signing, "store", bulk->transfer_us, &store, reason);
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
static int one_size(struct signing *signing, struct logp_bulk *bulk, struct machine *machine)
{
    struct error reason;
    error_fill(&reason, place_at(NULL, 0, 0), "the time for it ended");
    const int status = measure_bulk(signing, bulk, &reason);
    if (status == 1) {
        const bool has_gap = !isnan(bulk->gap_us) || bulk->gap_not_visible;
        char *what =
            memory_format("logp bulk of %.0f bytes: %s", bulk->bytes,
                          has_gap ? "the receive overhead" : "the gap and the receive overhead");
        run_not_measured(machine, what, reason.text);
        free(what);
    }
    return status;
}

/* Every size that is asked for is begun before one of them takes the time of all others (Culler,
   Fast Network Interfaces, Bulk-transfer microbenchmark: o_s at growing n). */
static int begin_sizes(struct signing *signing, struct logp *logp, struct machine *machine)
{
    const int step = signing->run->options->points >= 48 ? 1 : 2;
    int status = 0;
    for (int i = 0; i < BULK_SIZES && status == 0; i += step) {
        if (bulk_bytes[i] > signing->run->options->bytes_most)
            continue;
        if (interruption_or_after(signing->end_s)) {
            char *what = memory_format("logp bulk from %d bytes on", bulk_bytes[i]);
            run_not_measured(machine, what, "the time for it ended");
            free(what);
            return 0;
        }
        struct logp_bulk *bulk = list_add(&logp_bulk_record, &logp->bulk);
        bulk->bytes = bulk_bytes[i];
        status = begin_size(signing, bulk);
    }
    return status;
}

/* The signatures of every other size of those that were begun: number `first`, ... */
static int sizes_from(struct signing *signing, struct logp *logp, struct machine *machine,
                      size_t first, size_t step)
{
    struct logp_bulk *bulk = logp->bulk.items;
    int status = 0;
    for (size_t i = first; i < logp->bulk.count && status >= 0; i += step)
        status = one_size(signing, &bulk[i], machine);
    return status;
}

static void draw_line(struct logp *logp)
{
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
    const bool all = signing->run->options->points >= 48;
    int status = begin_sizes(signing, logp, machine);
    if (status >= 0)
        status = sizes_from(signing, logp, machine, 0, all ? 2 : 1);
    if (status >= 0 && all)
        status = sizes_from(signing, logp, machine, 1, 2);
    if (status >= 0)
        draw_line(logp);
    return status < 0 ? -1 : 0;
}
