#include "estimator/pictures/predictions.h"

#include "estimator/pictures/plot.h"
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/records/csv_in.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char kind[] = "predictions";

/* Half of the width of the band: a prediction that is so far off is still called right. */
static const double band = 0.25;

enum { NAME = 100, GUIDES = 3, SAMPLES_MOST = PLOT_SERIES_MOST - GUIDES };

/* What is looked for in the header. */
enum column { SAMPLE, PART, PREDICTED, MEASURED, COLUMNS };

static const struct {
    const char *name, *other_name;
} columns[COLUMNS] = {
    [SAMPLE] = {"sample",       "segment"  },
    [PART] = {"part",         "what"     },
    [PREDICTED] = {"predicted_us", "predicted"},
    [MEASURED] = {"measured_us",  "measured" },
};

struct sample {
    char name[NAME];
    double *predicted_us, *measured_us;
    size_t count;
};

struct samples {
    struct sample items[SAMPLES_MOST];
    size_t count;
    double least_us, most_us;
    const char *part; /* asked; "": all */
};

struct reader {
    struct csv_in csv;
    size_t at[COLUMNS], width; /* at: width where there is no such column */
};

bool predictions_asked(const char *what)
{
    const size_t length = sizeof kind - 1;
    return strncmp(what, kind, length) == 0 && (what[length] == '\0' || what[length] == ':');
}

static int read_header(struct reader *reader, struct error *error)
{
    size_t found[COLUMNS] = {0};
    for (char *rest = reader->csv.line; rest;) {
        const char *cell = csv_cell(&rest);
        reader->width++;
        for (size_t i = 0; i < COLUMNS; i++)
            if (strcmp(cell, columns[i].name) == 0 || strcmp(cell, columns[i].other_name) == 0)
                found[i] = reader->width;
    }
    for (size_t i = 0; i < COLUMNS; i++)
        reader->at[i] = found[i] > 0 ? found[i] - 1 : reader->width;
    for (size_t i = PREDICTED; i <= MEASURED; i++)
        if (found[i] == 0)
            return error_at(error, csv_line_place(&reader->csv), "the table has no column '%s'",
                            columns[i].name);
    return 0;
}

static int read_time(const struct reader *reader, const char *cell, double *time_us,
                     struct error *error)
{
    if (!number_parse(cell, time_us) || *time_us < 0.0)
        return error_at(error, csv_place(&reader->csv, cell), "'%.60s': expected a time in us",
                        cell);
    return 0;
}

/* NULL: there are too many. */
static struct sample *sample_named(struct samples *samples, const char *name)
{
    size_t i = 0;
    while (i < samples->count && strcmp(samples->items[i].name, name) != 0)
        i++;
    if (i == SAMPLES_MOST)
        return NULL;
    if (i == samples->count) {
        samples->items[samples->count++] = (struct sample){.count = 0};
        snprintf(samples->items[i].name, NAME, "%s", name);
    }
    return &samples->items[i];
}

static int add_row(const struct reader *reader, struct samples *samples, char *const *cells,
                   struct error *error)
{
    const bool has_part = reader->at[PART] < reader->width;
    const char *part = has_part ? cells[reader->at[PART]] : "";
    double predicted_us, measured_us;
    char name[NAME];
    if (read_time(reader, cells[reader->at[PREDICTED]], &predicted_us, error) != 0 ||
        read_time(reader, cells[reader->at[MEASURED]], &measured_us, error) != 0)
        return -1;
    if ((samples->part[0] && has_part && strcmp(part, samples->part) != 0) || predicted_us == 0.0 ||
        measured_us == 0.0)
        return 0;
    snprintf(name, NAME, "%.40s%s%.40s",
             reader->at[SAMPLE] < reader->width ? cells[reader->at[SAMPLE]] : reader->csv.path,
             has_part && !samples->part[0] ? ", " : "", samples->part[0] ? "" : part);
    struct sample *sample = sample_named(samples, name);
    if (!sample)
        return error_at(error, csv_line_place(&reader->csv), "more than %d samples in one picture",
                        SAMPLES_MOST);
    sample->predicted_us =
        memory_grow(sample->predicted_us, sample->count + 1, sizeof *sample->predicted_us);
    sample->measured_us =
        memory_grow(sample->measured_us, sample->count + 1, sizeof *sample->measured_us);
    sample->predicted_us[sample->count] = predicted_us;
    sample->measured_us[sample->count++] = measured_us;
    samples->least_us = fmin(samples->least_us, fmin(predicted_us, measured_us));
    samples->most_us = fmax(samples->most_us, fmax(predicted_us, measured_us));
    return 0;
}

static int read_row(struct reader *reader, struct samples *samples, struct error *error)
{
    char **cells = memory_new(reader->width, sizeof *cells);
    size_t at = 0;
    for (char *rest = reader->csv.line; rest; at++) {
        char *cell = csv_cell(&rest);
        if (at < reader->width)
            cells[at] = cell;
    }
    int status = csv_expect(&reader->csv, at, reader->width, error);
    if (status == 0)
        status = add_row(reader, samples, cells, error);
    free(cells);
    return status;
}

static int read_file(const char *path, struct samples *samples, struct error *error)
{
    struct reader reader = {.width = 0};
    if (csv_open(&reader.csv, path, error) != 0)
        return -1;
    int status = read_header(&reader, error), more = 0;
    while (status == 0 && (more = csv_next(&reader.csv, error)) > 0)
        status = read_row(&reader, samples, error);
    csv_close(&reader.csv);
    return status == 0 ? more : status;
}

/* ---- drawing ---- */

static void draw_guide(struct plot *plot, const struct samples *samples, const char *title,
                       double ratio)
{
    if (!plot_series(plot, title, PLOT_GUIDE, ratio == 1.0 ? 0 : 1))
        return;
    plot_point(plot, samples->least_us, ratio * samples->least_us);
    plot_point(plot, samples->most_us, ratio * samples->most_us);
    plot_series_end(plot);
}

static void draw(struct plot *plot, const struct samples *samples)
{
    char title[NAME];
    plot_axes_equal(plot, "measured, us", "predicted, us");
    draw_guide(plot, samples, "predicted = measured", 1.0);
    snprintf(title, sizeof title, "%.0f %% more", 100.0 * band);
    draw_guide(plot, samples, title, 1.0 + band);
    snprintf(title, sizeof title, "%.0f %% less", 100.0 * band);
    draw_guide(plot, samples, title, 1.0 - band);
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *sample = &samples->items[i];
        if (!plot_series(plot, sample->name, i % 2 ? PLOT_OPEN_MARKS : PLOT_MARKS, (int)i))
            return;
        for (size_t k = 0; k < sample->count; k++)
            plot_point(plot, sample->measured_us[k], sample->predicted_us[k]);
        plot_series_end(plot);
    }
}

char *predictions_script(const struct predictions_request *request, struct error *error)
{
    const char *colon = strchr(request->what, ':');
    struct samples samples = {.part = colon ? colon + 1 : "", .least_us = INFINITY, .most_us = 0.0};
    char *text = NULL;
    int status = 0;
    for (size_t i = 0; i < request->count && status == 0; i++)
        status = read_file(request->files[i], &samples, error);
    if (status == 0 && samples.count == 0)
        status =
            error_at(error, place_at(request->files[0], 0, 0), "the table has no row to draw%s%s",
                     colon ? " with part " : "", samples.part);
    if (status == 0) {
        size_t size = 0;
        struct plot plot;
        FILE *script = memory_stream(&text, &size);
        plot_begin(&plot, script, request->path, request->what);
        draw(&plot, &samples);
        plot_end(&plot);
        memory_stream_end(script);
    }
    for (size_t i = 0; i < samples.count; i++) {
        free(samples.items[i].predicted_us);
        free(samples.items[i].measured_us);
    }
    return text;
}
