/* csv: every number of the table. Regions are rows of their own kind; all else follows the tables
   of fields, so that a new key of machine tables is exported without a change here. */
#include "estimator/export/export.h"
#include "estimator/export/key_unit.h"
#include "estimator/output/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { LABEL = 80 };

static const char *const columns[] = {"section",
                                      "item",
                                      "name",
                                      "formula_p",
                                      "from_bytes",
                                      "upto_bytes",
                                      "t0_us",
                                      "rinf_mb_per_s",
                                      "per_root_byte_us",
                                      "packet_bytes",
                                      "first_packet_bytes",
                                      "per_packet_us",
                                      "fitted_median",
                                      "fitted_p95",
                                      "held_out_median",
                                      "held_out_p95",
                                      "launches_p95",
                                      "value",
                                      "unit",
                                      "low",
                                      "high"};

/* What the rows of one item have in common. */
struct subject {
    struct report *report;
    const struct exporter *exporter;
    char section[LABEL], item[LABEL];
    double processors, bytes; /* NAN: the item has none */
};

/* ---- cells ---- */

static void add_nothing(struct report *report, int cells)
{
    for (int i = 0; i < cells; i++)
        report_number(report, NAN);
}

/* A number that may be without bound. */
static void add_bound(struct report *report, double value)
{
    if (isinf(value))
        report_text(report, "inf");
    else
        report_number(report, value);
}

static void add_head(const struct subject *subject, const char *name, double processors,
                     double from_bytes, double upto_bytes)
{
    report_text(subject->report, subject->section[0] ? subject->section : "table");
    report_text(subject->report, subject->item);
    report_text(subject->report, name);
    report_number(subject->report, processors);
    report_number(subject->report, from_bytes);
    add_bound(subject->report, upto_bytes);
}

/* The columns between the head and the value. */
enum { REGION_COLUMNS = 11 };

static void add_value_head(const struct subject *subject, const char *name)
{
    add_head(subject, name, subject->processors, subject->bytes, subject->bytes);
    add_nothing(subject->report, REGION_COLUMNS);
}

static void add_number(const struct subject *subject, const char *name, const char *unit,
                       double value, double low, double high)
{
    if (isnan(value) && isnan(low) && isnan(high))
        return;
    add_value_head(subject, name);
    add_bound(subject->report, value);
    report_text(subject->report, unit);
    report_number(subject->report, low);
    add_bound(subject->report, high);
}

static void add_text(const struct subject *subject, const char *name, const char *text)
{
    if (!text || strcmp(text, subject->item) == 0)
        return;
    add_value_head(subject, name);
    report_text(subject->report, text);
    add_nothing(subject->report, 3);
}

/* ---- regions: a row each, at every p ---- */

/* As it is written in the table, where it is a constant there. */
static double rinf_mb_per_s(const struct form *per_byte_us, double p)
{
    const struct term *term = &per_byte_us->terms[0];
    if (per_byte_us->count == 1 && term->basis == BASIS_ONE)
        return term->coefficient.denominator / term->coefficient.numerator;
    const double value = form_value(per_byte_us, p);
    return value == 0.0 ? (double)INFINITY : 1.0 / value;
}

static void add_region(const struct subject *subject, const struct region *region, double p,
                       double from_bytes)
{
    const bool root = region->per_root_byte_us.count > 0;
    const struct region_error *error = &region->error;
    const double last[] = {root ? form_value(&region->per_root_byte_us, p) : (double)NAN,
                           region->packet_bytes,
                           region->first_packet_bytes,
                           region->per_packet_us,
                           error->fitted_median,
                           error->fitted_p95,
                           error->held_out_median,
                           error->held_out_p95,
                           error->launches_p95};
    add_head(subject, region->unscalable ? "unscalable" : "region", p, from_bytes,
             region->bytes_upto);
    report_number(subject->report, region->unscalable ? NAN : form_value(&region->setup_us, p));
    add_bound(subject->report,
              region->unscalable ? (double)NAN : rinf_mb_per_s(&region->per_byte_us, p));
    for (size_t i = 0; i < COUNT(last); i++)
        report_number(subject->report, last[i]);
    add_nothing(subject->report, 4);
}

static bool holds_at(const struct region *region, double p)
{
    return p >= region->processors.least && p <= region->processors.most;
}

static void add_regions_at(const struct subject *subject, const struct cost *cost, double p)
{
    const struct list *list = cost_regions_at(cost, p);
    const struct region *regions = list->items;
    double from_bytes = 0.0;
    for (size_t i = 0; i < list->count; i++) {
        if (!holds_at(&regions[i], p) || regions[i].bytes_upto < from_bytes)
            continue;
        add_region(subject, &regions[i], p, from_bytes);
        from_bytes = regions[i].bytes_upto + 1.0;
    }
}

/* The next p: of those measured and the powers of two within what was trained, and its ends. */
static double next_processors(const struct cost *cost, double after)
{
    const struct at_processors *measured = cost->by_processors.items;
    const double least = isnan(cost->processors.least) ? 2.0 : cost->processors.least;
    const double most = isfinite(cost->processors.most) ? cost->processors.most : least;
    double next = INFINITY;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        if (measured[i].processors > after)
            next = fmin(next, measured[i].processors);
    const double power = exp2(floor(log2(fmax(after, 0.5))) + 1.0);
    const double candidates[] = {least, most, power};
    for (size_t i = 0; i < COUNT(candidates); i++)
        if (candidates[i] > after && candidates[i] >= least && candidates[i] <= most)
            next = fmin(next, candidates[i]);
    return next;
}

static void add_regions(const struct subject *subject, const struct cost *cost)
{
    const struct number_list *asked = subject->exporter->processors;
    for (size_t i = 0; i < asked->count; i++)
        add_regions_at(subject, cost, asked->values[i]);
    if (asked->count)
        return;
    for (double p = next_processors(cost, 0.0); isfinite(p); p = next_processors(cost, p))
        add_regions_at(subject, cost, p);
}

/* ---- values: what the tables of fields say ---- */

static void walk(const struct subject *subject, const struct record *record, const void *target);

static double number_at(const struct field *field, const void *target)
{
    double value;
    memcpy(&value, (const char *)target + field->offset, sizeof value);
    const bool absent = field->has_absent && value == field->absent;
    return absent ? (double)NAN : value;
}

static bool is_number(const struct field *field)
{
    return field->kind == FIELD_NUMBER || field->kind == FIELD_WHOLE;
}

/* Whether the field is the end of an interval of another: "low", or KEY_low. */
static bool is_end(const struct field *field, const char *of, const char *end)
{
    const size_t length = strlen(of);
    if (!is_number(field))
        return false;
    return strcmp(field->key, end) == 0 ||
           (strncmp(field->key, of, length) == 0 && field->key[length] == '_' &&
            strcmp(field->key + length + 1, end) == 0);
}

/* Adds the number with its interval, which stands in the two fields behind it. Returns how many
   fields that were. */
static size_t add_number_field(const struct subject *subject, const struct record *record, size_t i,
                               const void *target)
{
    const struct field *field = &record->fields[i];
    const bool interval = i + 2 < record->count && is_end(&field[1], field->key, "low") &&
                          is_end(&field[2], field->key, "high");
    add_number(subject, field->key, key_unit(field->key), number_at(field, target),
               interval ? number_at(&field[1], target) : (double)NAN,
               interval ? number_at(&field[2], target) : (double)NAN);
    return interval ? 3 : 1;
}

static void add_operations(const struct subject *subject, const char *key, const char *unit,
                           const struct operations *operations)
{
    for (int i = 0; i < OPERATION_COUNT; i++) {
        char name[LABEL];
        snprintf(name, sizeof name, "%s.%s", key, operation_name((enum operation)i));
        if (operations->of[i] != 0.0)
            add_number(subject, name, unit, operations->of[i], NAN, NAN);
    }
}

static void add_units(const struct subject *subject, const struct list *units)
{
    const struct unit *items = units->items;
    struct subject unit = *subject;
    snprintf(unit.section, sizeof unit.section, "%.60s.units", subject->section);
    for (size_t i = 0; i < units->count; i++) {
        snprintf(unit.item, sizeof unit.item, "%.79s", items[i].name);
        add_operations(&unit, "cycles", "cycle", &items[i].cycles);
    }
}

/* Fields that are not of a common kind. */
static void add_own(const struct subject *subject, const struct record *record,
                    const struct field *field, const void *target)
{
    const char *member = (const char *)target + field->offset;
    if (field->read == operations_read)
        add_operations(subject, field->key, key_unit(field->key), (const void *)member);
    else if (record == &node_record && strcmp(field->key, "units") == 0)
        add_units(subject, (const void *)member);
    else if (record == &cost_record) {
        const struct span *trained = (const void *)member;
        char name[LABEL];
        snprintf(name, sizeof name, "trained_%s", field->key);
        add_number(subject, name, key_unit(field->key), NAN, trained->least, trained->most);
    }
}

static double own_number(const struct record *record, const char *key, const void *target)
{
    for (size_t i = 0; i < record->count; i++)
        if (is_number(&record->fields[i]) && strcmp(record->fields[i].key, key) == 0)
            return number_at(&record->fields[i], target);
    return NAN;
}

static void set_walk(struct subject *subject, const struct strided_lines *walk)
{
    if (isinf(walk->level))
        snprintf(subject->item, LABEL, "memory by %.0f lines", walk->stride_lines);
    else
        snprintf(subject->item, LABEL, "L%.0f by %.0f lines", walk->level, walk->stride_lines);
}

/* What tells the item from the others: its name, or its number. */
/* Numbered within the item that the list stands in, if any: 3.1. */
static void set_item(struct subject *subject, const struct record *record, const void *target,
                     const char *outer, size_t number)
{
    const struct memory_level *level = target;
    if (record == &cost_record)
        snprintf(subject->item, LABEL, "%.79s", ((const struct cost *)target)->utility);
    else if (record == &memory_level_record && isinf(level->level))
        snprintf(subject->item, LABEL, "memory");
    else if (record == &strided_lines_record)
        set_walk(subject, target);
    else if (record == &memory_level_record)
        snprintf(subject->item, LABEL, "L%.0f", level->level);
    else
        snprintf(subject->item, LABEL, "%.50s%s%zu", outer, outer[0] ? "." : "", number);
    subject->bytes = own_number(record, "bytes", target);
    subject->processors = own_number(record, "processors", target);
}

static struct subject subject_of(const struct subject *subject, const struct field *field)
{
    struct subject inner = *subject;
    inner.item[0] = '\0';
    inner.bytes = inner.processors = NAN;
    snprintf(inner.section, LABEL, "%.39s%s%.39s", subject->section, subject->section[0] ? "." : "",
             field->key);
    return inner;
}

static void add_list(const struct subject *subject, const struct field *field,
                     const struct list *list)
{
    if (field->of == &region_record || field->of == &at_processors_record)
        return; /* add_regions */
    struct subject inner = subject_of(subject, field);
    for (size_t i = 0; i < list->count; i++) {
        const char *item = (const char *)list->items + i * field->of->size;
        set_item(&inner, field->of, item, subject->item, i + 1);
        if (field->of == &cost_record)
            add_regions(&inner, (const void *)item);
        walk(&inner, field->of, item);
    }
}

static void add_field(const struct subject *subject, const struct record *record,
                      const struct field *field, const void *target)
{
    const char *member = (const char *)target + field->offset;
    struct subject inner;
    switch (field->kind) {
    case FIELD_TEXT:
        add_text(subject, field->key, *(char *const *)(const void *)member);
        break;
    case FIELD_FLAG:
        add_text(subject, field->key, *(const bool *)(const void *)member ? "true" : NULL);
        break;
    case FIELD_CHOICE:
        if (field->required || *(const int *)(const void *)member != 0)
            add_text(subject, field->key, field->choices[*(const int *)(const void *)member]);
        break;
    case FIELD_RECORD:
        inner = subject_of(subject, field);
        walk(&inner, field->of, member);
        break;
    case FIELD_OPTION:
        inner = subject_of(subject, field);
        if (*(void *const *)(const void *)member)
            walk(&inner, field->of, *(void *const *)(const void *)member);
        break;
    case FIELD_LIST:
        add_list(subject, field, (const void *)member);
        break;
    case FIELD_OWN:
        add_own(subject, record, field, target);
        break;
    case FIELD_NUMBER:
    case FIELD_WHOLE:
        break; /* add_number_field */
    }
}

static void walk(const struct subject *subject, const struct record *record, const void *target)
{
    for (size_t i = 0; i < record->count;)
        if (is_number(&record->fields[i]))
            i += add_number_field(subject, record, i, target);
        else
            add_field(subject, record, &record->fields[i++], target);
}

int export_csv(const struct exporter *exporter, struct error *error)
{
    const struct subject machine = {.report = report_new(columns, COUNT(columns)),
                                    .exporter = exporter,
                                    .processors = NAN,
                                    .bytes = NAN};
    (void)error;
    walk(&machine, &machine_record, exporter->machine);
    report_write_csv(machine.report, exporter->out);
    report_free(machine.report);
    return 0;
}
