#include "model/fit/packets_guess.h"

#include "model/base/allocation.h"
#include "model/fit/sawtooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    struct sawtooth sawtooth = {0};
    const size_t count = view->upto - view->from;
    sawtooth_add(&sawtooth, packets, view->points + view->from, count);
    packets->each_us = sawtooth_each_us(&sawtooth);
    if (!(sawtooth.time_time > (double)count * miss_least * miss_least))
        return 1.0;
    return fmax(0.0, 1.0 - packets->each_us * sawtooth.saw_time / sawtooth.time_time);
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
    *slope_us =
        sawtooth_slope_us(&candidate->packets, view.points + view.from, view.upto - view.from);
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
