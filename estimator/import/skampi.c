/* SKaMPI: of the repetitions each until the last process is done, the mean of the middle half. A
   measurement is known by the first part of its name in SKaMPI's own files, "MPI_Bcast-length"; a
   row has the values that it was looped over, bytes, us, standard error, repetitions, and the
   processes' own times, of eight at most. A ping-pong is the whole round trip. */
#include "estimator/import/import.h"

#include "model/base/allocation.h"
#include "model/cost/confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct import_test tests[] = {
    {.name = "Pingpong_Send_Recv", .pattern = &pattern_point_to_point, .uses = 2.0},
    {.name = "MPI_Bcast",                            .pattern = &pattern_broadcast                                           },
    {.name = "MPI_Reduce",                            .pattern = &pattern_reduce},
    {.name = "MPI_Allreduce",                            .pattern = &pattern_combine                                        },
    {.name = "MPI_Allgather",                            .pattern = &pattern_all_gather},
    {.name = "MPI_Alltoall",                            .pattern = &pattern_many_to_many                                         },
    {.name = "MPI_Gather",                            .pattern = &pattern_gather },
    {.name = "MPI_Scatter",                            .pattern = &pattern_scatter                                        },
    {.name = "MPI_Barrier",                            .pattern = &pattern_synchronization },
};

enum { TESTS = sizeof tests / sizeof *tests };

/* Words of a row behind what it was looped over. */
enum { ROW_BYTES, ROW_TIME, ROW_ERROR, ROW_REPETITIONS, ROW_LEAST };

struct reading {
    const struct importer *importer;
    size_t line, begun;             /* begun: the line of "begin result" */
    bool is_within;                 /* a result */
    const struct import_test *test; /* NULL: the result is left out */
    struct import_series *series;   /* from its first row on */
    struct import_skipped skipped;
};

static const char *line_of(const struct reading *reading)
{
    return reading->importer->text->lines[reading->line];
}

/* ---- rows ---- */

/* "count= 4": a name and a value, of which there may be several before the numbers. Returns how
   many words they are; *other: the first that is no count of elements, or NULL. */
static size_t loop_words(const struct words *words, const struct word **other)
{
    size_t i = 0;
    *other = NULL;
    for (; i + 1 < words->count; i += 2) {
        const struct word *name = &words->items[i];
        if (name->text[name->length - 1] != '=')
            break;
        if (!word_is(name, "count=") && !*other)
            *other = name;
    }
    return i;
}

/* The series begins with its first row, unless what it goes over are no sizes. */
static int begin_series(struct reading *reading, const struct word *other, struct error *error)
{
    const struct importer *importer = reading->importer;
    if (other) {
        char *because = memory_format("its rows go over %.*s: expected sizes",
                                      (int)(other->length - 1), other->text);
        import_leave_out(importer, reading->line, reading->test->name, because);
        free(because);
        reading->test = NULL;
        return 0;
    }
    reading->series = import_begin(importer, reading->test, reading->begun, "SKaMPI");
    reading->series->processors = 2.0;
    reading->series->statistic = STATISTIC_MEAN;
    reading->series->across = ACROSS_MAXIMUM;
    return reading->test->pattern->among == AMONG_TWO
               ? 0
               : import_processors(importer, reading->begun, &reading->series->processors, error);
}

/* Of its standard error so many times: 90 of 100 means are within. */
static int take_row(struct reading *reading, const struct word *row, struct error *error)
{
    const struct text *text = reading->importer->text;
    struct point point = import_point(0.0);
    double error_us;
    if (word_whole(text, reading->line, &row[ROW_BYTES], "message bytes", &point.bytes, error) !=
            0 ||
        word_number(text, reading->line, &row[ROW_TIME], "a time in us", &point.mean_us, error) !=
            0 ||
        word_number(text, reading->line, &row[ROW_ERROR], "a standard error in us", &error_us,
                    error) != 0 ||
        word_whole(text, reading->line, &row[ROW_REPETITIONS], "repetitions", &point.repetitions,
                   error) != 0)
        return -1;
    point.half_width_us = fmax(confidence_deviations * error_us, word_rounding(&row[ROW_TIME]));
    return import_add(reading->importer, reading->series, reading->line, &point, error);
}

static int read_row(struct reading *reading, struct error *error)
{
    const struct words words = text_words(line_of(reading));
    const struct word *other;
    const size_t loops = loop_words(&words, &other);
    if (!reading->series && begin_series(reading, other, error) != 0)
        return -1;
    if (!reading->series)
        return 0;
    if (words.count < loops + ROW_LEAST)
        return error_at(error, text_place(reading->importer->text, reading->line, 1),
                        "%zu numbers: expected bytes, us, standard error, repetitions",
                        words.count - loops);
    return take_row(reading, &words.items[loops], error);
}

/* ---- results ---- */

static void begin_result(struct reading *reading, const char *quoted)
{
    const char *name = quoted + (*quoted == '"');
    const size_t length = strcspn(name, "\"");
    reading->is_within = true;
    reading->begun = reading->line;
    reading->series = NULL;
    reading->test = import_test_named(tests, TESTS, name, strcspn(name, "-\""));
    if (reading->test)
        return;
    char *what = memory_format("%.*s", (int)length, name);
    import_leave_out(reading->importer, reading->line, what, "no pattern of the same meaning");
    free(what);
}

static int not_ended(const struct reading *reading, struct error *error)
{
    return error_at(error, text_place(reading->importer->text, reading->begun, 1),
                    "a result without '# end result': expected all that was printed");
}

static int read_line(struct reading *reading, struct error *error)
{
    const char *line = line_of(reading), *rest;
    if ((rest = text_behind(line, "# begin result"))) {
        if (reading->is_within)
            return not_ended(reading, error);
        begin_result(reading, rest);
    } else if (text_behind(line, "# end result")) {
        reading->is_within = false;
    } else if (line[0] != '#' && line[strspn(line, " \t")] != '\0') {
        const struct words words = text_words(line);
        const struct word *first = &words.items[0];
        if (first->text[first->length - 1] != '=' && !words_are_row(&words)) {
            import_skip(&reading->skipped, reading->line);
            return 0;
        }
        if (!reading->is_within)
            return error_at(error, text_place(reading->importer->text, reading->line, 1),
                            "'%.40s': expected '# begin result'", line);
        return reading->test ? read_row(reading, error) : 0;
    }
    return 0;
}

bool import_is_skampi(const struct text *text)
{
    return text_find(text, "# SKaMPI Version") < text->count;
}

int import_skampi(const struct importer *importer, struct error *error)
{
    struct reading reading = {.importer = importer};
    int status = text_check_end(importer->text, error);
    for (; status == 0 && reading.line < importer->text->count; reading.line++)
        status = read_line(&reading, error);
    import_note_skipped(importer, &reading.skipped);
    return status == 0 && reading.is_within ? not_ended(&reading, error) : status;
}
