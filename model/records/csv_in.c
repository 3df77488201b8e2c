#include "model/records/csv_in.h"

#include "model/base/input.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int csv_open(struct csv_in *csv, const char *path, struct error *error)
{
    *csv = (struct csv_in){.path = input_name(path), .stream = input_begin(path)};
    if (!csv->stream)
        return error_at(error, place_at(csv->path, 0, 0), "cannot be read: %s", strerror(errno));
    const int more = csv_next(csv, error);
    if (more > 0)
        return 0;
    csv_close(csv);
    return more < 0
               ? -1
               : error_at(error, place_at(csv->path, 1, 1), "empty: expected a line of columns");
}

int csv_next(struct csv_in *csv, struct error *error)
{
    const ssize_t length = getline(&csv->line, &csv->room, csv->stream);
    if (length < 0)
        return feof(csv->stream) ? 0
                                 : error_at(error, place_at(csv->path, csv->number + 1, 1),
                                            "cannot be read: %s", strerror(errno));
    csv->line[strcspn(csv->line, "\r\n")] = '\0';
    csv->number++;
    return 1;
}

char *csv_cell(char **rest)
{
    char *const cell = *rest, *to = cell, *at = cell;
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

int csv_expect(const struct csv_in *csv, size_t cells, size_t columns, struct error *error)
{
    return cells == columns
               ? 0
               : error_at(error, csv_line_place(csv), "%zu cells: expected %zu", cells, columns);
}

struct place csv_place(const struct csv_in *csv, const char *cell)
{
    return place_at(csv->path, csv->number, (unsigned)(cell - csv->line) + 1);
}

struct place csv_line_place(const struct csv_in *csv)
{
    return place_at(csv->path, csv->number, 1);
}

void csv_close(struct csv_in *csv)
{
    input_end(csv->stream);
    free(csv->line);
    csv->stream = NULL;
    csv->line = NULL;
}
