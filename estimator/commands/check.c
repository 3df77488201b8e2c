/* estimator check: are these machine tables and segment descriptions right? */
#include "estimator/commands/commands.h"
#include "estimator/options.h"
#include "model/base/memory.h"
#include "model/machine/machine_lint.h"
#include "model/segment/program.h"

#include <stdio.h>
#include <stdlib.h>

static const struct options_face face = {
    .arguments = "FILE...",
    .doc = "Reads every FILE, a machine table or a segment description, and says whether it is "
           "right. Exit status 2 at the first that is not. What is right and yet odd, such as a "
           "time that falls with the size, is remarked on standard error.",
    .takes = "f",
    .least = 1,
    .most = OPTIONS_ARGUMENTS,
};

static const char *const columns[] = {"file", "kind", "holds", "remarks"};

static void print_remark(void *state, const struct error *remark)
{
    char line[800];
    (void)state;
    fprintf(stderr, "estimator: remark: %s\n", error_line(remark, line, sizeof line));
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

static int check_machine(const char *path, struct report *report, struct error *error)
{
    struct machine machine;
    if (machine_read(&machine, path, error) != 0)
        return -1;
    report_text(report, path);
    report_text(report, "machine table");
    char *holds = holds_of(&machine);
    report_text(report, holds);
    report_number(report, (double)machine_lint(&machine, print_remark, NULL));
    free(holds);
    machine_free(&machine);
    return 0;
}

static int check_program(const char *path, struct report *report, struct error *error)
{
    struct program program;
    if (program_read(&program, path, error) != 0)
        return -1;
    report_text(report, path);
    report_text(report, "segment description");
    char *holds = memory_format("%zu candidates, %zu segments", program.candidates.count,
                                program.segments.count);
    report_text(report, holds);
    report_number(report, 0.0);
    free(holds);
    program_free(&program);
    return 0;
}

static int check_file(const char *path, struct report *report, struct error *error)
{
    bool is_program;
    if (program_recognise(path, &is_program, error) != 0)
        return -1;
    return is_program ? check_program(path, report, error) : check_machine(path, report, error);
}

int cmd_check(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    struct report *report = report_new(columns, sizeof columns / sizeof *columns);
    int status = 0;
    for (size_t i = 0; i < options.count && status == 0; i++)
        status = check_file(options.arguments[i], report, error);
    if (status == 0)
        report_print(report, options.format);
    report_free(report);
    options_free(&options);
    return status;
}
