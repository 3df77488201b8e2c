#include "model/segment/program_fields.h"

#include "model/base/memory.h"
#include "model/segment/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(type, member) .offset = offsetof(struct type, member)

static struct place bare(struct yaml_node node)
{
    struct place place = yaml_place(node);
    place.file = NULL;
    return place;
}

/* ---- texts with places ---- */

static int read_formula(struct yaml_node value, void *member, struct error *error)
{
    struct formula *formula = member;
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    formula->text = memory_copy_text(yaml_text(value));
    formula->place = bare(value);
    return 0;
}

static void release_formula(void *member)
{
    free(((struct formula *)member)->text);
}

static const struct field formula_fields[] = {
    {.key = "text", .kind = FIELD_OWN, .release = release_formula},
};
static const struct record formula_record = {.name = "a text",
                                             .size = sizeof(struct formula),
                                             .fields = formula_fields,
                                             .count = RECORD_COUNT(formula_fields),
                                             .place_offset = NO_PLACE};

static int read_formulas(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read_formula(yaml_item(value, i), list_add(&formula_record, member), error) != 0)
            return -1;
    return 0;
}

static void release_formulas(void *member)
{
    list_free(&formula_record, member);
}

#define TEXT(name, type, member)                                                                   \
    {                                                                                              \
        .key = name, .kind = FIELD_TEXT, AT(type, member)                                          \
    }
#define FORMULA(name, type, member)                                                                \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, AT(type, member), .read = read_formula,                    \
        .release = release_formula                                                                 \
    }
#define FORMULAS(name, type, member, needed)                                                       \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, AT(type, member), .required = needed,                      \
        .read = read_formulas, .release = release_formulas                                         \
    }
#define OWN(name, type, member, reader, releaser, needed)                                          \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, AT(type, member), .required = needed, .read = reader,      \
        .release = releaser                                                                        \
    }
#define RECORD(type, description, where)                                                           \
    static const struct record type##_record = {.name = description,                               \
                                                .size = sizeof(struct type),                       \
                                                .fields = type##_fields,                           \
                                                .count = RECORD_COUNT(type##_fields),              \
                                                .place_offset = where}

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

static int read_parameters(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        struct parameter *parameter = list_add(&parameter_record, member);
        parameter->name = memory_copy_text(yaml_text(yaml_key(value, i)));
        if (read_formula(yaml_value(value, i), &parameter->value, error) != 0)
            return -1;
    }
    return 0;
}

static void release_parameters(void *member)
{
    list_free(&parameter_record, member);
}

static const char *const orders[] = {"untold", "C", "Fortran", NULL};

/* {to: u, map: [1, 0], offset: [0, 1]} */
static const struct field align_fields[] = {
    FIELD_AS("to", array, align, .kind = FIELD_TEXT, .required = true),
    FORMULAS("map", array, align_map, false),
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
    release_formulas(&array->align_map);
    release_formulas(&array->align_offset);
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
};
RECORD(array, "an array", offsetof(struct array, place));

static int read_arrays(struct yaml_node value, void *member, struct error *error)
{
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

static int read_distribution(struct yaml_node array, struct yaml_node dimensions, struct list *list,
                             struct error *error)
{
    struct distribute *distribute = list_add(&distribute_record, list);
    distribute->array = memory_copy_text(yaml_text(array));
    distribute->place = bare(array);
    return read_formulas(dimensions, &distribute->dimensions, error);
}

static int read_distribute(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read_distribution(yaml_key(value, i), yaml_value(value, i), member, error) != 0)
            return -1;
    return 0;
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
    it->place = bare(value);
    for (size_t i = 0; i < yaml_count(value); i++) {
        const struct yaml_node key = yaml_key(value, i), item = yaml_value(value, i);
        const bool before = strcmp(yaml_text(key), "before") == 0;
        if (before || strcmp(yaml_text(key), "after") == 0) {
            if (yaml_expect(item, YAML_SCALAR, error) != 0)
                return -1;
            *(before ? &it->before : &it->after) = memory_copy_text(yaml_text(item));
        } else if (read_distribution(key, item, &it->distribute, error) != 0) {
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
    OWN("distribute", candidate, distribute, read_distribute, release_distribute, true),
    OWN("redistribute", candidate, redistribute, read_redistribute, release_redistribute, false),
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

/* ---- bodies: a tree of steps ---- */

static const char *const reductions[] = {"none", "sum", "max", "min", "product", NULL};

/* recurrence: [add, mul], or {chain: [add, mul], distance: 2, cycles: 3}. */
static int read_chain(struct yaml_node value, void *member, struct error *error)
{
    struct operations *chain = member;
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        const struct yaml_node item = yaml_item(value, i);
        if (yaml_expect(item, YAML_SCALAR, error) != 0)
            return -1;
        const enum operation operation = operation_named(yaml_text(item));
        if (operation == OPERATION_COUNT)
            return error_at(error, yaml_place(item),
                            "'%.60s' is not an operation: expected add, mul, madd, div, sqrt, "
                            "load or store",
                            yaml_text(item));
        chain->of[operation] += 1.0;
    }
    return 0;
}

static const struct field recurrence_fields[] = {
    OWN("chain", recurrence, chain, read_chain, NULL, false),
    FIELD(recurrence, distance, .kind = FIELD_WHOLE, AT_LEAST(1), .has_absent = true,
          .absent = 1.0),
    FORMULA("cycles", recurrence, cycles),
};
RECORD(recurrence, "a recurrence", NO_PLACE);

static void begin_recurrence(void *member)
{
    record_begin(&recurrence_record, member);
}

static int read_recurrence(struct yaml_node value, void *member, struct error *error)
{
    struct recurrence *recurrence = member;
    if (yaml_kind(value) == YAML_LIST)
        return read_chain(value, &recurrence->chain, error);
    return record_read(&recurrence_record, value, recurrence, error);
}

static void release_recurrence(void *member)
{
    record_free(&recurrence_record, member);
}

static const struct field statement_fields[] = {
    TEXT("statement", statement, name),
    FORMULA("writes", statement, writes),
    FORMULA("home", statement, home),
    FORMULAS("reads", statement, reads, false),
    OWN("operations", statement, operations, operations_read, NULL, false),
    TEXT("kernel", statement, kernel),
    {.key = "reduce", .kind = FIELD_CHOICE, AT(statement, reduce), .choices = reductions},
    FORMULA("strip", statement, strip),
    FIELD(statement, recurrence, .kind = FIELD_OWN, .read = read_recurrence,
          .release = release_recurrence, .begin = begin_recurrence),
};
RECORD(statement, "a statement", offsetof(struct statement, place));

static int read_steps(struct yaml_node value, void *member, struct error *error);
static void release_steps(void *member);

static const struct field call_fields[] = {
    {.key = "utility", .kind = FIELD_TEXT, AT(call, utility), .required = true},
    FORMULA("bytes", call, bytes),
    FORMULA("processors", call, processors),
    FORMULA("groups", call, groups),
};
RECORD(call, "a call", offsetof(struct call, place));

static const struct field branch_fields[] = {
    FORMULA("probability", branch, probability),
    OWN("body", branch, body, read_steps, release_steps, true),
};
RECORD(branch, "a branch", offsetof(struct branch, place));

static const struct field loop_fields[] = {
    TEXT("index", loop, index),
    FORMULA("first", loop, first),
    FORMULA("last", loop, last),
    OWN("body", loop, body, read_steps, release_steps, false),
};
RECORD(loop, "a loop", NO_PLACE);

static const struct field step_fields[] = {
    {.key = "loop",      .kind = FIELD_OPTION, AT(step, loop),      .of = &loop_record     },
    {.key = "statement", .kind = FIELD_OPTION, AT(step, statement), .of = &statement_record},
    {.key = "call",      .kind = FIELD_OPTION, AT(step, call),      .of = &call_record     },
    {.key = "branch",    .kind = FIELD_LIST,   AT(step, branches),  .of = &branch_record   },
};
RECORD(step, "a step", NO_PLACE);

/* {i: [1, N-2]} */
static int read_loop_head(struct yaml_node value, struct loop *loop, struct error *error)
{
    if (yaml_kind(value) != YAML_MAP || yaml_count(value) != 1 ||
        yaml_kind(yaml_value(value, 0)) != YAML_LIST || yaml_count(yaml_value(value, 0)) != 2)
        return error_at(error, yaml_place(value), "expected {INDEX: [FIRST, LAST]}");
    const struct yaml_node bounds = yaml_value(value, 0);
    loop->index = memory_copy_text(yaml_text(yaml_key(value, 0)));
    if (read_formula(yaml_item(bounds, 0), &loop->first, error) != 0)
        return -1;
    return read_formula(yaml_item(bounds, 1), &loop->last, error);
}

/* "loop: {...}" and "body: [...]" side by side in one map. */
static int read_loop(struct yaml_node map, struct step *step, struct error *error)
{
    step->loop = memory_new(1, sizeof *step->loop);
    bool has_body = false;
    int status = 0;
    for (size_t i = 0; i < yaml_count(map) && status == 0; i++) {
        const char *key = yaml_text(yaml_key(map, i));
        if (strcmp(key, "loop") == 0) {
            status = read_loop_head(yaml_value(map, i), step->loop, error);
        } else if (strcmp(key, "body") == 0) {
            has_body = true;
            status = read_steps(yaml_value(map, i), &step->loop->body, error);
        } else {
            status = error_at(error, yaml_place(yaml_key(map, i)),
                              "unknown key '%.60s' in a loop: expected loop and body", key);
        }
    }
    if (status == 0 && !has_body)
        status = error_at(error, yaml_place(map), "key 'body' is missing in a loop");
    return status;
}

/* A record that failed owns nothing, so the step may keep it to be released. */
static int read_step(struct yaml_node node, struct step *step, struct error *error)
{
    if (yaml_expect(node, YAML_MAP, error) != 0)
        return -1;
    step->place = bare(node);
    for (size_t i = 0; i < yaml_count(node); i++) {
        const char *key = yaml_text(yaml_key(node, i));
        if (strcmp(key, "loop") == 0)
            return read_loop(node, step, error);
        if (strcmp(key, "statement") == 0) {
            step->statement = memory_new(1, sizeof *step->statement);
            return record_read(&statement_record, node, step->statement, error);
        }
        if (strcmp(key, "call") == 0) {
            step->call = memory_new(1, sizeof *step->call);
            return record_read(&call_record, yaml_value(node, i), step->call, error);
        }
        if (strcmp(key, "branch") == 0)
            return list_read(&branch_record, yaml_value(node, i), &step->branches, error);
    }
    return error_at(error, yaml_place(node), "expected a loop, a statement, a call or a branch");
}

static int read_steps(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read_step(yaml_item(value, i), list_add(&step_record, member), error) != 0)
            return -1;
    return 0;
}

static void release_steps(void *member)
{
    list_free(&step_record, member);
}

/* ---- no candidate ---- */

void program_replicate(struct program *program)
{
    static const char alone[] = "replicated";
    struct candidate *candidate = list_add(&candidate_record, &program->candidates);
    struct formula *all = list_add(&formula_record, &candidate->grid);
    candidate->name = memory_copy_text(alone);
    all->text = memory_copy_text("p");
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

static const struct field segment_fields[] = {
    {.key = "segment", .kind = FIELD_TEXT, AT(segment, name), .required = true},
    FORMULA("repeat", segment, repeat),
    FIELD(segment, corners, .kind = FIELD_CHOICE, .choices = corner_ways),
    FIELD(segment, overlap, .kind = FIELD_FLAG),
    OWN("misses", segment, misses, read_misses, NULL, false),
    OWN("body", segment, body, read_steps, release_steps, true),
};
RECORD(segment, "a segment", offsetof(struct segment, place));

static const struct field search_limits_fields[] = {
    FORMULAS("arrays", search_limits, arrays, false),
    FORMULAS("kinds", search_limits, kinds, false),
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
    TEXT("source", program, source),
    OWN("parameters", program, parameters, read_parameters, release_parameters, false),
    OWN("let", program, let, read_parameters, release_parameters, false),
    OWN("sweep", program, sweep, read_distribute, release_distribute, false),
    FIELD(program, search, .kind = FIELD_RECORD, .of = &search_limits_record),
    OWN("arrays", program, arrays, read_arrays, release_arrays, false),
    OWN("candidates", program, candidates, read_candidates, release_candidates, false),
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
