/* estimator show: a machine table as a person reads it. */
#include "estimator/commands.h"
#include "estimator/formula.h"
#include "estimator/options.h"
#include "estimator/sections.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE",
    .doc = "Shows the table: where it comes from, each utility's regions with their errors and "
           "what their form tells, the node, the memory, swaps (the fastest alone), overlaps, LogP "
           "parameters, and what was not measured. --section takes one of machine, communication, "
           "node, memory, swap (all), overlap, logp, signature, not_measured or a utility; csv and "
           "json without it are the communication.",
    .takes = "sf",
    .least = 1,
    .most = 1,
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- machine: what it is and where the numbers come from ---- */

static void add_pair(struct report *report, const char *what, const char *text)
{
    if (!text)
        return;
    report_text(report, what);
    report_text(report, text);
}

static struct report *machine_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"what", "is"};
    const struct identity *of = &machine->machine;
    const struct provenance *measured = of->measured;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    add_pair(report, "machine", of->name);
    add_pair(report, "title", of->title);
    add_pair(report, "source", of->source);
    if (!isnan(of->processors)) {
        report_text(report, "processors");
        report_number(report, of->processors);
    }
    if (!measured)
        return report;
    add_pair(report, "date", measured->date);
    add_pair(report, "host", measured->host);
    add_pair(report, "cpu", measured->cpu);
    add_pair(report, "os", measured->os);
    add_pair(report, "compiler", measured->compiler);
    add_pair(report, "mpi", measured->mpi);
    add_pair(report, "options", measured->options);
    return report;
}

/* ---- communication: a row a region ---- */

static enum growth growth_of(const struct form *form)
{
    enum growth fastest = GROWTH_NONE;
    for (size_t i = 0; i < form->count; i++) {
        const enum growth growth = basis_growth(form->terms[i].basis);
        fastest = growth > fastest ? growth : fastest;
    }
    return fastest;
}

/* The form in p tells the algorithm (R121). */
static const char *diagnosis(const struct region *region)
{
    static const char *const says[] = {
        [GROWTH_NONE] = "",
        [GROWTH_LOGARITHMIC] = "logarithmic in p: a tree",
        [GROWTH_LINEAR] = "linear in p: one after the other",
        [GROWTH_SUPERLINEAR] = "more than linear in p: congestion",
    };
    const enum growth setup = growth_of(&region->setup_us), rate = growth_of(&region->per_byte_us);
    return says[setup > rate ? setup : rate];
}

enum { CONDITION_TEXT = 40 };

/* "3", "up to 4", or nothing. */
static const char *print_condition(const struct span *processors, char text[CONDITION_TEXT])
{
    text[0] = '\0';
    if (isfinite(processors->most))
        snprintf(text, CONDITION_TEXT, "%s%.0f",
                 processors->least == processors->most ? "" : "up to ", processors->most);
    return text;
}

static void add_region(struct report *report, const struct cost *cost, const struct region *region)
{
    char setup[200], per_byte[200], root[200], condition[CONDITION_TEXT];
    form_print(&region->setup_us, setup, sizeof setup);
    form_print(&region->per_byte_us, per_byte, sizeof per_byte);
    form_print(&region->per_root_byte_us, root, sizeof root);
    report_text(report, cost->utility);
    if (isinf(region->bytes_upto))
        report_text(report, "more");
    else
        report_number(report, region->bytes_upto);
    report_text(report, print_condition(&region->processors, condition));
    report_text(report, region->unscalable ? "does not scale" : setup);
    report_text(report, per_byte);
    report_text(report, root);
    const struct region_error *error = &region->error;
    const bool held_out = !isnan(error->held_out_p95);
    report_number(report, 100.0 * (held_out ? error->held_out_median : error->fitted_median));
    report_number(report, 100.0 * (held_out ? error->held_out_p95 : error->fitted_p95));
    report_number(report, cost->bytes.most);
    report_number(report, cost->processors.least);
    report_number(report, cost->processors.most);
    report_text(report, cost->disturbed ? "disturbed" : diagnosis(region));
}

static struct report *communication_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"utility",
                                          "bytes_upto",
                                          "processors",
                                          "setup_us",
                                          "per_byte_us",
                                          "per_root_byte_us",
                                          "error_median_percent",
                                          "error_p95_percent",
                                          "trained_bytes_upto",
                                          "trained_p_from",
                                          "trained_p_upto",
                                          "remark"};
    const struct cost *costs = machine->communication.items;
    struct report *report = report_new(columns, COUNT(columns));
    const bool all = !machine_cost(machine, section);
    for (size_t i = 0; i < machine->communication.count; i++) {
        const struct region *regions = costs[i].regions.items;
        for (size_t k = 0; k < costs[i].regions.count; k++)
            if (all || strcmp(section, costs[i].utility) == 0)
                add_region(report, &costs[i], &regions[k]);
    }
    return report;
}

/* ---- node: a row a unit ---- */

static void add_operations(struct report *report, const char *name,
                           const struct operations *operations)
{
    if (operations_absent(operations))
        return;
    report_text(report, name);
    for (int k = 0; k < OPERATION_COUNT; k++)
        report_number(report, operations->of[k] == 0.0 ? (double)NAN : operations->of[k]);
    report_number(report, NAN);
}

static struct report *node_report(const struct machine *machine, const char *section)
{
    const char *columns[OPERATION_COUNT + 2] = {"cycles"};
    (void)section;
    for (int k = 0; k < OPERATION_COUNT; k++)
        columns[k + 1] = operation_name((enum operation)k);
    columns[OPERATION_COUNT + 1] = "value";
    struct report *report = report_new(columns, COUNT(columns));
    const struct node *node = machine->node;
    if (!node)
        return report;
    const struct unit *units = node->units.items;
    for (size_t i = 0; i < node->units.count; i++)
        add_operations(report, units[i].name, &units[i].cycles);
    add_operations(report, "latency", &node->latency_cycles);
    add_operations(report, "flop weight", &node->flop_weights);
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"clock MHz",   node->clock_mhz  },
        {"rate MFLOPS", node->rate_mflops}
    };
    for (size_t i = 0; i < COUNT(numbers); i++) {
        if (isnan(numbers[i].value))
            continue;
        report_text(report, numbers[i].name);
        for (int k = 0; k < OPERATION_COUNT; k++)
            report_number(report, NAN);
        report_number(report, numbers[i].value);
    }
    return report;
}

/* ---- memory: a row a level, a row a TLB ---- */

#define OF(member) #member, offsetof(struct memory_level, member)
static const struct {
    const char *name;
    size_t offset; /* of a double in struct memory_level */
} memory_columns[] = {
    {OF(capacity_bytes)},
    {OF(capacity_bytes_low)},
    {OF(capacity_bytes_high)},
    {OF(line_bytes)},
    {OF(ways)},
    {OF(ports)},
    {OF(load_cycles)},
    {OF(store_cycles)},
    {OF(load_ns)},
    {OF(store_ns)},
    {OF(load_line_cycles)},
    {OF(store_line_cycles)},
    {OF(load_mb_per_s)},
    {OF(store_mb_per_s)},
    {OF(told_capacity_bytes)},
    {OF(told_line_bytes)},
    {OF(told_ways)},
};
#undef OF

static void add_memory_level(struct report *report, const struct memory_level *level)
{
    char name[NUMBER_TEXT + 1] = "memory";
    if (isfinite(level->level))
        snprintf(name, sizeof name, "L%.0f", level->level);
    report_text(report, name);
    for (size_t i = 0; i < COUNT(memory_columns); i++) {
        double value;
        memcpy(&value, (const char *)level + memory_columns[i].offset, sizeof value);
        report_number(report, value);
    }
    for (int i = 0; i < 3; i++)
        report_number(report, NAN);
    report_text(report, level->method ? level->method : "");
    report_text(report, level->because ? level->because : "");
}

static void add_tlb(struct report *report, const struct tlb *tlb)
{
    char name[NUMBER_TEXT + 4];
    snprintf(name, sizeof name, "TLB%.0f", tlb->level);
    report_text(report, name);
    for (size_t i = 0; i < COUNT(memory_columns); i++)
        report_number(report, NAN);
    report_number(report, tlb->entries);
    report_number(report, tlb->page_bytes);
    report_number(report, tlb->miss_cycles);
    report_text(report, tlb->method ? tlb->method : "");
    report_text(report, tlb->because ? tlb->because : "");
}

static struct report *memory_report(const struct machine *machine, const char *section)
{
    static const char *const after[] = {"entries", "page_bytes", "miss_cycles", "method",
                                        "because"};
    const char *columns[1 + COUNT(memory_columns) + COUNT(after)] = {"level"};
    (void)section;
    for (size_t i = 0; i < COUNT(memory_columns); i++)
        columns[1 + i] = memory_columns[i].name;
    for (size_t i = 0; i < COUNT(after); i++)
        columns[1 + COUNT(memory_columns) + i] = after[i];
    struct report *report = report_new(columns, COUNT(columns));
    const struct memory *memory = machine->memory;
    for (size_t i = 0; memory && i < memory->levels.count; i++)
        add_memory_level(report, (const struct memory_level *)memory->levels.items + i);
    for (size_t i = 0; memory && i < memory->tlb.count; i++)
        add_tlb(report, (const struct tlb *)memory->tlb.items + i);
    return report;
}

/* ---- not_measured ---- */

static struct report *missing_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"not_measured", "because"};
    const struct not_measured *missing = machine->not_measured.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->not_measured.count; i++)
        add_pair(report, missing[i].what, missing[i].because);
    return report;
}

/* ---- the sections ---- */

static const struct section {
    const char *name;
    struct report *(*make)(const struct machine *machine, const char *section);
} sections[] = {
    {"machine",       machine_report      },
    {"communication", communication_report},
    {"node",          node_report         },
    {"memory",        memory_report       },
    {"swap",          swap_report         },
    {"overlap",       overlap_report      },
    {"logp",          logp_report         },
    {"signature",     signature_report    },
    {"not_measured",  missing_report      },
};

/* The section of that name, that of the utility of that name, or NULL. */
static const struct section *find(const struct machine *machine, const char *name)
{
    for (size_t i = 0; i < COUNT(sections); i++)
        if (strcmp(sections[i].name, name) == 0)
            return &sections[i];
    return machine_cost(machine, name) ? &sections[1] : NULL;
}

static void show(const struct section *section, const struct machine *machine,
                 const struct options *options)
{
    struct report *report = section->make(machine, options->section ? options->section : "");
    report_print(report, options->format);
    report_free(report);
}

static void show_all(const struct machine *machine, const struct options *options)
{
    for (size_t i = 0; i < COUNT(sections); i++) {
        struct report *report = sections[i].make(machine, "");
        if (i > 0 && report_rows(report) > 0)
            putchar('\n');
        if (report_rows(report) > 0)
            report_print(report, options->format);
        report_free(report);
    }
}

static int show_machine(const struct machine *machine, const struct options *options,
                        struct error *error)
{
    const char *name = options->section;
    const struct cost *cost;
    if (!name && options->format == REPORT_TEXT) {
        show_all(machine, options);
        return 0;
    }
    const struct section *section = find(machine, name ? name : "communication");
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
        status = show_machine(&machine, &options, error);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
