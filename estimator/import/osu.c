/* OSU micro-benchmarks: the latency of a message, half of a round trip by the clock of one process,
   and collectives, each process' own mean time from a barrier on, over which the mean is printed
   and, with -f, the least and the longest. The longest is until all are done, but where all wait
   for all. How many processes there were is not printed. Versions 2 to 7 differ in their headings;
   version 7 repeats the rows for each data type and can check what arrived. */
#include "estimator/import/import.h"

#include "model/base/allocation.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct import_test tests[] = {
    {.name = "MPI Latency Test",                                  .pattern = &pattern_point_to_point},
    {.name = "MPI Broadcast Latency Test",                        .pattern = &pattern_broadcast     },
    {.name = "MPI Bcast Latency Test",                            .pattern = &pattern_broadcast     },
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
    {.name = "MPI Bidirectional Bandwidth Test",
     .because = "messages of a window at once, not one's time"                                             },
    {.name = "MPI Bi-Directional Bandwidth Test",
     .because = "messages of a window at once, not one's time"     },
    {.name = "MPI Multiple Bandwidth / Message Rate Test",
     .because = "messages of a window at once, not one's time"                                    },
    {.name = "MPI Multi-threaded Latency Test",
     .because = "threads of one process receive at once, which no pattern is"                },
    {.name = "MPI Multi-process Latency Test",
     .because = "several processes of a node at once, which no pattern is"                                     },
    {.name = "MPI Multi Latency Test",
     .because = "the mean of pairs that send in turn, all at once, which no pattern is"                        },
};

enum { TESTS = sizeof tests / sizeof *tests };

/* ---- the line of columns ---- */

enum column {
    COLUMN_OTHER,
    COLUMN_SIZE,
    COLUMN_MEAN,
    COLUMN_LONGEST,
    COLUMN_REPETITIONS,
    COLUMN_VALIDATION,
    COLUMN_DERIVED_SIZE /* of a derived data type, whose elements are apart */
};

/* Names of several words end as these do: "Avg Latency(us)", "Latency (us)". */
static bool ends_name(const struct word *word)
{
    return memchr(word->text, ')', word->length) || word_is(word, "Size") ||
           word_is(word, "Iterations") || word_is(word, "Validation");
}

static enum column column_of(const struct word *first, const struct word *last)
{
    if (word_is(last, "Size"))
        return first == last ? COLUMN_SIZE : COLUMN_DERIVED_SIZE;
    if (word_is(last, "Validation"))
        return COLUMN_VALIDATION;
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
    bool has_size, has_mean, has_longest, has_derived;
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
        columns.has_derived |= column == COLUMN_DERIVED_SIZE;
        columns.of[columns.count++] = column;
        first = i + 1;
    }
    if (!columns.has_mean)
        columns.count = 0;
    return columns;
}

/* ---- a test ---- */

/* What the heading says of the memory that messages are in. */
enum memory_of { MEMORY_HOST, MEMORY_NOT_SAID, MEMORY_DEVICE };

struct reading {
    const struct importer *importer;
    size_t line, title_line;
    const struct import_test *test; /* NULL: none that is taken */
    char *title;                    /* as it is printed, without its version; owned */
    char *program;                  /* with its version; owned */
    enum memory_of memory;
    struct word type;             /* the data type of the rows that follow; no length: not said */
    struct word series_type;      /* that of the series */
    struct import_series *series; /* NULL: none yet, or it is left out */
    struct columns columns;       /* none yet */
    struct columns heading;       /* the last line of columns of the test */
    bool is_new_type;             /* the rows that follow are of another data type */
    bool is_begun, is_skipped;    /* a test, and whether its rows are left out */
    struct import_skipped skipped;
};

static const char *line_of(const struct reading *reading)
{
    return reading->importer->text->lines[reading->line];
}

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

/* Whether the row says that what arrived was not what was sent. */
static bool has_failed(const struct reading *reading, const struct words *words)
{
    for (size_t i = 0; i < words->count && i < reading->columns.count; i++)
        if (reading->columns.of[i] == COLUMN_VALIDATION &&
            tolower((unsigned char)words->items[i].text[0]) == 'f')
            return true;
    return false;
}

static int read_row(const struct reading *reading, const struct words *words, struct error *error)
{
    const struct importer *importer = reading->importer;
    struct point point = import_point(0.0);
    double longest_us = NAN;
    for (size_t i = 0; i < words->count && i < reading->columns.count; i++)
        if (read_cell(reading, &words->items[i], reading->columns.of[i], &point, &longest_us,
                      error) != 0)
            return -1;
    if (words->count != reading->columns.count)
        return error_at(error, text_place(importer->text, reading->line, 1),
                        "%zu words: expected %zu, one a column", words->count,
                        reading->columns.count);
    if (has_failed(reading, words)) {
        char *what = memory_format("%s of %.0f bytes", reading->title, point.bytes);
        import_leave_out(importer, reading->line, what,
                         "its validation failed: what arrived was not what was sent");
        free(what);
        return 0;
    }
    /* The longest of the processes' times is until all are done; the mean is a share of it. */
    if (reading->series->across == ACROSS_MAXIMUM) {
        if (longest_us > 0.0)
            point.mean_over_maximum = fmin(1.0, point.mean_us / longest_us);
        point.mean_us = longest_us;
    }
    return import_add(importer, reading->series, reading->line, &point, error);
}

/* ---- a header ---- */

/* "MPI Latency Test v7.4", "MPI Latency Test (Version 2.1)", "MPI-CUDA Latency Test v7.5": the name
   goes up to the version; what stands behind "MPI-" is the device that its buffers may be on. */
static void begin_test(struct reading *reading, const char *title)
{
    size_t length = strlen(title);
    const char *version = strstr(title, " (Version ");
    if (!version)
        for (version = strstr(title, " v"); version && !isdigit((unsigned char)version[2]);)
            version = strstr(version + 1, " v");
    if (version)
        length = (size_t)(version - title);
    while (length > 0 && isspace((unsigned char)title[length - 1]))
        length--;
    free(reading->title);
    free(reading->program);
    reading->title = memory_format("%.*s", (int)length, title);
    const char *number = version && version[1] == '(' ? version + strlen(" (Version ") : NULL;
    reading->program =
        number ? memory_format("OSU micro-benchmarks v%.*s", (int)strcspn(number, ")"), number)
               : memory_format("OSU micro-benchmarks%s", version ? version : "");
    const bool is_on_device = strncmp(reading->title, "MPI-", 4) == 0;
    const char *behind = is_on_device ? strchr(reading->title, ' ') : NULL;
    /* "MPI-CUDA MANAGED Latency Test" */
    if (behind && text_behind(behind + 1, "MANAGED "))
        behind = strchr(behind + 1, ' ');
    char *name = memory_format("%s%s", behind ? "MPI" : "", behind ? behind : reading->title);
    reading->test = import_test_named(tests, TESTS, name, strlen(name));
    free(name);
    reading->memory = is_on_device ? MEMORY_NOT_SAID : MEMORY_HOST;
    reading->title_line = reading->line;
    reading->series = NULL;
    reading->type = (struct word){.text = ""};
    reading->columns.count = reading->heading.count = 0;
    reading->is_new_type = false;
    reading->is_begun = true;
    reading->is_skipped = !reading->test || !reading->test->pattern;
    if (reading->is_skipped)
        import_leave_out(reading->importer, reading->line, reading->title,
                         reading->test ? reading->test->because : "no pattern of the same meaning");
}

/* "# Send Buffer on HOST (H) and Receive Buffer on DEVICE (D)" */
static void read_buffers(struct reading *reading, const char *where)
{
    reading->memory =
        strstr(where, "DEVICE") || strstr(where, "MANAGED") ? MEMORY_DEVICE : MEMORY_HOST;
}

/* Why the rows of a test whose pattern is known are none of that pattern; NULL: they are. */
static const char *not_taken(const struct reading *reading, const struct columns *columns)
{
    if (reading->memory == MEMORY_DEVICE)
        return "its buffers are in the memory of a device (GPU), which no pattern is of";
    if (reading->memory == MEMORY_NOT_SAID)
        return "its buffers may be in the memory of a device (GPU), and the heading does not say: "
               "where both are on the host (H H), write MPI there without the device";
    if (columns->has_derived)
        return "messages of a derived data type, whose elements are apart";
    return NULL;
}

static bool is_double(const struct word *type)
{
    return type->length >= 10 && strncmp(type->text, "MPI_DOUBLE", 10) == 0;
}

static enum across across_of(const struct pattern *pattern, const struct columns *columns)
{
    if (pattern == &pattern_point_to_point)
        return ACROSS_ROOT;
    return columns->has_longest && !import_waits_for_all(pattern) ? ACROSS_MAXIMUM : ACROSS_MEAN;
}

/* Rows begin. Of several data types the first is taken; of sums MPI_DOUBLE, which the trainer adds
   up too. */
static int begin_rows(struct reading *reading, struct error *error)
{
    const struct importer *importer = reading->importer;
    const struct columns *columns = &reading->heading;
    reading->is_new_type = false;
    const char *because =
        reading->is_skipped && !reading->series ? NULL : not_taken(reading, columns);
    if (because)
        import_leave_out(importer, reading->title_line, reading->title, because);
    if (because || (reading->is_skipped && !reading->series)) {
        reading->is_skipped = true;
        return 0;
    }
    reading->columns = *columns;
    if (reading->series) {
        const bool is_better = import_adds_up(reading->test->pattern) &&
                               is_double(&reading->type) && !is_double(&reading->series_type);
        const struct word *left_out = is_better ? &reading->series_type : &reading->type;
        char *what =
            memory_format("%s of %.*s", reading->title, (int)left_out->length, left_out->text);
        import_leave_out(importer, reading->line, what, "rows of another data type are taken");
        free(what);
        reading->is_skipped = !is_better;
        if (!is_better)
            return 0;
        import_forget(reading->series);
    } else {
        reading->series =
            import_begin(importer, reading->test, reading->title_line, reading->program);
    }
    struct import_series *series = reading->series;
    series->statistic = STATISTIC_MEAN;
    series->across = across_of(reading->test->pattern, columns);
    series->processors = 2.0;
    reading->series_type = reading->type;
    import_note_barrier(importer, series, reading->title_line);
    import_note_type(importer, series, reading->line, &reading->type);
    return reading->test->pattern->among == AMONG_TWO
               ? 0
               : import_processors(importer, reading->title_line, &series->processors, error);
}

static int read_comment(struct reading *reading, struct error *error)
{
    const char *line = line_of(reading), *rest;
    if ((rest = text_behind(line, "# OSU "))) {
        begin_test(reading, rest);
    } else if ((rest = text_behind(line, "# Datatype:"))) {
        reading->type = text_first_word(rest);
        while (reading->type.length > 0 && reading->type.text[reading->type.length - 1] == '.')
            reading->type.length--;
        reading->is_new_type = true;
    } else if ((rest = text_behind(line, "# Send Buffer on"))) {
        read_buffers(reading, rest);
    } else {
        const struct columns columns = columns_of(line);
        if (!reading->is_begun || columns.count == 0)
            return 0;
        reading->heading = columns;
        return begin_rows(reading, error);
    }
    return 0;
}

static int read_line(struct reading *reading, struct error *error)
{
    const char *line = line_of(reading);
    const struct words words = text_words(line);
    if (line[0] == '#')
        return read_comment(reading, error);
    if (words.count == 0)
        return 0;
    if (!words_are_row(&words)) {
        import_skip(&reading->skipped, reading->line);
        return 0;
    }
    if (reading->is_new_type && reading->heading.count > 0 && begin_rows(reading, error) != 0)
        return -1;
    if (reading->is_skipped)
        return 0;
    if (reading->series && reading->columns.count > 0)
        return read_row(reading, &words, error);
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
    import_note_skipped(importer, &reading.skipped);
    free(reading.title);
    free(reading.program);
    return status;
}
