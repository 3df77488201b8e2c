/* estimator compare: machine tables side by side, utility by utility, and their parameters; or by a
   program. */
#include "estimator/commands/compare.h"

#include "estimator/commands/commands.h"
#include "estimator/comparison/comparison.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "model/base/input.h"
#include "model/records/yaml_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE TABLE... [SEGMENT]",
    .example = "compare machines/sp2-mpl.yaml machines/sp2-ip.yaml",
    .doc =
        "What at least two of the tables have, side by side: the utilities for -n message bytes "
        "among -p processors that take part, where the fastest changes and within which sizes "
        "their errors leave that open, setup and rate, the LogP parameters, nodes and memories, "
        "with the ratio of the largest to the least and whose is best. Without -p, what no "
        "table was trained for is left out. --section takes one utility or one of times, "
        "changes, laws, logp, node, memory; csv and json without it are the first of these that "
        "two tables have. With a SEGMENT: which machine runs a candidate of it (-c; default: the "
        "first) faster on -p processors, in which of its parts, and why.",
    .takes = "npscfDaNMk",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

static int check_grid(const struct comparison *comparison, struct error *error)
{
    for (size_t n = 0; n < comparison->bytes.count; n++)
        for (size_t k = 0; k < comparison->processors.count; k++) {
            const double bytes = comparison->bytes.values[n], p = comparison->processors.values[k];
            if (bytes < 0.0 || p < 2.0 || p != floor(p))
                return error_set(error,
                                 "n = %.17g, p = %.17g: expected n at least 0 and p a whole number "
                                 "from 2",
                                 bytes, p);
        }
    return 0;
}

/* Whether a section is wanted; *utility: of which utility alone, or NULL for all. */
static bool is_asked(const struct options *options, const struct comparison_section *section,
                     const char **utility)
{
    const char *asked = options->section;
    bool is_section = false;
    for (const struct comparison_section *it = comparison_sections; it->name && asked; it++)
        is_section |= strcmp(it->name, asked) == 0;
    *utility = is_section ? NULL : asked;
    if (is_section)
        return strcmp(asked, section->name) == 0;
    return !asked || section->by_utility;
}

static void print(const struct comparison *comparison, const struct comparison_section *section,
                  const struct report *report, enum report_format format)
{
    struct document *document = document_new("compare", format);
    document_section(document, section->name);
    for (size_t i = 0; i < comparison->count; i++)
        document_table(document, &comparison->machines[i]);
    document_print(document, report);
    document_free(document);
}

static int print_all(const struct comparison *comparison, const struct options *options,
                     struct error *error)
{
    size_t printed = 0;
    for (const struct comparison_section *it = comparison_sections; it->name; it++) {
        const char *utility;
        if (!is_asked(options, it, &utility) || (printed > 0 && !report_is_text(options->format)))
            continue;
        struct report *report = it->make(comparison, utility);
        if (report_rows(report) > 0) {
            if (printed++ > 0)
                putchar('\n');
            print(comparison, it, report, options->format);
        }
        report_free(report);
    }
    return printed > 0 ? 0
                       : error_set(error, "no two of the tables have %.60s in common",
                                   options->section ? options->section : "anything");
}

static int compare_tables(struct options *options, const struct comparison_text *last,
                          struct error *error)
{
    struct comparison comparison;
    if (options->candidate || options->definition_count > 0 || options->side || options->node ||
        options->communication_only)
        return error_set(error, "an option for programs: expected a SEGMENT behind the tables");
    int status = comparison_read(&comparison, options, last, error);
    if (status == 0)
        status = check_grid(&comparison, error);
    if (status == 0)
        status = print_all(&comparison, options, error);
    comparison_free(&comparison);
    return status;
}

static int compare_by(const struct options *options, struct program *program, struct error *error)
{
    const int status = compare_program(options, program, error);
    program_free(program);
    return status;
}

static int compare_source(const struct options *options, size_t number, struct error *error)
{
    struct program program;
    if (options_program(options, number, &program, error) != 0)
        return -1;
    return compare_by(options, &program, error);
}

/* The last argument tells by what it holds whether it is a program. It is read once: a pipe has
   nothing more then. */
static int compare_files(struct options *options, const char *last, struct error *error)
{
    char *text;
    size_t bytes;
    bool is_program;
    struct program program;
    const char *name = input_name(last);
    if (yaml_read_text(last, &text, &bytes, error) != 0)
        return -1;
    int status = program_recognise(name, text, bytes, &is_program, error);
    if (status == 0 && !is_program)
        status = compare_tables(options, &(struct comparison_text){text, bytes}, error);
    else if (status == 0 && (status = program_read_text(&program, name, text, bytes, error)) == 0)
        status = compare_by(options, &program, error);
    free(text);
    return status;
}

int cmd_compare(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    const size_t last = options.count - 1;
    const char *name = options.arguments[last];
    const int status = source_is(name) ? compare_source(&options, last, error)
                                       : compare_files(&options, name, error);
    options_free(&options);
    return status;
}
