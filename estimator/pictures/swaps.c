/* Swaps: the time of the whole against the number of messages, the rate against their size (Worley,
   COMMTEST, the statistics): the fastest of a volume, or every curve of one protocol. */
#include "estimator/pictures/kinds.h"
#include "model/fit/points.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- what was asked for ---- */

/* "rate", ORDER.PROTOCOL and bytes, each between colons. */
struct asked {
    bool is_rate;
    int order, protocol; /* -1: any */
    double volume_bytes; /* the largest that there is, unless it was asked for; NAN: no number */
};

static bool is_protocol(const char *word, struct asked *asked)
{
    int end = 0;
    return isdigit((unsigned char)word[0]) &&
           sscanf(word, "%d.%d%n", &asked->order, &asked->protocol, &end) == 2 && word[end] == '\0';
}

static void take_word(struct asked *asked, const char *word)
{
    struct asked protocol;
    if (strcmp(word, "rate") == 0) {
        asked->is_rate = true;
    } else if (is_protocol(word, &protocol)) {
        asked->order = protocol.order;
        asked->protocol = protocol.protocol;
    } else {
        asked->volume_bytes = picture_number(word, NAN);
    }
}

static struct asked asked_by(const char *detail, double largest_bytes)
{
    struct asked asked = {.order = -1, .protocol = -1, .volume_bytes = largest_bytes};
    for (const char *at = detail; at[0]; at += at[0] == ':') {
        char word[40];
        const size_t length = strcspn(at, ":");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        take_word(&asked, word);
        at += length;
    }
    return asked;
}

static bool is_asked(const struct asked *asked, const struct curve *curve)
{
    return curve->volume_bytes == asked->volume_bytes &&
           (asked->order < 0 ||
            (curve->order == asked->order && curve->protocol == asked->protocol));
}

/* ---- the picture ---- */

static void set_axes(struct picture *picture, bool is_rate)
{
    if (picture->drawn == 0 && is_rate)
        plot_axes(&picture->plot, "message bytes", "both ways, 2 V / T, MB/s", true, true);
    else if (picture->drawn == 0)
        plot_axes(&picture->plot, "messages", "time of the whole swap, us", true, true);
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
    const struct asked asked = asked_by(picture->detail, count > 0 ? curves[0].volume_bytes : 0.0);
    const int most = asked.order < 0 ? SWAPS_DRAWN : PLOT_SERIES_MOST;
    set_axes(picture, asked.is_rate);
    int drawn = 0;
    for (size_t i = 0; i < count && drawn < most; i++)
        if (is_asked(&asked, &curves[i])) {
            draw_curve(picture, machine, &points, &curves[i], asked.is_rate);
            drawn++;
        }
    list_free(&point_record, &points);
    return drawn > 0 ? 0
                     : picture_missing(machine,
                                       asked.order < 0 ? "points of swaps of that volume"
                                                       : "points of that swap of that volume",
                                       error);
}
