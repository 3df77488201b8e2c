#include "model/fit/packets.h"

#include "model/base/allocation.h"
#include "model/fit/sawtooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double packets_of(const struct packets *packets, double bytes)
{
    return 1.0 + ceil(fmax(0.0, bytes - packets->first_bytes) / packets->bytes);
}

/* ---- regions without their steps, and with them again ---- */

static void take_out(const struct packets *packets, struct observation *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        points[i].time_us -= packets->each_us * sawtooth_at(packets, points[i].bytes);
}

/* Where the bytes alone would cost less than nothing, packets cost what they can. */
static void put_in(const struct packets *packets, struct region *region)
{
    const double slope_us = form_value(&region->per_byte_us, 2.0);
    const double each_us = fmin(packets->each_us, slope_us * packets->bytes);
    const double per_byte_us = fmax(0.0, slope_us - each_us / packets->bytes);
    const double first = packets->first_bytes / packets->bytes;
    const double setup_us = form_value(&region->setup_us, 2.0) - each_us * (1.5 - first);
    if (!(each_us > 0.0))
        return;
    struct region with = region_hockney(region->bytes_upto, setup_us, 1.0 / per_byte_us);
    with.packet_bytes = packets->bytes;
    if (packets->first_bytes != packets->bytes)
        with.first_packet_bytes = packets->first_bytes;
    with.per_packet_us = each_us;
    *region = with;
}

static struct packets packets_in(const struct region *region)
{
    const double first_bytes =
        isnan(region->first_packet_bytes) ? region->packet_bytes : region->first_packet_bytes;
    return (struct packets){region->packet_bytes, first_bytes, region->per_packet_us, INFINITY};
}

struct region packets_smoothed(const struct region *region)
{
    struct region without = *region;
    if (isnan(region->packet_bytes))
        return without;
    const struct packets packets = packets_in(region);
    const double first = packets.first_bytes / packets.bytes;
    without.setup_us =
        form_constant(form_value(&region->setup_us, 2.0) + packets.each_us * (1.5 - first));
    without.per_byte_us =
        form_constant(form_value(&region->per_byte_us, 2.0) + packets.each_us / packets.bytes);
    without.packet_bytes = without.first_packet_bytes = without.per_packet_us = NAN;
    return without;
}

struct region packets_fit_region(const struct region *like, const struct observation *points,
                                 size_t count)
{
    struct packets packets = packets_in(like);
    struct sawtooth sawtooth = {0};
    struct observation *level = memory_new(count, sizeof *level);
    memcpy(level, points, count * sizeof *level);
    sawtooth_add(&sawtooth, &packets, points, count);
    packets.each_us = sawtooth_each_us(&sawtooth);
    take_out(&packets, level, count);
    struct region region = fit_region(level, count);
    put_in(&packets, &region);
    free(level);
    return region;
}

/* ---- the regions of a curve ---- */

bool packets_among(const struct list *regions, struct packets *packets)
{
    const struct region *items = regions->items;
    *packets = (struct packets){0};
    for (size_t k = 0; k < regions->count; k++) {
        if (isnan(items[k].packet_bytes))
            continue;
        if (!(packets->bytes > 0.0))
            *packets = packets_in(&items[k]);
        packets->upto_bytes = items[k].bytes_upto;
    }
    return packets->bytes > 0.0;
}

/* What a packet costs, each region with a line of its own; no regions: one line for all. */
static double cost_of_packet(const struct packets *packets, const struct observation *points,
                             size_t count, const struct list *regions)
{
    const struct region *items = regions->items;
    struct sawtooth sawtooth = {0};
    struct observation *fitted = memory_new(count, sizeof *fitted);
    size_t kept = 0;
    for (size_t i = 0, k = 0; i < count; i++) {
        if (k < regions->count && points[i].bytes > items[k].bytes_upto) {
            sawtooth_add(&sawtooth, packets, fitted, kept);
            kept = 0;
            while (points[i].bytes > items[k].bytes_upto)
                k++;
        }
        if (!points[i].held_out && points[i].time_us > 0.0)
            fitted[kept++] = points[i];
    }
    sawtooth_add(&sawtooth, packets, fitted, kept);
    free(fitted);
    return sawtooth_each_us(&sawtooth);
}

/* Those that end before the staircase does; each_us is refined from round to round, as the regions
   that it leaves are. */
static int fit_with_packets(const struct packets *packets, const struct observation *points,
                            size_t count, const struct fit_plan *plan, struct list *regions,
                            struct error *error)
{
    enum { ROUNDS = 2 };
    struct packets now = *packets;
    struct observation *level = memory_new(count, sizeof *level);
    int status = 0;
    for (int round = 0; round < ROUNDS && status == 0; round++) {
        now.each_us = cost_of_packet(&now, points, count, regions);
        memcpy(level, points, count * sizeof *level);
        take_out(&now, level, count);
        list_free(&region_record, regions);
        status = fit_regions(level, count, plan, regions, error);
    }
    free(level);
    if (status == 0)
        now.each_us = cost_of_packet(&now, points, count, regions);
    for (size_t k = 0; k < regions->count; k++)
        put_in(&now, (struct region *)regions->items + k);
    return status;
}

static void append(struct list *regions, struct list *more)
{
    for (size_t k = 0; k < more->count; k++)
        *(struct region *)list_add(&region_record, regions) = ((struct region *)more->items)[k];
    list_free(&region_record, more);
}

static bool has_fitted(const struct observation *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!points[i].held_out && points[i].time_us > 0.0)
            return true;
    return false;
}

int packets_fit(const struct packets *packets, const struct observation *observations, size_t count,
                const struct fit_plan *plan, struct list *regions, struct error *error)
{
    struct list beyond = {0};
    size_t inside = 0;
    while (inside < count && observations[inside].bytes <= packets->upto_bytes)
        inside++;
    int status = fit_with_packets(packets, observations, inside, plan, regions, error);
    if (status == 0 && has_fitted(observations + inside, count - inside)) {
        status = fit_regions(observations + inside, count - inside, plan, &beyond, error);
        ((struct region *)regions->items)[regions->count - 1].bytes_upto = packets->upto_bytes;
        append(regions, &beyond);
    }
    if (status == 0)
        fit_errors(regions, observations, count);
    return status;
}
