/* loggp: the LogP parameters of small messages and what bulk adds to them (LogGP: a gap per byte),
   as KEY=VALUE lines, with the command line of LogGOPSim in a comment. */
#include "estimator/export/export.h"
#include "model/cost/pattern.h"

#include <gsl/gsl_fit.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

/* A straight line in the message size through bulk values. */
struct line {
    double per_byte_us; /* NAN: fewer than two sizes */
    double least_bytes, most_bytes;
    const char *from; /* what it was taken from */
};

static void put(const struct exporter *exporter, const char *key, double value)
{
    char text[NUMBER_TEXT];
    if (!isnan(value))
        fprintf(exporter->out, "%s=%s\n", key, number_print(value, text));
}

/* ---- what grows with the size ---- */

enum { BULK_MOST = 256 };

/* The line through the values of a bulk member where it is known. */
static struct line line_through(const struct logp *logp, size_t offset, const char *from)
{
    const struct logp_bulk *bulk = logp->bulk.items;
    double bytes[BULK_MOST], value[BULK_MOST], t0, cov00, cov01, cov11, sum;
    struct line line = {.per_byte_us = NAN, .least_bytes = INFINITY, .from = from};
    size_t count = 0;
    for (size_t i = 0; i < logp->bulk.count && count < BULK_MOST; i++) {
        const double *member = (const void *)((const char *)&bulk[i] + offset);
        if (isnan(*member))
            continue;
        bytes[count] = bulk[i].bytes;
        value[count++] = *member;
        line.least_bytes = fmin(line.least_bytes, bulk[i].bytes);
        line.most_bytes = fmax(line.most_bytes, bulk[i].bytes);
    }
    if (line.most_bytes > line.least_bytes)
        gsl_fit_linear(bytes, 1, value, 1, count, &t0, &line.per_byte_us, &cov00, &cov01, &cov11,
                       &sum);
    return line;
}

/* The rate of the last region of point-to-point, which is that of the longest messages. */
static struct line longest_messages(const struct machine *machine)
{
    const struct cost *cost = machine_cost(machine, pattern_point_to_point.name);
    struct line line = {.per_byte_us = NAN, .from = pattern_point_to_point.name};
    if (!cost)
        return line;
    const struct list *list = cost_regions_at(cost, 2.0);
    const struct region *regions = list->items;
    const struct region *last = &regions[list->count - 1];
    line.per_byte_us = form_value(&last->per_byte_us, 2.0);
    line.least_bytes = list->count > 1 ? regions[list->count - 2].bytes_upto + 1.0 : 0.0;
    line.most_bytes = cost->bytes.most;
    return line;
}

/* G: from gaps, where they show; else from transfers; else from messages. */
static struct line gap_per_byte(const struct machine *machine)
{
    const struct logp *logp = machine->logp;
    const struct line gaps = line_through(logp, offsetof(struct logp_bulk, gap_us), "bulk gaps");
    if (gaps.per_byte_us > 0.0)
        return gaps;
    struct line stores =
        line_through(logp, offsetof(struct logp_bulk, transfer_us), "bulk transfers");
    if (isnan(stores.per_byte_us) && logp->store_rinf_mb_per_s > 0.0)
        stores = (struct line){1.0 / logp->store_rinf_mb_per_s, NAN, NAN, "line of transfers"};
    return stores.per_byte_us > 0.0 ? stores : longest_messages(machine);
}

/* O of LogGOPS: what a byte costs the processors, the mean of both. */
static double overhead_per_byte(const struct logp *logp)
{
    const struct line send =
        line_through(logp, offsetof(struct logp_bulk, send_overhead_us), "bulk");
    const struct line receive =
        line_through(logp, offsetof(struct logp_bulk, receive_overhead_us), "bulk");
    return fmax(0.0, (send.per_byte_us + receive.per_byte_us) / 2.0);
}

static double eager_bytes(const struct machine *machine)
{
    const struct cost *cost = machine_cost(machine, pattern_point_to_point.name);
    return cost ? cost->eager_upto_bytes : (double)NAN;
}

/* ---- LogGOPSim: whole numbers, of any unit of time ---- */

static double gap_at_most(const struct logp *logp)
{
    return isnan(logp->gap_us) ? logp->send_overhead_us + logp->receive_overhead_us : logp->gap_us;
}

static void put_command(const struct exporter *exporter, double per_byte_us)
{
    const struct logp *logp = exporter->machine->logp;
    const double o_us = (logp->send_overhead_us + logp->receive_overhead_us) / 2.0;
    const double most_us = fmax(logp->latency_us, fmax(o_us, gap_at_most(logp)));
    const bool fine = most_us * 1e6 < INT_MAX;
    const double units = fine ? 1e6 : 1e3;
    const double S = eager_bytes(exporter->machine);
    fprintf(exporter->out, "# LogGOPSim -L %.0f -o %.0f -g %.0f -G %.0f -O %.0f",
            logp->latency_us * units, o_us * units, gap_at_most(logp) * units, per_byte_us * units,
            overhead_per_byte(logp) * units);
    if (!isnan(S))
        fprintf(exporter->out, " -S %.0f", S);
    fprintf(exporter->out,
            "\n# (times in %s, so that they are whole numbers; -o is the mean of o_s and o_r)\n",
            fine ? "ps" : "ns");
}

/* ---- the text ---- */

static void put_small(const struct exporter *exporter)
{
    const struct logp *logp = exporter->machine->logp;
    put(exporter, "bytes", logp->message_bytes);
    put(exporter, "L_us", logp->latency_us);
    put(exporter, "o_s_us", logp->send_overhead_us);
    put(exporter, "o_r_us", logp->receive_overhead_us);
    put(exporter, "g_us", logp->gap_us);
    if (isnan(logp->gap_us) && logp->gap_not_visible) {
        export_note(exporter,
                    "g is not visible: it is at most o_s + o_r, which LogGOPSim's -g has");
        put(exporter, "g_us_at_most", gap_at_most(logp));
    }
    put(exporter, "capacity", logp->capacity);
    put(exporter, "eager_upto_bytes", eager_bytes(exporter->machine));
    put(exporter, "P", exporter->machine->machine.processors);
}

static void put_gap_per_byte(const struct exporter *exporter, const struct line *line)
{
    if (!(line->per_byte_us > 0.0)) {
        export_note(exporter,
                    "G was not measured: this is LogP, and LogGOPSim has no command line");
        return;
    }
    put(exporter, "G_us_per_byte", line->per_byte_us);
    fprintf(exporter->out, "G_from=%s\n", line->from);
    put(exporter, "G_from_bytes", line->least_bytes);
    put(exporter, "G_upto_bytes", line->most_bytes);
}

/* All sizes that were measured: LogGP's constants are one line through them. */
static void put_bulk(const struct exporter *exporter)
{
    const struct logp_bulk *bulk = exporter->machine->logp->bulk.items;
    for (size_t i = 0; i < exporter->machine->logp->bulk.count; i++) {
        const struct {
            const char *key;
            double value;
        } values[] = {
            {"bytes",  bulk[i].bytes              },
            {"o_s_us", bulk[i].send_overhead_us   },
            {"o_r_us", bulk[i].receive_overhead_us},
            {"g_us",   bulk[i].gap_us             },
        };
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            char key[40];
            snprintf(key, sizeof key, "bulk.%zu.%s", i + 1, values[k].key);
            put(exporter, key, values[k].value);
        }
    }
}

int export_loggp(const struct exporter *exporter, struct error *error)
{
    const struct logp *logp = exporter->machine->logp;
    if (!logp)
        return export_missing(exporter, "logp is", "loggp", error);
    if (isnan(logp->latency_us))
        return export_missing(exporter, "the latency of logp is", "loggp", error);
    if (isnan(logp->gap_us) && !logp->gap_not_visible)
        return export_missing(exporter, "the gap of logp is", "loggp", error);
    const struct line line = gap_per_byte(exporter->machine);
    export_comment(exporter, "LogP and LogGP of %s; us, bytes; doc/export.md says what each key is",
                   exporter->machine->machine.name);
    put_small(exporter);
    put_gap_per_byte(exporter, &line);
    if (line.per_byte_us > 0.0)
        put_command(exporter, line.per_byte_us);
    put_bulk(exporter);
    return 0;
}
