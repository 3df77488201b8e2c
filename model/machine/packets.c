#include "model/machine/packets.h"

#include "model/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double packets_of(const struct packets *packets, double bytes)
{
    return 1.0 + ceil(fmax(0.0, bytes - packets->first_bytes) / packets->bytes);
}

/* How many packets there are more than a straight line through the middle of the steps says: -1/2
   at the end of a step, 1/2 at its begin. */
static double saw(const struct packets *packets, double bytes)
{
    const double line = 1.5 + (bytes - packets->first_bytes) / packets->bytes;
    return packets_of(packets, bytes) - line;
}

/* ---- what a packet costs: the part of the times that goes with the saw and not with a line ----
 */

/* Sums of squares and products of what a weighted line through saw and times leaves of them; of
   several regions with a line each, their sum. */
struct teeth {
    double saw_saw, saw_time, time_time;
};

/* Weighted means of one region, and products about them. */
struct products {
    double weight, bytes, saw, time; /* means but for the first */
    double nn, ns, nt, ss, st, tt;
};

static double weight_of(const struct observation *point)
{
    return 1.0 / (point->time_us * point->time_us);
}

static void add_means(struct products *sum, const struct packets *packets,
                      const struct observation *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double weight = weight_of(&points[i]);
        sum->weight += weight;
        sum->bytes += weight * points[i].bytes;
        sum->saw += weight * saw(packets, points[i].bytes);
        sum->time += weight * points[i].time_us;
    }
    sum->bytes /= sum->weight;
    sum->saw /= sum->weight;
    sum->time /= sum->weight;
}

static void add_teeth(struct teeth *teeth, const struct packets *packets,
                      const struct observation *points, size_t count)
{
    struct products sum = {0};
    if (count < 3)
        return; /* a line through two points leaves nothing */
    add_means(&sum, packets, points, count);
    for (size_t i = 0; i < count; i++) {
        const double weight = weight_of(&points[i]), n = points[i].bytes - sum.bytes;
        const double s = saw(packets, points[i].bytes) - sum.saw, t = points[i].time_us - sum.time;
        sum.nn += weight * n * n;
        sum.ns += weight * n * s;
        sum.nt += weight * n * t;
        sum.ss += weight * s * s;
        sum.st += weight * s * t;
        sum.tt += weight * t * t;
    }
    if (!(sum.nn > 0.0))
        return;
    teeth->saw_saw += fmax(0.0, sum.ss - sum.ns * sum.ns / sum.nn);
    teeth->saw_time += sum.st - sum.ns * sum.nt / sum.nn;
    teeth->time_time += fmax(0.0, sum.tt - sum.nt * sum.nt / sum.nn);
}

static double each_of(const struct teeth *teeth)
{
    return teeth->saw_saw > 0.0 ? fmax(0.0, teeth->saw_time / teeth->saw_saw) : 0.0;
}

/* ---- regions without their steps, and with them again ---- */

static void take_out(const struct packets *packets, struct observation *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        points[i].time_us -= packets->each_us * saw(packets, points[i].bytes);
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
    struct teeth teeth = {0};
    struct observation *level = memory_new(count, sizeof *level);
    memcpy(level, points, count * sizeof *level);
    add_teeth(&teeth, &packets, points, count);
    packets.each_us = each_of(&teeth);
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
    struct teeth teeth = {0};
    struct observation *fitted = memory_new(count, sizeof *fitted);
    size_t kept = 0;
    for (size_t i = 0, k = 0; i < count; i++) {
        if (k < regions->count && points[i].bytes > items[k].bytes_upto) {
            add_teeth(&teeth, packets, fitted, kept);
            kept = 0;
            while (points[i].bytes > items[k].bytes_upto)
                k++;
        }
        if (!points[i].held_out && points[i].time_us > 0.0)
            fitted[kept++] = points[i];
    }
    add_teeth(&teeth, packets, fitted, kept);
    free(fitted);
    return each_of(&teeth);
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

/* ---- a staircase in sight ---- */

/* So many packets about the first ones are looked at: further on steps are small beside the time.
   That many points at least, on so many steps. */
static const double window_from = 0.25, window_upto = 8.0;
enum { POINTS_LEAST = 8, STEPS_LEAST = 4 };

/* The search: packets grow by this ratio, the first one by shares of a packet. */
static const double packet_ratio = 1.01, packet_least = 16.0, packets_least = 5.0;
enum { PHASES = 32, BEST = PACKETS_GUESSES, HALVINGS = 10 };

/* A staircase leaves less than this of the squares that a line leaves; a line that misses by less
   than a thousandth needs none; and a step is that many times the noise. */
static const double share_most = 0.25, miss_least = 1e-3, noise_most = 0.25;

/* Points from..upto are those about the first packets. */
struct view {
    const struct observation *points;
    size_t count, from, upto;
};

static void look_at(struct view *view, double packet_bytes)
{
    while (view->from < view->count && view->points[view->from].bytes < window_from * packet_bytes)
        view->from++;
    while (view->upto < view->count && view->points[view->upto].bytes <= window_upto * packet_bytes)
        view->upto++;
}

static size_t steps_seen(const struct view *view, const struct packets *packets)
{
    size_t steps = 0;
    double last = 0.0;
    for (size_t i = view->from; i < view->upto; i++) {
        const double now = packets_of(packets, view->points[i].bytes);
        steps += now != last;
        last = now;
    }
    return steps;
}

/* The share of squares that the staircase leaves; 1 where it explains nothing. */
static double share_left(const struct view *view, struct packets *packets)
{
    struct teeth teeth = {0};
    const size_t count = view->upto - view->from;
    add_teeth(&teeth, packets, view->points + view->from, count);
    packets->each_us = each_of(&teeth);
    if (!(teeth.time_time > (double)count * miss_least * miss_least))
        return 1.0;
    return fmax(0.0, 1.0 - packets->each_us * teeth.saw_time / teeth.time_time);
}

struct candidate {
    struct packets packets;
    double share;
};

static struct candidate best_phase(const struct view *view, double packet_bytes)
{
    struct candidate best = {.share = 1.0};
    for (int i = 1; i <= PHASES; i++) {
        struct packets packets = {packet_bytes, packet_bytes * i / PHASES, 0.0, INFINITY};
        const double share = share_left(view, &packets);
        if (share < best.share)
            best = (struct candidate){packets, share};
    }
    return best;
}

/* Keeps the best ones, sorted; neighbours of a better one are no other ones. */
static void keep(struct candidate best[BEST], const struct candidate *now)
{
    size_t at = 0;
    while (at < BEST && best[at].share <= now->share) {
        if (now->packets.bytes < 1.03 * best[at].packets.bytes)
            return;
        at++;
    }
    if (at == BEST)
        return;
    memmove(&best[at + 1], &best[at], (BEST - 1 - at) * sizeof *best);
    best[at] = *now;
}

/* Shrinking steps about a candidate, in both sizes. */
static void sharpen(const struct view *all, struct candidate *candidate)
{
    const double packet_step = (packet_ratio - 1.0) * candidate->packets.bytes;
    const double first_step = candidate->packets.bytes / PHASES;
    struct view view = {all->points, all->count, 0, 0};
    look_at(&view, candidate->packets.bytes);
    double size = 1.0;
    for (int halving = 0; halving < HALVINGS; halving++, size *= 0.6) {
        const struct packets from = candidate->packets;
        for (int i = -2; i <= 2; i++)
            for (int k = -2; k <= 2; k++) {
                struct packets now = from;
                now.bytes += i * size * packet_step;
                now.first_bytes += k * size * first_step;
                const double share = share_left(&view, &now);
                if (share < candidate->share)
                    *candidate = (struct candidate){now, share};
            }
    }
}

static double slope_beside(const struct view *view, const struct packets *packets)
{
    struct products sum = {0};
    double nn = 0.0, nt = 0.0;
    add_means(&sum, packets, view->points + view->from, view->upto - view->from);
    for (size_t i = view->from; i < view->upto; i++) {
        const double weight = weight_of(&view->points[i]), n = view->points[i].bytes - sum.bytes;
        nn += weight * n * n;
        nt += weight * n *
              (view->points[i].time_us -
               packets->each_us * packets_of(packets, view->points[i].bytes));
    }
    return fmax(0.0, nt / nn);
}

/* Whether it explains enough, and its steps stand out of the noise. */
static bool is_in_sight(const struct view *all, const struct candidate *candidate, double *slope_us)
{
    struct view view = {all->points, all->count, 0, 0};
    double noise_us = 0.0;
    if (!(candidate->share < share_most))
        return false;
    look_at(&view, candidate->packets.bytes);
    for (size_t i = view.from; i < view.upto; i++)
        noise_us += view.points[i].half_width_us / (double)(view.upto - view.from);
    *slope_us = slope_beside(&view, &candidate->packets);
    return candidate->packets.each_us * noise_most > noise_us &&
           steps_seen(&view, &candidate->packets) >= STEPS_LEAST;
}

static void search(struct view *view, double granule, struct candidate best[BEST])
{
    const double most = view->points[view->count - 1].bytes / packets_least;
    for (double bytes = packet_least * granule; bytes <= most; bytes *= packet_ratio) {
        look_at(view, bytes);
        if (view->upto - view->from < POINTS_LEAST)
            continue;
        const struct candidate now = best_phase(view, bytes);
        if (now.share < 1.0)
            keep(best, &now);
    }
}

static int by_share(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return (x->share > y->share) - (x->share < y->share);
}

size_t packets_guess(const struct observation *points, size_t count, double granule,
                     struct packets_guess guesses[PACKETS_GUESSES])
{
    struct observation *fitted = memory_new(count + 1, sizeof *fitted);
    struct view view = {.points = fitted};
    struct candidate best[BEST];
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (!points[i].held_out && points[i].time_us > 0.0)
            fitted[view.count++] = points[i];
    for (size_t i = 0; i < BEST; i++)
        best[i] = (struct candidate){.share = 1.0};
    if (view.count > 0)
        search(&view, granule, best);
    for (size_t i = 0; i < BEST && best[i].share < 1.0; i++)
        sharpen(&view, &best[i]);
    qsort(best, BEST, sizeof *best, by_share);
    for (size_t i = 0; i < BEST && best[i].share < 1.0; i++) {
        guesses[found].packets = best[i].packets;
        found += is_in_sight(&view, &best[i], &guesses[found].slope_us);
    }
    free(fitted);
    return found;
}

/* ---- a staircase among regions ---- */

/* Two steps one after the other, the second no farther from the first than that is from the
   beginning, but for this share. Where one line goes on through the middle of the further steps the
   second looks half as high. */
static const double longer_most = 0.25, second_least = 0.35, second_most = 1.25;

static double step_after(const struct region *region)
{
    const double edge = region->bytes_upto;
    return region_time_us(region + 1, edge, 2.0) - region_time_us(region, edge, 2.0);
}

bool packets_guess_among(const struct list *regions, struct packets_guess *guess)
{
    const struct region *items = regions->items;
    for (size_t k = 0; k + 2 < regions->count; k++) {
        const double first = items[k].bytes_upto, bytes = items[k + 1].bytes_upto - first;
        const double each_us = step_after(&items[k]);
        const double second = step_after(&items[k + 1]) / each_us;
        if (!(first <= (1.0 + longer_most) * bytes) || !(each_us > 0.0) ||
            !(second > second_least) || !(second < second_most))
            continue;
        *guess = (struct packets_guess){
            {bytes, first, each_us, INFINITY},
            form_value(&items[k].per_byte_us, 2.0)
        };
        return true;
    }
    return false;
}
