#include "forecast/score/times.h"

#include "model/base/number.h"
#include "model/records/csv_in.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct record time_record = {
    .name = "a time", .size = sizeof(struct time_row), .place_offset = NO_PLACE};

enum what { SEGMENT, CANDIDATE, PROCESSORS, TOTAL, COMPUTE, MISSING, CHECK, PARAMETER, OTHER };

static const char *const known[] = {"segment",    "candidate", "processors", "total_us",
                                    "compute_us", "missing",   "check"};

enum { KNOWN = sizeof known / sizeof *known, NEEDED = TOTAL + 1, COLUMNS_MOST = 200 };

struct reader {
    struct csv_in csv;
    const struct program *program;
    enum what columns[COLUMNS_MOST];
    const char *names[COLUMNS_MOST]; /* of parameters; borrowed */
    size_t width;
};

/* ---- the line of columns ---- */

static const char *parameter_named(const struct program *program, const char *name)
{
    const struct parameter *parameters = program->parameters.items;
    for (size_t i = 0; i < program->parameters.count; i++)
        if (strcmp(parameters[i].name, name) == 0)
            return parameters[i].name;
    return NULL;
}

/* A parameter may be called like a column: the columns come first. */
static void note_column(struct reader *it, const char *cell)
{
    enum what what = SEGMENT;
    while ((int)what < KNOWN && strcmp(known[what], cell) != 0)
        what++;
    it->names[it->width] = NULL;
    if ((int)what == KNOWN) {
        it->names[it->width] = parameter_named(it->program, cell);
        what = it->names[it->width] ? PARAMETER : OTHER;
    }
    it->columns[it->width++] = what;
}

static int read_columns(struct reader *it, struct error *error)
{
    for (char *rest = it->csv.line; rest;) {
        char *cell = csv_cell(&rest);
        if (it->width == COLUMNS_MOST)
            return error_at(error, csv_place(&it->csv, cell), "more than %d columns", COLUMNS_MOST);
        note_column(it, cell);
    }
    for (int what = 0; what < NEEDED; what++) {
        size_t i = 0;
        while (i < it->width && (int)it->columns[i] != what)
            i++;
        if (i == it->width)
            return error_at(error, csv_line_place(&it->csv),
                            "no column %s: expected what trainer --rehearse writes", known[what]);
    }
    return 0;
}

/* ---- rows ---- */

static int read_name(const struct reader *it, const char *cell, char name[TIMES_NAME],
                     struct error *error)
{
    if (strlen(cell) >= TIMES_NAME)
        return error_at(error, csv_place(&it->csv, cell), "a name of more than %d bytes",
                        TIMES_NAME - 1);
    strcpy(name, cell);
    return 0;
}

static int read_number(const struct reader *it, size_t column, const char *cell, double *value,
                       struct error *error)
{
    if (number_parse(cell, value) && *value >= 0.0)
        return 0;
    return error_at(error, csv_place(&it->csv, cell), "%s is '%.60s': expected a number from 0 on",
                    it->names[column] ? it->names[column] : known[it->columns[column]], cell);
}

/* A rehearsal that had no time for it says so. */
static int read_time(const struct reader *it, size_t column, const char *cell, double *value,
                     struct error *error)
{
    *value = NAN;
    return strcmp(cell, "-") == 0 ? 0 : read_number(it, column, cell, value, error);
}

static int read_parameter(const struct reader *it, size_t column, const char *cell,
                          struct time_row *row, struct error *error)
{
    double value;
    const size_t used = strlen(row->setting);
    if (!number_parse(cell, &value))
        return error_at(error, csv_place(&it->csv, cell), "%s is '%.60s': expected a number",
                        it->names[column], cell);
    const int length = snprintf(row->setting + used, sizeof row->setting - used, "%s%s=%s",
                                used ? " " : "", it->names[column], cell);
    return length < (int)(sizeof row->setting - used)
               ? 0
               : error_at(error, csv_place(&it->csv, cell), "too many parameters");
}

static int read_cell(const struct reader *it, size_t column, const char *cell, struct time_row *row,
                     struct error *error)
{
    switch (it->columns[column]) {
    case SEGMENT:
        return read_name(it, cell, row->segment, error);
    case CANDIDATE:
        return read_name(it, cell, row->candidate, error);
    case PROCESSORS:
        return read_number(it, column, cell, &row->processors, error);
    case TOTAL:
        return read_time(it, column, cell, &row->total_us, error);
    case COMPUTE:
        return read_time(it, column, cell, &row->compute_us, error);
    case MISSING:
        row->partial |= *cell != '\0';
        return 0;
    case CHECK:
        return strcmp(cell, "wrong") != 0
                   ? 0
                   : error_at(error, csv_place(&it->csv, cell), "the program's result was wrong");
    case PARAMETER:
        return read_parameter(it, column, cell, row, error);
    case OTHER:
        break;
    }
    return 0;
}

static int read_row(struct reader *it, struct time_row *row, struct error *error)
{
    size_t column = 0;
    row->compute_us = NAN;
    for (char *rest = it->csv.line; rest; column++) {
        char *cell = csv_cell(&rest);
        if (column == it->width)
            return error_at(error, csv_place(&it->csv, cell), "more cells than columns");
        if (read_cell(it, column, cell, row, error) != 0)
            return -1;
    }
    return csv_expect(&it->csv, column, it->width, error);
}

int times_read(const char *path, const struct program *program, struct list *list,
               struct error *error)
{
    struct reader it = {.program = program};
    if (csv_open(&it.csv, path, error) != 0)
        return -1;
    int status = read_columns(&it, error), more = 0;
    while (status == 0 && (more = csv_next(&it.csv, error)) > 0) {
        struct time_row *row = list_add(&time_record, list);
        status = read_row(&it, row, error);
        list->count -= status == 0 && isnan(row->total_us);
    }
    csv_close(&it.csv);
    return status == 0 ? more : status;
}
