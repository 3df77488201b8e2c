/* estimator compare with a program: which machine runs it faster, and why. */
#include "estimator/commands/compare.h"

#include "estimator/comparison/program.h"
#include "estimator/output/document.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The tables' document, printed before what is said of it. */
static void print(const struct comparison *machines, const struct program *program,
                  const struct report *report, enum report_format format)
{
    struct document *document = document_new("compare", format);
    document_section(document, "program");
    for (size_t i = 0; i < machines->count; i++)
        document_table(document, &machines->machines[i]);
    document_segment(document, program->path);
    document_print(document, report);
    document_free(document);
}

/* As many processors as each of the machines has. */
static double all_processors(const struct comparison *machines)
{
    double least = machine_all_processors(&machines->machines[0]);
    for (size_t i = 1; i < machines->count; i++)
        least = fmin(least, machine_all_processors(&machines->machines[i]));
    return least;
}

struct asked {
    const struct options *options;
    const struct comparison *machines;
    const struct program *program;
    const struct candidate *candidate;
};

/* Predictions at each of the processor counts; *it has as many as are made. */
static int make_all(struct program_comparison *it, size_t *made, const struct asked *asked,
                    const double *processors, size_t count, struct error *error)
{
    for (*made = 0; *made < count; ++*made)
        if (program_comparison_make(&it[*made], asked->machines, asked->program, asked->candidate,
                                    processors[*made], asked->options->definitions,
                                    asked->options->definition_count, error) != 0) {
            program_comparison_free(&it[*made]);
            return -1;
        }
    return 0;
}

static void print_all(const struct program_comparison *it, size_t count, const struct asked *asked)
{
    struct report *report = program_comparison_report(asked->machines);
    for (size_t i = 0; i < count; i++)
        program_comparison_add(&it[i], report);
    print(asked->machines, asked->program, report, asked->options->format);
    report_free(report);
    for (size_t i = 0; i < count && report_is_text(asked->options->format); i++) {
        putchar('\n');
        program_comparison_explain(&it[i]);
    }
}

static int compare_at(const struct asked *asked, struct error *error)
{
    const double all = all_processors(asked->machines);
    const struct number_list *given = &asked->options->processors;
    const size_t count = given->count ? given->count : 1;
    struct program_comparison *it = memory_new(count, sizeof *it);
    size_t made;
    const int status =
        make_all(it, &made, asked, given->count ? given->values : &all, count, error);
    if (status == 0)
        print_all(it, made, asked);
    for (size_t i = 0; i < made; i++)
        program_comparison_free(&it[i]);
    free(it);
    return status;
}

int compare_program(const struct options *options, const struct program *program,
                    struct error *error)
{
    struct comparison machines;
    if (options->bytes.count > 0 || options->section)
        return error_set(error, "--%s with a program: expected neither --bytes nor --section",
                         options->section ? "section" : "bytes");
    if (options->count < 3)
        return error_set(error, "too few arguments: expected TABLE TABLE... SEGMENT");
    const struct asked asked = {.options = options,
                                .machines = &machines,
                                .program = program,
                                .candidate = program_choose(program, options->candidate, error)};
    if (!asked.candidate)
        return -1;
    int status = comparison_read_for_program(&machines, options, options->count - 1, error);
    if (status == 0)
        status = compare_at(&asked, error);
    comparison_free(&machines);
    return status;
}
