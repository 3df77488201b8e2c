/* CSV files a line at a time: cells between commas, in double quotes where they hold one. */
#ifndef MODEL_RECORDS_CSV_IN_H
#define MODEL_RECORDS_CSV_IN_H

#include "model/base/error.h"

#include <stddef.h>
#include <stdio.h>

struct csv_in {
    const char *path; /* borrowed */
    FILE *stream;
    char *line; /* without its end; the cells are cut out of it */
    size_t room;
    unsigned number; /* of the line, from 1 */
};

/* Opens a file, or standard input (input.h), and reads its first line, the columns. An empty file
   is an error. On success release with csv_close. */
int csv_open(struct csv_in *csv, const char *path, struct error *error);

/* The next line: 1; 0 after the last; -1 with *error set. */
int csv_next(struct csv_in *csv, struct error *error);

/* Cuts the next cell off *rest, which begins as the line and becomes NULL after the last cell. */
char *csv_cell(char **rest);

/* How many cells the line has: an error, where that is not the number of columns. */
int csv_expect(const struct csv_in *csv, size_t cells, size_t columns, struct error *error);

/* Where a cell of the line stands, and where the line begins. */
struct place csv_place(const struct csv_in *csv, const char *cell);
struct place csv_line_place(const struct csv_in *csv);

void csv_close(struct csv_in *csv);

#endif
