/* Bodies in a segment description: trees of steps. */
#include "model/base/allocation.h"
#include "model/node/node.h"
#include "model/segment/program/program_field_kinds.h"

#include <stdlib.h>
#include <string.h>

int name_check(struct yaml_node key, struct error *error)
{
    const char *name = yaml_text(key);
    if (strcmp(name, "p") == 0)
        return error_at(error, yaml_place(key),
                        "'p' is the number of processors, which -p sets: expected another name");
    if (name[0] == 'p' && name[1] >= '0' && name[1] < '0' + DIMENSIONS_MOST && name[2] == '\0')
        return error_at(error, yaml_place(key),
                        "'%s' is the size of a grid along dimension %s: expected another name",
                        name, name + 1);
    return 0;
}

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

/* kernel: dot; a name that is misspelt would go unnoticed, as a table may lack any of them. */
static int read_kernel(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    const char *name = yaml_text(value);
    for (size_t i = 0; kernel_names[i]; i++)
        if (strcmp(kernel_names[i], name) == 0) {
            *(char **)member = memory_copy_text(name);
            return 0;
        }
    return error_at(
        error, yaml_place(value),
        "'%.60s' is no kind of loop: expected stencil-5, stencil-7, triad, axpy, scale, "
        "divide, add-three, hydro, difference, dot, transpose, butterfly or clear",
        name);
}

static void release_kernel(void *member)
{
    free(*(char **)member);
}

static const struct field gather_fields[] = {
    {.key = "array", .kind = FIELD_TEXT, AT(gather, array), .required = true},
    FORMULA("reach", gather, reach),
    FORMULA("loads", gather, loads),
};
RECORD(gather, "a gather", offsetof(struct gather, place));

static const struct field statement_fields[] = {
    TEXT("statement", statement, name),
    REFERENCE("writes", statement, writes),
    REFERENCE("home", statement, home),
    FORMULAS_BY("reads", statement, reads, references_read, false),
    {.key = "gathers", .kind = FIELD_LIST,   AT(statement, gathers), .of = &gather_record },
    OWN("operations", statement, operations, operations_read, NULL, false),
    OWN("functions", statement, functions, operations_read, NULL, false),
    OWN("kernel", statement, kernel, read_kernel, release_kernel, false),
    {.key = "reduce",  .kind = FIELD_CHOICE, AT(statement, reduce),  .choices = reductions},
    FIELD(statement, independent, .kind = FIELD_FLAG),
    FORMULA("strip", statement, strip),
    FIELD(statement, recurrence, .kind = FIELD_OWN, .read = read_recurrence,
          .release = release_recurrence, .begin = begin_recurrence),
    TEXT("source_hash", statement, source_hash),
    ORIGIN("at", origins_check_at),
    ORIGIN("places", origins_check_places),
};
RECORD(statement, "a statement", offsetof(struct statement, place));

static const struct field call_fields[] = {
    {.key = "utility", .kind = FIELD_TEXT, AT(call, utility)},
    FORMULAS("grid", call, grid, false),
    FORMULAS("faces", call, faces, false),
    FIELD(call, around, .kind = FIELD_FLAG),
    FORMULA("pipeline", call, pipeline),
    FORMULA("bytes", call, bytes),
    FORMULA("processors", call, processors),
    FORMULA("groups", call, groups),
    FORMULA("apart", call, apart),
    ORIGIN("at", origins_check_at),
};
RECORD(call, "a call", offsetof(struct call, place));

/* One of the three, with what it takes. */
static int check_call(const struct call *call, struct yaml_node node, struct error *error)
{
    const bool has_grid = call->grid.count > 0, is_pipeline = call->pipeline.text != NULL;
    if ((call->utility != NULL) == has_grid || (is_pipeline && !has_grid))
        return error_at(error, yaml_place(node),
                        "a call has a utility, or a grid with the bytes of its faces");
    if (has_grid != (call->faces.count > 0) || call->grid.count != call->faces.count ||
        call->grid.count > DIMENSIONS_MOST)
        return error_at(error, yaml_place(node),
                        "expected as many faces as sides of the grid, at most %d", DIMENSIONS_MOST);
    if (has_grid &&
        (call->bytes.text || call->processors.text || call->groups.text || call->apart.text))
        return error_at(error, yaml_place(node), "a call with a grid has faces, and else `around`");
    if (call->around && !has_grid)
        return error_at(error, yaml_place(node), "`around` is of a grid");
    return 0;
}

static const struct field branch_fields[] = {
    FORMULA("probability", branch, probability),
    OWN("body", branch, body, steps_read, steps_release, true),
};
RECORD(branch, "a branch", offsetof(struct branch, place));

static const struct field loop_fields[] = {
    TEXT("index", loop, index),
    FORMULA("first", loop, first),
    FORMULA("last", loop, last),
    OWN("body", loop, body, steps_read, steps_release, false),
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
    if (name_check(yaml_key(value, 0), error) != 0)
        return -1;
    loop->index = memory_copy_text(yaml_text(yaml_key(value, 0)));
    if (formula_read(yaml_item(bounds, 0), &loop->first, error) != 0)
        return -1;
    return formula_read(yaml_item(bounds, 1), &loop->last, error);
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
            status = steps_read(yaml_value(map, i), &step->loop->body, error);
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
    step->place = place_in_program(node);
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
            return record_read(&call_record, yaml_value(node, i), step->call, error) != 0
                       ? -1
                       : check_call(step->call, yaml_value(node, i), error);
        }
        if (strcmp(key, "branch") == 0)
            return list_read(&branch_record, yaml_value(node, i), &step->branches, error);
    }
    return error_at(error, yaml_place(node), "expected a loop, a statement, a call or a branch");
}

int steps_read(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read_step(yaml_item(value, i), list_add(&step_record, member), error) != 0)
            return -1;
    return 0;
}

void steps_release(void *member)
{
    list_free(&step_record, member);
}
