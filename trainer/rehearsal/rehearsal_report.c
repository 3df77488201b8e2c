#include "trainer/rehearsal/rehearsal_report.h"

#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

/* Takes what is added. */
static void append(char **text, char *added)
{
    char *longer = memory_format("%s%s", *text ? *text : "", added);
    free(added);
    free(*text);
    *text = longer;
}

static void add_number(struct rehearsal_report *report, double value)
{
    char number[NUMBER_TEXT];
    append(&report->text, memory_format("%s,", isnan(value) ? "-" : number_print(value, number)));
}

/* Quoted where it has to be (RFC 4180). */
static void add_text(struct rehearsal_report *report, const char *text, char end)
{
    char *cell = memory_new(2 * strlen(text) + 4, 1), *at = cell;
    const bool quoted = strpbrk(text, ",\"\n") != NULL;
    if (quoted)
        *at++ = '"';
    for (; *text; text++) {
        if (*text == '"')
            *at++ = '"';
        *at++ = *text;
    }
    if (quoted)
        *at++ = '"';
    *at = end;
    append(&report->text, cell);
}

/* ---- the columns ---- */

void rehearsal_report_names(struct rehearsal_report *report, const struct program *program)
{
    const struct parameter *parameters = program->parameters.items;
    report->program = program;
    append(&report->text, memory_copy_text("segment,candidate,processors,"));
    for (size_t i = 0; i < program->parameters.count; i++)
        add_text(report, parameters[i].name, ',');
    append(&report->text,
           memory_copy_text("repeat,rounds,compute_us,communicate_us,total_us,minimum_us,"
                            "maximum_us,check,missing\n"));
}

void rehearsal_report_free(struct rehearsal_report *report)
{
    free(report->text);
    free(report->missing);
    *report = (struct rehearsal_report){0};
}

/* ---- rows ---- */

void rehearsal_report_begin(struct rehearsal_report *report, const char *candidate, int processors,
                            const struct scope *scope)
{
    report->candidate = candidate;
    report->processors = processors;
    report->scope = scope;
    report->all = (struct rehearsal_row){0};
    report->unchecked = false;
    free(report->missing);
    report->missing = NULL;
}

static void write_row(struct rehearsal_report *report, const char *segment,
                      const struct rehearsal_row *row, bool unchecked, const char *missing)
{
    const struct parameter *parameters = report->program->parameters.items;
    add_text(report, segment, ',');
    add_text(report, report->candidate, ',');
    add_number(report, report->processors);
    for (size_t i = 0; i < report->program->parameters.count; i++) {
        double value = 0.0;
        scope_get(report->scope, parameters[i].name, &value);
        add_number(report, value);
    }
    add_number(report, row->repeat);
    add_number(report, row->rounds);
    add_number(report, row->compute_us);
    add_number(report, row->total_us - row->compute_us);
    add_number(report, row->total_us);
    add_number(report, row->minimum_us);
    add_number(report, row->maximum_us);
    add_text(report, unchecked ? "unchecked" : "right", ',');
    add_text(report, missing ? missing : "", '\n');
}

static void miss(char **missing, const char *name, const char *why)
{
    append(missing, memory_format("%s%s: %s", *missing ? "; " : "", name, why));
}

/* What of the phase is not run, as a text to be freed; NULL: all is. */
static char *missing_of(const struct rehearsal_phase *phase)
{
    char *missing = NULL;
    for (size_t i = 0; i < phase->part_count; i++)
        if (phase->parts[i].missing)
            miss(&missing, phase->parts[i].name, phase->parts[i].missing);
    if (phase->overlaps)
        miss(&missing, "overlap", "communication does not hide behind computation here");
    return missing;
}

static void add_row(struct rehearsal_report *report, const struct rehearsal_phase *phase,
                    const struct rehearsal_row *row, bool unchecked, const char *missing)
{
    write_row(report, phase->name, row, unchecked, missing);
    if (missing)
        miss(&report->missing, phase->name, missing);
    report->unchecked |= unchecked;
    report->all.compute_us += row->compute_us;
    report->all.total_us += row->total_us;
    report->all.minimum_us += row->minimum_us;
    report->all.maximum_us += row->maximum_us;
    report->all.rounds += row->rounds;
    report->all.repeat += row->repeat;
}

void rehearsal_report_add(struct rehearsal_report *report, const struct rehearsal_phase *phase,
                          const struct rehearsal_row *row)
{
    char *missing = missing_of(phase);
    bool unchecked = false;
    for (size_t i = 0; i < phase->move_count; i++)
        unchecked |= phase->moves[i].delivery == NULL;
    add_row(report, phase, row, unchecked, missing);
    free(missing);
}

void rehearsal_report_add_cut(struct rehearsal_report *report, const struct rehearsal_phase *phase,
                              const char *why)
{
    const struct rehearsal_row row = {.repeat = phase->analysis.repeat,
                                      .compute_us = NAN,
                                      .total_us = NAN,
                                      .minimum_us = NAN,
                                      .maximum_us = NAN};
    add_row(report, phase, &row, true, why);
}

void rehearsal_report_end(struct rehearsal_report *report)
{
    write_row(report, "all", &report->all, report->unchecked, report->missing);
}

static int print(const struct rehearsal_report *report, struct error *error)
{
    if (fputs(report->text, stdout) != EOF && fflush(stdout) == 0)
        return 0;
    return error_set(error, "standard output: cannot be written: %s", strerror(errno));
}

int rehearsal_report_save(const struct rehearsal_report *report, const char *path,
                          struct error *error)
{
    struct file_out out;
    if (!path)
        return print(report, error);
    if (file_out_begin(&out, path, error) != 0)
        return -1;
    fputs(report->text, out.stream);
    return file_out_keep(&out, error);
}
