#include "model/machine/node.h"

#include "model/base/memory.h"

#include <math.h>
#include <string.h>

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

/* ---- {add: 3, mul: 1} ---- */

int operations_read(struct yaml_node value, void *member, struct error *error)
{
    struct operations *operations = member;
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        const struct yaml_node key = yaml_key(value, i);
        const enum operation operation = operation_named(yaml_text(key));
        if (operation == OPERATION_COUNT)
            return error_at(error, yaml_place(key),
                            "'%.60s' is not an operation: expected add, mul, madd, div, sqrt, "
                            "load or store",
                            yaml_text(key));
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
            yaml_out_key(out, names[i]);
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

/* ---- units: {fpu: {add: 0.5, ...}, ...}, a map from the unit's name ---- */

static const struct field unit_fields[] = {
    {.key = "name", .kind = FIELD_TEXT, .offset = offsetof(struct unit, name)},
};

static const struct record unit_record = {.name = "a unit",
                                          .size = sizeof(struct unit),
                                          .fields = unit_fields,
                                          .count = RECORD_COUNT(unit_fields),
                                          .place_offset = NO_PLACE};

static int units_read(struct yaml_node value, void *member, struct error *error)
{
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    for (size_t i = 0; i < yaml_count(value); i++) {
        struct unit *unit = list_add(&unit_record, member);
        unit->name = memory_copy_text(yaml_text(yaml_key(value, i)));
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

/* ---- the section ---- */

#define OPERATIONS(name, where)                                                                    \
    {                                                                                              \
        .key = name, .kind = FIELD_OWN, .offset = offsetof(struct node, where),                    \
        .read = operations_read, .write = operations_write, .is_absent = operations_absent         \
    }
#define ABOVE_0 .bounded = true, .least = 1e-300, .most = INFINITY

static const struct field node_fields[] = {
    {.key = "clock_mhz",   .kind = FIELD_NUMBER, .offset = offsetof(struct node, clock_mhz),        ABOVE_0},
    OPERATIONS("flop_weights", flop_weights),
    {.key = "units",
     .kind = FIELD_OWN,
     .offset = offsetof(struct node,                                                          units),
     .read = units_read,
     .write = units_write,
     .is_absent = units_absent,
     .release = units_release},
    OPERATIONS("latency_cycles", latency_cycles),
    {.key = "rate_mflops",
     .kind = FIELD_NUMBER,
     .offset = offsetof(struct node,                                                  rate_mflops),
     ABOVE_0},
    {.key = "note", .kind = FIELD_TEXT,                       .offset = offsetof(struct node,                                             note)},
};

const struct record node_record = {.name = "node",
                                   .size = sizeof(struct node),
                                   .fields = node_fields,
                                   .count = RECORD_COUNT(node_fields),
                                   .place_offset = NO_PLACE};

/* ---- the bound ---- */

double node_bound_cycles(const struct node *node, const struct operations *operations,
                         const struct unit **limiting)
{
    const struct unit *units = node->units.items, *busiest = NULL;
    double most = 0.0;
    for (size_t i = 0; i < node->units.count; i++) {
        double busy = 0.0;
        for (int k = 0; k < OPERATION_COUNT; k++)
            busy += operations->of[k] * units[i].cycles.of[k];
        if (!busiest || busy > most) {
            most = busy;
            busiest = &units[i];
        }
    }
    if (limiting)
        *limiting = busiest;
    return most;
}

double operations_flops(const struct operations *operations)
{
    const double *of = operations->of;
    return of[OPERATION_ADD] + of[OPERATION_MUL] + 2.0 * of[OPERATION_MADD] + of[OPERATION_DIV] +
           of[OPERATION_SQRT];
}

int node_time_us(const struct node *node, const struct operations *operations, double *time_us,
                 const struct unit **limiting, struct error *error)
{
    if (limiting)
        *limiting = NULL;
    if (node && node->units.count > 0 && !isnan(node->clock_mhz)) {
        *time_us = node_bound_cycles(node, operations, limiting) / node->clock_mhz;
        return 0;
    }
    if (node && !isnan(node->rate_mflops)) {
        *time_us = operations_flops(operations) / node->rate_mflops;
        return 0;
    }
    return error_set(error, "the table's node has neither units with a clock nor rate_mflops: "
                            "computation cannot be priced");
}
