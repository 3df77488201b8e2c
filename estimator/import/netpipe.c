/* NetPIPE: half of the round trip of a message between two processes. Its file (np.out) has columns
   alone: seconds, Mbps, bits, bytes and a variance in version 2, bytes, Mbps and seconds in version
   3 and 4, the best of several trials; bytes, the mean, least and most Gbps and us in version 5,
   the mean of them. What it prints says the same, each number with its unit. */
#include "estimator/import/import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct import_test ping_pong = {.name = "np.out", .pattern = &pattern_point_to_point};

/* Version 2 to 4 count 2^20 bits as a megabit. */
#define MEBIBITS 1.048576

/* Where a row of a file has its numbers. */
struct layout {
    const char *program;
    size_t words, bytes, rate, time;
    double us;          /* of its unit of time */
    double bits_per_us; /* of its unit of rate */
    enum statistic statistic;
};

static const struct layout layouts[] = {
    {"NetPIPE 3", 3, 0, 1, 2, 1e6, MEBIBITS, STATISTIC_MINIMUM},
    {"NetPIPE 2", 5, 3, 1, 0, 1e6, MEBIBITS, STATISTIC_MINIMUM},
    {"NetPIPE 5", 5, 0, 1, 4, 1.0, 1e3,      STATISTIC_MEAN   },
};

/* Units of what is printed, in bytes, bits a microsecond and microseconds. */
struct printed_unit {
    const char *name;
    double value;
};

static const struct printed_unit size_units[] = {
    {"bytes", 1.0},
    {"byte",  1.0},
    {"B",     1.0},
    {"KB",    1e3},
    {"MB",    1e6},
    {"GB",    1e9}
};
static const struct printed_unit rate_units[] = {
    {"bps",  1e-6},
    {"Kbps", 1e-3},
    {"Mbps", 1.0 },
    {"Gbps", 1e3 },
    {"Tbps", 1e6 }
};
static const struct printed_unit time_units[] = {
    {"nsec",  1e-3},
    {"nsecs", 1e-3},
    {"usec",  1.0 },
    {"usecs", 1.0 },
    {"msec",  1e3 },
    {"msecs", 1e3 },
    {"sec",   1e6 },
    {"secs",  1e6 }
};

#define UNITS(units) (units), sizeof(units) / sizeof *(units)

/* A rate is off by less, and what is no rate of that size and time by more: the digits printed of
   short times allow as much. */
static const double rate_off_most = 0.1;

/* ---- whose it is ---- */

static bool is_number(const struct word *word)
{
    return word->length > 0 && strspn(word->text, "0123456789.eE+-") >= word->length;
}

/* Where the arrow of a printed row stands: "1:  64 B  320 times --> 5.3 Kbps in 1.5 msecs"; 0: the
   line is none. A label of a launcher may stand before it. */
static size_t arrow_of(const struct words *words)
{
    for (size_t i = 4; i + 5 <= words->count; i++)
        if (word_is(&words->items[i], "-->") && word_is(&words->items[i - 1], "times"))
            return i;
    return 0;
}

static const struct layout *layout_of_row(const struct words *words)
{
    double bits, bytes;
    for (size_t i = 0; i < words->count; i++)
        if (!is_number(&words->items[i]))
            return NULL;
    if (words->count == 3)
        return &layouts[0];
    if (words->count != 5)
        return NULL;
    bits = strtod(words->items[2].text, NULL);
    bytes = strtod(words->items[3].text, NULL);
    return bytes > 0.0 && bits == 8.0 * bytes ? &layouts[1] : &layouts[2];
}

/* A file begins with a row; what is printed has rows after other lines. */
bool import_is_netpipe(const struct text *text)
{
    const struct words first = text_words(text->lines[0]);
    if (first.count > 0 && layout_of_row(&first))
        return true;
    for (size_t i = 0; i < text->count; i++) {
        const struct words words = text_words(text->lines[i]);
        if (arrow_of(&words) > 0)
            return true;
    }
    return false;
}

/* ---- rows ---- */

/* The rate is the size over the time. */
static int check_rate(const struct importer *importer, size_t line, const struct word *rate,
                      const struct point *point, double time_us, double bits_per_us,
                      struct error *error)
{
    double value;
    if (word_number(importer->text, line, rate, "a rate", &value, error) != 0)
        return -1;
    const double bits = value * bits_per_us * time_us;
    const double rounding = 2.0 * word_rounding(rate) * bits_per_us * time_us +
                            2.0 * point->half_width_us * value * bits_per_us;
    return fabs(bits - 8.0 * point->bytes) <= rate_off_most * 8.0 * point->bytes + rounding
               ? 0
               : error_at(
                     error, text_place(importer->text, line, rate->column),
                     "'%.*s' is not the rate of %.0f bytes in %g us: expected a row of NetPIPE",
                     (int)rate->length, rate->text, point->bytes, time_us);
}

static int read_columns(const struct importer *importer, const struct layout *layout, size_t line,
                        const struct words *words, struct import_series *series,
                        struct error *error)
{
    struct point point = import_point(0.0);
    double time;
    if (words->count != layout->words)
        return error_at(error, text_place(importer->text, line, 1), "%zu words: expected %zu",
                        words->count, layout->words);
    const struct word *word = &words->items[layout->time];
    if (word_whole(importer->text, line, &words->items[layout->bytes], "message bytes",
                   &point.bytes, error) != 0 ||
        word_number(importer->text, line, word, "a time", &time, error) != 0)
        return -1;
    point.half_width_us = word_rounding(word) * layout->us;
    *(layout->statistic == STATISTIC_MEAN ? &point.mean_us : &point.minimum_us) = time * layout->us;
    if (check_rate(importer, line, &words->items[layout->rate], &point, time * layout->us,
                   layout->bits_per_us, error) != 0)
        return -1;
    return import_add(importer, series, line, &point, error);
}

static int unit_of(const struct importer *importer, size_t line, const struct word *word,
                   const struct printed_unit *units, size_t count, double *value,
                   struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (word_is(word, units[i].name)) {
            *value = units[i].value;
            return 0;
        }
    return error_at(error, text_place(importer->text, line, word->column),
                    "'%.*s': expected one of NetPIPE's units, %s to %s", (int)word->length,
                    word->text, units[0].name, units[count - 1].name);
}

/* Version 5 prints sizes of 1000 bytes and more as KB and MB with three decimals. */
static int read_printed(const struct importer *importer, size_t line, const struct words *words,
                        size_t arrow, struct import_series *series, struct error *error)
{
    const struct text *text = importer->text;
    const struct word *size = &words->items[arrow - 4], *rate = &words->items[arrow + 1];
    const struct word *time = &words->items[arrow + 4];
    struct point point = import_point(0.0);
    double value, unit, time_us, bits_per_us;
    if (arrow + 6 != words->count)
        return error_at(error, text_place(text, line, 1),
                        "expected a size, 'times -->', a rate, 'in' and a time, with their units");
    if (word_number(text, line, size, "a message size", &value, error) != 0 ||
        unit_of(importer, line, size + 1, UNITS(size_units), &unit, error) != 0)
        return -1;
    point.bytes = round(value * unit);
    if (unit_of(importer, line, rate + 1, UNITS(rate_units), &bits_per_us, error) != 0 ||
        word_number(text, line, time, "a time", &value, error) != 0 ||
        unit_of(importer, line, time + 1, UNITS(time_units), &unit, error) != 0)
        return -1;
    time_us = value * unit;
    point.half_width_us = word_rounding(time) * unit;
    *(series->statistic == STATISTIC_MEAN ? &point.mean_us : &point.minimum_us) = time_us;
    if (check_rate(importer, line, rate, &point, time_us, bits_per_us, error) != 0)
        return -1;
    return import_add(importer, series, line, &point, error);
}

/* ---- the text ---- */

/* Other modes than the ping-pong say so before their rows; their times are none of one message. */
static int check_mode(const struct importer *importer, size_t line, struct error *error)
{
    static const char *const modes[] = {"Streaming in one direction",
                                        "both directions",
                                        "combined bandwidth",
                                        "bidirectional",
                                        "Bidirectional",
                                        "bi-directional",
                                        "Bi-directional"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strstr(importer->text->lines[line], modes[i]))
            return error_at(error, text_place(importer->text, line, 1),
                            "'%.60s': its times are not those of a ping-pong: run NetPIPE "
                            "without streaming and in one direction at a time",
                            importer->text->lines[line]);
    return 0;
}

static struct import_series *begin(const struct importer *importer, size_t line,
                                   const char *program, enum statistic statistic)
{
    struct import_series *series = import_begin(importer, &ping_pong, line, program);
    series->processors = 2.0;
    series->statistic = statistic;
    series->across = ACROSS_ROOT;
    return series;
}

int import_netpipe(const struct importer *importer, struct error *error)
{
    const struct text *text = importer->text;
    const struct words first = text_words(text->lines[0]);
    const struct layout *layout = layout_of_row(&first);
    struct import_series *series = NULL;
    struct import_skipped skipped = {0};
    if (text_check_end(text, error) != 0)
        return -1;
    for (size_t i = 0; i < text->count; i++) {
        const struct words words = text_words(text->lines[i]);
        const size_t arrow = layout ? 0 : arrow_of(&words);
        if (words.count == 0)
            continue;
        if (layout) {
            if (!words_are_row(&words)) {
                import_skip(&skipped, i);
                continue;
            }
            if (!series)
                series = begin(importer, i, layout->program, layout->statistic);
            if (read_columns(importer, layout, i, &words, series, error) != 0)
                return -1;
        } else if (arrow > 0) {
            /* Version 5 writes its units in the plural. */
            const struct word *unit = &words.items[words.count - 1];
            const bool is_5 = unit->text[unit->length - 1] == 's';
            if (!series)
                series = begin(importer, i, is_5 ? "NetPIPE 5" : "NetPIPE 3",
                               is_5 ? STATISTIC_MEAN : STATISTIC_MINIMUM);
            if (read_printed(importer, i, &words, arrow, series, error) != 0)
                return -1;
        } else if (check_mode(importer, i, error) != 0) {
            return -1;
        }
    }
    import_note_skipped(importer, &skipped);
    return 0;
}
