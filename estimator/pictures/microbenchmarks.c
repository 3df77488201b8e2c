/* Overlap (Doerfler, Host Processor Overhead, Results), the LogP signature (Culler, Fast Network
   Interfaces, figure 4), swaps (Worley, COMMTEST, the statistics). */
#include "estimator/pictures/kinds.h"
#include "model/fit/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- overlap ---- */

static void draw_side(struct picture *picture, const struct machine *machine, int side,
                      bool is_overhead)
{
    const struct overlap *items = machine->overlap.items;
    if (!picture_series(picture, machine, PLOT_LINE, picture->colours++, "%s",
                        side == OVERLAP_SEND ? "send" : "receive"))
        return;
    for (size_t i = 0; i < machine->overlap.count; i++)
        if (items[i].side == side && items[i].bytes > 0.0)
            plot_point(&picture->plot, items[i].bytes,
                       is_overhead ? items[i].overhead_us : 100.0 * items[i].availability);
    plot_series_end(&picture->plot);
}

static int draw_sides(struct picture *picture, const struct machine *machine, bool is_overhead,
                      struct error *error)
{
    if (machine->overlap.count == 0)
        return picture_missing(machine, "overlap", error);
    for (int side = OVERLAP_SEND; side <= OVERLAP_RECEIVE; side++)
        draw_side(picture, machine, side, is_overhead);
    return 0;
}

int draw_overlap(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "availability, %", true, false);
    return draw_sides(picture, machine, false, error);
}

int draw_overhead(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "overhead, us", true, true);
    return draw_sides(picture, machine, true, error);
}

/* ---- the LogP signature ---- */

static bool is_new_delay(const struct signature_point *points, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (points[k].delay_us == points[i].delay_us)
            return false;
    return true;
}

int draw_signature(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (!machine->logp || machine->logp->signature.count == 0)
        return picture_missing(machine, "logp signature", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "messages issued in a row", "cost of one, us", true, false);
    const struct signature_point *items = machine->logp->signature.items;
    const size_t count = machine->logp->signature.count;
    for (size_t i = 0; i < count; i++) {
        if (!is_new_delay(items, i) ||
            !picture_series(picture, machine, PLOT_LINE, picture->colours++, "delay %.4g us",
                            items[i].delay_us))
            continue;
        for (size_t k = i; k < count; k++)
            if (items[k].delay_us == items[i].delay_us)
                plot_point(&picture->plot, items[k].issues, items[k].cost_us);
        plot_series_end(&picture->plot);
    }
    return 0;
}

/* ---- swaps: the time of the whole against the number of messages, the rate against their size
   (Worley, COMMTEST, the statistics) ---- */

/* A curve is the points of one name, swap-ORDER.PROTOCOL-SET-WAY-VOLUME-PAIR. */
struct curve {
    const char *name;
    int order, protocol;
    double volume_bytes, least_us;
};

enum { SWAPS_DRAWN = 6, CURVES_MOST = 512 };

static bool curve_of(const struct point *point, struct curve *curve)
{
    char set[8], way[8];
    *curve = (struct curve){.name = point->utility, .least_us = point->median_us};
    return sscanf(point->utility, "swap-%d.%d-%7[^-]-%7[^-]-%lf-", &curve->order, &curve->protocol,
                  set, way, &curve->volume_bytes) == 5;
}

static size_t find_curves(const struct list *points, struct curve curves[CURVES_MOST])
{
    const struct point *items = points->items;
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++) {
        struct curve curve;
        if (!curve_of(&items[i], &curve))
            continue;
        size_t at = 0;
        while (at < count && strcmp(curves[at].name, curve.name) != 0)
            at++;
        if (at < count)
            curves[at].least_us = fmin(curves[at].least_us, curve.least_us);
        else if (count < CURVES_MOST)
            curves[count++] = curve;
    }
    return count;
}

/* The largest volume first, in it the fastest. */
static int compare_curves(const void *a, const void *b)
{
    const struct curve *one = a, *other = b;
    if (one->volume_bytes != other->volume_bytes)
        return one->volume_bytes > other->volume_bytes ? -1 : 1;
    if (one->least_us != other->least_us)
        return one->least_us < other->least_us ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* The rate as the statistics count it: both ways (Worley, COMMTEST, the statistics). */
static void draw_swap(struct picture *picture, const struct point *point, double volume_bytes,
                      bool is_rate)
{
    if (!is_rate)
        plot_point(&picture->plot, volume_bytes / point->bytes, point->median_us);
    else if (point->median_us > 0.0)
        plot_point(&picture->plot, point->bytes, 2.0 * volume_bytes / point->median_us);
}

static void draw_curve(struct picture *picture, const struct machine *machine,
                       const struct list *points, const struct curve *curve, bool is_rate)
{
    const struct point *items = points->items;
    const char *name = swap_protocol_name(curve->order, curve->protocol);
    if (!picture_series(picture, machine, PLOT_LINE, picture->colours++, "%s (%s)",
                        name ? name : "", curve->name + strlen("swap-")))
        return;
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(items[i].utility, curve->name) == 0 && items[i].bytes > 0.0)
            draw_swap(picture, &items[i], curve->volume_bytes, is_rate);
    plot_series_end(&picture->plot);
}

/* "rate", "rate:64k" or "64k": returns whether the rate is meant, and leaves the volume. */
static bool is_rate_asked(const char **detail)
{
    static const char rate[] = "rate";
    const size_t length = sizeof rate - 1;
    if (strncmp(*detail, rate, length) != 0 ||
        ((*detail)[length] != '\0' && (*detail)[length] != ':'))
        return false;
    *detail += length + ((*detail)[length] == ':');
    return true;
}

/* The volume that was asked for, or the largest that there is; 0: there is none. */
static double volume_asked(const char *detail, const struct curve *curves, size_t count)
{
    struct number_list asked = {0};
    double volume_bytes = count > 0 ? curves[0].volume_bytes : 0.0;
    if (detail[0])
        volume_bytes =
            number_list_parse(detail, &asked) == NULL && asked.count == 1 ? asked.values[0] : 0.0;
    number_list_free(&asked);
    return volume_bytes;
}

int draw_swaps(struct picture *picture, const struct machine *machine, struct error *error)
{
    struct list points = {0};
    struct curve curves[CURVES_MOST];
    if (picture_points(machine, &points, error) != 0)
        return -1;
    const size_t count = find_curves(&points, curves);
    if (count > 0)
        qsort(curves, count, sizeof *curves, compare_curves);
    const char *detail = picture->detail;
    const bool is_rate = is_rate_asked(&detail);
    const double volume_bytes = volume_asked(detail, curves, count);
    if (picture->drawn == 0 && is_rate)
        plot_axes(&picture->plot, "message bytes", "both ways, 2 V / T, MB/s", true, true);
    else if (picture->drawn == 0)
        plot_axes(&picture->plot, "messages", "time of the whole swap, us", true, true);
    int drawn = 0;
    for (size_t i = 0; i < count && drawn < SWAPS_DRAWN; i++)
        if (curves[i].volume_bytes == volume_bytes) {
            draw_curve(picture, machine, &points, &curves[i], is_rate);
            drawn++;
        }
    list_free(&point_record, &points);
    return drawn > 0 ? 0 : picture_missing(machine, "points of swaps of that volume", error);
}
