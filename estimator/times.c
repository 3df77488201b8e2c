#include "estimator/times.h"

#include "model/base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct record time_record = {
    .name = "a time", .size = sizeof(struct time_row), .place_offset = NO_PLACE};

enum what { SEGMENT, CANDIDATE, PROCESSORS, TOTAL, COMPUTE, MISSING, CHECK, PARAMETER, OTHER };

static const char *const known[] = {"segment",    "candidate", "processors", "total_us",
                                    "compute_us", "missing",   "check"};

enum { KNOWN = sizeof known / sizeof *known, NEEDED = TOTAL + 1, COLUMNS_MOST = 200 };

struct reader {
    const char *path;
    const struct program *program;
    FILE *stream;
    char *line;
    size_t room;
    unsigned number;
    enum what columns[COLUMNS_MOST];
    const char *names[COLUMNS_MOST]; /* of parameters; borrowed */
    size_t width;
};

static bool next_line(struct reader *it)
{
    if (getline(&it->line, &it->room, it->stream) < 0)
        return false;
    it->line[strcspn(it->line, "\r\n")] = '\0';
    it->number++;
    return true;
}

static struct place here(const struct reader *it, const char *cell)
{
    return place_at(it->path, it->number, (unsigned)(cell - it->line) + 1);
}

/* Cuts the next cell off *rest, which becomes NULL after the last; quotes are taken off. */
static char *next_cell(char **rest)
{
    char *cell = *rest, *to = cell, *at = cell;
    bool quoted = *at == '"';
    at += quoted;
    while (*at && (quoted || *at != ',')) {
        if (quoted && *at == '"' && at[1] != '"') {
            quoted = false;
            at++;
            continue;
        }
        at += quoted && *at == '"';
        *to++ = *at++;
    }
    *rest = *at ? at + 1 : NULL;
    *to = '\0';
    return cell;
}

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
    if (!next_line(it))
        return error_at(error, place_at(it->path, 1, 1), "empty: expected a line of columns");
    for (char *rest = it->line; rest;) {
        char *cell = next_cell(&rest);
        if (it->width == COLUMNS_MOST)
            return error_at(error, here(it, cell), "more than %d columns", COLUMNS_MOST);
        note_column(it, cell);
    }
    for (int what = 0; what < NEEDED; what++) {
        size_t i = 0;
        while (i < it->width && (int)it->columns[i] != what)
            i++;
        if (i == it->width)
            return error_at(error, place_at(it->path, 1, 1),
                            "no column %s: expected what trainer --rehearse writes", known[what]);
    }
    return 0;
}

/* ---- rows ---- */

static int read_name(const struct reader *it, const char *cell, char name[TIMES_NAME],
                     struct error *error)
{
    if (strlen(cell) >= TIMES_NAME)
        return error_at(error, here(it, cell), "a name of more than %d bytes", TIMES_NAME - 1);
    strcpy(name, cell);
    return 0;
}

static int read_number(const struct reader *it, size_t column, const char *cell, double *value,
                       struct error *error)
{
    if (number_parse(cell, value) && *value >= 0.0)
        return 0;
    return error_at(error, here(it, cell), "%s is '%.60s': expected a number from 0 on",
                    it->names[column] ? it->names[column] : known[it->columns[column]], cell);
}

static int read_parameter(const struct reader *it, size_t column, const char *cell,
                          struct time_row *row, struct error *error)
{
    double value;
    const size_t used = strlen(row->setting);
    if (!number_parse(cell, &value))
        return error_at(error, here(it, cell), "%s is '%.60s': expected a number",
                        it->names[column], cell);
    const int length = snprintf(row->setting + used, sizeof row->setting - used, "%s%s=%s",
                                used ? " " : "", it->names[column], cell);
    return length < (int)(sizeof row->setting - used)
               ? 0
               : error_at(error, here(it, cell), "too many parameters");
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
        return read_number(it, column, cell, &row->total_us, error);
    case COMPUTE:
        return read_number(it, column, cell, &row->compute_us, error);
    case MISSING:
        row->partial |= *cell != '\0';
        return 0;
    case CHECK:
        return strcmp(cell, "wrong") != 0
                   ? 0
                   : error_at(error, here(it, cell), "the program's result was wrong");
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
    for (char *rest = it->line; rest; column++) {
        char *cell = next_cell(&rest);
        if (column == it->width)
            return error_at(error, here(it, cell), "more cells than columns");
        if (read_cell(it, column, cell, row, error) != 0)
            return -1;
    }
    return column == it->width ? 0
                               : error_at(error, place_at(it->path, it->number, 1),
                                          "%zu cells: expected %zu", column, it->width);
}

int times_read(const char *path, const struct program *program, struct list *list,
               struct error *error)
{
    struct reader it = {.path = path, .program = program, .stream = fopen(path, "r")};
    if (!it.stream)
        return error_at(error, place_at(path, 0, 0), "cannot be read: %s", strerror(errno));
    int status = read_columns(&it, error);
    while (status == 0 && next_line(&it))
        status = read_row(&it, list_add(&time_record, list), error);
    if (status == 0 && ferror(it.stream))
        status = error_at(error, place_at(path, it.number + 1, 1), "cannot be read: %s",
                          strerror(errno));
    fclose(it.stream);
    free(it.line);
    return status;
}
