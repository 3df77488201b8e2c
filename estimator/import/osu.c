/* OSU micro-benchmarks: the latency of a message, half of a round trip by the clock of one process,
   and collectives, each process' own mean time from a barrier on, over which the mean is printed
   and, with -f, the least and the longest. The longest is until all are done, but where all wait
   for all. How many processes there were is not printed. */
#include "estimator/import/import.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct import_test tests[] = {
    {.name = "MPI Latency Test",                                  .pattern = &pattern_point_to_point},
    {.name = "MPI Broadcast Latency Test",                        .pattern = &pattern_broadcast     },
    {.name = "MPI Reduce Latency Test",                           .pattern = &pattern_reduce        },
    {.name = "MPI Allreduce Latency Test",                        .pattern = &pattern_combine       },
    {.name = "MPI Allgather Latency Test",                        .pattern = &pattern_all_gather    },
    {.name = "MPI All-to-All Personalized Exchange Latency Test", .pattern = &pattern_many_to_many  },
    {.name = "MPI Gather Latency Test",                           .pattern = &pattern_gather        },
    {.name = "MPI Scatter Latency Test",                          .pattern = &pattern_scatter       },
    {.name = "MPI Reduce_scatter Latency Test",
     .pattern = &pattern_reduce_scatter,
     .bytes = IMPORT_BYTES_OF_ALL},
    {.name = "MPI Barrier Latency Test",                                                           .pattern = &pattern_synchronization                                                           },
    {.name = "MPI Bandwidth Test",                                                           .because = "messages of a window at once, not one's time"      },
    {.name = "MPI Bi-Directional Bandwidth Test",
     .because = "messages of a window at once, not one's time"                                            },
    {.name = "MPI Multiple Bandwidth / Message Rate Test",
     .because = "messages of a window at once, not one's time"},
    {.name = "MPI Multi Latency Test",
     .because = "the mean of pairs that send in turn, all at once, which no pattern is"                                                                },
};

enum { TESTS = sizeof tests / sizeof *tests };

/* ---- the line of columns ---- */

enum column { COLUMN_OTHER, COLUMN_SIZE, COLUMN_MEAN, COLUMN_LONGEST, COLUMN_REPETITIONS };

/* Names of several words end as these do: "Avg Latency(us)", "Latency (us)". */
static bool ends_name(const struct word *word)
{
    return memchr(word->text, ')', word->length) || word_is(word, "Size") ||
           word_is(word, "Iterations") || word_is(word, "Validation");
}

static enum column column_of(const struct word *first, const struct word *last)
{
    if (word_is(last, "Size"))
        return first == last ? COLUMN_SIZE : COLUMN_OTHER;
    if (word_is(last, "Iterations"))
        return COLUMN_REPETITIONS;
    if (word_is(first, "Max") && word_is(last, "Latency(us)"))
        return COLUMN_LONGEST;
    if (word_is(first, "Latency") || word_is(first, "Avg"))
        return COLUMN_MEAN;
    return COLUMN_OTHER;
}

struct columns {
    enum column of[TEXT_WORDS];
    size_t count;
    bool has_size, has_mean, has_longest;
};

/* Of a line "# Size  Avg Latency(us) ..."; no columns: it is another line. */
static struct columns columns_of(const char *line)
{
    struct columns columns = {.count = 0};
    const char *names = text_behind(line, "#");
    const struct words words = text_words(names ? names : "");
    for (size_t i = 0, first = 0; i < words.count; i++) {
        if (!ends_name(&words.items[i]))
            continue;
        const enum column column = column_of(&words.items[first], &words.items[i]);
        columns.has_size |= column == COLUMN_SIZE;
        columns.has_mean |= column == COLUMN_MEAN;
        columns.has_longest |= column == COLUMN_LONGEST;
        columns.of[columns.count++] = column;
        first = i + 1;
    }
    if (!columns.has_mean)
        columns.count = 0;
    return columns;
}

/* ---- a test ---- */

struct reading {
    const struct importer *importer;
    size_t line;
    struct import_series *series; /* NULL: no test that is taken */
    struct columns columns;       /* none yet */
    bool is_skipped;              /* a test that is left out */
};

static int read_cell(const struct reading *reading, const struct word *word, enum column column,
                     struct point *point, double *longest_us, struct error *error)
{
    const struct text *text = reading->importer->text;
    switch (column) {
    case COLUMN_SIZE:
        return word_whole(text, reading->line, word, "message bytes", &point->bytes, error);
    case COLUMN_MEAN:
        point->half_width_us = word_rounding(word);
        return word_number(text, reading->line, word, "a time in us", &point->mean_us, error);
    case COLUMN_LONGEST:
        return word_number(text, reading->line, word, "the longest time in us", longest_us, error);
    case COLUMN_REPETITIONS:
        return word_whole(text, reading->line, word, "iterations", &point->repetitions, error);
    default:
        return 0;
    }
}

/* The longest of the processes' times is until all are done; the mean is a share of it. */
static void take_longest(double longest_us, struct point *point)
{
    if (longest_us > 0.0)
        point->mean_over_maximum = fmin(1.0, point->mean_us / longest_us);
    point->mean_us = longest_us;
}

static int read_row(const struct reading *reading, struct error *error)
{
    const struct importer *importer = reading->importer;
    const char *line = importer->text->lines[reading->line];
    const struct words words = text_words(line);
    struct point point = import_point(0.0);
    double longest_us = NAN;
    for (size_t i = 0; i < words.count && i < reading->columns.count; i++)
        if (read_cell(reading, &words.items[i], reading->columns.of[i], &point, &longest_us,
                      error) != 0)
            return -1;
    if (words.count != reading->columns.count)
        return error_at(error, text_place(importer->text, reading->line, 1),
                        "%zu words: expected %zu, one a column", words.count,
                        reading->columns.count);
    if (reading->series->across == ACROSS_MAXIMUM)
        take_longest(longest_us, &point);
    return import_add(importer, reading->series, reading->line, &point, error);
}

/* ---- a header ---- */

static int set_processors(struct reading *reading, struct error *error)
{
    struct import_series *series = reading->series;
    series->processors = 2.0;
    return series->test->pattern->among == AMONG_TWO
               ? 0
               : import_processors(reading->importer, reading->line, &series->processors, error);
}

/* "MPI Latency Test v7.4": the name goes up to its version. */
static int begin_test(struct reading *reading, const char *title, struct error *error)
{
    const char *version = strstr(title, " v");
    const size_t length = version ? (size_t)(version - title) : strlen(title);
    const struct import_test *test = import_test_named(tests, TESTS, title, length);
    reading->series = NULL;
    reading->columns.count = 0;
    reading->is_skipped = !test || !test->pattern;
    if (reading->is_skipped) {
        char *name = memory_format("%.*s", (int)length, title);
        import_leave_out(reading->importer, reading->line, name,
                         test ? test->because : "no pattern of the same meaning");
        free(name);
        return 0;
    }
    char *program = memory_format("OSU micro-benchmarks%s", version ? version : "");
    reading->series = import_begin(reading->importer, test, reading->line, program);
    reading->series->statistic = STATISTIC_MEAN;
    import_note_barrier(reading->importer, reading->series, reading->line);
    free(program);
    return set_processors(reading, error);
}

static enum across across_of(const struct pattern *pattern, const struct columns *columns)
{
    if (pattern == &pattern_point_to_point)
        return ACROSS_ROOT;
    return columns->has_longest && !import_waits_for_all(pattern) ? ACROSS_MAXIMUM : ACROSS_MEAN;
}

static void take_columns(struct reading *reading)
{
    const struct columns columns = columns_of(reading->importer->text->lines[reading->line]);
    if (!reading->series || columns.count == 0)
        return;
    reading->columns = columns;
    reading->series->across = across_of(reading->series->test->pattern, &columns);
}

static int read_line(struct reading *reading, struct error *error)
{
    const char *line = reading->importer->text->lines[reading->line];
    const char *title = text_behind(line, "# OSU ");
    if (title)
        return begin_test(reading, title, error);
    const char *type = text_behind(line, "# Datatype:");
    if (type && reading->series) {
        const struct word sums_of = text_first_word(type);
        import_note_type(reading->importer, reading->series, reading->line, &sums_of);
    }
    if (line[0] == '#') {
        take_columns(reading);
        return 0;
    }
    if (reading->is_skipped || line[strspn(line, " \t")] == '\0')
        return 0;
    if (reading->series && reading->columns.count > 0)
        return read_row(reading, error);
    return error_at(error, text_place(reading->importer->text, reading->line, 1),
                    "'%.40s': expected '# OSU ... Test', then a line of columns", line);
}

bool import_is_osu(const struct text *text)
{
    return text_find(text, "# OSU ") < text->count;
}

int import_osu(const struct importer *importer, struct error *error)
{
    struct reading reading = {.importer = importer};
    int status = text_check_end(importer->text, error);
    for (; status == 0 && reading.line < importer->text->count; reading.line++)
        status = read_line(&reading, error);
    return status;
}
