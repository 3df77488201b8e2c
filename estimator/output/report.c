#include "estimator/output/report.h"

#include "estimator/output/html.h"
#include "estimator/output/json.h"
#include "estimator/output/shown.h"
#include "estimator/output/units.h"
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/base/printable.h"
#include "model/cost/cost.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    bool is_number;
    double number;
    char *text;            /* printable; owned; of a number what text has in its place, or NULL */
    struct report *within; /* owned */
};

struct report {
    char **columns;
    size_t width;
    struct cell *cells;
    size_t count, room;
};

int report_format_parse(const char *word, enum report_format *format, struct error *error)
{
    static const char *const names[] = {"text", "csv", "json"};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(word, names[i]) == 0) {
            *format = (enum report_format)i;
            return 0;
        }
    return error_set(error, "--format is '%.60s': expected text, csv or json", word);
}

struct report *report_new(const char *const *columns, size_t count)
{
    struct report *report = memory_new(1, sizeof *report);
    report->columns = memory_new(count, sizeof *report->columns);
    report->width = count;
    for (size_t i = 0; i < count; i++)
        report->columns[i] = printable(columns[i]);
    return report;
}

static void free_cell(struct cell *cell)
{
    free(cell->text);
    if (cell->within)
        report_free(cell->within);
}

void report_free(struct report *report)
{
    for (size_t i = 0; i < report->count; i++)
        free_cell(&report->cells[i]);
    for (size_t i = 0; i < report->width; i++)
        free(report->columns[i]);
    free(report->cells);
    free(report->columns);
    free(report);
}

static void add(struct report *report, struct cell cell)
{
    if (report->count == report->room) {
        report->room = report->room ? 2 * report->room : 64;
        report->cells = memory_grow(report->cells, report->room, sizeof cell);
    }
    report->cells[report->count++] = cell;
}

void report_number(struct report *report, double value)
{
    add(report, (struct cell){.is_number = true, .number = value});
}

void report_text(struct report *report, const char *text)
{
    add(report, (struct cell){.text = printable(text ? text : "")});
}

/* Ends farther apart than this say more than a time with decimals. */
static const double apart_most = 4.0;

void report_time(struct report *report, double time_us, double low_us, double high_us)
{
    struct cell time = {.is_number = true, .number = time_us};
    if (cost_interval_flag(time_us, low_us, high_us))
        low_us = high_us = NAN;
    if (isfinite(high_us) && high_us > apart_most * low_us)
        time.text = memory_copy_text("");
    add(report, time);
    report_number(report, low_us);
    report_number(report, high_us);
}

void report_rows_within(struct report *report, struct report *within)
{
    add(report, (struct cell){.within = within});
}

/* ---- CSV and JSON: full precision ---- */

/* A table of numbers is opened by programs that run a cell as a formula where it begins like one:
   such a text begins with an apostrophe, which they take for a text's. */
static void put_csv_text(const char *text, FILE *stream)
{
    double number;
    const bool is_formula =
        *text && strchr("=+-@\t\r", *text) && text[1] && !number_parse(text, &number);
    const bool is_quoted = strpbrk(text, ",\"\n\r") != NULL;
    if (is_quoted)
        putc('"', stream);
    if (is_formula)
        putc('\'', stream);
    for (const char *c = text; *c; c++)
        fprintf(stream, *c == '"' ? "\"\"" : "%c", *c);
    if (is_quoted)
        putc('"', stream);
}

static void put_csv(const struct cell *cell, FILE *stream)
{
    char number[NUMBER_TEXT];
    if (cell->is_number)
        fputs(isfinite(cell->number) ? number_print(cell->number, number) : "", stream);
    else if (cell->text)
        put_csv_text(cell->text, stream);
}

static void put_json_rows(const struct report *report, int indent, FILE *stream);

/* Within an object, which is indented by so much. */
static void put_json(const struct cell *cell, int indent, FILE *stream)
{
    char number[NUMBER_TEXT];
    if (cell->within)
        put_json_rows(cell->within, indent + 1, stream);
    else if (!cell->is_number)
        json_text(stream, cell->text);
    else
        fputs(isfinite(cell->number) ? number_print(cell->number, number) : "null", stream);
}

void report_write_csv(const struct report *report, FILE *stream)
{
    for (size_t i = 0; i < report->width; i++) {
        fputs(i ? "," : "", stream);
        put_csv_text(report->columns[i], stream);
    }
    putc('\n', stream);
    for (size_t i = 0, column = 1; i < report->count; i++, column++) {
        put_csv(&report->cells[i], stream);
        putc(column < report->width ? ',' : '\n', stream);
        column = column < report->width ? column : 0;
    }
}

static void put_json_rows(const struct report *report, int indent, FILE *stream)
{
    putc('[', stream);
    for (size_t i = 0; i < report->count; i++) {
        const size_t column = i % report->width;
        if (column)
            fputs(", ", stream);
        else
            fprintf(stream, "%s\n%*s{", i ? "}," : "", indent, "");
        json_text(stream, report->columns[column]);
        fputs(": ", stream);
        put_json(&report->cells[i], indent, stream);
    }
    if (report->count)
        fprintf(stream, "}\n%*s", indent - 1, "");
    putc(']', stream);
}

/* The rows stand in an object, whose members are indented by one. */
void report_write_json(const struct report *report, FILE *stream)
{
    put_json_rows(report, 2, stream);
}

/* ---- for people ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), behind = strlen(end);
    return length >= behind && strcmp(text + length - behind, end) == 0;
}

/* The text of a cell; owned by the caller. */
static char *cell_text(const char *column, const struct cell *cell)
{
    char text[UNITS_TEXT];
    if (cell->text || !cell->is_number)
        return memory_copy_text(cell->text ? cell->text : "");
    if (ends_with(column, "_us"))
        units_time(cell->number, text);
    else if (ends_with(column, "bytes"))
        units_bytes(cell->number, text);
    else if (ends_with(column, "_percent") && isfinite(cell->number))
        snprintf(text, sizeof text, "%.3g", cell->number);
    else
        units_number(cell->number, text);
    return memory_copy_text(text);
}

/* Two digits. */
static double rounded(double value)
{
    const double unit = value > 0.0 ? pow(10.0, floor(log10(value)) - 1.0) : 1.0;
    return round(value / unit) * unit;
}

/* Both ends of an interval, of which `low` is one and the cell behind it the other; owned by the
   caller. Where the interval is all that is said of a time, it says so. */
static char *range_text(const struct report *report, const struct cell *low, bool is_time)
{
    const double low_us = low[0].number, high_us = low[1].number;
    char text[UNITS_TEXT], other[UNITS_TEXT];
    if (!isfinite(low_us) || !isfinite(high_us))
        return memory_copy_text("");
    if (!is_time)
        return memory_format("%s to %s", units_number(low_us, text), units_number(high_us, other));
    const bool is_all = low > report->cells && low[-1].is_number && low[-1].text;
    return is_all ? memory_format("between %s and %s", units_time(rounded(low_us), text),
                                  units_time(rounded(high_us), other))
                  : memory_copy_text(units_time_range(low_us, high_us, text));
}

/* Columns that are empty in every row are not shown. */
static struct shown shown_of(const struct report *report)
{
    struct shown shown = {.rows = report->count / report->width};
    shown.columns = memory_new(report->width, sizeof *shown.columns);
    for (size_t i = 0; i < report->width; i++) {
        const char *name = report->columns[i];
        const bool is_range = strncmp(name, "low_", 4) == 0 && i + 1 < report->width &&
                              strncmp(report->columns[i + 1], "high_", 5) == 0;
        struct shown_column column = {.is_numbers = true};
        bool is_empty = true;
        column.cells = memory_new(shown.rows, sizeof *column.cells);
        for (size_t row = 0; row < shown.rows; row++) {
            const struct cell *cell = &report->cells[row * report->width + i];
            column.cells[row] =
                is_range ? range_text(report, cell, ends_with(name, "_us")) : cell_text(name, cell);
            column.is_numbers = column.is_numbers && cell->is_number;
            is_empty = is_empty &&
                       (cell->is_number ? !isfinite(cell->number) : column.cells[row][0] == '\0');
        }
        column.heading = is_range ? memory_copy_text(RANGE_HEADING) : shown_heading(name);
        shown.columns[shown.width++] = column;
        i += is_range;
        if (is_empty) {
            for (size_t row = 0; row < shown.rows; row++)
                free(column.cells[row]);
            free(column.cells);
            free(column.heading);
            shown.width--;
        }
    }
    return shown;
}

/* ---- HTML ---- */

enum { WRAPPED_TEXT = 48, FOLDED_TEXT = 200 };

/* A long text stands on several lines, a very long one is folded up. */
static void put_html_text(FILE *page, const char *text)
{
    if (shown_length(text) < FOLDED_TEXT) {
        html_element(page, "td", shown_length(text) < WRAPPED_TEXT ? NULL : "text", text);
        return;
    }
    char *begin = memory_format("%.60s ...", text);
    fputs("<td class=\"text\"><details>", page);
    html_element(page, "summary", NULL, begin);
    html_text(page, text);
    fputs("</details></td>\n", page);
    free(begin);
}

void report_write_html(const struct report *report, FILE *page)
{
    struct shown shown = shown_of(report);
    fputs("<div class=\"table\"><table>\n<thead><tr>", page);
    for (size_t i = 0; i < shown.width; i++)
        html_element(page, "th", shown.columns[i].is_numbers ? "number" : NULL,
                     shown.columns[i].heading);
    fputs("</tr></thead>\n<tbody>\n", page);
    for (size_t row = 0; row < shown.rows; row++) {
        fputs("<tr>", page);
        for (size_t i = 0; i < shown.width; i++)
            if (shown.columns[i].is_numbers)
                html_element(page, "td", "number", shown.columns[i].cells[row]);
            else
                put_html_text(page, shown.columns[i].cells[row]);
        fputs("</tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
    shown_free(&shown);
}

size_t report_rows(const struct report *report)
{
    return (report->count + report->width - 1) / report->width;
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (; (text = strstr(text, word)); text += length)
        if (text[length] == '\0' || text[length] == ' ')
            return true;
    return false;
}

bool report_has_word(const struct report *report, const char *column, const char *word)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct cell *cell = &report->cells[i];
        if (cell->within && report_has_word(cell->within, column, word))
            return true;
        if (cell->text && strcmp(report->columns[i % report->width], column) == 0 &&
            has_word(cell->text, word))
            return true;
    }
    return false;
}

bool report_has_number(const struct report *report, const char *column)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct cell *cell = &report->cells[i];
        if (cell->within && report_has_number(cell->within, column))
            return true;
        if (cell->is_number && isfinite(cell->number) &&
            strcmp(report->columns[i % report->width], column) == 0)
            return true;
    }
    return false;
}

void report_print(const struct report *report, enum report_format format)
{
    if (format == REPORT_CSV) {
        report_write_csv(report, stdout);
    } else {
        struct shown shown = shown_of(report);
        shown_print(&shown, format == REPORT_WIDE ? SIZE_MAX : shown_line(), stdout);
        shown_free(&shown);
    }
}
