/* The keys of a machine table's node: section. */
#include "model/base/allocation.h"
#include "model/node/node.h"

#include <string.h>

/* ---- {add: 3, mul: 1} ---- */

static const char *const names[] = {"add", "mul", "madd", "div", "sqrt", "load", "store", NULL};

const char *operation_name(enum operation operation)
{
    return names[operation];
}

enum operation operation_named(const char *name)
{
    int operation = 0;
    while (operation < OPERATION_COUNT && strcmp(names[operation], name) != 0)
        operation++;
    return (enum operation)operation;
}

static int operation_read(struct yaml_node key, enum operation *operation, struct error *error)
{
    *operation = operation_named(yaml_text(key));
    if (*operation < OPERATION_COUNT)
        return 0;
    return error_at(error, yaml_place(key),
                    "'%.60s' is not an operation: expected add, mul, madd, div, sqrt, load or "
                    "store",
                    yaml_text(key));
}

int operations_read(struct yaml_node value, void *member, struct error *error)
{
    struct operations *operations = member;
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        const struct yaml_node key = yaml_key(value, i);
        enum operation operation;
        if (operation_read(key, &operation, error) != 0)
            return -1;
        if (yaml_number(yaml_value(value, i), &operations->of[operation], error) != 0)
            return -1;
        if (operations->of[operation] < 0.0)
            return error_at(error, yaml_place(yaml_value(value, i)),
                            "%s is '%.60s': expected at least 0", yaml_text(key),
                            yaml_text(yaml_value(value, i)));
    }
    return 0;
}

void operations_write(struct yaml_out *out, const void *member)
{
    const struct operations *operations = member;
    yaml_out_map(out, true);
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (operations->of[i] != 0.0) {
            yaml_out_key(out, operation_name((enum operation)i));
            yaml_out_number(out, operations->of[i]);
        }
    yaml_out_map_end(out);
}

bool operations_absent(const void *member)
{
    const struct operations *operations = member;
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (operations->of[i] != 0.0)
            return false;
    return true;
}

/* ---- {add: {add: 2, mul: 3}, ...} ---- */

static int pairs_read(struct yaml_node value, void *member, struct error *error)
{
    struct operation_pairs *pairs = member;
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        enum operation operation;
        if (operation_read(yaml_key(value, i), &operation, error) != 0 ||
            operations_read(yaml_value(value, i), &pairs->from[operation], error) != 0)
            return -1;
    }
    return 0;
}

static void pairs_write(struct yaml_out *out, const void *member)
{
    const struct operation_pairs *pairs = member;
    yaml_out_map(out, false);
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (!operations_absent(&pairs->from[i])) {
            yaml_out_key(out, operation_name((enum operation)i));
            operations_write(out, &pairs->from[i]);
        }
    yaml_out_map_end(out);
}

static bool pairs_absent(const void *member)
{
    const struct operation_pairs *pairs = member;
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (!operations_absent(&pairs->from[i]))
            return false;
    return true;
}

/* ---- units: {fpu: {add: 0.5, ...}, ...}, a map from the unit's name ---- */

static const struct field unit_fields[] = {FIELD(unit, name, .kind = FIELD_TEXT)};

const struct record unit_record = RECORD_FROM("a unit", unit, unit_fields, NO_PLACE);

static int units_read(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        struct unit *unit = list_add(&unit_record, member);
        unit->name = memory_copy_text(yaml_text(yaml_key(value, i)));
        unit->place = yaml_place(yaml_key(value, i));
        unit->place.file = NULL;
        if (operations_read(yaml_value(value, i), &unit->cycles, error) != 0)
            return -1;
    }
    return 0;
}

static void units_write(struct yaml_out *out, const void *member)
{
    const struct list *units = member;
    yaml_out_map(out, false);
    for (size_t i = 0; i < units->count; i++) {
        const struct unit *unit = (const struct unit *)units->items + i;
        yaml_out_key(out, unit->name);
        operations_write(out, &unit->cycles);
    }
    yaml_out_map_end(out);
}

static bool units_absent(const void *member)
{
    return ((const struct list *)member)->count == 0;
}

static void units_release(void *member)
{
    list_free(&unit_record, member);
}

/* ---- kernels: [{name: dot, compiled_share: 0.6}, ...] ---- */

static const struct field kernel_fields[] = {
    FIELD(compiled_kernel, name, .kind = FIELD_TEXT, .required = true),
    FIELD(compiled_kernel, compiled_share, .kind = FIELD_NUMBER, .required = true, AT_LEAST(1e-6)),
};

const struct record compiled_kernel_record =
    RECORD_FROM("a kernel", compiled_kernel, kernel_fields, offsetof(struct compiled_kernel, place),
                .flow = true);

/* ---- compilations ---- */

#define OPERATIONS                                                                                 \
    .kind = FIELD_OWN, .read = operations_read, .write = operations_write,                         \
    .is_absent = operations_absent

static const struct field compilation_fields[] = {
    FIELD(compilation, compiler, .kind = FIELD_TEXT),
    FIELD_AS("compiled_flags", compilation, flags, .kind = FIELD_TEXT, .required = true),
    FIELD_AS("compiled_latency_cycles", compilation, latency_cycles, OPERATIONS),
    FIELD_AS("compiled_share", compilation, share, .kind = FIELD_NUMBER, .required = true,
             AT_LEAST(1e-6)),
    FIELD_AS("compiled_share_low", compilation, share_low, .kind = FIELD_NUMBER, AT_LEAST(1e-6)),
    FIELD_AS("compiled_share_high", compilation, share_high, .kind = FIELD_NUMBER, AT_LEAST(1e-6)),
    FIELD(compilation, kernels, .kind = FIELD_LIST, .of = &compiled_kernel_record),
};

const struct record compilation_record = RECORD_FROM(
    "a compilation", compilation, compilation_fields, offsetof(struct compilation, place));

/* ---- the section ---- */

static const struct field node_fields[] = {
    FIELD(node, clock_mhz, .kind = FIELD_NUMBER, AT_LEAST(1e-6)),
    FIELD(node, flop_weights, OPERATIONS),
    FIELD(node, units, .kind = FIELD_OWN, .read = units_read, .write = units_write,
          .is_absent = units_absent, .release = units_release),
    FIELD(node, latency_cycles, OPERATIONS),
    FIELD(node, measured_throughput_cycles, OPERATIONS),
    FIELD(node, measured_latency_cycles, OPERATIONS),
    FIELD(node, easy_throughput_cycles, OPERATIONS),
    FIELD(node, easy_latency_cycles, OPERATIONS),
    FIELD(node, pair_latency_cycles, .kind = FIELD_OWN, .read = pairs_read, .write = pairs_write,
          .is_absent = pairs_absent),
    FIELD_AS("compiled_latency_cycles", node, compiled.latency_cycles, OPERATIONS),
    FIELD(node, lanes, OPERATIONS),
    FIELD_AS("compiled_flags", node, compiled.flags, .kind = FIELD_TEXT),
    FIELD_AS("compiled_share", node, compiled.share, .kind = FIELD_NUMBER, AT_LEAST(1e-6)),
    FIELD_AS("compiled_share_low", node, compiled.share_low, .kind = FIELD_NUMBER, AT_LEAST(1e-6)),
    FIELD_AS("compiled_share_high", node, compiled.share_high, .kind = FIELD_NUMBER,
             AT_LEAST(1e-6)),
    FIELD_AS("kernels", node, compiled.kernels, .kind = FIELD_LIST, .of = &compiled_kernel_record),
    FIELD(node, compilations, .kind = FIELD_LIST, .of = &compilation_record),
    FIELD(node, scheduler_operations, .kind = FIELD_NUMBER, AT_LEAST(1)),
    FIELD(node, window_instructions, .kind = FIELD_NUMBER, AT_LEAST(1)),
    FIELD(node, rate_mflops, .kind = FIELD_NUMBER, AT_LEAST(1e-6)),
    FIELD(node, note, .kind = FIELD_TEXT),
};

const struct record node_record =
    RECORD_FROM("node", node, node_fields, offsetof(struct node, place));
