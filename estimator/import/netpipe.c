/* NetPIPE: half of the round trip of a message between two processes. Its file (np.out) has columns
   alone: bytes, Mbps, seconds in version 3, the best of several trials; bytes, the mean, least and
   most Gbps, us in version 5, the mean of them. What version 3 prints says the same. */
#include "estimator/import/import.h"

#include "model/base/allocation.h"

#include <math.h>
#include <string.h>

static const struct import_test ping_pong = {.name = "np.out", .pattern = &pattern_point_to_point};

/* Where a row has its numbers. */
struct layout {
    const char *program;
    size_t words, bytes, rate, time;
    double us;          /* of its unit of time */
    double bits_per_us; /* of its unit of rate */
    enum statistic statistic;
    bool is_printed; /* the row is of words, and others stand between */
};

/* Version 3 counts 2^20 bits as a megabit. */
#define MEBIBITS 1.048576
static const struct layout layouts[] = {
    {"NetPIPE 3", 3,  0, 1, 2, 1e6, MEBIBITS, STATISTIC_MINIMUM, false},
    {"NetPIPE 5", 5,  0, 1, 4, 1.0, 1e3,      STATISTIC_MEAN,    false},
    {"NetPIPE 3", 11, 1, 6, 9, 1.0, MEBIBITS, STATISTIC_MINIMUM, true },
};

/* A rate is off by less, and what is no rate of that size and time by more: the digits printed of
   short times allow as much. */
static const double rate_off_most = 0.1;

/* ---- whose it is ---- */

static bool is_number(const struct word *word)
{
    return word->length > 0 && strspn(word->text, "0123456789.eE+-") >= word->length;
}

static bool has_arrow(const struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (word_is(&words->items[i], "-->"))
            return true;
    return false;
}

static bool fits(const struct layout *layout, const struct words *words)
{
    if (layout->is_printed)
        return has_arrow(words);
    if (words->count != layout->words)
        return false;
    for (size_t i = 0; i < words->count; i++)
        if (!is_number(&words->items[i]))
            return false;
    return true;
}

/* The file begins with a row; what is printed has rows after other lines. */
static const struct layout *layout_of(const struct text *text)
{
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
        for (size_t i = 0; i < (layouts[k].is_printed ? text->count : 1); i++) {
            const struct words words = text_words(text->lines[i]);
            if (fits(&layouts[k], &words))
                return &layouts[k];
        }
    return NULL;
}

bool import_is_netpipe(const struct text *text)
{
    return layout_of(text);
}

/* ---- rows ---- */

static int check_rate(const struct importer *importer, size_t line, const struct layout *layout,
                      const struct words *words, const struct point *point, double time_us,
                      struct error *error)
{
    const struct word *word = &words->items[layout->rate];
    double rate;
    if (word_number(importer->text, line, word, "a rate", &rate, error) != 0)
        return -1;
    const double bits = rate * layout->bits_per_us * time_us;
    const double rounding = 2.0 * word_rounding(word) * layout->bits_per_us * time_us +
                            2.0 * point->half_width_us * rate * layout->bits_per_us;
    return fabs(bits - 8.0 * point->bytes) <= rate_off_most * 8.0 * point->bytes + rounding
               ? 0
               : error_at(error, text_place(importer->text, line, word->column),
                          "'%.*s' is not the rate of %.0f bytes in %g us: expected NetPIPE's file",
                          (int)word->length, word->text, point->bytes, time_us);
}

static int read_row(const struct importer *importer, const struct layout *layout, size_t line,
                    struct import_series *series, struct error *error)
{
    const struct words words = text_words(importer->text->lines[line]);
    struct point point = import_point(0.0);
    double time;
    if (words.count != layout->words)
        return error_at(error, text_place(importer->text, line, 1), "%zu words: expected %zu",
                        words.count, layout->words);
    const struct word *word = &words.items[layout->time];
    if (word_whole(importer->text, line, &words.items[layout->bytes], "message bytes", &point.bytes,
                   error) != 0 ||
        word_number(importer->text, line, word, "a time", &time, error) != 0)
        return -1;
    point.half_width_us = word_rounding(word) * layout->us;
    *(layout->statistic == STATISTIC_MEAN ? &point.mean_us : &point.minimum_us) = time * layout->us;
    if (check_rate(importer, line, layout, &words, &point, time * layout->us, error) != 0)
        return -1;
    return import_add(importer, series, line, &point, error);
}

int import_netpipe(const struct importer *importer, struct error *error)
{
    const struct text *text = importer->text;
    const struct layout *layout = layout_of(text);
    struct import_series *series = NULL;
    if (text_check_end(text, error) != 0)
        return -1;
    for (size_t i = 0; i < text->count; i++) {
        const struct words words = text_words(text->lines[i]);
        if (words.count == 0 || (layout->is_printed && !has_arrow(&words)))
            continue;
        if (!series) {
            series = import_begin(importer, &ping_pong, i, layout->program);
            series->processors = 2.0;
            series->statistic = layout->statistic;
            series->across = ACROSS_ROOT;
        }
        if (read_row(importer, layout, i, series, error) != 0)
            return -1;
    }
    return 0;
}
