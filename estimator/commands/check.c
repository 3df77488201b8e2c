/* estimator check: are these machine tables and segment descriptions right? */
#include "estimator/commands/commands.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "estimator/output/trial.h"
#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/machine/machine_lint.h"
#include "model/machine/swap_rows.h"
#include "model/records/yaml_text.h"
#include "model/segment/program/program.h"
#include "model/segment/program/program_lint.h"

#include <stdio.h>
#include <stdlib.h>

static const struct options_face face = {
    .arguments = "FILE...",
    .example = "check machines/sp2-mpl.yaml",
    .doc = "Reads every FILE, a machine table or a segment description, and says whether it is "
           "right. Exit status 2 at the first that is not. Descriptions are derived as rank does, "
           "with all candidates, for -p processors (default: the description's own, or several "
           "usual ones) and parameters (-D); exit status 1 when no candidate fits. What is right "
           "and yet odd, such as a time that falls with the size, is remarked on standard error.",
    .takes = "pDfa",
    .least = 1,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

static const char *const columns[] = {"file", "kind", "holds", "remarks"};

/* A file that was read, and where what it says of itself goes. */
struct checked {
    const char *name, *text;
    size_t bytes;
    const struct options *options;
    struct report *report;
    struct document *document;
};

static void print_remark(void *document, const struct error *remark)
{
    char line[800];
    document_remark(document, error_line(remark, line, sizeof line));
}

/* "9 utilities, node, logp" */
static char *holds_of(const struct machine *machine)
{
    return memory_format("%zu utilities%s%s%s%s%s%s", machine->communication.count,
                         machine->node ? ", node" : "", machine->memory ? ", memory" : "",
                         machine->swap.count ? ", swap" : "",
                         machine->overlap.count ? ", overlap" : "", machine->logp ? ", logp" : "",
                         machine->noise ? ", noise" : "");
}

static int check_machine(const struct checked *it, struct error *error)
{
    struct machine machine;
    if (machine_read_text(&machine, it->name, it->text, it->bytes, error) != 0)
        return -1;
    if (swap_rows_read(&machine, error) != 0) {
        machine_free(&machine);
        return -1;
    }
    report_text(it->report, it->name);
    report_text(it->report, "machine table");
    char *holds = holds_of(&machine);
    report_text(it->report, holds);
    report_number(it->report, (double)machine_lint(&machine, print_remark, it->document));
    free(holds);
    document_table(it->document, &machine);
    machine_free(&machine);
    return 0;
}

/* Candidates that fit none of the processor counts, each with the first reason. */
static size_t remark_unfit(const struct program *program, const struct trial *trial,
                           struct document *document)
{
    const struct candidate *candidates = program->candidates.items;
    char why[800];
    size_t count = 0;
    for (size_t i = 0; i < trial->candidates; i++) {
        struct error remark;
        if (trial->tried[i].fits || !trial->tried[i].has_why)
            continue;
        error_fill(&remark, program_place(program, candidates[i].place),
                   "candidate %.60s fits none of the processor counts: %s", candidates[i].name,
                   error_line(&trial->tried[i].why, why, sizeof why));
        print_remark(document, &remark);
        count++;
    }
    return count;
}

static void report_program(const struct checked *it, const struct program *program,
                           const struct trial *trial)
{
    report_text(it->report, it->name);
    report_text(it->report, "segment description");
    char *holds = memory_format("%zu candidates, %zu segments", program->candidates.count,
                                program->segments.count);
    report_text(it->report, holds);
    const size_t unfit = remark_unfit(program, trial, it->document);
    report_number(it->report, (double)(unfit + program_lint(program, print_remark, it->document)));
    free(holds);
    document_segment(it->document, it->name);
}

/* Releases the program. */
static int check_program(const struct checked *it, struct program *program, struct error *error)
{
    struct trial trial;
    int status = trial_make(&trial, program, it->options, error);
    if (status == 0) {
        report_program(it, program, &trial);
        status = trial.fitting > 0 ? EXIT_DONE : EXIT_CHECK_FAILED;
        trial_free(&trial);
    }
    program_free(program);
    return status;
}

static int check_description(const struct checked *it, struct error *error)
{
    struct program program;
    if (program_read_text(&program, it->name, it->text, it->bytes, error) != 0)
        return -1;
    return check_program(it, &program, error);
}

static int check_source(struct checked *it, size_t number, struct error *error)
{
    const struct source source = options_source(it->options, number);
    struct program program;
    it->name = source.files[0];
    if (source_read(&program, &source, stderr, error) != 0)
        return -1;
    return check_program(it, &program, error);
}

/* It is read once: a pipe has nothing more then. */
static int check_file(struct checked *it, const char *path, struct error *error)
{
    char *text;
    bool is_program;
    if (yaml_read_text(path, &text, &it->bytes, error) != 0)
        return -1;
    it->name = input_name(path);
    it->text = text;
    int status = program_recognise(it->name, text, it->bytes, &is_program, error);
    if (status == 0)
        status = is_program ? check_description(it, error) : check_machine(it, error);
    free(text);
    return status;
}

int cmd_check(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    struct checked it = {.options = &options,
                         .report = report_new(columns, sizeof columns / sizeof *columns),
                         .document = document_new("check", options.format)};
    int status = EXIT_DONE;
    for (size_t i = 0; i < options.count && status >= 0; i++) {
        const char *name = options.arguments[i];
        const int one =
            source_is(name) ? check_source(&it, i, error) : check_file(&it, name, error);
        status = one < 0 || one > status ? one : status;
    }
    if (status >= 0)
        document_print(it.document, it.report);
    document_free(it.document);
    report_free(it.report);
    options_free(&options);
    return status;
}
