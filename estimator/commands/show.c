/* estimator show: a machine table as a person reads it. */
#include "estimator/commands/commands.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "estimator/sections/sections.h"
#include "model/machine/machine.h"
#include "model/machine/swap_rows.h"

#include <stdio.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE",
    .example = "show machines/sp2-mpl.yaml",
    .doc = "Shows the table: where it comes from, each utility's regions with their errors and "
           "what their form tells, whose time each is with its note, the node, the memory, swaps "
           "(the fastest alone), overlaps, LogP "
           "parameters, what disturbed the machine, its states, and what was not measured. "
           "--section takes one "
           "of machine, communication, utilities, node, memory, swap (all, of TABLE.swap.csv), "
           "overlap, logp, "
           "signature, noise, states, in_situ, start_up, first_touch, waiting, not_measured or a "
           "utility; csv "
           "and json "
           "without it are the communication.",
    .takes = "sf",
    .least = 1,
    .most = 1,
};

static void remark_nothing(struct document *document, const struct section *section)
{
    char text[80];
    snprintf(text, sizeof text, "the table has nothing under %s", section->name);
    document_remark(document, text);
}

static void print(const struct section *section, const struct machine *machine,
                  const struct report *report, enum report_format format)
{
    struct document *document = document_new("show", format);
    document_section(document, section->name);
    document_table(document, machine);
    if (report_rows(report) == 0)
        remark_nothing(document, section);
    if (report_rows(report) > 0 || !report_is_text(format))
        document_print(document, report);
    document_free(document);
    const char *caveat = section_caveat(section, report);
    if (report_is_text(format) && caveat)
        printf("%s\n", caveat);
}

static void show(const struct section *section, const struct machine *machine,
                 const struct options *options)
{
    struct report *report = section->make(machine, options->section ? options->section : "");
    print(section, machine, report, options->format);
    report_free(report);
}

static void show_all(const struct machine *machine, const struct options *options)
{
    for (const struct section *section = sections; section->name; section++) {
        struct report *report = section->make(machine, "");
        if (section > sections && report_rows(report) > 0)
            putchar('\n');
        if (report_rows(report) > 0)
            print(section, machine, report, options->format);
        report_free(report);
    }
}

static int show_machine(const struct machine *machine, const struct options *options,
                        struct error *error)
{
    const char *name = options->section;
    const struct cost *cost;
    if (!name && report_is_text(options->format)) {
        show_all(machine, options);
        return 0;
    }
    const struct section *section = section_named(machine, name ? name : "communication");
    if (!section)
        return machine_require(machine, name, &cost, error);
    show(section, machine, options);
    return 0;
}

int cmd_show(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = machine_read(&machine, options.arguments[0], error);
    if (status == 0) {
        if (options.section && strcmp(options.section, "swap") == 0)
            status = swap_rows_read(&machine, error);
        if (status == 0)
            status = show_machine(&machine, &options, error);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
