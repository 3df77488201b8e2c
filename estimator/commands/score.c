/* estimator score: predictions against what was measured, and how good the ranking was. */
#include "forecast/score/score.h"
#include "estimator/commands/commands.h"
#include "estimator/commands/with_inputs.h"
#include "estimator/output/document.h"
#include "estimator/output/output.h"
#include "forecast/predict/study.h"
#include "forecast/score/times.h"

#include "model/base/allocation.h"
#include "model/base/printable.h"
#include "model/fit/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE SEGMENT TIMES...",
    .example = "score machines/sp2-mpl.yaml samples/jacobi/jacobi.yaml times.csv",
    .doc =
        "Compares predictions with TIMES, CSV files that trainer --rehearse or the programs of "
        "samples/ wrote; several times of the same are one, their median. Each is predicted for "
        "the processors and parameters of its own row; -D sets parameters without a column. "
        "Then how good the ranking of the candidates was: pairs in the right order (those that "
        "differ by more than a tenth beside), the regret of taking the first, Kendall's tau, and "
        "how many intervals hold what was measured. Partial times are shown and not scored. "
        "CSV and JSON have one of the two: --section takes times or ranking.",
    .takes = "DsfaNMyk",
    .least = 3,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

static const char *const time_columns[] = {"candidate",    "processors",  "setting", "segment",
                                           "predicted_us", "measured_us", "ratio",   "low_us",
                                           "high_us",      "within",      "scored"};
static const char *const score_columns[] = {
    "processors",  "setting", "candidates", "pairs",  "right",        "pairs_apart",
    "apart_right", "regret",  "tau",        "within", "median_error", "worst_error"};

struct score_run {
    const struct options *options;
    const struct machine *machine;
    const struct program *program;
    struct list times; /* of struct time_row */
    struct report *shown, *scores;
};

/* ---- rows of the same ---- */

static bool same_setting(const struct time_row *a, const struct time_row *b)
{
    return a->processors == b->processors && strcmp(a->setting, b->setting) == 0;
}

static bool same_time(const struct time_row *a, const struct time_row *b)
{
    return same_setting(a, b) && strcmp(a->candidate, b->candidate) == 0 &&
           strcmp(a->segment, b->segment) == 0;
}

static double median_us(const struct score_run *run, const struct time_row *of)
{
    const struct time_row *rows = run->times.items;
    double *values = memory_new(run->times.count, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < run->times.count; i++)
        if (same_time(&rows[i], of))
            values[count++] = rows[i].total_us;
    const double median = summary_of(values, count, 0.95).median;
    free(values);
    return median;
}

/* Whether no earlier row is of the same setting, of the same candidate in it, or of the same. */
static bool is_first(const struct score_run *run, size_t number,
                     bool same(const struct time_row *, const struct time_row *))
{
    const struct time_row *rows = run->times.items;
    for (size_t i = 0; i < number; i++)
        if (same(&rows[i], &rows[number]))
            return false;
    return true;
}

static bool same_candidate(const struct time_row *a, const struct time_row *b)
{
    return same_setting(a, b) && strcmp(a->candidate, b->candidate) == 0;
}

/* ---- one candidate ---- */

static const struct segment_prediction *prediction_of(const struct prediction *prediction,
                                                      const char *segment)
{
    const struct segment_prediction *segments = prediction->segments.items;
    if (strcmp(segment, "all") == 0)
        return &prediction->whole;
    for (size_t i = 0; i < prediction->segments.count; i++)
        if (strcmp(segments[i].name, segment) == 0)
            return &segments[i];
    return NULL;
}

static void show(struct report *report, const struct time_row *row, const struct scored *scored,
                 bool counts)
{
    report_text(report, row->candidate);
    report_number(report, row->processors);
    report_text(report, row->setting);
    report_text(report, row->segment);
    report_number(report, scored->predicted_us);
    report_number(report, scored->measured_us);
    report_number(report, scored->measured_us > 0.0 ? scored->predicted_us / scored->measured_us
                                                    : (double)NAN);
    const bool has_interval =
        !cost_interval_flag(scored->predicted_us, scored->low_us, scored->high_us);
    report_number(report, has_interval ? scored->low_us : (double)NAN);
    report_number(report, has_interval ? scored->high_us : (double)NAN);
    const bool is_known = !isnan(scored->predicted_us);
    report_text(report, !is_known || !has_interval ? "" : scored_within(scored) ? "yes" : "no");
    report_text(report, !is_known ? "not known" : row->partial ? "partial" : counts ? "yes" : "");
}

/* Of what the table does not know among so many processors. */
static const struct segment_prediction not_known = {.total_us = NAN, .low_us = NAN, .high_us = NAN};

/* prediction: NULL where it is not known. */
static int show_row(struct score_run *run, const struct prediction *prediction,
                    const struct time_row *row, struct scored *scored, size_t *count,
                    struct error *error)
{
    const struct segment_prediction *segment =
        prediction ? prediction_of(prediction, row->segment) : &not_known;
    if (!segment)
        return error_set(error, "the times are of a segment '%.60s' that the description has not",
                         row->segment);
    const struct scored here = {segment->total_us, segment->low_us, segment->high_us,
                                median_us(run, row)};
    const bool counts =
        prediction && segment == &prediction->whole && !row->partial && here.measured_us > 0.0;
    show(run->shown, row, &here, counts);
    if (counts)
        scored[(*count)++] = here;
    return 0;
}

static int show_candidate(struct score_run *run, struct study *study, size_t first,
                          struct scored *scored, size_t *count, struct error *error)
{
    const struct time_row *rows = run->times.items;
    struct prediction prediction;
    const struct candidate *candidate = program_candidate(run->program, rows[first].candidate);
    if (!candidate)
        return error_at(error, place_at(run->program->path, 0, 0), "no candidate '%.60s'",
                        rows[first].candidate);
    const bool is_known = study_predict(study, candidate, &prediction, error) == 0;
    if (!is_known && !error->is_not_known)
        return -1;
    int status = 0;
    for (size_t i = first; i < run->times.count && status == 0; i++)
        if (same_candidate(&rows[i], &rows[first]) && is_first(run, i, same_time))
            status = show_row(run, is_known ? &prediction : NULL, &rows[i], scored, count, error);
    if (is_known)
        prediction_free(&prediction);
    return status;
}

/* ---- one setting ---- */

static void add_score(struct score_run *run, const struct time_row *row,
                      const struct scored *scored, size_t count)
{
    if (count == 0)
        return;
    const struct score score = score_of(scored, count);
    struct report *report = run->scores;
    report_number(report, row->processors);
    report_text(report, row->setting);
    report_number(report, (double)score.candidates);
    report_number(report, (double)score.pairs);
    report_number(report, (double)score.right);
    report_number(report, (double)score.apart);
    report_number(report, (double)score.apart_right);
    report_number(report, score.regret);
    report_number(report, score.tau);
    report_number(report, (double)score.within);
    report_number(report, score.median_error);
    report_number(report, score.worst_error);
}

/* The parameters of the row, and those of -D that it does not have. */
static int begin_study(struct study *study, const struct score_run *run, const struct time_row *row,
                       struct error *error)
{
    const struct options *options = run->options;
    const char *definitions[OPTIONS_ARGUMENTS + TIMES_SETTING / 4];
    size_t count = 0;
    char *words = memory_copy_text(row->setting);
    for (size_t i = 0; i < options->definition_count; i++)
        definitions[count++] = options->definitions[i];
    for (char *rest = NULL, *word = strtok_r(words, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        definitions[count++] = word;
    const int status =
        study_make(study, run->machine, run->program, row->processors, definitions, count, error);
    free(words);
    return status;
}

static int score_setting(struct score_run *run, size_t first, struct error *error)
{
    const struct time_row *rows = run->times.items;
    struct study study;
    if (begin_study(&study, run, &rows[first], error) != 0)
        return -1;
    struct scored *scored = memory_new(run->times.count, sizeof *scored);
    size_t count = 0;
    int status = 0;
    for (size_t i = first; i < run->times.count && status == 0; i++)
        if (same_setting(&rows[i], &rows[first]) && is_first(run, i, same_candidate))
            status = show_candidate(run, &study, i, scored, &count, error);
    if (status == 0)
        add_score(run, &rows[first], scored, count);
    free(scored);
    study_free(&study);
    return status;
}

/* ---- the whole ---- */

static int read_times(struct score_run *run, struct error *error)
{
    for (size_t i = 2; i < run->options->count; i++)
        if (times_read(run->options->arguments[i], run->program, &run->times, error) != 0)
            return -1;
    return 0;
}

static void print_rows(const struct score_run *run, const char *section,
                       const struct report *report)
{
    struct document *document = document_new("score", run->options->format);
    document_section(document, section);
    document_table(document, run->machine);
    document_segment(document, run->program->path);
    document_print(document, report);
    document_free(document);
}

static void print(const struct score_run *run)
{
    const enum report_format format = run->options->format;
    const char *section = run->options->section;
    if (report_is_text(format) && !section) {
        print_rows(run, "times", run->shown);
        if (report_rows(run->scores) > 0)
            putchar('\n');
    }
    const bool ranking = section ? strcmp(section, "ranking") == 0 : report_is_text(format);
    print_rows(run, ranking ? "ranking" : "times", ranking ? run->scores : run->shown);
}

static int score_program(const struct options *options, const struct machine *machine,
                         struct program *program, struct error *error)
{
    struct score_run it = {.options = options, .machine = machine, .program = program};
    const char *section = options->section;
    if (section && strcmp(section, "times") != 0 && strcmp(section, "ranking") != 0)
        return error_set(error, "--section is '%.60s': expected times or ranking", section);
    it.shown = report_new(time_columns, RECORD_COUNT(time_columns));
    it.scores = report_new(score_columns, RECORD_COUNT(score_columns));
    int status = read_times(&it, error);
    for (size_t i = 0; i < it.times.count && status == 0; i++)
        if (is_first(&it, i, same_setting))
            status = score_setting(&it, i, error);
    if (status == 0)
        print(&it);
    report_free(it.shown);
    report_free(it.scores);
    list_free(&time_record, &it.times);
    return status;
}

int cmd_score(int argc, char **argv, struct error *error)
{
    return with_inputs(&face, argc, argv, score_program, error);
}
