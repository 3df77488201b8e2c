#include "model/machine/logp_cost.h"

#include "model/base/allocation.h"
#include "model/cost/pattern.h"

#include <math.h>

/* A message of so many bytes, and what it takes. */
struct knot {
    double bytes, time_us;
};

static double small_us(const struct logp *logp)
{
    return logp->send_overhead_us + logp->latency_us + logp->receive_overhead_us;
}

/* Bytes of a small message: no table says less than one. */
static double small_bytes(const struct logp *logp)
{
    return isnan(logp->message_bytes) ? 1.0 : logp->message_bytes;
}

static void add_region(struct cost *cost, const struct region *region)
{
    *(struct region *)list_add(&region_record, &cost->regions) = *region;
}

/* The line from one knot to the next. */
static void add_line(struct cost *cost, const struct knot *from, const struct knot *to)
{
    const double per_byte_us = fmax(0.0, (to->time_us - from->time_us) / (to->bytes - from->bytes));
    const struct region region =
        region_hockney(to->bytes, from->time_us - per_byte_us * from->bytes, 1.0 / per_byte_us);
    add_region(cost, &region);
}

/* From the small message through the transfers that are known, which stand in the order of their
   sizes; the last line goes on. Returns whether any is known. */
static bool add_transfers(struct cost *cost, const struct logp *logp)
{
    const struct logp_bulk *bulk = logp->bulk.items;
    struct knot last = {small_bytes(logp), small_us(logp)};
    const size_t before = cost->regions.count;
    for (size_t i = 0; i < logp->bulk.count; i++) {
        const struct knot next = {bulk[i].bytes, bulk[i].transfer_us - small_us(logp)};
        if (isnan(next.time_us) || next.bytes <= last.bytes)
            continue;
        add_line(cost, &last, &next);
        cost->bytes.most = next.bytes;
        last = next;
    }
    if (cost->regions.count == before)
        return false;
    struct region *regions = cost->regions.items;
    regions[cost->regions.count - 1].bytes_upto = INFINITY;
    return true;
}

static bool add_store_line(struct cost *cost, const struct logp *logp)
{
    if (!(logp->store_rinf_mb_per_s > 0.0) || isnan(logp->store_t0_us))
        return false;
    const struct region region =
        region_hockney(INFINITY, logp->store_t0_us - small_us(logp), logp->store_rinf_mb_per_s);
    add_region(cost, &region);
    cost->bytes.most = INFINITY;
    return true;
}

/* Asking for more than a small message is an error where nothing tells how soon the next one may
   follow. */
static void add_train(struct cost *cost, const struct logp *logp)
{
    /* Messages follow one another at the gap, and no faster than the sender sends: max(g, o). */
    const double gap_us = logp->gap_not_visible
                              ? fmax(logp->send_overhead_us, logp->receive_overhead_us)
                          : isnan(logp->gap_us) ? (double)NAN
                                                : fmax(logp->gap_us, logp->send_overhead_us);
    struct region region = region_hockney(INFINITY, small_us(logp) - gap_us, INFINITY);
    region.unscalable = isnan(gap_us);
    region.packet_bytes = small_bytes(logp);
    region.per_packet_us = gap_us;
    add_region(cost, &region);
}

void logp_add_point_to_point(struct machine *machine)
{
    const struct logp *logp = machine->logp;
    if (!logp || isnan(small_us(logp)) || machine_cost(machine, pattern_point_to_point.name))
        return;
    struct cost *cost = list_add(&cost_record, &machine->communication);
    cost->utility = memory_copy_text(pattern_point_to_point.name);
    cost->measures = MEASURES_COMPLETION;
    cost->from_logp = true;
    cost->bytes = (struct span){0.0, small_bytes(logp)};
    const struct region small = region_hockney(small_bytes(logp), small_us(logp), INFINITY);
    add_region(cost, &small);
    if (!add_transfers(cost, logp) && !add_store_line(cost, logp))
        add_train(cost, logp);
}
