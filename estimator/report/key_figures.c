#include "estimator/report/key_figures.h"

#include "estimator/output/html.h"
#include "model/base/allocation.h"
#include "model/cost/pattern.h"
#include "model/cost/rate.h"
#include "model/machine/machine_lint.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

/* A tile, where there is a number: "0.43 us", "point-to-point of 0 bytes". */
static void put(FILE *page, double number, const char *unit, const char *what)
{
    char text[60];
    if (!isfinite(number))
        return;
    snprintf(text, sizeof text, "%.3g %s", number, unit);
    if (fabs(number) >= 1000.0)
        snprintf(text, sizeof text, "%.0f %s", number, unit);
    fputs("<li>", page);
    html_element(page, "b", NULL, text);
    html_element(page, "span", NULL, what);
    fputs("</li>\n", page);
}

static void put_point_to_point(FILE *page, const struct machine *machine)
{
    const struct cost *cost = machine_cost(machine, pattern_point_to_point.name);
    struct cost_answer small, half, whole;
    if (!cost || cost_answer(cost, 0.0, 2.0, &small, NULL) != 0)
        return;
    const double most = fmin(cost->bytes.most, 1048576.0);
    put(page, small.time_us, "us", "point-to-point of 0 bytes");
    if (cost_answer(cost, most / 2.0, 2.0, &half, NULL) == 0 &&
        cost_answer(cost, most, 2.0, &whole, NULL) == 0)
        put(page, most / 2.0 / (whole.time_us - half.time_us), "MB/s",
            "point-to-point, what long messages add");
}

/* How much faster data move both ways than one way, at the longest size of both up to a
   megabyte. */
static void put_exchange(FILE *page, const struct machine *machine)
{
    const struct cost *one_way = machine_cost(machine, pattern_point_to_point.name);
    const struct cost *both_ways = machine_cost(machine, pattern_exchange.name);
    struct cost_answer message, exchange;
    if (!one_way || !both_ways)
        return;
    const double bytes = fmin(fmin(one_way->bytes.most, both_ways->bytes.most), 1048576.0);
    if (cost_answer(one_way, bytes, 2.0, &message, NULL) == 0 &&
        cost_answer(both_ways, bytes, 2.0, &exchange, NULL) == 0)
        put(page,
            100.0 * rate_mb_per_s(pattern_exchange.name, bytes, 2.0, exchange.time_us) /
                rate_mb_per_s(pattern_point_to_point.name, bytes, 2.0, message.time_us),
            "%", "bidirectional bandwidth, relative to one-way");
}

/* The errors of all regions at held-out points. */
static void put_errors(FILE *page, const struct machine *machine)
{
    const struct cost *costs = machine->communication.items;
    size_t count = 0, room = 0;
    double *medians = NULL;
    for (size_t i = 0; i < machine->communication.count; i++) {
        const struct region *regions = costs[i].regions.items;
        for (size_t k = 0; k < costs[i].regions.count; k++) {
            if (isnan(regions[k].error.held_out_median))
                continue;
            if (count == room)
                medians = memory_grow(medians, room = 2 * room + 64, sizeof *medians);
            medians[count++] = 100.0 * regions[k].error.held_out_median;
        }
    }
    if (count > 0)
        put(page, gsl_stats_median(medians, 1, count), "%",
            "error at held-out points, median over regions");
    free(medians);
}

static void put_overlap(FILE *page, const struct machine *machine)
{
    const struct overlap *items = machine->overlap.items;
    const struct overlap *largest[] = {NULL, NULL};
    for (size_t i = 0; i < machine->overlap.count; i++)
        if (!largest[items[i].side] || items[i].bytes > largest[items[i].side]->bytes)
            largest[items[i].side] = &items[i];
    if (largest[OVERLAP_SEND])
        put(page, 100.0 * largest[OVERLAP_SEND]->availability, "%",
            "of the longest send is left for work");
    if (largest[OVERLAP_RECEIVE])
        put(page, 100.0 * largest[OVERLAP_RECEIVE]->availability, "%",
            "of the longest receive is left for work");
}

static void put_logp(FILE *page, const struct logp *logp)
{
    if (!logp)
        return;
    put(page, logp->send_overhead_us, "us", "LogP: send overhead");
    put(page, logp->receive_overhead_us, "us", "LogP: receive overhead");
    put(page, logp->latency_us, "us", "LogP: latency");
    if (!logp->gap_not_visible)
        put(page, logp->gap_us, "us", "LogP: gap");
}

static void put_node(FILE *page, const struct node *node)
{
    const struct operations madd = {.of = {[OPERATION_MADD] = 1.0}};
    if (!node)
        return;
    const double cycles = node_bound_cycles(node, &madd, NULL);
    put(page, node->clock_mhz, "MHz", "clock");
    put(page, node->rate_mflops, "MFLOPS", "rate");
    if (cycles > 0.0)
        put(page, 2.0 / cycles, "", "floating-point operations in a cycle, one lane");
}

static void put_memory(FILE *page, const struct memory *memory)
{
    const struct memory_level *levels = memory ? memory->levels.items : NULL;
    for (size_t i = 0; memory && i < memory->levels.count; i++) {
        char *what = isinf(levels[i].level)
                         ? memory_copy_text("a load from main memory")
                         : memory_format("a load from the level %.0f cache", levels[i].level);
        put(page, levels[i].load_ns, "ns", what);
        free(what);
    }
}

static void count_remark(void *state, const struct error *remark)
{
    (void)remark;
    ++*(size_t *)state;
}

static void put_doubts(FILE *page, const struct machine *machine)
{
    size_t remarks = 0;
    machine_lint(machine, count_remark, &remarks);
    put(page, (double)machine->not_measured.count, "", "parts not measured");
    put(page, (double)remarks, "", "implausible values (estimator check lists them)");
}

void key_figures_write(const struct machine *machine, FILE *page)
{
    fputs("<ul class=\"tiles\">\n", page);
    put_point_to_point(page, machine);
    put_exchange(page, machine);
    put_errors(page, machine);
    put_logp(page, machine->logp);
    put_overlap(page, machine);
    put_node(page, machine->node);
    put_memory(page, machine->memory);
    put_doubts(page, machine);
    fputs("</ul>\n", page);
}
