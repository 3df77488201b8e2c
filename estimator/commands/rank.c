/* estimator rank: candidate partitionings, cheapest first, for each machine, p and parameter. */
#include "estimator/commands/commands.h"
#include "estimator/output/axes.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "estimator/output/output.h"
#include "estimator/output/verdict.h"
#include "forecast/rank/bands.h"
#include "forecast/rank/ranking.h"
#include "forecast/search/search.h"

#include "model/base/allocation.h"
#include "model/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE... SEGMENT",
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
        "replicated arrays takes; after --time-limit the best so far.",
    .takes = "pDBxwfaNM",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

/* Of a search, unless told. */
static const double time_limit_s = 10.0;

struct rank_run {
    const struct options *options;
    const struct program *program;
    struct axes axes;
    bool several_machines;
    struct report *report;
    struct document *document;
    size_t rows;
    FILE *verdicts;     /* what the rankings amount to, in lines for a person */
    FILE *left_out;     /* what does not fit or could not be predicted, in lines */
    struct error first; /* of what could not be predicted */
    bool has_failed, has_ranked;
    struct sweep_axis *banded; /* the parameter that bands are of; NULL: rankings are wanted */
    struct bands *bands;       /* one a processor count; owned */
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
    report_number(report, whole->total_us);
    report_number(report, whole->low_us);
    report_number(report, whole->high_us);
    add_odds(report, ranking, item);
    report_text(report, cost_flags_print(whole->flags, flags));
    if (run->options->search && run->options->format != REPORT_TEXT) {
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

static void add_ranking(struct rank_run *run, const struct machine *machine,
                        const struct ranking *ranking, double processors)
{
    if (ranking->count > 0) {
        print_setting(run, machine, processors);
        verdict_print(ranking, run->verdicts);
    }
    for (size_t i = 0; i < ranking->count; i++)
        add_row(run, machine, ranking, &ranking->items[i], processors);
}

/* The first reason stands for all. */
static void note_failure(struct rank_run *run, const struct error *why)
{
    if (!run->has_failed)
        run->first = *why;
    run->has_failed = true;
}

/* Where all of it fails the next setting may not: only if there is no row at all is that an error,
   unless the description is wrong. */
static int rank_candidates(struct rank_run *run, const struct machine *machine, struct study *study,
                           size_t number, const struct list *candidates, struct error *error)
{
    struct ranking ranking;
    if (ranking_make(&ranking, study, candidates, run->left_out, error) != 0) {
        if (!error->is_particular)
            return -1;
        ranking = (struct ranking){0};
        note_failure(run, error);
    }
    run->has_ranked |= ranking.count > 0;
    if (run->banded)
        bands_add(&run->bands[number], axis_value(run->banded), &ranking);
    else
        add_ranking(run, machine, &ranking, study->processors);
    ranking_free(&ranking);
    return 0;
}

/* ---- what a search finds ---- */

/* What it did not look at, in a line. */
static void say_skipped(struct rank_run *run, const struct search *search, double processors)
{
    if (search->skipped[0] == '\0')
        return;
    fprintf(run->left_out,
            "p = %g: the search looked at %.3g %% of %.3g layouts; not looked at: %s\n", processors,
            100.0 * search->layouts / search->all_layouts, search->all_layouts, search->skipped);
}

static void print_search(const struct search *search, double processors)
{
    const struct candidate *found = search->found.items;
    printf("p = %.0f: looked at %.0f layouts on %.0f grids with %.0f predictions of a segment or "
           "a move\n",
           processors, search->layouts, search->grids, search->predictions);
    if (search->failures > 0.0)
        printf("  %.0f predictions could not be made\n", search->failures);
    for (size_t i = 0; i < search->found.count; i++) {
        char *text = candidate_text(&found[i]);
        printf("  %s: ", found[i].name);
        output_named(text);
        putchar('\n');
        free(text);
    }
}

static void leave_out(struct rank_run *run, double processors, const struct error *why)
{
    char line[800];
    fprintf(run->left_out, "p = %g: search left out: %s\n", processors,
            error_line(why, line, sizeof line));
    note_failure(run, why);
}

/* The described candidates and those found, in one ranking. */
static int rank_search(struct rank_run *run, const struct machine *machine, struct study *study,
                       size_t number, struct error *error)
{
    struct search search;
    const struct list *described = &run->program->candidates;
    const double limit_s = run->options->time_limit_s;
    int status = search_make(&search, study, isnan(limit_s) ? time_limit_s : limit_s, error);
    if (status < 0)
        return -1;
    const bool found = status == 0;
    if (!found)
        leave_out(run, study->processors, error);
    struct list all = {.count = described->count + search.found.count};
    struct candidate *both = memory_new(all.count, sizeof *both); /* what they own stays theirs */
    memcpy(both, described->items, described->count * sizeof *both);
    if (search.found.count > 0)
        memcpy(both + described->count, search.found.items, search.found.count * sizeof *both);
    for (size_t i = 0; i < all.count; i++)
        both[i].fill = true; /* what was found is compared with what was described */
    all.items = both;
    say_skipped(run, &search, study->processors);
    status = rank_candidates(run, machine, study, number, &all, error);
    if (status == 0 && found && run->options->format == REPORT_TEXT)
        print_search(&search, study->processors);
    free(both);
    search_free(&search);
    return status;
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

/* ---- bands ---- */

/* The one parameter with several values. */
static int find_banded(struct rank_run *run, struct error *error)
{
    for (size_t i = 0; i < run->axes.count; i++) {
        if (run->axes.items[i].values.count < 2)
            continue;
        if (run->banded)
            return error_set(error,
                             "--bands with several values of both %s and %s: expected one "
                             "parameter with several",
                             run->banded->name, run->axes.items[i].name);
        run->banded = &run->axes.items[i];
    }
    return run->banded ? 0
                       : error_set(error, "--bands needs a parameter with several values: "
                                          "-D NAME=FROM:TO:+1");
}

static void add_band(struct rank_run *run, const struct machine *machine, const struct band *band,
                     double processors)
{
    struct report *report = run->report;
    if (run->several_machines)
        report_text(report, machine->machine.name);
    report_number(report, processors);
    for (size_t i = 0; i < run->axes.count; i++)
        if (&run->axes.items[i] != run->banded)
            report_number(report, axis_value(&run->axes.items[i]));
    report_number(report, band->from);
    report_number(report, band->to);
    report_text(report, band->best);
    report_number(report, band->least);
    run->rows++;
}

/* Text says in a line what the bands amount to. */
static void print_settled(const struct rank_run *run, const struct list *bands, double processors)
{
    const struct band *items = bands->items;
    const size_t count = bands->count;
    if (run->options->format != REPORT_TEXT || count <= 2)
        return;
    printf("p = %.0f: ", processors);
    output_named(run->banded->name);
    printf(" changes the best %zu times; settled outside %g..%g\n", count - 1, items[1].from,
           items[count - 1].from);
}

static void add_bands(struct rank_run *run, const struct machine *machine, const double *processors,
                      size_t count)
{
    for (size_t i = 0; i < count && run->banded; i++) {
        const struct band *bands = run->bands[i].list.items;
        for (size_t k = 0; k < run->bands[i].list.count; k++)
            add_band(run, machine, &bands[k], processors[i]);
        print_settled(run, &run->bands[i].list, processors[i]);
        bands_free(&run->bands[i]);
    }
}

/* ---- the command ---- */

static struct report *new_report(const struct rank_run *run)
{
    static const char *const ranked[] = {
        "compute_us",       "communicate_us",    "total_us",  "low_us",    "high_us",
        "best_probability", "order_probability", "regret_us", "tie_group", "flags"};
    static const char *const banded[] = {"from", "to", "best", "best_probability"};
    const char *columns[20 + PARAMETERS_MOST];
    size_t count = 0;
    if (run->several_machines)
        columns[count++] = "machine";
    if (!run->banded) {
        columns[count++] = "rank";
        columns[count++] = "candidate";
    }
    columns[count++] = "processors";
    for (size_t i = 0; i < run->axes.count; i++)
        if (&run->axes.items[i] != run->banded)
            columns[count++] = run->axes.items[i].name;
    for (size_t i = 0; i < (run->banded ? RECORD_COUNT(banded) : RECORD_COUNT(ranked)); i++)
        columns[count++] = run->banded ? banded[i] : ranked[i];
    if (run->options->search && run->options->format != REPORT_TEXT) {
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
    add_bands(run, machine, processors, count);
    free(run->bands);
    return status;
}

static void say_one_launch(const struct rank_run *run, const struct machine *machine)
{
    char *name = printable(machine->machine.name);
    fprintf(run->verdicts,
            "%s: one launch; its own passes are in the errors, and other launches can differ by "
            "more (trainer --launches 5)\n",
            name);
    free(name);
}

static int rank_machine(struct rank_run *run, size_t number, struct error *error)
{
    struct machine machine;
    if (options_machine(run->options, number, &machine, error) != 0)
        return -1;
    document_table(run->document, &machine);
    const struct number_list *given =
        run->options->processors.count ? &run->options->processors : &run->axes.processors;
    const double all = isnan(machine.machine.processors) ? 2.0 : machine.machine.processors;
    const int status = rank_settings(run, &machine, given->count ? given->values : &all,
                                     given->count ? given->count : 1, error);
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
    if (run->options->bands && run->options->search)
        return error_set(error, "--bands with --search: one at a time");
    if (axes_read(&run->axes, run->options, run->program, error) != 0 ||
        (run->options->bands && find_banded(run, error) != 0))
        return -1;
    run->several_machines = machines > 1;
    run->report = new_report(run);
    int status = 0;
    for (size_t i = 0; i < machines && status == 0; i++)
        status = rank_machine(run, i, error);
    if (status == 0 && run->has_failed && !run->has_ranked) {
        *error = run->first;
        status = -1;
    }
    return status != 0 ? -1 : run->rows ? EXIT_DONE : EXIT_CHECK_FAILED;
}

/* Of JSON there is an object also where no candidate fits. */
static void print(const struct rank_run *run, int status, const char *verdicts)
{
    const enum report_format format = run->options->format;
    if (run->report && status >= 0 && (run->rows > 0 || format == REPORT_JSON))
        document_print(run->document, run->report);
    if (status == EXIT_DONE && format == REPORT_TEXT)
        fputs(verdicts, stdout);
}

/* An error is one line, whatever was left out before it. */
static int rank_and_say(struct rank_run *run, struct error *error)
{
    char *lines = NULL, *verdicts = NULL;
    size_t size = 0, verdicts_size = 0;
    run->document = document_new("rank", run->options->format);
    document_segment(run->document, run->program->path);
    run->left_out = open_memstream(&lines, &size);
    run->verdicts = open_memstream(&verdicts, &verdicts_size);
    const int status = run->left_out && run->verdicts
                           ? rank_all(run, error)
                           : error_set(error, "no memory for what is said");
    if (run->left_out)
        fclose(run->left_out);
    if (run->verdicts)
        fclose(run->verdicts);
    if (status >= 0 && lines)
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
    if (status == 0) {
        struct rank_run run = {.options = &options, .program = &program};
        status = rank_and_say(&run, error);
        axes_free(&run.axes);
        program_free(&program);
    }
    options_free(&options);
    return status;
}
