#include "model/records/record_csv.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/records/csv_in.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 64 };

/* ---- writing ---- */

char *record_csv_header(const struct record *record)
{
    char *line = memory_copy_text("");
    for (size_t i = 0; i < record->count; i++) {
        char *longer = memory_format("%s%s%s", line, i ? "," : "", record->fields[i].key);
        free(line);
        line = longer;
    }
    return line;
}

static void write_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++)
        fprintf(stream, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', stream);
}

static void write_cell(FILE *stream, const struct field *field, const void *item)
{
    const void *member = (const char *)item + field->offset;
    char number[NUMBER_TEXT];
    if (field->kind == FIELD_CHOICE)
        fputs(field->choices[*(const int *)member], stream);
    else if (field_is_absent(field, item))
        return;
    else if (field->kind == FIELD_TEXT)
        write_text(stream, *(char *const *)member);
    else if (field->kind == FIELD_FLAG)
        fputs("true", stream);
    else
        fputs(number_print(*(const double *)member, number), stream);
}

void record_csv_write(const struct record *record, const struct list *list, FILE *stream)
{
    char *header = record_csv_header(record);
    fprintf(stream, "%s\n", header);
    free(header);
    for (size_t row = 0; row < list->count; row++)
        for (size_t i = 0; i < record->count; i++) {
            write_cell(stream, &record->fields[i], (const char *)list->items + row * record->size);
            fputc(i + 1 < record->count ? ',' : '\n', stream);
        }
}

/* ---- reading ---- */

struct reader {
    const struct record *record;
    struct csv_in csv;
    const struct field *order[COLUMNS_MOST]; /* which stands where */
    size_t width;
};

static const struct field *field_named(const struct record *record, const char *key)
{
    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->fields[i].key, key) == 0)
            return &record->fields[i];
    return NULL;
}

static bool has_column(const struct reader *reader, const struct field *field)
{
    for (size_t i = 0; i < reader->width; i++)
        if (reader->order[i] == field)
            return true;
    return false;
}

static int check_required(const struct reader *reader, struct error *error)
{
    const struct record *record = reader->record;
    for (size_t i = 0; i < record->count; i++)
        if (record->fields[i].required && !has_column(reader, &record->fields[i]))
            return error_at(error, csv_line_place(&reader->csv), "column '%s' is missing",
                            record->fields[i].key);
    return 0;
}

static int read_header(struct reader *reader, struct error *error)
{
    for (char *rest = reader->csv.line; rest;) {
        const char *cell = csv_cell(&rest);
        const struct field *field = field_named(reader->record, cell);
        if (!field)
            return error_at(error, csv_place(&reader->csv, cell), "unknown column '%.60s'", cell);
        if (has_column(reader, field) || reader->width == COLUMNS_MOST)
            return error_at(error, csv_place(&reader->csv, cell), "column '%s' a second time",
                            cell);
        reader->order[reader->width++] = field;
    }
    return check_required(reader, error);
}

static void set_place(const struct reader *reader, void *item)
{
    struct place place = csv_line_place(&reader->csv);
    place.file = NULL;
    if (reader->record->place_offset != NO_PLACE)
        memcpy((char *)item + reader->record->place_offset, &place, sizeof place);
}

static int read_cell(const struct reader *reader, size_t at, const char *cell, void *item,
                     struct error *error)
{
    const struct field *field = reader->order[at];
    if (cell[0] != '\0')
        return field_read_text(field, cell, csv_place(&reader->csv, cell), item, error);
    return field->required
               ? error_at(error, csv_place(&reader->csv, cell), "%s is empty", field->key)
               : 0;
}

static int read_row(const struct reader *reader, void *item, struct error *error)
{
    size_t at = 0;
    set_place(reader, item);
    for (char *rest = reader->csv.line; rest; at++) {
        const char *cell = csv_cell(&rest);
        if (at == reader->width)
            return error_at(error, csv_place(&reader->csv, cell), "more cells than columns");
        if (read_cell(reader, at, cell, item, error) != 0)
            return -1;
    }
    return csv_expect(&reader->csv, at, reader->width, error);
}

static void drop_from(const struct record *record, struct list *list, size_t count)
{
    for (; list->count > count; list->count--)
        record_free(record, (char *)list->items + (list->count - 1) * record->size);
}

int record_csv_read(const struct record *record, const char *path, struct list *list,
                    struct error *error)
{
    const size_t before = list->count;
    struct reader reader = {.record = record};
    if (csv_open(&reader.csv, path, error) != 0)
        return -1;
    int status = read_header(&reader, error), more = 0;
    while (status == 0 && (more = csv_next(&reader.csv, error)) > 0)
        status = read_row(&reader, list_add(record, list), error);
    status = status == 0 ? more : status;
    if (status != 0)
        drop_from(record, list, before);
    csv_close(&reader.csv);
    return status;
}
