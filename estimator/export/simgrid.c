/* simgrid: a platform of SimGrid 3.32 on which SMPI takes the time of the table's point-to-point
   messages: a cluster of hosts with a link each, and factors for sizes. */
#include "estimator/export/export.h"
#include "estimator/export/smpi_factors.h"
#include "model/base/allocation.h"
#include "model/base/printable.h"
#include "model/cost/pattern.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A link each way, so that latency factors are us. */
static const double link_latency_us = 0.5;

/* ---- XML ---- */

static void put_escaped(FILE *out, const char *text)
{
    static const struct {
        char what;
        const char *is;
    } entities[] = {
        {'&', "&amp;" },
        {'<', "&lt;"  },
        {'>', "&gt;"  },
        {'"', "&quot;"}
    };
    char *shown = printable(text); /* XML has no control characters */
    for (const char *c = shown; *c; c++) {
        const char *is = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            is = *c == entities[i].what ? entities[i].is : is;
        if (is)
            fputs(is, out);
        else
            putc(*c, out);
    }
    free(shown);
}

static void put_property(const struct exporter *exporter, const char *key, const char *value)
{
    fprintf(exporter->out, "    <prop id=\"%s\" value=\"%s\"/>\n", key, value);
}

/* What no measurement tells apart: seven digits. */
static double rounded(double value)
{
    char text[NUMBER_TEXT];
    snprintf(text, sizeof text, "%.7g", value);
    return strtod(text, NULL);
}

/* ---- factors: "ABOVE:VALUE;...", of the size with its envelope or without ---- */

static double above(const struct smpi_piece *piece, double added_bytes)
{
    return piece->above_bytes > 0.0 ? piece->above_bytes + added_bytes : 0.0;
}

static void put_factor(const struct exporter *exporter, const char *key,
                       const struct smpi_factors *factors,
                       double (*value)(const struct smpi_piece *piece, double scale), double scale)
{
    char size[NUMBER_TEXT], text[NUMBER_TEXT];
    fprintf(exporter->out, "    <prop id=\"%s\" value=\"", key);
    for (size_t i = 0; i < factors->count; i++) {
        const double now = value(&factors->pieces[i], scale);
        if (i > 0 && now == value(&factors->pieces[i - 1], scale))
            continue;
        fprintf(exporter->out, "%s%s:%s", i ? ";" : "",
                number_print(above(&factors->pieces[i], smpi_envelope_bytes), size),
                number_print(now, text));
    }
    fputs("\"/>\n", exporter->out);
}

static double latency_factor(const struct smpi_piece *piece, double scale)
{
    return rounded(piece->latency_us / scale);
}

static double rate_factor(const struct smpi_piece *piece, double scale)
{
    return rounded(1.0 / piece->per_byte_us / scale);
}

static struct smpi_overhead seconds(const struct smpi_piece *piece, bool of_sender)
{
    const struct smpi_overhead *us = of_sender ? &piece->send : &piece->receive;
    return (struct smpi_overhead){rounded(us->constant_us * 1e-6), rounded(us->per_byte_us * 1e-6)};
}

static double overheads_of(const struct smpi_piece *piece)
{
    return piece->send.constant_us + piece->send.per_byte_us + piece->receive.constant_us +
           piece->receive.per_byte_us;
}

/* "ABOVE:SECONDS:SECONDS-PER-BYTE;..." */
static void put_overhead(const struct exporter *exporter, const char *key,
                         const struct smpi_factors *factors, bool of_sender)
{
    char size[NUMBER_TEXT], constant[NUMBER_TEXT], per_byte[NUMBER_TEXT];
    struct smpi_overhead last = {NAN, NAN};
    fprintf(exporter->out, "    <prop id=\"%s\" value=\"", key);
    for (size_t i = 0; i < factors->count; i++) {
        const struct smpi_overhead now = seconds(&factors->pieces[i], of_sender);
        if (now.constant_us == last.constant_us && now.per_byte_us == last.per_byte_us)
            continue;
        fprintf(exporter->out, "%s%s:%s:%s", i ? ";" : "",
                number_print(above(&factors->pieces[i], 0.0), size),
                number_print(now.constant_us, constant), number_print(now.per_byte_us, per_byte));
        last = now;
    }
    fputs("\"/>\n", exporter->out);
}

/* ---- what else SMPI is told ---- */

static void put_protocol(const struct exporter *exporter, const struct smpi_factors *factors)
{
    char bytes[NUMBER_TEXT];
    if (isnan(factors->eager_upto_bytes)) {
        export_note(exporter, "which messages wait for their receive was not measured: "
                              "smpi/send-is-detached-thresh is SMPI's own");
        return;
    }
    if (isinf(factors->eager_upto_bytes))
        export_note(exporter, "which messages wait for their receive was not measured: none does, "
                              "as with the small ones of LogP");
    number_print(fmin(factors->eager_upto_bytes + 1.0, INT_MAX), bytes);
    put_property(exporter, "smpi/async-small-thresh", bytes);
    put_property(exporter, "smpi/send-is-detached-thresh", bytes);
}

static void put_overheads(const struct exporter *exporter, const struct smpi_factors *factors)
{
    if (!exporter->machine->logp) {
        export_note(exporter, "LogP was not measured: processors are free while messages travel");
        return;
    }
    put_overhead(exporter, "smpi/os", factors, true);
    put_overhead(exporter, "smpi/ois", factors, true);
    put_overhead(exporter, "smpi/or", factors, false);
    if (isfinite(factors->eager_upto_bytes))
        export_note(exporter,
                    "overheads of messages that wait for their receive are in their time; "
                    "SMPI charges none for them");
    if (factors->overheads_dropped > 0.0)
        export_note(exporter,
                    "up to %.0f bytes there are sizes where overheads are longer than the message: "
                    "they are left out there",
                    factors->overheads_dropped);
    if (!isnan(exporter->machine->logp->gap_us))
        export_note(exporter,
                    "the gap cannot be said: messages follow one another at the links' rate");
}

/* The library whose algorithms are to be simulated. */
static void put_selector(const struct exporter *exporter)
{
    static const struct {
        const char *begins, *selector;
    } libraries[] = {
        {"MPICH",    "mpich"   },
        {"Open MPI", "ompi"    },
        {"MVAPICH2", "mvapich2"},
        {"Intel",    "impi"    }
    };
    const struct provenance *measured = exporter->machine->machine.measured;
    const char *mpi = measured && measured->mpi ? measured->mpi : "";
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(mpi, libraries[i].begins, strlen(libraries[i].begins)) == 0) {
            put_property(exporter, "smpi/coll-selector", libraries[i].selector);
            return;
        }
    export_note(exporter, "which algorithms the library's collectives have is not known: they are "
                          "SMPI's own");
}

static void put_config(const struct exporter *exporter, const struct smpi_factors *factors,
                       double link_mb_per_s)
{
    fputs("  <config>\n", exporter->out);
    put_property(exporter, "network/model", "SMPI");
    put_property(exporter, "network/crosstraffic", "no");
    put_property(exporter, "network/TCP-gamma", "1e18");
    put_property(exporter, "network/weight-S", "0");
    put_factor(exporter, "smpi/lat-factor", factors, latency_factor, 2.0 * link_latency_us);
    put_factor(exporter, "smpi/bw-factor", factors, rate_factor, link_mb_per_s);
    put_overheads(exporter, factors);
    put_protocol(exporter, factors);
    put_selector(exporter);
    const struct node *node = exporter->machine->node;
    if (!node || isnan(node->rate_mflops)) {
        export_note(exporter,
                    "the node's rate as one number is not known: computation takes no time");
        put_property(exporter, "smpi/simulate-computation", "no");
    }
    fputs("  </config>\n", exporter->out);
}

static void put_cluster(const struct exporter *exporter, double hosts, double link_mb_per_s)
{
    char rate[NUMBER_TEXT], speed[NUMBER_TEXT], latency[NUMBER_TEXT];
    const struct node *node = exporter->machine->node;
    const double mflops = node && !isnan(node->rate_mflops) ? node->rate_mflops : 1000.0;
    fputs("  <cluster id=\"", exporter->out);
    put_escaped(exporter->out, exporter->machine->machine.name);
    fprintf(exporter->out,
            "\" prefix=\"n\" suffix=\"\" radical=\"0-%.0f\" speed=\"%sMf\" bw=\"%sMBps\" "
            "lat=\"%sus\"/>\n",
            hosts - 1.0, number_print(mflops, speed), number_print(link_mb_per_s, rate),
            number_print(link_latency_us, latency));
}

/* ---- how many hosts ---- */

static double most_measured(const struct machine *machine)
{
    const struct cost *costs = machine->communication.items;
    double most = 2.0;
    for (size_t i = 0; i < machine->communication.count; i++) {
        const double others = costs[i].processors_mean == MEAN_PARTICIPANTS ? 0.0 : 1.0;
        if (isfinite(costs[i].processors.most))
            most = fmax(most, costs[i].processors.most + others);
    }
    return most;
}

static int count_hosts(const struct exporter *exporter, double *hosts, struct error *error)
{
    const struct number_list *asked = exporter->processors;
    *hosts = exporter->machine->machine.processors;
    if (asked->count > 1)
        return error_set(error, "--processors: expected one number for --to simgrid");
    if (asked->count == 1)
        *hosts = asked->values[0];
    if (isnan(*hosts))
        *hosts = most_measured(exporter->machine);
    if (*hosts >= 1.0 && *hosts == floor(*hosts) && *hosts <= 1e6)
        return 0;
    return error_set(error, "%.17g hosts: expected a whole number from 1 to 1000000", *hosts);
}

/* How far the regions, which are all that a platform has of messages, are from what was measured:
   at the sizes that the table keeps, and of 95 of 100 others. */
static double regions_off(const struct cost *cost)
{
    const struct list *list = cost_regions_at(cost, 2.0);
    const struct region *regions = list->items;
    double off = 0.0;
    for (size_t k = 0; k < list->count; k++) {
        const struct marks *marks = &regions[k].measured_us;
        off = fmax(off, fmax(regions[k].error.fitted_p95, regions[k].error.held_out_p95));
        for (size_t i = 0; i < marks->count; i++)
            off = fmax(off, fabs(region_time_us(&regions[k], marks->of[i].bytes, 2.0) /
                                     marks->of[i].time_us -
                                 1.0));
    }
    return off;
}

static void say_what_is_missing(const struct exporter *exporter, const struct smpi_factors *factors)
{
    const struct cost *cost = machine_cost(exporter->machine, pattern_point_to_point.name);
    if (machine_cost(exporter->machine, pattern_point_to_point_far.name))
        export_note(exporter,
                    "point-to-point-far cannot be said: all hosts are as near as two are");
    if (factors->error_most > 0.01)
        export_note(exporter, "messages take up to %.1f %% more or less than in the table",
                    100.0 * factors->error_most);
    const double off = regions_off(cost);
    if (off > 0.01)
        export_note(exporter,
                    "the regions of point-to-point are up to %.1f %% off what was measured: single "
                    "sizes cannot be said",
                    100.0 * off);
    export_note(exporter,
                "collectives and patterns are what these messages make of them, sharing the "
                "links of their hosts; what was measured of them is not said");
    if (isfinite(cost->bytes.most))
        export_comment(exporter, "measured up to %.0f bytes", cost->bytes.most);
}

int export_simgrid(const struct exporter *exporter, struct error *error)
{
    double hosts;
    if (!machine_cost(exporter->machine, pattern_point_to_point.name))
        return export_missing(exporter, "point-to-point is", "simgrid", error);
    if (count_hosts(exporter, &hosts, error) != 0)
        return -1;
    struct smpi_factors *factors = memory_new(1, sizeof *factors);
    smpi_factors_find(exporter->machine, factors);
    if (factors->count == 0) {
        free(factors);
        return export_missing(exporter, "point-to-point for p = 2 is", "simgrid", error);
    }
    for (size_t i = 0; i < factors->count; i++) {
        const struct smpi_piece *piece = &factors->pieces[i];
        const double all = latency_factor(piece, 2.0 * link_latency_us) + rate_factor(piece, 1.0) +
                           overheads_of(piece);
        if (!isfinite(all) || rate_factor(piece, 1.0) <= 0.0) {
            const double above_bytes = piece->above_bytes;
            free(factors);
            return error_set(error,
                             "messages of more than %.0f bytes take no time that SimGrid can be "
                             "told: correct point-to-point in the table",
                             above_bytes);
        }
    }
    const double link_mb_per_s = rounded(1.0 / factors->pieces[factors->count - 1].per_byte_us);
    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n",
          exporter->out);
    export_comment(exporter, "%s, for SMPI (SimGrid 3.32)", exporter->machine->machine.name);
    say_what_is_missing(exporter, factors);
    put_config(exporter, factors, link_mb_per_s);
    put_cluster(exporter, hosts, link_mb_per_s);
    fputs("</platform>\n", exporter->out);
    free(factors);
    return 0;
}
