/* estimator bound: the machine-application bound of the segments of a program. */
#include "forecast/bound/bound.h"
#include "estimator/commands/commands.h"
#include "estimator/commands/with_inputs.h"
#include "estimator/output/document.h"
#include "estimator/output/output.h"
#include "forecast/bound/advice.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE SEGMENT",
    .example = "bound machines/sp2-mpl.yaml samples/jacobi/jacobi.yaml",
    .doc = "Bounds what one processor of TABLE's machine can reach with SEGMENT when nothing but "
           "the essential operations is executed, in a perfect schedule: cycles per iteration of "
           "every unit, the busiest ones, cycles per floating-point operation and MFLOPS. Values "
           "are those of the second and later repetitions of a segment that is repeated.",
    .takes = "CSumDfa",
    .least = 2,
    .most = 2,
    .has_sources = true,
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- what was measured ---- */

/* The time given for a part with -m, in us; NAN: none. */
static double measured_us(const struct options *options, const char *name)
{
    const size_t length = strlen(name);
    double time_us = NAN;
    for (size_t i = 0; i < options->measured_count; i++)
        if (strncmp(options->measured[i], name, length) == 0 && options->measured[i][length] == '=')
            number_parse(options->measured[i] + length + 1, &time_us);
    return time_us;
}

static bool is_part(const struct list *parts, const char *name, size_t length)
{
    const struct part *part = parts->items;
    for (size_t i = 0; i < parts->count; i++)
        if (strlen(part[i].name) == length && strncmp(part[i].name, name, length) == 0)
            return true;
    return false;
}

static int check_measured(const struct options *options, const struct list *parts,
                          struct error *error)
{
    for (size_t i = 0; i < options->measured_count; i++) {
        const char *pair = options->measured[i], *value = strchr(pair, '=') + 1;
        double time_us;
        if (!is_part(parts, pair, (size_t)(value - pair) - 1))
            return error_set(error, "--measured-us %.60s: the program has no part of that name",
                             pair);
        if (!number_parse(value, &time_us) || time_us <= 0.0)
            return error_set(error, "--measured-us %.60s: expected a time above 0", pair);
    }
    return 0;
}

/* ---- the rows ---- */

/* The columns before the units, and those after. */
static const char *const begin[] = {"segment", "flops"};
static const char *const end[] = {"memory_cycles",
                                  "dependence_cycles",
                                  "bound_cycles",
                                  "cpf",
                                  "mflops",
                                  "limit",
                                  "iterations",
                                  "repetitions",
                                  "bound_us",
                                  "perfect_cycles",
                                  "load_misses",
                                  "store_misses",
                                  "load_access_cycles",
                                  "store_access_cycles",
                                  "measured_us",
                                  "achieved_percent",
                                  "measured_mflops",
                                  "achieved_without_misses_percent",
                                  "peak_percent"};

static struct report *begin_report(const struct node *node)
{
    const struct unit *units = node->units.items;
    const size_t width = COUNT(begin) + node->units.count + COUNT(end);
    const char **columns = memory_new(width, sizeof *columns);
    char **names = memory_new(node->units.count, sizeof *names);
    size_t at = 0;
    for (size_t i = 0; i < COUNT(begin); i++)
        columns[at++] = begin[i];
    for (size_t i = 0; i < node->units.count; i++)
        columns[at++] = names[i] = memory_format("%s_cycles", units[i].name);
    for (size_t i = 0; i < COUNT(end); i++)
        columns[at++] = end[i];
    struct report *report = report_new(columns, width);
    for (size_t i = 0; i < node->units.count; i++)
        free(names[i]);
    free(names);
    free(columns);
    return report;
}

static void add_numbers(struct report *report, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        report_number(report, values[i]);
}

static double achieved_percent(const struct part *part, double time_us)
{
    return 100.0 * part->bound_us / time_us;
}

/* What is given with -m, against the bound, as MFLOPS, and against the bound without misses
   (Abandah, IBM SP2, figure 5.5), which sums do not have. */
static double measured_mflops(const struct part *part, double time_us)
{
    return part->flops / time_us;
}

static double achieved_without_misses_percent(const struct part *part, const struct node *node,
                                              double time_us)
{
    const double iterations = part->iterations * part->repetitions;
    return part->is_sum ? (double)NAN
                        : 100.0 * iterations * part->perfect.cycles / node->clock_mhz / time_us;
}

/* Of what the units could do if a program were nothing else. */
static double peak_percent(const struct part *part, const struct node *node, double time_us)
{
    return 100.0 * measured_mflops(part, time_us) / node_peak_mflops(node);
}

/* Sums have no cycles of units. */
static void add_row(struct report *report, const struct part *part, const struct node *node,
                    double time_us)
{
    const struct bound *bound = &part->bound;
    const bool sum = part->is_sum;
    const double mflops = sum ? part->flops / part->bound_us : bound->mflops;
    report_text(report, part->name);
    report_number(report, sum ? (double)NAN : bound->flops);
    for (size_t i = 0; i < node->units.count; i++)
        report_number(report, sum ? (double)NAN : bound->unit_cycles[i]);
    report_number(report, sum ? (double)NAN : bound->memory_cycles);
    report_number(report, sum ? (double)NAN : bound->dependence_cycles);
    report_number(report, sum ? (double)NAN : bound->cycles);
    report_number(report, sum ? node->clock_mhz / mflops : bound->cpf);
    report_number(report, mflops);
    report_text(report, bound->limit);
    const double rest[] = {part->iterations, part->repetitions, part->bound_us,
                           sum ? (double)NAN : part->perfect.cycles};
    add_numbers(report, rest, COUNT(rest));
    const double memory[] = {part->missed.load, part->missed.store, bound->load_access_cycles,
                             bound->store_access_cycles};
    for (size_t i = 0; i < COUNT(memory); i++)
        report_number(report, sum ? (double)NAN : memory[i]);
    report_number(report, time_us);
    report_number(report, achieved_percent(part, time_us));
    report_number(report, measured_mflops(part, time_us));
    report_number(report, achieved_without_misses_percent(part, node, time_us));
    report_number(report, peak_percent(part, node, time_us));
}

static void print_rows(const struct program_bound *bound, const struct machine *machine,
                       const struct program *program, const struct options *options)
{
    const struct node *node = machine->node;
    struct document *document = document_new("bound", options->format);
    const struct part *parts = bound->parts.items;
    struct report *report = begin_report(node);
    for (size_t i = 0; i < bound->parts.count; i++)
        add_row(report, &parts[i], node, measured_us(options, parts[i].name));
    document_table(document, machine);
    document_segment(document, program->path);
    document_print(document, report);
    document_free(document);
    report_free(report);
}

/* ---- text: what a person asks first ---- */

static void print_summary(const struct program_bound *bound, const struct node *node,
                          const struct options *options)
{
    static const char *const columns[] = {
        "segment",         "bound_cycles", "without_misses",  "cpf",     "mflops",
        "bound_us",        "measured_us",  "measured_mflops", "percent", "percent_without_misses",
        "percent_of_peak", "limit"};
    struct report *report = report_new(columns, COUNT(columns));
    const struct part *part = bound->parts.items;
    for (size_t i = 0; i < bound->parts.count; i++) {
        const double time_us = measured_us(options, part[i].name);
        const double mflops =
            part[i].is_sum ? part[i].flops / part[i].bound_us : part[i].bound.mflops;
        const bool misses = part[i].missed.load > 0.0 || part[i].missed.store > 0.0;
        report_text(report, part[i].name);
        report_number(report, part[i].is_sum ? (double)NAN : part[i].bound.cycles);
        report_number(report, misses ? part[i].perfect.cycles : (double)NAN);
        report_number(report, node->clock_mhz / mflops);
        report_number(report, mflops);
        report_number(report, part[i].bound_us);
        report_number(report, time_us);
        report_number(report, measured_mflops(&part[i], time_us));
        report_number(report, achieved_percent(&part[i], time_us));
        report_number(report, misses ? achieved_without_misses_percent(&part[i], node, time_us)
                                     : (double)NAN);
        report_number(report, peak_percent(&part[i], node, time_us));
        report_text(report, part[i].bound.limit);
    }
    report_print(report, options->format);
    report_free(report);
}

static void say(const char *text)
{
    printf("    %s\n", text);
}

static void print_advice(const struct program_bound *bound, const struct node *node,
                         const struct options *options)
{
    const struct part *part = bound->parts.items;
    const bool has_lanes = !operations_absent(&node->lanes);
    for (size_t i = 0; i < bound->parts.count; i++) {
        const double time_us = measured_us(options, part[i].name);
        if (part[i].is_sum && isnan(time_us))
            continue;
        putchar('\n');
        output_named(part[i].name);
        putchar('\n');
        advice_for_limit(&part[i].bound, has_lanes && !part[i].wide, say);
        if (!part[i].is_sum && isnan(part[i].bound.dependence_cycles))
            say("a recurrence is not counted: the table's node has no latency_cycles");
        if (!part[i].is_sum && part[i].bound.has_unpriced_misses)
            say("lines that miss are not counted: the table does not know what is beyond its "
                "caches");
        if (!isnan(time_us))
            say(advice_for_share(achieved_percent(&part[i], time_us)));
    }
}

static void print_text(const struct program_bound *bound, const struct machine *machine,
                       const struct program *program, const struct options *options)
{
    output_named(program->title ? program->title : program->path);
    printf(" on ");
    output_named(machine->machine.name);
    printf(": machine-application bound, cycles per iteration\n\n");
    if (options->unit_table)
        print_rows(bound, machine, program, options);
    else
        print_summary(bound, machine->node, options);
    print_advice(bound, machine->node, options);
}

/* ---- the command ---- */

static int rules_of(const struct options *options, struct bound_rules *rules, struct error *error)
{
    const char *name = options->convention ? options->convention : "text";
    *rules = (struct bound_rules){CONVENTION_TEXT,
                                  options->strict ? REDUCTIONS_STRICT : REDUCTIONS_FREE};
    if (strcmp(name, "table") == 0)
        rules->convention = CONVENTION_TABLE;
    else if (strcmp(name, "text") != 0)
        return error_set(error, "--convention is '%.60s': expected text or table", name);
    return 0;
}

static int bound_program(const struct options *options, const struct machine *machine,
                         struct program *program, struct error *error)
{
    struct bound_rules rules;
    struct program_bound bound;
    if (rules_of(options, &rules, error) != 0)
        return -1;
    struct scope *scope =
        program_scope(program, options->definitions, options->definition_count, 1.0, error);
    if (!scope)
        return -1;
    int status = program_bound_make(&bound, machine, program, scope, rules, error);
    scope_free(scope);
    if (status != 0)
        return -1;
    status = check_measured(options, &bound.parts, error);
    if (status == 0 && report_is_text(options->format))
        print_text(&bound, machine, program, options);
    else if (status == 0)
        print_rows(&bound, machine, program, options);
    program_bound_free(&bound);
    return status;
}

int cmd_bound(int argc, char **argv, struct error *error)
{
    return with_inputs(&face, argc, argv, bound_program, error);
}
