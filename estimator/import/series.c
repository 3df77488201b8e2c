/* What the readers share: series of points, and what is left out. */
#include "estimator/import/import.h"

#include "model/base/allocation.h"
#include "model/base/printable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct record series_record = {.name = "a series",
                                            .size = sizeof(struct import_series),
                                            .fields = NULL,
                                            .count = 0,
                                            .place_offset = NO_PLACE};

const struct import_test *import_test_named(const struct import_test *tests, size_t count,
                                            const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(tests[i].name) == length && strncmp(tests[i].name, name, length) == 0)
            return &tests[i];
    return NULL;
}

struct import_series *import_begin(const struct importer *importer, const struct import_test *test,
                                   size_t line, const char *program)
{
    struct import_series *series = list_add(&series_record, &importer->to->series);
    series->test = test;
    series->measures = MEASURES_COMPLETION;
    series->source = memory_format("%s, %s", program, test->name);
    series->place = text_place(importer->text, line, 1);
    return series;
}

bool import_waits_for_all(const struct pattern *pattern)
{
    switch (pattern->delivery) {
    case DELIVERY_OF_ALL:
    case DELIVERY_OF_EACH:
    case DELIVERY_SUM:
    case DELIVERY_SUM_SHARED:
        return true;
    default:
        return pattern == &pattern_synchronization;
    }
}

/* ---- points ---- */

struct point import_point(double bytes)
{
    return (struct point){.bytes = bytes,
                          .repetitions = NAN,
                          .minimum_us = NAN,
                          .median_us = NAN,
                          .mean_us = NAN,
                          .standard_deviation_us = NAN,
                          .maximum_us = NAN,
                          .half_width_us = NAN,
                          .rejected = NAN,
                          .launch = 1.0,
                          .attempt = 1.0};
}

/* The pattern's own size and times, of what is printed. */
static struct point translated(const struct import_series *series, struct point point)
{
    const double uses = series->test->uses > 0.0 ? series->test->uses : 1.0;
    double *times[] = {&point.minimum_us, &point.median_us,     &point.mean_us,
                       &point.maximum_us, &point.half_width_us, &point.standard_deviation_us};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *times[i] /= uses;
    if (series->test->bytes == IMPORT_BYTES_OF_ALL)
        point.bytes /= series->processors;
    return point;
}

static double last_bytes(const struct list *points)
{
    const struct point *items = points->items;
    return points->count > 0 ? items[points->count - 1].bytes : -1.0;
}

/* No clock tells shorter times, and no benchmark waits longer: 1 ps and 11 days. */
static const double time_least_us = 1e-6, time_most_us = 1e12;

int import_add(const struct importer *importer, struct import_series *series, size_t line,
               const struct point *point, struct error *error)
{
    const struct point one = translated(series, *point);
    if (one.bytes < last_bytes(&series->points))
        return error_at(error, text_place(importer->text, line, 1),
                        "%.0f bytes after a larger size: expected sizes upwards, of one test",
                        point->bytes);
    const double time_us = point_time_us(&one, series->statistic);
    if (time_us != 0.0 && !(time_us >= time_least_us && time_us <= time_most_us))
        return error_at(error, text_place(importer->text, line, 1),
                        "a time of %g us: expected %g to %g us", time_us, time_least_us,
                        time_most_us);
    if (time_us == 0.0) {
        char *what = memory_format("%s of %.0f bytes", series->test->name, point->bytes);
        import_leave_out(importer, line, what, "a time of 0, less than is printed");
        free(what);
        return 0;
    }
    *(struct point *)list_add(&point_record, &series->points) = one;
    return 0;
}

void import_forget(struct import_series *series)
{
    free(series->note);
    series->note = NULL;
    series->measures = MEASURES_COMPLETION;
    series->points.count = 0;
}

void import_skip(struct import_skipped *skipped, size_t line)
{
    if (skipped->count++ == 0)
        skipped->first = line;
}

void import_note_skipped(const struct importer *importer, const struct import_skipped *skipped)
{
    if (skipped->count == 0)
        return;
    const char *line = importer->text->lines[skipped->first];
    char *first = printable(line + strspn(line, " \t"));
    fprintf(importer->to->notes,
            "estimator: remark: %s:%zu: skipped %zu line%s that the benchmark did not print, first "
            "'%.40s'\n",
            importer->text->path, skipped->first + 1, skipped->count,
            skipped->count == 1 ? "" : "s", first);
    free(first);
}

static void note(const struct importer *importer, struct import_series *series, size_t line,
                 char *what, const char *instead)
{
    char *longer = series->note ? memory_format("%s; %s", series->note, what) : NULL;
    fprintf(importer->to->notes, "estimator: remark: %s:%zu: %s: %s; %s\n", importer->text->path,
            line + 1, series->test->name, what, instead);
    free(series->note);
    series->note = longer ? longer : memory_copy_text(what);
    free(what);
}

bool import_adds_up(const struct pattern *pattern)
{
    return pattern->delivery == DELIVERY_SUM || pattern->delivery == DELIVERY_SUM_AT_ROOT ||
           pattern->delivery == DELIVERY_SUM_SHARED;
}

void import_note_type(const struct importer *importer, struct import_series *series, size_t line,
                      const struct word *type)
{
    struct word bare = *type;
    if (bare.length > 0 && bare.text[bare.length - 1] == '.')
        bare.length--;
    if (!import_adds_up(series->test->pattern) || bare.length == 0 || word_is(&bare, "MPI_DOUBLE"))
        return;
    note(importer, series, line, memory_format("sums of %.*s", (int)bare.length, bare.text),
         "the trainer's are of MPI_DOUBLE, of which as many bytes have fewer");
}

void import_note_barrier(const struct importer *importer, struct import_series *series, size_t line)
{
    if (series->test->pattern != &pattern_broadcast)
        return;
    series->measures = MEASURES_RECEIVER;
    note(importer, series, line,
         memory_copy_text(
             "each process by itself, from a barrier on: not until the last has its message"),
         "IMB-MPI1 -sync off -root_shift on measures that");
}

/* ---- the rest ---- */

void import_leave_out(const struct importer *importer, size_t line, const char *what,
                      const char *because)
{
    char *shown = printable(what);
    struct not_measured *row = list_add(&not_measured_record, &importer->to->machine.not_measured);
    row->what = memory_copy_text(shown);
    row->because = memory_copy_text(because);
    fprintf(importer->to->notes, "estimator: remark: %s:%zu: left out: %s: %s\n",
            importer->text->path, line + 1, shown, because);
    free(shown);
}

int import_processors(const struct importer *importer, size_t line, double *processors,
                      struct error *error)
{
    *processors = importer->processors;
    return !isnan(*processors) && *processors >= 2.0
               ? 0
               : error_at(error, text_place(importer->text, line, 1),
                          "how many processes took part is not said here: expected -p, from 2, "
                          "before the name of the file");
}

void import_know(char **member, const char *text)
{
    if (*member || !text || !*text)
        return;
    *member = printable(text);
    for (size_t length = strlen(*member); length > 0 && (*member)[length - 1] == ' ';)
        (*member)[--length] = '\0';
}

void imported_free(struct imported *imported)
{
    struct import_series *series = imported->series.items;
    for (size_t i = 0; i < imported->series.count; i++) {
        free(series[i].source);
        free(series[i].note);
        free(series[i].points.items);
    }
    free(imported->series.items);
    machine_free(&imported->machine);
}
