#include "estimator/explore/page.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of settings and of candidates as many are shown at once; more are scrolled. */
enum { WINDOW = 6 };

static void __attribute__((format(printf, 3, 4)))
add(struct page *page, bool strong, const char *format, ...)
{
    va_list more;
    if (page->count + 1 >= page->rows) /* the last row is the keys' */
        return;
    struct line_of_page *line = &page->lines[page->count++];
    va_start(more, format);
    char *text = memory_format_list(format, more), *shown = printable(text);
    va_end(more);
    snprintf(line->text, page->columns + 1, "%s", shown);
    free(text);
    free(shown);
    line->strong = strong;
}

/* The first of `count` things to show, so that `at` is among WINDOW of them. */
static size_t window_of(size_t at, size_t count)
{
    const size_t half = WINDOW / 2;
    if (count <= WINDOW || at < half)
        return 0;
    return at - half + WINDOW > count ? count - WINDOW : at - half;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- settings ---- */

static void add_setting(struct page *page, const struct explorer *it, size_t i)
{
    char number[NUMBER_TEXT];
    const struct setting *setting = &it->settings[i];
    const bool chosen = i == it->focus;
    const char *mark = chosen ? ">" : " ";
    if (i == SETTING_MACHINE)
        add(page, chosen, "%s %-16.16s %s (%zu of %zu)", mark, setting->name,
            it->machines[it->machine].machine.name, it->machine + 1, it->machine_count);
    else
        add(page, chosen, "%s %-16.16s %s%s%s%s", mark, setting->name,
            number_print(setting->value, number), chosen && it->typed[0] ? " -> " : "",
            chosen ? it->typed : "", chosen && it->typed[0] ? "_" : "");
}

static void add_settings(struct page *page, const struct explorer *it)
{
    const size_t first = window_of(it->focus, it->setting_count);
    for (size_t i = first; i < least(first + WINDOW, it->setting_count); i++)
        add_setting(page, it, i);
}

/* ---- candidates ---- */

static const struct ranked *ranked_of(const struct explorer *it, size_t candidate)
{
    const struct candidate *candidates = it->program->candidates.items;
    for (size_t i = 0; it->ranked && i < it->ranking.count; i++)
        if (it->ranking.items[i].candidate == &candidates[candidate])
            return &it->ranking.items[i];
    return NULL;
}

/* What the numbers leave to the names. */
static int name_width(const struct page *page)
{
    enum { NUMBERS = 4 + 4 * 12 + 15, LEAST = 8, MOST = 24 };
    return page->columns < NUMBERS + LEAST  ? LEAST
           : page->columns > NUMBERS + MOST ? MOST
                                            : (int)page->columns - NUMBERS;
}

static void add_candidate(struct page *page, const struct explorer *it, size_t i)
{
    const struct candidate *candidates = it->program->candidates.items;
    const struct ranked *ranked = ranked_of(it, i);
    const bool chosen = i == it->candidate;
    if (!ranked) {
        add(page, chosen, "%s - %-*.24s%s", chosen ? "*" : " ", name_width(page),
            candidates[i].name, it->ranked ? " does not fit" : "");
        return;
    }
    const struct segment_prediction *whole = &ranked->prediction.whole;
    const int width = name_width(page);
    add(page, chosen, "%s%2zu %-*.*s%12.6g%15.6g%12.6g%12.6g%12.6g", chosen ? "*" : " ",
        ranked->rank, width, width, candidates[i].name, whole->compute_us, whole->communicate_us,
        whole->total_us, whole->low_us, whole->high_us);
}

static void add_candidates(struct page *page, const struct explorer *it)
{
    const size_t count = it->program->candidates.count;
    const size_t first = window_of(it->candidate, count);
    add(page, false, "    %-*s%12s%15s%12s%12s%12s", name_width(page), "candidate", "compute_us",
        "communicate_us", "total_us", "low_us", "high_us");
    for (size_t i = first; i < least(first + WINDOW, count); i++)
        add_candidate(page, it, i);
}

/* ---- where the time goes ---- */

static void add_item(struct page *page, const struct item *item)
{
    char line[PAGE_COLUMNS + 1];
    snprintf(line, sizeof line, "%s%s%s", item->resource, *item->resource ? ", " : "", item->what);
    add(page, false, "%14.6g us  %s", item->time_us, line);
}

/* How much of a text of so many characters goes on one line: up to a space, where there is one. */
static size_t line_length(const struct page *page, const char *text, size_t length)
{
    size_t at = page->columns;
    if (length <= page->columns)
        return length;
    while (at > 0 && text[at] != ' ')
        at--;
    return at > 0 ? at : page->columns;
}

/* A text of several lines, long ones in several. */
static void add_text(struct page *page, const char *text)
{
    while (*text && page->columns > 0) {
        const size_t length = line_length(page, text, strcspn(text, "\n"));
        add(page, false, "%.*s", (int)length, text);
        text += length;
        text += *text == '\n' || *text == ' ';
    }
}

/* Why there is nothing to show of a candidate. */
static void add_reason(struct page *page, const struct explorer *it)
{
    add_text(page, it->message);
    if (it->ranked && it->remarks)
        add_text(page, it->remarks);
}

static void add_breakdown(struct page *page, const struct explorer *it)
{
    const struct ranked *ranked = ranked_of(it, it->candidate);
    if (!ranked) {
        add_reason(page, it);
        return;
    }
    const struct segment_prediction *segments = ranked->prediction.segments.items;
    for (size_t s = 0; s < ranked->prediction.segments.count; s++) {
        const struct item *items = segments[s].items.items;
        char flags[COST_FLAGS_TEXT];
        add(page, true, "%s: %.6g us%s%s%s", segments[s].name, segments[s].total_us,
            segments[s].flags ? " (" : "", cost_flags_print(segments[s].flags, flags),
            segments[s].flags ? ")" : "");
        for (size_t i = 0; i < segments[s].items.count; i++)
            add_item(page, &items[i]);
    }
}

/* ---- the whole ---- */

static const char keys[] =
    "arrows: choose, halve, double  + -: by one  0-9 Enter: set  Tab: candidate  q";

static void add_last(struct page *page)
{
    while (page->count + 1 < page->rows)
        add(page, false, "%s", "");
    struct line_of_page *line = &page->lines[page->count++];
    snprintf(line->text, page->columns + 1, "%s", keys);
    line->strong = false;
}

void page_fill(struct page *page, size_t rows, size_t columns, const struct explorer *explorer)
{
    const struct program *program = explorer->program;
    page->rows = least(rows, PAGE_ROWS);
    page->columns = least(columns, PAGE_COLUMNS);
    page->count = 0;
    if (rows == 0)
        return;
    const char *title = program->title ? program->title : program->path;
    if (explorer->of > 1)
        add(page, true, "%s (%zu of %zu, n: the next)", title, explorer->number, explorer->of);
    else
        add(page, true, "%s", title);
    add_settings(page, explorer);
    add(page, false, "%s", "");
    add_candidates(page, explorer);
    add(page, false, "%s", "");
    add_breakdown(page, explorer);
    add_last(page);
}
