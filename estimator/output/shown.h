/* What people see of rows and columns: headings in words, numbers with their units, the two ends of
   an interval in one column. The rows' CSV and JSON have the same in full. */
#ifndef ESTIMATOR_OUTPUT_SHOWN_H
#define ESTIMATOR_OUTPUT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One column; its cells are owned. */
struct shown_column {
    char *heading;
    char **cells;    /* one a row */
    bool is_numbers; /* aligned at the right */
};

/* A table; owned by its maker, who releases it with shown_free. */
struct shown {
    struct shown_column *columns;
    size_t width, rows;
};

void shown_free(struct shown *shown);

/* The heading of both ends of an interval. */
#define RANGE_HEADING "likely range"

/* The heading of a column of that name: "total_us" is "time", since its cells have units. The
   caller releases it. */
char *shown_heading(const char *column);

/* Characters of a text on the screen; the text is UTF-8. */
size_t shown_length(const char *text);

/* Writes the table as aligned text in lines of at most so many columns. Texts of several words are
   folded where there is no room. Columns for which that does not make room are left out from the
   right, but for times, their ranges and flags, and named below the table. A word longer than a
   line is not cut. */
void shown_print(const struct shown *shown, size_t line, FILE *stream);

/* The bytes of the next line of a text, at most so many characters, and in *rest where the line
   after it begins. Lines end at blanks, but not between a number and its unit; a word that is
   longer is a line. */
size_t shown_next_line(const char *text, size_t characters, const char **rest);

/* The columns of a line of text: the variable COLUMNS where it is a number from 40 on, otherwise
   80. */
size_t shown_line(void);

#endif
