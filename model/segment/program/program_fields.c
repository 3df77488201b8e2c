#include "model/segment/program/program_fields.h"

#include "model/base/allocation.h"
#include "model/segment/program/program.h"
#include "model/segment/program/program_field_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- maps whose keys are names: parameters, arrays, candidates, distributions ---- */

/* The name is the first member of the struct; its field has the key "", which no file can have. */
#define NAME                                                                                       \
    {                                                                                              \
        .key = "", .kind = FIELD_TEXT, .offset = 0                                                 \
    }

static int read_named(struct yaml_node value, const struct record *record, struct list *list,
                      struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        void *item = list_add(record, list);
        if (record_read(record, yaml_value(value, i), item, error) != 0)
            return -1;
        free(*(char **)item);
        *(char **)item = memory_copy_text(yaml_text(yaml_key(value, i)));
    }
    return 0;
}

static const struct field parameter_fields[] = {NAME, FORMULA("value", parameter, value)};
RECORD(parameter, "a parameter", NO_PLACE);

static int read_names(struct yaml_node value, struct list *list, formula_reader *read,
                      struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        struct parameter *parameter = list_add(&parameter_record, list);
        if (name_check(yaml_key(value, i), error) != 0)
            return -1;
        parameter->name = memory_copy_text(yaml_text(yaml_key(value, i)));
        if (read(yaml_value(value, i), &parameter->value, error) != 0)
            return -1;
    }
    return 0;
}

/* Those without a value take it from a definition. */
static int read_parameters(struct yaml_node value, void *member, struct error *error)
{
    return read_names(value, member, optional_formula_read, error);
}

static int read_let(struct yaml_node value, void *member, struct error *error)
{
    return read_names(value, member, formula_read, error);
}

static void release_parameters(void *member)
{
    list_free(&parameter_record, member);
}

static const char *const orders[] = {"untold", "C", "Fortran", NULL};

/* {to: u, map: [1, 0], offset: [0, 1]} */
static const struct field align_fields[] = {
    FIELD_AS("to", array, align, .kind = FIELD_TEXT, .required = true),
    FORMULAS_BY("map", array, align_map, maps_read, false),
    FORMULAS("offset", array, align_offset, false),
};
static const struct record align_record =
    RECORD_FROM("an alignment", array, align_fields, NO_PLACE);

/* The member is the first of the three that an alignment has. */
static struct array *array_of(void *member)
{
    return (struct array *)(void *)((char *)member - offsetof(struct array, align));
}

/* align: u, or {to: u, ...}. The record is read into an array of its own: reading begins all of
   it. */
static int read_align(struct yaml_node value, void *member, struct error *error)
{
    struct array *array = array_of(member), aligned;
    if (yaml_kind(value) != YAML_MAP) {
        if (yaml_expect(value, YAML_SCALAR, error) != 0)
            return -1;
        array->align = memory_copy_text(yaml_text(value));
        return 0;
    }
    if (record_read(&align_record, value, &aligned, error) != 0)
        return -1;
    array->align = aligned.align;
    array->align_map = aligned.align_map;
    array->align_offset = aligned.align_offset;
    return 0;
}

static void release_align(void *member)
{
    struct array *array = array_of(member);
    free(array->align);
    array->align = NULL;
    formulas_release(&array->align_map);
    formulas_release(&array->align_offset);
}

static const struct field array_fields[] = {
    NAME,
    FORMULAS("extent", array, extent, true),
    {.key = "element_bytes",
                                     .kind = FIELD_WHOLE,
                                     AT(array, element_bytes),
                                     .bounded = true,
                                     .least = 1.0,
                                     .most = 4096.0,
                                     .has_absent = true,
                                     .absent = 8.0},
    FIELD(array, align, .kind = FIELD_OWN, .read = read_align, .release = release_align),
    FIELD(array, order, .kind = FIELD_CHOICE, .choices = orders),
    FIELD(array, periodic, .kind = FIELD_FLAG),
    FIELD(array, scalar, .kind = FIELD_FLAG),
    ORIGIN("at", origins_check_at),
};
RECORD(array, "an array", offsetof(struct array, place));

static int read_arrays(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (name_check(yaml_key(value, i), error) != 0)
            return -1;
    return read_named(value, &array_record, member, error);
}

static void release_arrays(void *member)
{
    list_free(&array_record, member);
}

static const struct field distribute_fields[] = {
    NAME,
    FORMULAS("dimensions", distribute, dimensions, false),
};
RECORD(distribute, "a distribution", NO_PLACE);

static int read_dimensions(struct yaml_node array, struct yaml_node dimensions, struct list *list,
                           formula_reader *read, struct error *error)
{
    struct distribute *distribute = list_add(&distribute_record, list);
    distribute->array = memory_copy_text(yaml_text(array));
    distribute->place = place_in_program(array);
    return read(dimensions, &distribute->dimensions, error);
}

static int read_each(struct yaml_node value, struct list *list, formula_reader *read,
                     struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read_dimensions(yaml_key(value, i), yaml_value(value, i), list, read, error) != 0)
            return -1;
    return 0;
}

static int read_distribute(struct yaml_node value, void *member, struct error *error)
{
    return read_each(value, member, distributions_read, error);
}

static int read_halo(struct yaml_node value, void *member, struct error *error)
{
    return read_each(value, member, formulas_read, error);
}

static int read_sweep(struct yaml_node value, void *member, struct error *error)
{
    return read_each(value, member, formula_texts_read, error);
}

static void release_distribute(void *member)
{
    list_free(&distribute_record, member);
}

static const struct field redistribute_fields[] = {
    TEXT("before", redistribute, before),
    TEXT("after", redistribute, after),
    OWN("distribute", redistribute, distribute, read_distribute, release_distribute, false),
};
RECORD(redistribute, "a redistribution", offsetof(struct redistribute, place));

/* {before: SEGMENT, u: [...]}: what is neither before nor after is an array. */
static int read_redistribution(struct yaml_node value, struct redistribute *it, struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    it->place = place_in_program(value);
    for (size_t i = 0; i < yaml_count(value); i++) {
        const struct yaml_node key = yaml_key(value, i), item = yaml_value(value, i);
        const bool before = strcmp(yaml_text(key), "before") == 0;
        if (before || strcmp(yaml_text(key), "after") == 0) {
            if (yaml_expect(item, YAML_SCALAR, error) != 0)
                return -1;
            *(before ? &it->before : &it->after) = memory_copy_text(yaml_text(item));
        } else if (read_dimensions(key, item, &it->distribute, distributions_read, error) != 0) {
            return -1;
        }
    }
    return 0;
}

/* One, or a list. */
static int read_redistribute(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_kind(value) != YAML_LIST)
        return read_redistribution(value, list_add(&redistribute_record, member), error);
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read_redistribution(yaml_item(value, i), list_add(&redistribute_record, member),
                                error) != 0)
            return -1;
    return 0;
}

static void release_redistribute(void *member)
{
    list_free(&redistribute_record, member);
}

static const struct field candidate_fields[] = {
    NAME,
    FORMULAS("grid", candidate, grid, true),
    OWN("distribute", candidate, distribute, read_distribute, release_distribute, false),
    OWN("redistribute", candidate, redistribute, read_redistribute, release_redistribute, false),
    OWN("halo", candidate, halo, read_halo, release_distribute, false),
    ORIGIN("at", origins_check_at),
    FIELD(candidate, fill, .kind = FIELD_FLAG),
};
RECORD(candidate, "a candidate", offsetof(struct candidate, place));

static int read_candidates(struct yaml_node value, void *member, struct error *error)
{
    return read_named(value, &candidate_record, member, error);
}

static void release_candidates(void *member)
{
    list_free(&candidate_record, member);
}

/* ---- candidates that no file has ---- */

void formulas_add(struct list *formulas, const char *text)
{
    struct formula *formula = list_add(&formula_record, formulas);
    formula->text = memory_copy_text(text);
    formula->value = expression_read(text, formula->place, NULL);
}

void distributions_add(struct list *formulas, const char *text)
{
    struct formula *formula = list_add(&formula_record, formulas);
    formula->text = memory_copy_text(text);
    formula->distribution = spelling_read(text, formula->place, NULL);
}

struct list *distribute_add(struct list *distributes, const char *array)
{
    struct distribute *distribute = list_add(&distribute_record, distributes);
    distribute->array = memory_copy_text(array);
    return &distribute->dimensions;
}

struct list *redistribute_add(struct candidate *candidate, const char *before)
{
    struct redistribute *redistribute = list_add(&redistribute_record, &candidate->redistribute);
    redistribute->before = memory_copy_text(before);
    return &redistribute->distribute;
}

struct candidate *candidates_add(struct list *candidates, const char *name)
{
    struct candidate *candidate = list_add(&candidate_record, candidates);
    candidate->name = memory_copy_text(name);
    return candidate;
}

void candidates_move(struct list *to, struct list *from)
{
    struct candidate *items = from->items;
    for (size_t i = 0; i < from->count; i++) {
        struct candidate *candidate = list_add(&candidate_record, to);
        record_free(&candidate_record, candidate);
        *candidate = items[i];
    }
    free(from->items);
    *from = (struct list){0};
}

void candidates_free(struct list *candidates)
{
    list_free(&candidate_record, candidates);
}

/* ---- no candidate ---- */

void program_replicate(struct program *program)
{
    static const char alone[] = "replicated";
    struct candidate *candidate = list_add(&candidate_record, &program->candidates);
    candidate->name = memory_copy_text(alone);
    formulas_add(&candidate->grid, "p");
    struct formula *all = candidate->grid.items;
    all->place = candidate->place = place_at(NULL, 1, 1);
}

/* ---- the file ---- */

/* misses: auto, none, or {load: 0.1, store: 0.1} */
static const struct field misses_fields[] = {
    FIELD(told_misses, load, .kind = FIELD_NUMBER, AT_LEAST(0), .has_absent = true),
    FIELD(told_misses, store, .kind = FIELD_NUMBER, AT_LEAST(0), .has_absent = true),
};
static const struct record misses_record =
    RECORD_FROM("misses", told_misses, misses_fields, NO_PLACE);

static int read_misses(struct yaml_node value, void *member, struct error *error)
{
    struct told_misses *misses = member;
    if (yaml_kind(value) == YAML_MAP) {
        const int status = record_read(&misses_record, value, misses, error);
        misses->kind = MISSES_TOLD;
        return status;
    }
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    const bool none = strcmp(yaml_text(value), "none") == 0;
    misses->kind = none ? MISSES_NONE : MISSES_AUTO;
    if (none || strcmp(yaml_text(value), "auto") == 0)
        return 0;
    return error_at(error, yaml_place(value),
                    "misses is '%.60s': expected auto, none or {load: LINES, store: LINES}",
                    yaml_text(value));
}

static const char *const corner_ways[] = {"faces", "direct", NULL};
static const char *const exchange_ways[] = {"at-once", "by-dimension", "in-turn", "by-shift", NULL};

static const char *const strided_ways[] = {"quicker", "type", "packed", NULL};

/* time: {us: "12 * N ^ 2 / p", machine: cluster, memory_mb_per_s: 20000, mflops: 5000} */
static const struct field measured_time_fields[] = {
    FORMULA("us", measured_time, us),
    TEXT("machine", measured_time, machine),
    FIELD(measured_time, memory_mb_per_s, .kind = FIELD_NUMBER, AT_LEAST(1e-9), .has_absent = true,
          .absent = NAN),
    FIELD(measured_time, mflops, .kind = FIELD_NUMBER, AT_LEAST(1e-9), .has_absent = true,
          .absent = NAN),
};
RECORD(measured_time, "a measured time", offsetof(struct measured_time, place));

/* known: {p: [2, 16], N: [32, 128]} */
static int read_known(struct yaml_node value, void *member, struct error *error)
{
    if (read_each(value, member, formulas_read, error) != 0)
        return -1;
    const struct list *known = member;
    const struct distribute *items = known->items;
    for (size_t i = 0; i < known->count; i++)
        if (items[i].dimensions.count != 2)
            return error_at(error, yaml_place(value), "expected [LEAST, MOST] of %.60s",
                            items[i].array);
    return 0;
}

static const struct field segment_fields[] = {
    {.key = "segment", .kind = FIELD_TEXT, AT(segment,        name),                      .required = true},
    FORMULA("repeat", segment, repeat),
    FIELD(segment, corners, .kind = FIELD_CHOICE, .choices = corner_ways),
    FIELD(segment, exchange, .kind = FIELD_CHOICE, .choices = exchange_ways),
    FIELD(segment, strided, .kind = FIELD_CHOICE, .choices = strided_ways),
    {.key = "to-itself",                .kind = FIELD_FLAG,                 AT(segment, to_itself)},
    FIELD(segment, overlap, .kind = FIELD_FLAG),
    FORMULA("drain", segment, drain),
    OWN("misses", segment, misses, read_misses, NULL, false),
    FIELD(segment, time, .kind = FIELD_RECORD, .of = &measured_time_record),
    FORMULA("only", segment, only),
    OWN("known", segment, known, read_known, release_distribute, false),
    OWN("body", segment, body, steps_read, steps_release, true),
    ORIGIN("at", origins_check_at),
};
RECORD(segment, "a segment", offsetof(struct segment, place));

static const struct field search_limits_fields[] = {
    FORMULAS_BY("arrays", search_limits, arrays, formula_texts_read, false),
    FORMULAS_BY("kinds", search_limits, kinds, distributions_read, false),
    FIELD(search_limits, ranks, .kind = FIELD_WHOLE, WITHIN(1, DIMENSIONS_MOST)),
    FIELD(search_limits, fixed, .kind = FIELD_FLAG),
};
RECORD(search_limits, "a search", offsetof(struct search_limits, place));

static const struct field program_fields[] = {
    {.key = "forecost-segment",
     .kind = FIELD_WHOLE,
     AT(program,                                format),
     .required = true,
     .bounded = true,
     .least = PROGRAM_FORMAT,
     .most = PROGRAM_FORMAT},
    TEXT("title", program, title),
    TEXT("compiled_flags", program, code_flags),
    TEXT("source", program, source),
    OWN("parameters", program, parameters, read_parameters, release_parameters, false),
    OWN("let", program, let, read_let, release_parameters, false),
    OWN("sweep", program, sweep, read_sweep, release_distribute, false),
    FIELD(program, search, .kind = FIELD_RECORD, .of = &search_limits_record),
    OWN("arrays", program, arrays, read_arrays, release_arrays, false),
    OWN("candidates", program, candidates, read_candidates, release_candidates, false),
    FORMULA("repeat", program, repeat),
    {.key = "program",
     .kind = FIELD_LIST,
     AT(program, segments),
     .required = true,
     .of = &segment_record},
};

const struct record program_record = {.name = "a segment description",
                                      .size = sizeof(struct program),
                                      .fields = program_fields,
                                      .count = RECORD_COUNT(program_fields),
                                      .place_offset = NO_PLACE};
