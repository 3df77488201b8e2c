/* estimator rank: candidate partitionings, cheapest first, for each machine, p and parameter. */
#include "estimator/commands.h"
#include "estimator/options.h"
#include "estimator/predict.h"

#include "model/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE... SEGMENT",
    .doc =
        "Ranks the candidates of SEGMENT on the machine of each TABLE for -p processors and "
        "parameters (-D N=256,512), cheapest first. Equal ranks are ties. Candidates that do not "
        "fit p are named on stderr; exit status 1 when none fits.",
    .takes = "pDf",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
};

enum { PARAMETERS_MOST = 16 };

/* -D NAME=LIST, for all values in turn. */
struct sweep_axis {
    char *name;
    struct number_list values;
    size_t at;
};

struct ranking {
    const struct options *options;
    const struct program *program;
    size_t axis_count;
    struct sweep_axis axes[PARAMETERS_MOST];
    bool several_machines;
    struct report *report;
    size_t rows;
};

/* One candidate at one setting. */
struct entry {
    const struct candidate *candidate;
    struct segment_prediction whole;
};

/* ---- the parameters' values ---- */

static int read_axes(struct ranking *ranking, struct error *error)
{
    for (size_t i = 0; i < ranking->options->definition_count; i++) {
        const char *definition = ranking->options->definitions[i];
        const size_t length = strcspn(definition, "=");
        if (ranking->axis_count == PARAMETERS_MOST)
            return error_set(error, "more than %d definitions", PARAMETERS_MOST);
        struct sweep_axis *axis = &ranking->axes[ranking->axis_count++];
        axis->name = memory_format("%.*s", (int)length, definition);
        const char *wrong = number_list_parse(definition + length + 1, &axis->values);
        if (wrong)
            return error_set(error, "-D %.60s: %s", definition, wrong);
    }
    return 0;
}

static void free_axes(struct ranking *ranking)
{
    for (size_t i = 0; i < ranking->axis_count; i++) {
        free(ranking->axes[i].name);
        number_list_free(&ranking->axes[i].values);
    }
}

/* Steps to the next combination; false after the last. */
static bool next_setting(struct ranking *ranking)
{
    for (size_t i = ranking->axis_count; i-- > 0;) {
        if (++ranking->axes[i].at < ranking->axes[i].values.count)
            return true;
        ranking->axes[i].at = 0;
    }
    return false;
}

static double value_of(const struct sweep_axis *axis)
{
    return axis->values.values[axis->at];
}

/* The setting as definitions; each to be freed. */
static void write_definitions(const struct ranking *ranking, char *definitions[])
{
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < ranking->axis_count; i++)
        definitions[i] = memory_format("%s=%s", ranking->axes[i].name,
                                       number_print(value_of(&ranking->axes[i]), number));
}

/* ---- one ranking ---- */

static int by_total(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->whole.total_us > y->whole.total_us) - (x->whole.total_us < y->whole.total_us);
}

/* Equal but for rounding. */
static bool tie(const struct entry *a, const struct entry *b)
{
    return fabs(a->whole.total_us - b->whole.total_us) <= 1e-12 * fabs(a->whole.total_us);
}

static void add_row(struct ranking *ranking, const struct machine *machine,
                    const struct entry *entry, size_t rank, double processors)
{
    char flags[COST_FLAGS_TEXT];
    const struct segment_prediction *whole = &entry->whole;
    struct report *report = ranking->report;
    if (ranking->several_machines)
        report_text(report, machine->machine.name);
    report_number(report, (double)rank);
    report_text(report, entry->candidate->name);
    report_number(report, processors);
    for (size_t i = 0; i < ranking->axis_count; i++)
        report_number(report, value_of(&ranking->axes[i]));
    report_number(report, whole->compute_us);
    report_number(report, whole->communicate_us);
    report_number(report, whole->total_us);
    report_number(report, whole->low_us);
    report_number(report, whole->high_us);
    report_text(report, cost_flags_print(whole->flags, flags));
    ranking->rows++;
}

/* Whether the candidate's grid can have that many processors at all: otherwise it is left out of
   this setting, with a remark; every other error ends the command. */
static int fits(const struct ranking *ranking, const struct candidate *candidate, double processors,
                const char *const *definitions, bool *fit, struct error *error)
{
    struct layout layout;
    struct error why;
    char line[800];
    struct scope *scope =
        program_scope(ranking->program, definitions, ranking->axis_count, processors, error);
    if (!scope)
        return -1;
    *fit = layout_make(&layout, ranking->program, candidate, scope, &why) == 0;
    if (*fit)
        layout_free(&layout);
    else
        fprintf(stderr, "p = %g: %s left out: %s\n", processors, candidate->name,
                error_line(&why, line, sizeof line));
    scope_free(scope);
    return 0;
}

static int predict_all(struct ranking *ranking, const struct machine *machine, double processors,
                       const char *const *definitions, struct entry *entries, size_t *count,
                       struct error *error)
{
    const struct candidate *candidates = ranking->program->candidates.items;
    *count = 0;
    for (size_t i = 0; i < ranking->program->candidates.count; i++) {
        struct prediction prediction;
        bool fit;
        if (fits(ranking, &candidates[i], processors, definitions, &fit, error) != 0)
            return -1;
        if (!fit)
            continue;
        if (prediction_make(&prediction, machine, ranking->program, &candidates[i], processors,
                            definitions, ranking->axis_count, error) != 0)
            return -1;
        entries[(*count)++] = (struct entry){&candidates[i], prediction.whole};
        prediction_free(&prediction);
    }
    return 0;
}

static int rank_setting(struct ranking *ranking, const struct machine *machine, double processors,
                        struct error *error)
{
    char *definitions[PARAMETERS_MOST] = {0};
    size_t count;
    struct entry *entries = memory_new(ranking->program->candidates.count, sizeof *entries);
    write_definitions(ranking, definitions);
    const int status = predict_all(ranking, machine, processors, (const char *const *)definitions,
                                   entries, &count, error);
    if (status == 0) {
        qsort(entries, count, sizeof *entries, by_total);
        for (size_t i = 0, rank = 1; i < count; i++) {
            rank = i > 0 && tie(&entries[i - 1], &entries[i]) ? rank : i + 1;
            add_row(ranking, machine, &entries[i], rank, processors);
        }
    }
    for (size_t i = 0; i < ranking->axis_count; i++)
        free(definitions[i]);
    free(entries);
    return status;
}

/* ---- the command ---- */

static struct report *new_report(const struct ranking *ranking)
{
    static const char *const last[] = {"compute_us", "communicate_us", "total_us",
                                       "low_us",     "high_us",        "flags"};
    const char *columns[10 + PARAMETERS_MOST];
    size_t count = 0;
    if (ranking->several_machines)
        columns[count++] = "machine";
    columns[count++] = "rank";
    columns[count++] = "candidate";
    columns[count++] = "processors";
    for (size_t i = 0; i < ranking->axis_count; i++)
        columns[count++] = ranking->axes[i].name;
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        columns[count++] = last[i];
    return report_new(columns, count);
}

static int rank_machine(struct ranking *ranking, const char *path, struct error *error)
{
    struct machine machine;
    if (machine_read(&machine, path, error) != 0)
        return -1;
    const struct number_list *given = &ranking->options->processors;
    const double all = isnan(machine.machine.processors) ? 2.0 : machine.machine.processors;
    int status = 0;
    do {
        for (size_t i = 0; i < (given->count ? given->count : 1) && status == 0; i++)
            status = rank_setting(ranking, &machine, given->count ? given->values[i] : all, error);
    } while (status == 0 && next_setting(ranking));
    machine_free(&machine);
    return status;
}

static int rank_all(struct ranking *ranking, struct error *error)
{
    const size_t machines = ranking->options->count - 1;
    if (read_axes(ranking, error) != 0)
        return -1;
    ranking->several_machines = machines > 1;
    ranking->report = new_report(ranking);
    int status = 0;
    for (size_t i = 0; i < machines && status == 0; i++)
        status = rank_machine(ranking, ranking->options->arguments[i], error);
    if (status == 0 && ranking->rows > 0)
        report_print(ranking->report, ranking->options->format);
    report_free(ranking->report);
    return status != 0 ? -1 : ranking->rows ? EXIT_DONE : EXIT_CHECK_FAILED;
}

int cmd_rank(int argc, char **argv, struct error *error)
{
    struct options options;
    struct program program;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = program_read(&program, options.arguments[options.count - 1], error);
    if (status == 0) {
        struct ranking ranking = {.options = &options, .program = &program};
        status = rank_all(&ranking, error);
        free_axes(&ranking);
        program_free(&program);
    }
    options_free(&options);
    return status;
}
