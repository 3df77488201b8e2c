/* estimator rank: candidate partitionings, cheapest first, for each machine, p and parameter. */
#include "estimator/commands/rank_run.h"

#include "estimator/commands/commands.h"
#include "estimator/commands/observed.h"
#include "estimator/commands/own_loops.h"
#include "estimator/output/output.h"
#include "estimator/output/verdict.h"
#include "forecast/search/candidate_text.h"
#include "model/base/allocation.h"
#include "model/base/printable.h"

#include <math.h>
#include <stdlib.h>

static const struct options_face face = {
    .arguments = "TABLE... SEGMENT",
    .example = "rank machines/sp2-mpl.yaml samples/jacobi/jacobi.yaml -p 4,16,64",
    .doc =
        "Ranks the candidates of SEGMENT on the machine of each TABLE for -p processors and "
        "parameters (-D N=256,512), cheapest first. Equal ranks are ties. Candidates that do not "
        "fit p are named on stderr; exit status 1 when none fits. So are those that cannot be "
        "priced, as where a table lacks what they use; exit status 2 when none can. With --bands: "
        "the winner over "
        "the "
        "values of the one parameter that has several, as bands of neighbouring values. With "
        "--search: "
        "also the best of all partitionings that the language can express, with what broadcasting "
        "replicated arrays takes; after --time-limit the best so far. With --fastest: one row for "
        "each setting, with its winner, what the next one takes longer, and the speed-up.",
    .takes = "pDBxwfaNMykEAq",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

/* ---- one ranking ---- */

/* How sure the order is; empty where nothing says so. */
static void add_odds(struct report *report, const struct ranking *ranking,
                     const struct ranked *item)
{
    const bool known = !ranking->no_odds;
    const struct contender *odds = &item->odds;
    report_number(report, known ? odds->best : (double)NAN);
    report_number(report, known ? odds->before_next : (double)NAN);
    report_number(report, known ? odds->regret_us : (double)NAN);
    report_number(report, known ? (double)item->tie_group : (double)NAN);
}

static void add_row(struct rank_run *run, const struct machine *machine,
                    const struct ranking *ranking, const struct ranked *item, double processors)
{
    char flags[COST_FLAGS_TEXT];
    const struct segment_prediction *whole = &item->prediction.whole;
    struct report *report = run->report;
    if (run->several_machines)
        report_text(report, machine->machine.name);
    report_number(report, (double)item->rank);
    report_text(report, item->candidate->name);
    report_number(report, processors);
    for (size_t i = 0; i < run->axes.count; i++)
        report_number(report, axis_value(&run->axes.items[i]));
    report_number(report, whole->compute_us);
    report_number(report, whole->communicate_us);
    report_time(report, whole->total_us, whole->low_us, whole->high_us);
    add_odds(report, ranking, item);
    report_text(report, cost_flags_print(segment_flags(whole), flags));
    if (run->options->search && !report_is_text(run->options->format)) {
        report_number(report, item->prediction.memory_bytes);
        char *definition = candidate_text(item->candidate);
        report_text(report, definition);
        free(definition);
    }
    run->rows++;
}

/* A study of the present setting. */
static int begin_study(struct study *study, const struct rank_run *run,
                       const struct machine *machine, double processors, struct error *error)
{
    char *definitions[PARAMETERS_MOST] = {0};
    axes_define(&run->axes, definitions);
    const int status = study_make(study, machine, run->program, processors,
                                  (const char *const *)definitions, run->axes.count, error);
    for (size_t i = 0; i < run->axes.count; i++)
        free(definitions[i]);
    return status;
}

/* "this, p = 16, N = 512: " */
static void print_setting(const struct rank_run *run, const struct machine *machine,
                          double processors)
{
    char *name = printable(machine->machine.name);
    if (run->several_machines)
        fprintf(run->verdicts, "%s, ", name);
    fprintf(run->verdicts, "p = %.0f", processors);
    for (size_t i = 0; i < run->axes.count; i++) {
        char *parameter = printable(run->axes.items[i].name);
        fprintf(run->verdicts, ", %s = %g", parameter, axis_value(&run->axes.items[i]));
        free(parameter);
    }
    fputs(": ", run->verdicts);
    free(name);
}

/* What the fastest candidate takes on one process; NAN: that is not known. */
static double alone_us(const struct rank_run *run, const struct machine *machine)
{
    struct study study;
    struct ranking ranking;
    struct error none;
    double time_us = NAN;
    if (begin_study(&study, run, machine, 1.0, &none) != 0)
        return NAN;
    if (ranking_make(&ranking, &study, &run->program->candidates, NULL, &none) == 0) {
        if (ranking.count > 0)
            time_us = ranking.items->prediction.whole.total_us;
        ranking_free(&ranking);
    }
    study_free(&study);
    return time_us;
}

static void add_ranking(struct rank_run *run, const struct machine *machine,
                        const struct ranking *ranking, double processors)
{
    if (run->options->fastest && ranking->count > 0) {
        rank_add_fastest(run, machine, ranking, processors, alone_us(run, machine));
        return;
    }
    if (ranking->count > 0) {
        print_setting(run, machine, processors);
        verdict_print(ranking, run->verdicts);
    }
    for (size_t i = 0; i < ranking->count; i++)
        add_row(run, machine, ranking, &ranking->items[i], processors);
}

void rank_note_failure(struct rank_run *run, const struct error *why)
{
    if (!run->has_failed)
        run->first = *why;
    run->has_failed = true;
}

int rank_candidates(struct rank_run *run, const struct machine *machine, struct study *study,
                    size_t number, const struct list *candidates, struct error *error)
{
    struct ranking ranking;
    if (ranking_make(&ranking, study, candidates, run->left_out, error) != 0) {
        if (!error->is_particular)
            return -1;
        ranking = (struct ranking){0};
        rank_note_failure(run, error);
    }
    run->has_ranked |= ranking.count > 0;
    if (run->banded)
        bands_add(&run->bands[number], axis_value(run->banded), &ranking);
    else
        add_ranking(run, machine, &ranking, study->processors);
    ranking_free(&ranking);
    return 0;
}

/* number: of the processor count among those asked for. */
static int rank_setting(struct rank_run *run, const struct machine *machine, size_t number,
                        double processors, struct error *error)
{
    struct study study;
    if (begin_study(&study, run, machine, processors, error) != 0)
        return -1;
    int status = 0;
    if (run->options->search)
        status = rank_search(run, machine, &study, number, error);
    else
        status = rank_candidates(run, machine, &study, number, &run->program->candidates, error);
    study_free(&study);
    return status;
}

/* ---- the command ---- */

static struct report *new_report(const struct rank_run *run)
{
    static const char *const ranked[] = {
        "compute_us",       "communicate_us",    "total_us",  "low_us",    "high_us",
        "best_probability", "order_probability", "regret_us", "tie_group", "flags"};
    static const char *const fastest[] = {
        "fastest", "total_us", "low_us", "high_us", "communication_percent", "speed_up", "flags"};
    static const char *const banded[] = {"from", "to", "best", "best_probability"};
    const char *columns[20 + PARAMETERS_MOST];
    size_t count = 0;
    if (run->several_machines)
        columns[count++] = "machine";
    if (!run->banded && !run->options->fastest) {
        columns[count++] = "rank";
        columns[count++] = "candidate";
    }
    columns[count++] = "processors";
    for (size_t i = 0; i < run->axes.count; i++)
        if (&run->axes.items[i] != run->banded)
            columns[count++] = run->axes.items[i].name;
    const char *const *rest = run->banded ? banded : run->options->fastest ? fastest : ranked;
    const size_t rest_count = run->banded             ? RECORD_COUNT(banded)
                              : run->options->fastest ? RECORD_COUNT(fastest)
                                                      : RECORD_COUNT(ranked);
    for (size_t i = 0; i < rest_count; i++)
        columns[count++] = rest[i];
    if (run->options->search && !report_is_text(run->options->format)) {
        columns[count++] = "memory_bytes";
        columns[count++] = "definition";
    }
    return report_new(columns, count);
}

static int rank_settings(struct rank_run *run, const struct machine *machine,
                         const double *processors, size_t count, struct error *error)
{
    int status = 0;
    run->bands = memory_new(count, sizeof *run->bands);
    do {
        for (size_t i = 0; i < count && status == 0; i++)
            status = rank_setting(run, machine, i, processors[i], error);
    } while (status == 0 && axes_next(&run->axes));
    rank_add_bands(run, machine, processors, count);
    free(run->bands);
    return status;
}

static void say_one_launch(const struct rank_run *run, const struct machine *machine)
{
    char *name = printable(machine->machine.name);
    fprintf(run->verdicts,
            "note: %s was calibrated in one run; run-to-run variation is not included (trainer "
            "--launches 5)\n",
            name);
    free(name);
}

/* All processor counts and values of parameters, and what was left out of them. */
static int rank_and_gather(struct rank_run *run, const struct machine *machine, struct error *error)
{
    const struct number_list *given =
        run->options->processors.count ? &run->options->processors : &run->axes.processors;
    const double all = machine_all_processors(machine);
    char *lines = NULL;
    size_t size = 0;
    run->left_out = memory_stream(&lines, &size);
    const int status = rank_settings(run, machine, given->count ? given->values : &all,
                                     given->count ? given->count : 1, error);
    memory_stream_end(run->left_out);
    rank_gather_left_out(run->remarks, lines, run->several_machines ? machine->machine.name : NULL);
    free(lines);
    return status;
}

static int rank_machine(struct rank_run *run, size_t number, struct error *error)
{
    struct machine machine;
    if (options_machine(run->options, number, &machine, error) != 0)
        return -1;
    document_table(run->document, &machine);
    if (run->options->fastest && report_is_text(run->options->format) && !run->several_machines) {
        output_named(run->program->title ? run->program->title : run->program->path);
        fputs(" on ", stdout);
        output_named(machine.machine.name);
        fputs("\n\n", stdout);
    }
    struct anchor anchor;
    int status = observed_take(&anchor, run->options, run->program, &machine, error);
    if (status == 0)
        status = rank_and_gather(run, &machine, error);
    if (verdict_is_of_one_launch(&machine))
        say_one_launch(run, &machine);
    machine_free(&machine);
    return status;
}

static int rank_all(struct rank_run *run, struct error *error)
{
    const size_t machines = run->options->count - 1;
    if (!isnan(run->options->time_limit_s) && !run->options->search)
        return error_set(error, "--time-limit without --search: expected both");
    if (run->options->bands + run->options->search + run->options->fastest > 1)
        return error_set(error, "--bands, --search and --fastest: one at a time");
    if (run->options->observed && (run->options->search || machines > 1))
        return error_set(error, "--measured with %s: expected one of them",
                         machines > 1 ? "several tables" : "--search");
    if (axes_read(&run->axes, run->options, run->program, error) != 0 ||
        (run->options->bands && rank_find_banded(run, error) != 0))
        return -1;
    run->several_machines = machines > 1;
    run->report = new_report(run);
    int status = 0;
    for (size_t i = 0; i < machines && status == 0; i++)
        status = rank_machine(run, i, error);
    const bool has_none = run->has_failed && !run->has_ranked;
    if (status == 0 && has_none && !run->first.is_not_known) {
        *error = run->first;
        status = -1;
    }
    return status != 0 ? -1 : run->rows || has_none ? EXIT_DONE : EXIT_CHECK_FAILED;
}

/* Of JSON there is an object also where no candidate fits. */
static void print(const struct rank_run *run, int status, const char *verdicts)
{
    const enum report_format format = run->options->format;
    if (run->report && status >= 0 && (run->rows > 0 || format == REPORT_JSON))
        document_print(run->document, run->report);
    if (status == EXIT_DONE && report_is_text(format))
        fputs(verdicts, stdout);
}

/* An error is one line, whatever was left out before it. */
static int rank_and_say(struct rank_run *run, struct error *error)
{
    char *lines = NULL, *verdicts = NULL;
    size_t size = 0, verdicts_size = 0;
    run->document = document_new("rank", run->options->format);
    document_segment(run->document, run->program->path);
    run->remarks = memory_stream(&lines, &size);
    run->verdicts = memory_stream(&verdicts, &verdicts_size);
    const int status = rank_all(run, error);
    memory_stream_end(run->remarks);
    memory_stream_end(run->verdicts);
    if (status >= 0)
        document_remarks(run->document, lines);
    print(run, status, verdicts);
    if (run->report)
        report_free(run->report);
    document_free(run->document);
    free(lines);
    free(verdicts);
    return status;
}

int cmd_rank(int argc, char **argv, struct error *error)
{
    struct options options;
    struct program program;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = options_program(&options, options.count - 1, &program, error);
    if (status == 0 && own_loops_measure(&options, options.count - 1, error) != 0) {
        program_free(&program);
        status = -1;
    }
    if (status == 0) {
        struct rank_run run = {.options = &options, .program = &program};
        status = rank_and_say(&run, error);
        axes_free(&run.axes);
        program_free(&program);
    }
    options_free(&options);
    return status;
}
