/* Results as rows and columns, written three ways from one description: text for people, CSV and
   JSON with full precision and stable names. */
#ifndef ESTIMATOR_OUTPUT_REPORT_H
#define ESTIMATOR_OUTPUT_REPORT_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Wide text has no limit of columns. */
enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON, REPORT_WIDE };

static inline bool report_is_text(enum report_format format)
{
    return format == REPORT_TEXT || format == REPORT_WIDE;
}

/* "text", "csv" or "json"; an error otherwise. */
int report_format_parse(const char *word, enum report_format *format, struct error *error);

struct report;

/* A report of the columns named (CSV and JSON keys; headings in text). The names are copied. */
struct report *report_new(const char *const *columns, size_t count);
void report_free(struct report *report);

/* Adds a cell to the last row; a row is full when every column has its cell, and the next cell
   begins a new one. A number that is not finite is written as nothing ("-" in text), a text made
   printable (printable.h). */
void report_number(struct report *report, double value);
void report_text(struct report *report, const char *text);

/* Adds three cells: a time, and from where to where it lies. An interval without a width says that
   nothing is known of it: both ends are empty then. In text, a time whose ends are more than a
   factor of 4 apart is said as "between" them alone. */
void report_time(struct report *report, double time_us, double low_us, double high_us);

/* Adds a report as a cell, which JSON writes as a list; text and CSV have no room for it. It is
   released with the report that has it. */
void report_rows_within(struct report *report, struct report *within);

/* Whether a cell of that column, of reports within too, has the word among those that blanks
   separate. */
bool report_has_word(const struct report *report, const char *column, const char *word);

/* Whether a cell of that column, of reports within too, is a number that is known. */
bool report_has_number(const struct report *report, const char *column);

/* How many rows there are, the last one perhaps not full. */
size_t report_rows(const struct report *report);

/* Writes a table of HTML: what text has. */
void report_write_html(const struct report *report, FILE *page);

/* Writes the rows to stdout, as text (shown.h) or CSV; JSON is document.h's. */
void report_print(const struct report *report, enum report_format format);

/* The rows as a list of objects of JSON. */
void report_write_json(const struct report *report, FILE *stream);

/* The CSV, to another stream. */
void report_write_csv(const struct report *report, FILE *stream);

#endif
