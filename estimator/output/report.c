#include "estimator/output/report.h"

#include "estimator/output/html.h"
#include "estimator/output/json.h"
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/base/printable.h"
#include "model/cost/cost.h"

#include <math.h>
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

/* A number in text: for people. */
static const char *in_text(double number, char text[NUMBER_TEXT])
{
    const double size = fabs(number);
    if (!isfinite(number))
        return "-";
    if (size < 1e12 && (size >= 1e5 || number == floor(number)))
        snprintf(text, NUMBER_TEXT, "%.0f", number);
    else
        snprintf(text, NUMBER_TEXT, "%.5g", number);
    return text;
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

/* Two digits. */
static double rounded(double value)
{
    const double unit = value > 0.0 ? pow(10.0, floor(log10(value)) - 1.0) : 1.0;
    return round(value / unit) * unit;
}

void report_time(struct report *report, double time_us, double low_us, double high_us)
{
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    struct cell time = {.is_number = true, .number = time_us};
    if (cost_interval_flag(time_us, low_us, high_us))
        low_us = high_us = NAN;
    if (isfinite(high_us) && high_us > apart_most * low_us)
        time.text = memory_format("between %s and %s", in_text(rounded(low_us), low),
                                  in_text(rounded(high_us), high));
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

/* ---- text: for people ---- */

static const char *shown(const struct cell *cell, char text[NUMBER_TEXT])
{
    if (cell->text)
        return cell->text;
    return cell->is_number ? in_text(cell->number, text) : "";
}

/* Characters on the screen: bytes that begin a character of UTF-8. */
static size_t length_of(const char *text)
{
    size_t length = 0;
    for (; *text; text++)
        length += ((unsigned char)*text & 0xc0) != 0x80;
    return length;
}

/* What a column looks like in text. */
struct look {
    size_t width; /* 0: empty in every row, not shown */
    bool right;   /* only numbers */
};

static struct look look_of(const struct report *report, size_t column)
{
    struct look look = {0, true};
    bool empty = true;
    for (size_t i = column; i < report->count; i += report->width) {
        char text[NUMBER_TEXT];
        const struct cell *cell = &report->cells[i];
        const size_t length = length_of(shown(cell, text));
        look.width = length > look.width ? length : look.width;
        look.right = look.right && cell->is_number;
        empty = empty && (cell->is_number ? !isfinite(cell->number) : length == 0);
    }
    const size_t heading = length_of(report->columns[column]);
    look.width = empty ? 0 : look.width > heading ? look.width : heading;
    return look;
}

/* Pads between columns, not at the end of a line. */
static void put_text(const struct look *look, bool first, const char *text, size_t *owed)
{
    const size_t blanks = look->width - length_of(text);
    const size_t before = *owed + (first ? 0 : 2) + (look->right ? blanks : 0);
    *owed = look->right ? 0 : blanks;
    if (text[0] == '\0')
        *owed += before;
    else
        printf("%*s%s", (int)before, "", text);
}

/* A row of cells, or the headings. */
static void put_row(const struct report *report, const struct look *looks, const struct cell *cells)
{
    size_t owed = 0;
    bool first = true;
    for (size_t i = 0; i < report->width; i++) {
        char text[NUMBER_TEXT];
        if (looks[i].width)
            put_text(&looks[i], first, cells ? shown(&cells[i], text) : report->columns[i], &owed);
        first = first && !looks[i].width;
    }
    putchar('\n');
}

static struct look *looks_of(const struct report *report)
{
    struct look *looks = memory_new(report->width, sizeof *looks);
    for (size_t i = 0; i < report->width; i++)
        looks[i] = look_of(report, i);
    return looks;
}

static void print_text(const struct report *report)
{
    struct look *looks = looks_of(report);
    put_row(report, looks, NULL);
    for (size_t i = 0; i < report->count; i += report->width)
        put_row(report, looks, &report->cells[i]);
    free(looks);
}

/* ---- HTML ---- */

/* Words of a column's name may stand on several lines. */
static void put_html_heading(FILE *page, const struct look *look, const char *column)
{
    char *words = memory_copy_text(column);
    for (char *at = words; (at = strchr(at, '_'));)
        *at = ' ';
    html_element(page, "th", look->right ? "number" : NULL, words);
    free(words);
}

static void put_html_headings(FILE *page, const struct report *report, const struct look *looks)
{
    fputs("<thead><tr>", page);
    for (size_t i = 0; i < report->width; i++)
        if (looks[i].width)
            put_html_heading(page, &looks[i], report->columns[i]);
    fputs("</tr></thead>\n", page);
}

enum { WRAPPED_TEXT = 48, FOLDED_TEXT = 200 };

/* A long text stands on several lines, a very long one is folded up. */
static void put_html_text(FILE *page, const char *text)
{
    if (length_of(text) < FOLDED_TEXT) {
        html_element(page, "td", length_of(text) < WRAPPED_TEXT ? NULL : "text", text);
        return;
    }
    char *begin = memory_format("%.60s ...", text);
    fputs("<td class=\"text\"><details>", page);
    html_element(page, "summary", NULL, begin);
    html_text(page, text);
    fputs("</details></td>\n", page);
    free(begin);
}

static void put_html_row(FILE *page, const struct report *report, const struct look *looks,
                         const struct cell *cells)
{
    fputs("<tr>", page);
    for (size_t i = 0; i < report->width; i++) {
        char text[NUMBER_TEXT];
        if (looks[i].width && looks[i].right)
            html_element(page, "td", "number", shown(&cells[i], text));
        else if (looks[i].width)
            put_html_text(page, shown(&cells[i], text));
    }
    fputs("</tr>\n", page);
}

void report_write_html(const struct report *report, FILE *page)
{
    struct look *looks = looks_of(report);
    fputs("<div class=\"table\"><table>\n", page);
    put_html_headings(page, report, looks);
    fputs("<tbody>\n", page);
    for (size_t i = 0; i < report->count; i += report->width)
        put_html_row(page, report, looks, &report->cells[i]);
    fputs("</tbody></table></div>\n", page);
    free(looks);
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
    if (format == REPORT_CSV)
        report_write_csv(report, stdout);
    else
        print_text(report);
}
