#include "model/fit/points.h"

#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/base/number.h"
#include "model/records/csv_in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One column of the file: a number of the point, one that need not be known, its name, or the flag.
 */
struct column {
    const char *name;
    enum { COLUMN_NAME, COLUMN_NUMBER, COLUMN_KNOWN, COLUMN_FLAG } kind;
    size_t offset;
};

/* Where interruptions took a larger share of the time, what is shorter than they are may still be
   right, and what is longer is not. */
static const double lost_most = 0.15;

#define NUMBER(member)                                                                             \
    {                                                                                              \
#member, COLUMN_NUMBER, offsetof(struct point, member)                                     \
    }

#define KNOWN(member)                                                                              \
    {                                                                                              \
#member, COLUMN_KNOWN, offsetof(struct point, member)                                      \
    }

static const struct column columns[] = {
    {"utility",  COLUMN_NAME, offsetof(struct point, utility) },
    NUMBER(processors),
    NUMBER(bytes),
    KNOWN(repetitions),
    KNOWN(minimum_us),
    KNOWN(median_us),
    KNOWN(mean_us),
    KNOWN(standard_deviation_us),
    KNOWN(maximum_us),
    KNOWN(half_width_us),
    KNOWN(rejected),
    NUMBER(attempt),
    NUMBER(launch),
    {"held_out", COLUMN_FLAG, offsetof(struct point, held_out)},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

const struct record point_record = {.name = "a point",
                                    .size = sizeof(struct point),
                                    .fields = NULL,
                                    .count = 0,
                                    .place_offset = NO_PLACE};

double point_time_us(const struct point *point, enum statistic statistic)
{
    switch (statistic) {
    case STATISTIC_MINIMUM:
        return point->minimum_us;
    case STATISTIC_MEAN:
        return point->mean_us;
    default:
        return point->median_us;
    }
}

static int by_bytes(const void *a, const void *b)
{
    const struct observation *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

struct observation *points_observe(const struct list *points, enum statistic statistic)
{
    struct observation *seen = memory_new(points->count, sizeof *seen);
    const struct point *items = points->items;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *it = &items[i];
        seen[i] = (struct observation){it->bytes, point_time_us(it, statistic), it->half_width_us,
                                       it->processors, it->held_out};
    }
    qsort(seen, points->count, sizeof *seen, by_bytes);
    return seen;
}

static int by_median(const void *a, const void *b)
{
    const double left_us = ((const struct point *)a)->median_us;
    const double right_us = ((const struct point *)b)->median_us;
    return (left_us > right_us) - (left_us < right_us);
}

const struct point *points_quartile(struct point *points, size_t count)
{
    qsort(points, count, sizeof *points, by_median);
    return &points[(count + 1) / 4];
}

struct point points_mean(const struct point *a, const struct point *b)
{
    struct point both = *a;
    const double all = a->repetitions + b->repetitions, of_b = b->repetitions / all;
    const double off_us = b->mean_us - a->mean_us;
    both.repetitions = all;
    both.minimum_us = fmin(a->minimum_us, b->minimum_us);
    both.median_us = 0.5 * (a->median_us + b->median_us);
    both.mean_us = a->mean_us + of_b * off_us;
    both.standard_deviation_us =
        sqrt((1.0 - of_b) * pow(a->standard_deviation_us, 2.0) +
             of_b * pow(b->standard_deviation_us, 2.0) + of_b * (1.0 - of_b) * off_us * off_us);
    both.maximum_us = fmax(a->maximum_us, b->maximum_us);
    both.half_width_us =
        0.5 * fmax(fabs(a->median_us - b->median_us), hypot(a->half_width_us, b->half_width_us));
    both.rejected = a->rejected + of_b * (b->rejected - a->rejected);
    both.spent_us = a->spent_us + b->spent_us;
    both.lost_us = a->lost_us + b->lost_us;
    return both;
}

bool points_interrupted(const struct list *points)
{
    const struct point *items = points->items;
    double spent_us = 0.0, lost_us = 0.0;
    for (size_t i = 0; i < points->count; i++) {
        spent_us += items[i].spent_us;
        lost_us += items[i].lost_us;
    }
    return lost_us > lost_most * spent_us;
}

double points_last_attempt(const struct list *points, const char *utility, double processors)
{
    const struct point *items = points->items;
    double last = 0.0;
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(items[i].utility, utility) == 0 && items[i].processors == processors)
            last = fmax(last, items[i].attempt);
    return last;
}

void points_last(const struct list *points, const char *utility, struct list *last)
{
    const struct point *items = points->items;
    double attempt = NAN, processors = NAN;
    for (size_t i = 0; i < points->count; i++) {
        if (strcmp(items[i].utility, utility) != 0)
            continue;
        if (items[i].processors != processors) {
            processors = items[i].processors;
            attempt = points_last_attempt(points, utility, processors);
        }
        if (items[i].attempt == attempt)
            *(struct point *)list_add(&point_record, last) = items[i];
    }
}

const char points_begin[] = "utility,processors,bytes,";

void points_write_header(FILE *stream)
{
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(stream, "%s%s", i ? "," : "", columns[i].name);
    fputc('\n', stream);
}

void points_write(FILE *stream, const struct point *point)
{
    char number[NUMBER_TEXT];
    for (size_t i = 0; i < COLUMNS; i++) {
        const void *member = (const char *)point + columns[i].offset;
        fputs(i ? "," : "", stream);
        if (columns[i].kind == COLUMN_NAME)
            fputs(member, stream);
        else if (columns[i].kind == COLUMN_FLAG)
            fputs(*(const bool *)member ? "1" : "0", stream);
        else if (!isnan(*(const double *)member))
            fputs(number_print(*(const double *)member, number), stream);
    }
    fputc('\n', stream);
}

void points_write_all(FILE *stream, const struct list *list)
{
    const struct point *points = list->items;
    points_write_header(stream);
    for (size_t i = 0; i < list->count; i++)
        points_write(stream, &points[i]);
}

int points_read_back(const char *path, struct error *error)
{
    struct list list = {0};
    const int status = points_read(path, &list, error);
    if (status == 0)
        free(list.items);
    return status;
}

int points_put(struct file_out *out, const char *path, const struct list *list, struct error *error)
{
    if (file_out_begin(out, path, error) != 0)
        return -1;
    points_write_all(out->stream, list);
    return file_out_verify(out, points_read_back, error);
}

int points_save(const char *path, const struct list *list, struct error *error)
{
    struct file_out out;
    return points_put(&out, path, list, error) == 0 ? file_out_keep(&out, error) : -1;
}

/* ---- reading ---- */

struct reader {
    struct csv_in csv;
    const struct column *order[COLUMNS]; /* which column stands where */
    size_t width;
};

static int read_header(struct reader *reader, struct error *error)
{
    for (char *rest = reader->csv.line; rest;) {
        const char *cell = csv_cell(&rest);
        size_t i = 0;
        while (i < COLUMNS && strcmp(columns[i].name, cell) != 0)
            i++;
        if (i == COLUMNS || reader->width == COLUMNS)
            return error_at(error, csv_place(&reader->csv, cell), "unknown column '%.60s'", cell);
        for (size_t k = 0; k < reader->width; k++)
            if (reader->order[k] == &columns[i])
                return error_at(error, csv_place(&reader->csv, cell), "column '%s' a second time",
                                cell);
        reader->order[reader->width++] = &columns[i];
    }
    if (reader->width < COLUMNS)
        return error_at(error, csv_line_place(&reader->csv), "%zu columns: expected %d",
                        reader->width, COLUMNS);
    return 0;
}

static int read_cell(const struct reader *reader, const struct column *column, const char *cell,
                     struct point *point, struct error *error)
{
    void *member = (char *)point + column->offset;
    double number;
    if (column->kind == COLUMN_NAME) {
        if (cell[0] == '\0' || strlen(cell) >= POINT_NAME)
            return error_at(error, csv_place(&reader->csv, cell),
                            "'%.60s' is not the name of a utility", cell);
        strcpy(member, cell);
        return 0;
    }
    if (column->kind == COLUMN_KNOWN && cell[0] == '\0')
        number = NAN;
    else if (!number_parse(cell, &number))
        return error_at(error, csv_place(&reader->csv, cell), "%s is '%.60s': expected a number",
                        column->name, cell);
    if (column->kind == COLUMN_FLAG)
        *(bool *)member = number != 0.0;
    else
        *(double *)member = number;
    return 0;
}

static int read_point(struct reader *reader, struct point *point, struct error *error)
{
    size_t at = 0;
    for (char *rest = reader->csv.line; rest; at++) {
        const char *cell = csv_cell(&rest);
        if (at == reader->width)
            return error_at(error, csv_place(&reader->csv, cell), "more cells than columns");
        if (read_cell(reader, reader->order[at], cell, point, error) != 0)
            return -1;
    }
    return csv_expect(&reader->csv, at, reader->width, error);
}

int points_read(const char *path, struct list *list, struct error *error)
{
    const size_t before = list->count;
    struct reader reader = {.width = 0};
    if (csv_open(&reader.csv, path, error) != 0)
        return -1;
    int status = read_header(&reader, error), more = 0;
    while (status == 0 && (more = csv_next(&reader.csv, error)) > 0)
        status = read_point(&reader, list_add(&point_record, list), error);
    status = status == 0 ? more : status;
    if (status != 0)
        list->count = before;
    csv_close(&reader.csv);
    return status;
}
