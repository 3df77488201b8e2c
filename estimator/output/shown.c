#include "estimator/output/shown.h"

#include "model/base/allocation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void shown_free(struct shown *shown)
{
    for (size_t i = 0; i < shown->width; i++) {
        for (size_t row = 0; row < shown->rows; row++)
            free(shown->columns[i].cells[row]);
        free(shown->columns[i].cells);
        free(shown->columns[i].heading);
    }
    free(shown->columns);
    *shown = (struct shown){0};
}

/* Words of users for names of columns. */
static const struct {
    const char *column, *heading;
} headings[] = {
    {"processors",            "processes"},
    {"compute_us",            "compute"  },
    {"communicate_us",        "in MPI"   },
    {"communication_percent", "in MPI %" },
    {"total_us",              "time"     }
};

char *shown_heading(const char *column)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (strcmp(column, headings[i].column) == 0)
            return memory_copy_text(headings[i].heading);
    static const struct {
        const char *end, *unit;
    } units[] = {
        {"_us",       ""     },
        {"_mb_per_s", " MB/s"},
        {"_percent",  " %"   }
    };
    size_t length = strlen(column);
    const char *unit = "";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t end = strlen(units[i].end);
        if (length > end && strcmp(column + length - end, units[i].end) == 0) {
            length -= end;
            unit = units[i].unit;
            break;
        }
    }
    char *heading = memory_format("%.*s%s", (int)length, column, unit);
    for (char *at = heading; (at = strchr(at, '_'));)
        *at = ' ';
    return heading;
}

size_t shown_length(const char *text)
{
    size_t length = 0;
    for (; *text; text++)
        length += ((unsigned char)*text & 0xc0) != 0x80;
    return length;
}

size_t shown_line(void)
{
    enum { LINE = 80, LINE_LEAST = 40 };
    const char *told = getenv("COLUMNS");
    char *end = NULL;
    const unsigned long columns = told ? strtoul(told, &end, 10) : 0;
    return columns >= LINE_LEAST && *end == '\0' ? columns : LINE;
}

/* ---- lines of a text ---- */

size_t shown_next_line(const char *text, size_t width, const char **rest)
{
    size_t length = 0, characters = 0, fits = 0;
    for (; text[length] && (characters <= width || fits == 0); length++) {
        const bool is_with_unit = length > 0 && isdigit((unsigned char)text[length - 1]) &&
                                  isalpha((unsigned char)text[length + 1]);
        characters += ((unsigned char)text[length] & 0xc0) != 0x80;
        if (text[length] == ' ' && !is_with_unit && (fits == 0 || characters <= width + 1))
            fits = length;
    }
    if (text[length] == '\0' && (characters <= width || fits == 0))
        fits = length;
    *rest = text + fits;
    while (**rest == ' ')
        ++*rest;
    return fits;
}

static size_t longest_word(const char *text)
{
    size_t longest = 0;
    while (*text) {
        const char *rest;
        const size_t bytes = shown_next_line(text, 1, &rest);
        char *word = memory_format("%.*s", (int)bytes, text);
        const size_t length = shown_length(word);
        free(word);
        longest = length > longest ? length : longest;
        text = rest;
    }
    return longest;
}

/* ---- the table ---- */

struct look {
    size_t width;    /* at present */
    size_t of_cells; /* where the heading is folded, if it can be */
    size_t least;    /* where the texts are folded, too */
    bool is_left_out;
};

static struct look look_of(const struct shown_column *column, size_t rows)
{
    struct look look = {0};
    look.of_cells = look.least = longest_word(column->heading);
    for (size_t row = 0; row < rows; row++) {
        const size_t length = shown_length(column->cells[row]);
        const size_t word = column->is_numbers ? length : longest_word(column->cells[row]);
        look.of_cells = length > look.of_cells ? length : look.of_cells;
        look.least = word > look.least ? word : look.least;
    }
    const size_t heading = shown_length(column->heading);
    look.width = heading > look.of_cells ? heading : look.of_cells;
    return look;
}

/* How a table is laid out. */
struct layout {
    struct look *looks; /* one a column */
    size_t between;     /* blanks between columns: 2, or 1 where that makes room */
};

static size_t total_of(const struct shown *shown, const struct layout *layout)
{
    size_t total = 0;
    for (size_t i = 0; i < shown->width; i++)
        if (!layout->looks[i].is_left_out)
            total += layout->looks[i].width + layout->between;
    return total > 0 ? total - layout->between : 0;
}

/* Makes texts narrower, the widest first, but none of them narrower than so many characters. */
static void fold_texts(const struct shown *shown, struct layout *layout, size_t least, size_t line)
{
    struct look *looks = layout->looks;
    while (total_of(shown, layout) > line) {
        size_t widest = shown->width;
        for (size_t i = 0; i < shown->width; i++)
            if (!looks[i].is_left_out && looks[i].width > looks[i].least &&
                looks[i].width > least &&
                (widest == shown->width || looks[i].width > looks[widest].width))
                widest = i;
        if (widest == shown->width)
            return;
        looks[widest].width--;
    }
}

/* What says how sure a row is, and its time, are never left out. */
static bool is_needed(const struct shown_column *column)
{
    static const char *const needed[] = {"time", RANGE_HEADING, "flags"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (strcmp(column->heading, needed[i]) == 0)
            return true;
    return false;
}

/* Columns are left out before texts are folded to less than what reads well. */
static void fit(const struct shown *shown, struct layout *layout, size_t line)
{
    enum { READS_WELL = 16 };
    struct look *looks = layout->looks;
    for (size_t i = 0; i < shown->width && total_of(shown, layout) > line; i++)
        looks[i].width = looks[i].of_cells;
    if (total_of(shown, layout) > line)
        layout->between = 1;
    fold_texts(shown, layout, READS_WELL, line);
    for (size_t i = shown->width; i-- > 2 && total_of(shown, layout) > line;)
        looks[i].is_left_out = !is_needed(&shown->columns[i]);
    layout->between = 2;
    layout->between = total_of(shown, layout) > line ? 1 : 2;
    fold_texts(shown, layout, 0, line);
}

/* Writes one row, whose texts stand in as many lines as they need. */
static void print_row(const struct shown *shown, const struct layout *layout, const char *texts[],
                      FILE *stream)
{
    const struct look *looks = layout->looks;
    for (bool more = true; more;) {
        size_t owed = 0;
        more = false;
        for (size_t i = 0; i < shown->width; i++) {
            if (looks[i].is_left_out)
                continue;
            const char *rest;
            const size_t bytes = shown_next_line(texts[i], looks[i].width, &rest);
            char *part = memory_format("%.*s", (int)bytes, texts[i]);
            const size_t length = shown_length(part);
            const size_t blanks = length < looks[i].width ? looks[i].width - length : 0;
            const bool is_right = shown->columns[i].is_numbers;
            if (length > 0)
                fprintf(stream, "%*s%s", (int)(owed + (is_right ? blanks : 0)), "", part);
            owed = layout->between + (length == 0 ? owed + looks[i].width : is_right ? 0 : blanks);
            more = more || *rest != '\0';
            texts[i] = rest;
            free(part);
        }
        putc('\n', stream);
    }
}

void shown_print(const struct shown *shown, size_t line, FILE *stream)
{
    struct look *looks = memory_new(shown->width, sizeof *looks);
    struct layout layout = {looks, 2};
    const char **texts = memory_new(shown->width, sizeof *texts);
    for (size_t i = 0; i < shown->width; i++)
        looks[i] = look_of(&shown->columns[i], shown->rows);
    fit(shown, &layout, line);
    for (size_t i = 0; i < shown->width; i++)
        texts[i] = shown->columns[i].heading;
    print_row(shown, &layout, texts, stream);
    for (size_t row = 0; row < shown->rows; row++) {
        for (size_t i = 0; i < shown->width; i++)
            texts[i] = shown->columns[i].cells[row];
        print_row(shown, &layout, texts, stream);
    }
    const char *before = "Left out here (--wide shows all): ";
    for (size_t i = 0; i < shown->width; i++)
        if (looks[i].is_left_out) {
            fprintf(stream, "%s%s", before, shown->columns[i].heading);
            before = ", ";
        }
    fputs(before[0] == ',' ? "\n" : "", stream);
    free(texts);
    free(looks);
}
