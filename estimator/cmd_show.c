/* estimator show: a machine table as a person reads it. */
#include "estimator/commands.h"
#include "estimator/options.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE",
    .doc = "Shows the table: where it comes from, each utility's regions and their errors, the "
           "node, and what was not measured.",
    .takes = "sf",
    .least = 1,
    .most = 1,
};

/* "-5.5 + 15.5 p", "1/23.5": a form as the sources write it. */
static void print_form(const struct form *form, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < form->count; i++) {
        const struct quotient *c = &form->terms[i].coefficient;
        const char *name = basis_name(form->terms[i].basis);
        const bool one = strcmp(name, "1") == 0;
        char numerator[NUMBER_TEXT], over[NUMBER_TEXT + 1] = "";
        snprintf(numerator, sizeof numerator, "%.6g", fabs(c->numerator));
        if (c->denominator != 1.0)
            snprintf(over, sizeof over, "/%.6g", c->denominator);
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s%s%s%s",
                 c->numerator < 0.0 ? (i ? " - " : "-") : (i ? " + " : ""), numerator, over,
                 one ? "" : " ", one ? "" : name);
    }
}

static void add_region(struct report *report, const struct cost *cost, const struct region *region)
{
    char setup[200], per_byte[200], root[200];
    print_form(&region->setup_us, setup, sizeof setup);
    print_form(&region->per_byte_us, per_byte, sizeof per_byte);
    print_form(&region->per_root_byte_us, root, sizeof root);
    report_text(report, cost->utility);
    if (isinf(region->bytes_upto))
        report_text(report, "more");
    else
        report_number(report, region->bytes_upto);
    report_number(report, isinf(region->processors.most) ? NAN : region->processors.most);
    report_text(report, region->unscalable ? "does not scale" : setup);
    report_text(report, per_byte);
    report_text(report, root);
    report_number(report, 100.0 * region->error.held_out_median);
    report_number(report, 100.0 * region->error.held_out_p95);
}

static const char *const columns[] = {
    "utility",     "bytes_upto",       "processors_upto",      "setup_us",
    "per_byte_us", "per_root_byte_us", "error_median_percent", "error_p95_percent"};

static void print_communication(const struct machine *machine, const struct options *options)
{
    const struct cost *costs = machine->communication.items;
    struct report *report = report_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < machine->communication.count; i++) {
        if (options->section && strcmp(options->section, costs[i].utility) != 0)
            continue;
        const struct region *regions = costs[i].regions.items;
        for (size_t k = 0; k < costs[i].regions.count; k++)
            add_region(report, &costs[i], &regions[k]);
    }
    report_print(report, options->format);
    report_free(report);
}

static void print_line(const char *label, const char *text)
{
    if (text)
        printf("%-10s %s\n", label, text);
}

static void print_identity(const struct machine *machine)
{
    const struct identity *identity = &machine->machine;
    print_line("machine", identity->name);
    print_line("title", identity->title);
    print_line("source", identity->source);
    if (!isnan(identity->processors))
        printf("%-10s %.0f\n", "processors", identity->processors);
    if (!identity->measured)
        return;
    print_line("date", identity->measured->date);
    print_line("host", identity->measured->host);
    print_line("cpu", identity->measured->cpu);
    print_line("os", identity->measured->os);
    print_line("mpi", identity->measured->mpi);
}

static void print_node(const struct node *node)
{
    if (!node)
        return;
    printf("\nnode");
    if (!isnan(node->clock_mhz))
        printf(" at %.6g MHz", node->clock_mhz);
    if (!isnan(node->rate_mflops))
        printf(", %.4g MFLOPS", node->rate_mflops);
    printf("%s%s\n", node->note ? ": " : "", node->note ? node->note : "");
    const struct unit *units = node->units.items;
    for (size_t i = 0; i < node->units.count; i++) {
        printf("  %-12s", units[i].name);
        for (int k = 0; k < OPERATION_COUNT; k++)
            if (units[i].cycles.of[k] != 0.0)
                printf(" %s %.5g", operation_name((enum operation)k), units[i].cycles.of[k]);
        printf(" cycles\n");
    }
}

static void print_missing(const struct machine *machine)
{
    const struct not_measured *missing = machine->not_measured.items;
    for (size_t i = 0; i < machine->not_measured.count; i++)
        printf("%s%s: not measured: %s\n", i ? "" : "\n", missing[i].what, missing[i].because);
}

int cmd_show(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = machine_read(&machine, options.arguments[0], error);
    if (status == 0) {
        const bool all = options.format == REPORT_TEXT && !options.section;
        if (all) {
            print_identity(&machine);
            putchar('\n');
        }
        print_communication(&machine, &options);
        if (all) {
            print_node(machine.node);
            print_missing(&machine);
        }
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
