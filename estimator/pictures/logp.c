/* LogP (Culler, Fast Network Interfaces): the signature of small messages and those of bulk
   transfers, and the parameters by message bytes. */
#include "estimator/pictures/kinds.h"
#include "model/fit/points.h"

#include <math.h>
#include <string.h>

/* ---- signatures: the cost of an issue against how many there are in a row ---- */

static bool is_new_delay(const struct signature_point *points, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (points[k].delay_us == points[i].delay_us)
            return false;
    return true;
}

/* A series a delay. */
static void draw_curves(struct picture *picture, const struct machine *machine, const char *of,
                        const struct signature_point *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_new_delay(items, i) ||
            !picture_series(picture, machine, PLOT_LINE, picture->colours++, "%sdelay %.4g us", of,
                            items[i].delay_us))
            continue;
        for (size_t k = i; k < count; k++)
            if (items[k].delay_us == items[i].delay_us)
                plot_point(&picture->plot, items[k].issues, items[k].cost_us);
        plot_series_end(&picture->plot);
    }
}

/* The points logp-KIND-ISSUES-DELAY of that kind and size as a signature, which is to be freed. */
static struct list signature_of(const struct list *points, const char *kind, double bytes)
{
    const struct point *items = points->items;
    struct list signature = {0};
    for (size_t i = 0; i < points->count; i++) {
        char name[8];
        struct signature_point point;
        if (items[i].bytes != bytes ||
            sscanf(items[i].utility, "logp-%7[a-z]-%lf-%lf", name, &point.issues,
                   &point.delay_us) != 3 ||
            strcmp(name, kind) != 0 || !(point.issues >= 1.0))
            continue;
        point.cost_us = items[i].median_us / point.issues;
        *(struct signature_point *)list_add(&signature_point_record, &signature) = point;
    }
    return signature;
}

static int draw_bulk(struct picture *picture, const struct machine *machine, struct error *error)
{
    static const char *const kinds[] = {"store", "get"};
    struct list points = {0};
    size_t drawn = 0;
    const double bytes = picture_number(picture->detail, NAN);
    if (picture_points(machine, &points, error) != 0)
        return -1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char of[40];
        struct list signature = signature_of(&points, kinds[i], bytes);
        snprintf(of, sizeof of, "%s of %.10g bytes, ", kinds[i], bytes);
        draw_curves(picture, machine, of, signature.items, signature.count);
        drawn += signature.count;
        list_free(&signature_point_record, &signature);
    }
    list_free(&point_record, &points);
    return drawn > 0 ? 0 : picture_missing(machine, "logp signature of so many bytes", error);
}

int draw_signature(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (!picture->detail[0] && (!machine->logp || machine->logp->signature.count == 0))
        return picture_missing(machine, "logp signature", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "messages issued in a row", "cost of one, us", true, false);
    if (picture->detail[0])
        return draw_bulk(picture, machine, error);
    draw_curves(picture, machine, "", machine->logp->signature.items,
                machine->logp->signature.count);
    return 0;
}

/* ---- the parameters by message bytes ---- */

static double send_us(const struct logp_bulk *bulk)
{
    return bulk->send_overhead_us;
}

static double receive_us(const struct logp_bulk *bulk)
{
    return bulk->receive_overhead_us;
}

static double gap_us(const struct logp_bulk *bulk)
{
    return bulk->gap_us;
}

static double transfer_us(const struct logp_bulk *bulk)
{
    return bulk->transfer_us;
}

static const struct {
    const char *name;
    double (*of)(const struct logp_bulk *bulk);
} parameters[] = {
    {"o of a send",       send_us    },
    {"o of a receive",    receive_us },
    {"g",                 gap_us     },
    {"T of a round trip", transfer_us},
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

/* A parameter with no size where it is known is left out. */
static void draw_parameter(struct picture *picture, const struct machine *machine, size_t number)
{
    const struct logp_bulk *items = machine->logp->bulk.items;
    const size_t count = machine->logp->bulk.count;
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        known += isfinite(parameters[number].of(&items[i])) ? 1 : 0;
    const int like = picture->colours++;
    const enum plot_style style = known > 1 ? PLOT_LINE : PLOT_MARKS;
    if (known == 0 || !picture_series(picture, machine, style, like, "%s", parameters[number].name))
        return;
    for (size_t i = 0; i < count; i++)
        plot_point(&picture->plot, items[i].bytes, parameters[number].of(&items[i]));
    plot_series_end(&picture->plot);
}

/* t0 + n / rinf, where its t0 is a time. */
static void draw_store_line(struct picture *picture, const struct machine *machine)
{
    const struct logp *logp = machine->logp;
    const struct logp_bulk *items = logp->bulk.items;
    if (!(logp->store_t0_us > 0.0) || !(logp->store_rinf_mb_per_s > 0.0) ||
        !picture_series(picture, machine, PLOT_GUIDE, picture->colours++, "line through T"))
        return;
    for (size_t i = 0; i < logp->bulk.count; i++)
        plot_point(&picture->plot, items[i].bytes,
                   logp->store_t0_us + items[i].bytes / logp->store_rinf_mb_per_s);
    plot_series_end(&picture->plot);
}

int draw_logp(struct picture *picture, const struct machine *machine, struct error *error)
{
    if (!machine->logp || machine->logp->bulk.count == 0)
        return picture_missing(machine, "logp parameters of bulk", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "time, us", true, true);
    for (size_t i = 0; i < PARAMETERS; i++)
        draw_parameter(picture, machine, i);
    draw_store_line(picture, machine);
    return 0;
}

/* ---- the parameters of small messages, machine by machine ---- */

/* One bar at x; of bars at the same x the highest comes first and the others stand before it. */
static void draw_bar(struct picture *picture, const char *title, int like, double x, double us)
{
    if (!isfinite(us) || !plot_series(&picture->plot, title, PLOT_BARS, like))
        return;
    plot_point(&picture->plot, x, us);
    plot_series_end(&picture->plot);
}

/* The machine, and which of its bars are not there: not known, or of the gap not visible. */
static void name_summary(struct picture *picture, const struct machine *machine)
{
    char text[160];
    snprintf(text, sizeof text, "%.100s%s%s", machine->machine.name,
             isnan(machine->logp->latency_us) ? ", no L" : "",
             isnan(machine->logp->gap_us) ? ", no g" : "");
    plot_name(&picture->plot, text);
}

/* The overheads and the latency on one another, and the gap beside them (Culler, Fast Network
   Interfaces, figure 6). */
int draw_logp_summary(struct picture *picture, const struct machine *machine, struct error *error)
{
    const struct logp *logp = machine->logp;
    if (!logp || isnan(logp->send_overhead_us) || isnan(logp->receive_overhead_us))
        return picture_missing(machine, "logp overheads of small messages", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "machine", "time, us", false, false);
    name_summary(picture, machine);
    const double left = picture->plot.names - 0.15, right = picture->plot.names + 0.15;
    const double both_us = logp->send_overhead_us + logp->receive_overhead_us;
    draw_bar(picture, "L", 2, left, both_us + logp->latency_us);
    draw_bar(picture, "o of a receive", 1, left, both_us);
    draw_bar(picture, "o of a send", 0, left, logp->send_overhead_us);
    draw_bar(picture, "g", 3, right, logp->gap_us);
    return 0;
}
