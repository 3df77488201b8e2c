#include "model/machine/points.h"

#include "model/base/memory.h"
#include "model/base/number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One column of the file: a number of the point, its name, or the flag. */
struct column {
    const char *name;
    enum { COLUMN_NAME, COLUMN_NUMBER, COLUMN_FLAG } kind;
    size_t offset;
};

#define NUMBER(member)                                                                             \
    {                                                                                              \
#member, COLUMN_NUMBER, offsetof(struct point, member)                                     \
    }

static const struct column columns[] = {
    {"utility",  COLUMN_NAME, offsetof(struct point, utility) },
    NUMBER(processors),
    NUMBER(bytes),
    NUMBER(repetitions),
    NUMBER(minimum_us),
    NUMBER(median_us),
    NUMBER(mean_us),
    NUMBER(standard_deviation_us),
    NUMBER(maximum_us),
    NUMBER(half_width_us),
    NUMBER(rejected),
    NUMBER(attempt),
    NUMBER(launch),
    {"held_out", COLUMN_FLAG, offsetof(struct point, held_out)},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

const struct record point_record = {.name = "a point",
                                    .size = sizeof(struct point),
                                    .fields = NULL,
                                    .count = 0,
                                    .place_offset = NO_PLACE};

void points_write_header(FILE *stream)
{
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(stream, "%s%s", i ? "," : "", columns[i].name);
    fputc('\n', stream);
}

void points_write(FILE *stream, const struct point *point)
{
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < COLUMNS; i++) {
        const void *member = (const char *)point + columns[i].offset;
        fputs(i ? "," : "", stream);
        if (columns[i].kind == COLUMN_NAME)
            fputs(member, stream);
        else if (columns[i].kind == COLUMN_FLAG)
            fputs(*(const bool *)member ? "1" : "0", stream);
        else
            fputs(number_print(*(const double *)member, number), stream);
    }
    fputc('\n', stream);
}

/* ---- reading ---- */

/* A file being read, a line at a time. */
struct reader {
    const char *path;
    FILE *stream;
    char *line;
    size_t room;
    unsigned number;
    bool failed;                         /* the last line could not be read */
    const struct column *order[COLUMNS]; /* which column stands where */
    size_t width;
};

/* Whether there is another line; without its end. */
static bool next_line(struct reader *reader)
{
    const ssize_t length = getline(&reader->line, &reader->room, reader->stream);
    reader->failed = length < 0 && !feof(reader->stream);
    if (length < 0)
        return false;
    reader->line[strcspn(reader->line, "\r\n")] = '\0';
    reader->number++;
    return true;
}

static int check_reading(const struct reader *reader, struct error *error)
{
    return reader->failed ? error_at(error, place_at(reader->path, reader->number + 1, 1),
                                     "cannot be read: %s", strerror(errno))
                          : 0;
}

static struct place here(const struct reader *reader, const char *cell)
{
    return place_at(reader->path, reader->number, (unsigned)(cell - reader->line) + 1);
}

/* Cuts the next cell off *rest, which becomes NULL after the last. */
static char *next_cell(char **rest)
{
    char *cell = *rest, *comma = strchr(cell, ',');
    if (comma)
        *comma++ = '\0';
    *rest = comma;
    return cell;
}

static int read_header(struct reader *reader, struct error *error)
{
    if (!next_line(reader))
        return check_reading(reader, error) == 0 ? error_at(error, place_at(reader->path, 1, 1),
                                                            "empty: expected a line of columns")
                                                 : -1;
    for (char *rest = reader->line; rest;) {
        const char *cell = next_cell(&rest);
        size_t i = 0;
        while (i < COLUMNS && strcmp(columns[i].name, cell) != 0)
            i++;
        if (i == COLUMNS || reader->width == COLUMNS)
            return error_at(error, here(reader, cell), "unknown column '%.60s'", cell);
        for (size_t k = 0; k < reader->width; k++)
            if (reader->order[k] == &columns[i])
                return error_at(error, here(reader, cell), "column '%s' a second time", cell);
        reader->order[reader->width++] = &columns[i];
    }
    if (reader->width < COLUMNS)
        return error_at(error, place_at(reader->path, 1, 1), "%zu columns: expected %d",
                        reader->width, COLUMNS);
    return 0;
}

static int read_cell(const struct reader *reader, const struct column *column, const char *cell,
                     struct point *point, struct error *error)
{
    void *member = (char *)point + column->offset;
    double number;
    if (column->kind == COLUMN_NAME) {
        if (cell[0] == '\0' || strlen(cell) >= POINT_NAME)
            return error_at(error, here(reader, cell), "'%.60s' is not the name of a utility",
                            cell);
        strcpy(member, cell);
        return 0;
    }
    if (!number_parse(cell, &number))
        return error_at(error, here(reader, cell), "%s is '%.60s': expected a number", column->name,
                        cell);
    if (column->kind == COLUMN_FLAG)
        *(bool *)member = number != 0.0;
    else
        *(double *)member = number;
    return 0;
}

static int read_point(struct reader *reader, struct point *point, struct error *error)
{
    size_t at = 0;
    for (char *rest = reader->line; rest; at++) {
        const char *cell = next_cell(&rest);
        if (at == reader->width)
            return error_at(error, here(reader, cell), "more cells than columns");
        if (read_cell(reader, reader->order[at], cell, point, error) != 0)
            return -1;
    }
    if (at < reader->width)
        return error_at(error, place_at(reader->path, reader->number, 1), "%zu cells: expected %zu",
                        at, reader->width);
    return 0;
}

int points_read(const char *path, struct list *list, struct error *error)
{
    const size_t before = list->count;
    struct reader reader = {.path = path, .stream = fopen(path, "r")};
    if (!reader.stream)
        return error_at(error, place_at(path, 0, 0), "cannot be read: %s", strerror(errno));
    int status = read_header(&reader, error);
    while (status == 0 && next_line(&reader))
        status = read_point(&reader, list_add(&point_record, list), error);
    if (status == 0)
        status = check_reading(&reader, error);
    if (status != 0)
        list->count = before;
    fclose(reader.stream);
    free(reader.line);
    return status;
}
