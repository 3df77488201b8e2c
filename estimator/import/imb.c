/* Intel MPI Benchmarks, IMB-MPI1, and PMB, as they were called up to version 2.2: of each process
   the mean over repetitions, of which the longest, the least and the mean are printed, or the
   longest alone; of a ping-pong half of the round trip. The longest is until all are done, but
   where all wait for all. */
#include "estimator/import/import.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char of_window[] = "messages of a window at once, not one's time";

static const struct import_test tests[] = {
    {.name = "PingPong",       .pattern = &pattern_point_to_point},
    {.name = "PingPing",       .pattern = &pattern_exchange      },
    {.name = "Sendrecv",       .pattern = &pattern_shift         },
    {.name = "Bcast",          .pattern = &pattern_broadcast     },
    {.name = "Reduce",         .pattern = &pattern_reduce        },
    {.name = "Allreduce",      .pattern = &pattern_combine       },
    {.name = "Allgather",      .pattern = &pattern_all_gather    },
    {.name = "Alltoall",       .pattern = &pattern_many_to_many  },
    {.name = "Gather",         .pattern = &pattern_gather        },
    {.name = "Scatter",        .pattern = &pattern_scatter       },
    {.name = "Reduce_scatter", .pattern = &pattern_reduce_scatter, .bytes = IMPORT_BYTES_OF_ALL},
    {.name = "Reduce_scatter_block",                        .pattern = &pattern_reduce_scatter                            },
    {.name = "Barrier",                        .pattern = &pattern_synchronization             },
    {.name = "Exchange",                        .because = "around a ring: halo-1 is on a line"                           },
    {.name = "Uniband",                        .because = of_window              },
    {.name = "Biband",                        .because = of_window                            },
};

enum { TESTS = sizeof tests / sizeof *tests };

static const char last_line[] = "# All processes entering MPI_Finalize";

/* ---- the line of columns ---- */

enum column {
    COLUMN_OTHER,
    COLUMN_SIZE,
    COLUMN_REPETITIONS,
    COLUMN_LONGEST,
    COLUMN_MEAN,
    COLUMN_DEFECTS /* of what arrived, where the benchmark checks it */
};

static const struct {
    const char *name;
    enum column column;
} column_names[] = {
    {"#bytes",       COLUMN_SIZE       },
    {"#repetitions", COLUMN_REPETITIONS},
    {"t[usec]",      COLUMN_LONGEST    },
    {"t_max[usec]",  COLUMN_LONGEST    },
    {"t_avg[usec]",  COLUMN_MEAN       },
    {"defects",      COLUMN_DEFECTS    },
};

struct columns {
    enum column of[TEXT_WORDS];
    size_t count;
    bool has_mean;
};

static enum column column_of(const struct word *word)
{
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++)
        if (word_is(word, column_names[i].name))
            return column_names[i].column;
    return COLUMN_OTHER;
}

static struct columns columns_of(const char *line)
{
    struct columns columns = {.count = 0};
    const struct words words = text_words(line);
    for (size_t i = 0; i < words.count; i++) {
        const enum column column = column_of(&words.items[i]);
        columns.has_mean |= column == COLUMN_MEAN;
        columns.of[columns.count++] = column;
    }
    return columns;
}

/* ---- how it was called ---- */

static bool is_off(const struct word *word)
{
    return word_is(word, "off") || word_is(word, "disable") || word_is(word, "no") ||
           word_is(word, "0");
}

/* Whether collectives are repeated one behind the other, from changing roots: "-sync off
   -root_shift on" in its calling sequence, which may go over several lines. */
static bool is_in_turns(const struct text *text)
{
    bool sync = true, shift = false, *asked = NULL;
    for (size_t line = text_find(text, "# Calling sequence");
         line < text->count && !text_behind(text->lines[line], "# Minimum message"); line++) {
        const struct words words = text_words(text->lines[line]);
        for (size_t i = 1; i < words.count; i++) {
            const struct word *word = &words.items[i];
            if (asked)
                *asked = !is_off(word);
            asked = asked                          ? NULL
                    : word_is(word, "-sync")       ? &sync
                    : word_is(word, "-root_shift") ? &shift
                                                   : NULL;
        }
    }
    return shift && !sync;
}

/* ---- a test ---- */

struct reading {
    const struct importer *importer;
    size_t line;
    char *program;                  /* owned */
    bool is_in_turns;               /* see the function */
    struct word sums_of;            /* which type is added up; no length: it is not said */
    const struct import_test *test; /* NULL: none, or one that is left out */
    struct import_series *series;   /* once its processes are known */
    struct columns columns;         /* none: no rows are expected */
    struct import_skipped skipped;
    /* What tells whether all was printed, where the last line is not. */
    double announced_bytes;  /* the longest message; NAN: not said */
    double last_bytes;       /* of the last row */
    bool are_others_waiting; /* the last table is of fewer processes than there are */
    char *last_test;         /* owned */
};

static const char *line_of(const struct reading *reading)
{
    return reading->importer->text->lines[reading->line];
}

static void begin_test(struct reading *reading, const char *name)
{
    const struct words words = text_words(name);
    const size_t length = strlen(name);
    const size_t shown = words.count == 1 ? words.items[0].length : length;
    const struct import_test *test = import_test_named(tests, TESTS, name, shown);
    reading->series = NULL;
    reading->columns.count = 0;
    reading->are_others_waiting = false;
    reading->last_bytes = NAN;
    free(reading->last_test);
    reading->last_test = memory_format("%.*s", (int)shown, name);
    reading->test = test && test->pattern ? test : NULL;
    if (!reading->test)
        import_leave_out(reading->importer, reading->line, reading->last_test,
                         test ? test->because
                         : text_behind(name, "Multi-")
                             ? "several groups of processes at once, which no pattern is"
                             : "no pattern of the same meaning");
}

/* "# #processes = 2", "# ( #processes = 2 )": the word behind the sign counts. */
static int begin_count(struct reading *reading, struct error *error)
{
    const struct text *text = reading->importer->text;
    const struct words words = text_words(line_of(reading));
    double processors;
    size_t at = 1;
    if (!reading->test)
        return 0;
    while (at < words.count && !word_is(&words.items[at - 1], "="))
        at++;
    if (at == words.count)
        return error_at(error, text_place(text, reading->line, 1), "expected '# #processes = N'");
    if (word_whole(text, reading->line, &words.items[at], "processes", &processors, error) != 0)
        return -1;
    if (processors < 2.0 || (reading->test->pattern->among == AMONG_TWO && processors != 2.0))
        return error_at(error, text_place(text, reading->line, words.items[at].column),
                        "%s of %.0f processes: expected %s", reading->test->name, processors,
                        processors < 2.0 ? "at least 2" : "2");
    reading->series =
        import_begin(reading->importer, reading->test, reading->line, reading->program);
    reading->series->processors = processors;
    reading->series->statistic = STATISTIC_MEAN;
    reading->series->across = ACROSS_MAXIMUM;
    if (!reading->is_in_turns)
        import_note_barrier(reading->importer, reading->series, reading->line);
    import_note_type(reading->importer, reading->series, reading->line, &reading->sums_of);
    return 0;
}

static void take_columns(struct reading *reading, const char *line)
{
    reading->columns = columns_of(line);
    if (reading->series && reading->columns.has_mean &&
        import_waits_for_all(reading->test->pattern))
        reading->series->across = ACROSS_MEAN;
}

static int read_cell(const struct reading *reading, const struct word *word, enum column column,
                     struct point *point, double *mean_us, double *defects, struct error *error)
{
    const struct text *text = reading->importer->text;
    switch (column) {
    case COLUMN_SIZE:
        return word_whole(text, reading->line, word, "message bytes", &point->bytes, error);
    case COLUMN_REPETITIONS:
        return word_whole(text, reading->line, word, "repetitions", &point->repetitions, error);
    case COLUMN_LONGEST:
        point->half_width_us = word_rounding(word);
        return word_number(text, reading->line, word, "a time in us", &point->mean_us, error);
    case COLUMN_MEAN:
        return word_number(text, reading->line, word, "the mean time in us", mean_us, error);
    case COLUMN_DEFECTS:
        return word_number(text, reading->line, word, "defects", defects, error);
    default:
        return 0;
    }
}

/* "1024 time-out.; ...": it gave up here. */
static bool is_given_up(const struct words *words)
{
    return words->count > 1 && memchr(words->items[1].text, ';', words->items[1].length);
}

static void note_given_up(struct reading *reading, const struct words *words)
{
    char *what = memory_format("%s from %.*s bytes on", reading->test->name,
                               (int)words->items[0].length, words->items[0].text);
    char *because =
        memory_format("%.*s", (int)strcspn(words->items[1].text, ".;"), words->items[1].text);
    import_leave_out(reading->importer, reading->line, what, because);
    free(what);
    free(because);
}

static int read_row(struct reading *reading, const struct words *words, struct error *error)
{
    const struct importer *importer = reading->importer;
    struct point point = import_point(0.0);
    double mean_us = NAN, defects = 0.0;
    for (size_t i = 0; i < words->count && i < reading->columns.count; i++)
        if (read_cell(reading, &words->items[i], reading->columns.of[i], &point, &mean_us, &defects,
                      error) != 0)
            return -1;
    if (words->count != reading->columns.count)
        return error_at(error, text_place(importer->text, reading->line, 1),
                        "%zu words: expected %zu, one a column", words->count,
                        reading->columns.count);
    reading->last_bytes = point.bytes;
    if (defects > 0.0) {
        char *what = memory_format("%s of %.0f bytes", reading->test->name, point.bytes);
        import_leave_out(importer, reading->line, what,
                         "its check failed: what arrived was not what was sent");
        free(what);
        return 0;
    }
    if (reading->series->across == ACROSS_MEAN)
        point.mean_us = mean_us;
    else if (point.mean_us > 0.0 && mean_us > 0.0)
        point.mean_over_maximum = fmin(1.0, mean_us / point.mean_us);
    return import_add(importer, reading->series, reading->line, &point, error);
}

/* ---- what it says of the machine ---- */

/* "Wed Nov 25 04:18:02 2026" as 2026-11-25. */
static void know_date(const char *text, struct provenance *measured)
{
    struct tm when = {0};
    char date[24];
    if (strptime(text, "%a %b %d %H:%M:%S %Y", &when) &&
        strftime(date, sizeof date, "%Y-%m-%d", &when) > 0)
        import_know(&measured->date, date);
}

static const char *value_of(const char *line, const char *key)
{
    const char *rest = text_behind(line, "# ");
    const char *value = rest ? text_behind(rest, key) : NULL;
    return value && *value == ':' ? text_behind(value, ":") : NULL;
}

static void read_fact(struct reading *reading)
{
    struct provenance *measured = reading->importer->to->machine.machine.measured;
    const char *line = line_of(reading), *value;
    const char *bytes = text_behind(line, "# Maximum message length in bytes:");
    if (bytes)
        reading->announced_bytes = strtod(bytes, NULL);
    else if (strstr(line, "additional processes waiting"))
        reading->are_others_waiting = true;
    else if ((value = value_of(line, "Date")))
        know_date(value, measured);
    else if ((value = value_of(line, "System")))
        import_know(&measured->os, value);
    else if ((value = value_of(line, "MPI_Datatype for reductions")))
        reading->sums_of = text_first_word(value);
}

/* "#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part", "#    PALLAS MPI Benchmark Suite V2.2, ..."
 */
static bool is_banner(const char *line)
{
    return line[0] == '#' && strstr(line, "MPI Benchmark") && strstr(line, "MPI-1 part");
}

static void read_banner(struct reading *reading, const char *line)
{
    const char *name = strstr(line, "MPI Benchmark");
    free(reading->program);
    reading->program = memory_format("%s %.*s", strstr(line, "PALLAS") ? "Pallas" : "Intel",
                                     (int)strcspn(name, ","), name);
}

/* ---- lines ---- */

static int read_comment(struct reading *reading, struct error *error)
{
    const char *line = line_of(reading), *rest;
    if (is_banner(line))
        read_banner(reading, line);
    else if ((rest = text_behind(line, "# Benchmarking")))
        begin_test(reading, rest);
    else if (text_behind(line, "# #processes =") || text_behind(line, "# ( #processes ="))
        return begin_count(reading, error);
    else
        read_fact(reading);
    return 0;
}

static int read_line(struct reading *reading, struct error *error)
{
    const char *line = line_of(reading);
    const struct words words = text_words(line);
    const bool has_table = reading->series && reading->columns.count > 0;
    if (line[0] == '#')
        return read_comment(reading, error);
    if (words.count > 0 && words.items[0].text[0] == '#') {
        take_columns(reading, line);
        return 0;
    }
    if (words.count == 0)
        return 0;
    if (is_given_up(&words)) {
        reading->last_bytes = reading->announced_bytes;
        if (has_table)
            note_given_up(reading, &words);
        return 0;
    }
    if (!words_are_row(&words)) {
        import_skip(&reading->skipped, reading->line);
        return 0;
    }
    if (!reading->test)
        return 0;
    if (has_table)
        return read_row(reading, &words, error);
    return error_at(error, text_place(reading->importer->text, reading->line, 1),
                    "'%.40s': expected '# Benchmarking', the processes and a line of columns",
                    line);
}

/* Up to version 2.3 there was no last line. All was printed where the last of the listed benchmarks
   was run among all processes and its table goes up to the longest message that the heading
   announces. */
static bool is_complete(const struct reading *reading)
{
    const struct text *text = reading->importer->text;
    size_t line = text_find(text, "# List of Benchmarks to run");
    struct word last = {.text = ""};
    for (line++; line < text->count && !text_behind(text->lines[line], "# Benchmarking"); line++) {
        const char *name = text_behind(text->lines[line], "#");
        const struct words words = text_words(name ? name : "");
        if (words.count == 1 && words.items[0].text[0] != '-' && words.items[0].text[0] != '#')
            last = words.items[0];
    }
    const bool among_two = reading->test && reading->test->pattern->among == AMONG_TWO;
    const bool has_sizes = reading->test && reading->test->pattern != &pattern_synchronization;
    return last.length > 0 && reading->last_test && word_is(&last, reading->last_test) &&
           (among_two || !reading->are_others_waiting) &&
           (!reading->test || (has_sizes ? reading->last_bytes >= reading->announced_bytes
                                         : !isnan(reading->last_bytes)));
}

bool import_is_imb(const struct text *text)
{
    for (size_t i = 0; i < text->count; i++)
        if (is_banner(text->lines[i]))
            return true;
    return false;
}

int import_imb(const struct importer *importer, struct error *error)
{
    struct reading reading = {.importer = importer,
                              .program = memory_copy_text("IMB"),
                              .is_in_turns = is_in_turns(importer->text),
                              .announced_bytes = NAN,
                              .last_bytes = NAN};
    int status = text_check_end(importer->text, error);
    for (; status == 0 && reading.line < importer->text->count; reading.line++)
        status = read_line(&reading, error);
    if (status == 0 && text_find(importer->text, last_line) == importer->text->count &&
        !is_complete(&reading))
        status = error_at(error, text_place(importer->text, importer->text->count - 1, 1),
                          "the file ends before '%s': expected all that was printed", last_line);
    import_note_skipped(importer, &reading.skipped);
    free(reading.program);
    free(reading.last_test);
    return status;
}
