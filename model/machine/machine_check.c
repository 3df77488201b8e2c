/* Semantic rules: each a small function and a row below. A rule may rely on those above it. */
#include "model/machine/machine_check.h"

#include "model/machine/cost_check.h"
#include "model/machine/microbenchmark_check.h"

#include <math.h>
#include <string.h>

/* No machine has so many; rules that compare each with each stay quick. */
enum { REGIONS_MANY = 100000 };

/* 0, or -1 with the error set. */
typedef int machine_rule(const struct machine *machine, struct error *error);

static struct place in_file(const struct machine *machine, struct place place)
{
    place.file = machine->path;
    return place;
}

static int machine_has_a_name(const struct machine *machine, struct error *error)
{
    if (machine->machine.name[0])
        return 0;
    return error_at(error, in_file(machine, machine->machine.place), "a machine without a name");
}

static int utilities_are_not_too_many(const struct machine *machine, struct error *error)
{
    if (machine->communication.count <= MACHINE_UTILITIES_MOST)
        return 0;
    return error_at(error, in_file(machine, machine->machine.place), "more than %d utilities",
                    MACHINE_UTILITIES_MOST);
}

static size_t regions_of(const struct cost *cost)
{
    const struct at_processors *each = cost->by_processors.items;
    size_t count = cost->regions.count;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        count += each[i].regions.count;
    return count;
}

static int regions_are_not_too_many(const struct machine *machine, struct error *error)
{
    const struct cost *costs = machine->communication.items;
    size_t count = 0;
    for (size_t i = 0; i < machine->communication.count; i++)
        count += regions_of(&costs[i]);
    if (count <= REGIONS_MANY)
        return 0;
    return error_at(error, in_file(machine, machine->machine.place),
                    "more than %d regions in all utilities", REGIONS_MANY);
}

static int units_have_names_and_cycles(const struct machine *machine, struct error *error)
{
    const struct list units = machine->node ? machine->node->units : (struct list){0};
    for (size_t i = 0; i < units.count; i++) {
        const struct unit *unit = (const struct unit *)units.items + i;
        if (unit->name[0] == '\0')
            return error_at(error, in_file(machine, unit->place), "a unit without a name");
        if (operations_absent(&unit->cycles))
            return error_at(error, in_file(machine, unit->place),
                            "unit '%.60s' has no operation: expected {add: CYCLES, ...}",
                            unit->name);
    }
    return 0;
}

static int units_have_a_clock(const struct machine *machine, struct error *error)
{
    const struct node *node = machine->node;
    if (!node || node->units.count == 0 || !isnan(node->clock_mhz))
        return 0;
    return error_at(error, in_file(machine, node->place),
                    "units without clock_mhz: cycles mean no time");
}

#define LEVEL_ERROR(level, ...) error_at(error, in_file(machine, (level)->place), __VA_ARGS__)

static int levels_ascend(const struct machine *machine, struct error *error)
{
    const struct list levels = machine->memory ? machine->memory->levels : (struct list){0};
    const struct memory_level *of = levels.items;
    for (size_t i = 1; i < levels.count; i++)
        if (!(of[i].level > of[i - 1].level))
            return LEVEL_ERROR(&of[i], "a level of memory after one that is as far away or "
                                       "further: expected 1, 2, ..., memory");
    return 0;
}

static int capacity_is_known_in_one_way(const struct machine *machine, struct error *error)
{
    const struct list levels = machine->memory ? machine->memory->levels : (struct list){0};
    for (size_t i = 0; i < levels.count; i++) {
        const struct memory_level *level = (const struct memory_level *)levels.items + i;
        const bool low = !isnan(level->capacity_bytes_low);
        if (low != !isnan(level->capacity_bytes_high))
            return LEVEL_ERROR(level, "capacity_bytes_low and _high: expected both or none");
        if (low && !isnan(level->capacity_bytes))
            return LEVEL_ERROR(level, "capacity_bytes beside _low and _high: expected one of the "
                                      "two");
        if (level->capacity_bytes_low > level->capacity_bytes_high)
            return LEVEL_ERROR(level, "capacity_bytes_low is above capacity_bytes_high");
    }
    return 0;
}

/* An interval of moments holds what stands for them. */
static bool holds(double low, double ns, double high)
{
    return !(ns < low) && !(ns > high);
}

static int load_times_are_within_their_moments(const struct machine *machine, struct error *error)
{
    const struct list levels = machine->memory ? machine->memory->levels : (struct list){0};
    for (size_t i = 0; i < levels.count; i++) {
        const struct memory_level *it = (const struct memory_level *)levels.items + i;
        if (!holds(it->load_ns_low, it->load_ns, it->load_ns_high))
            return LEVEL_ERROR(it, "load_ns is not between load_ns_low and load_ns_high");
        if (!holds(it->load_tlb_miss_ns_low, it->load_tlb_miss_ns, it->load_tlb_miss_ns_high))
            return LEVEL_ERROR(it, "load_tlb_miss_ns is not between its _low and _high");
        if (it->load_line_cycles_least > it->load_line_cycles)
            return LEVEL_ERROR(it, "load_line_cycles_least is above load_line_cycles");
        if (it->store_line_cycles_least > it->store_line_cycles)
            return LEVEL_ERROR(it, "store_line_cycles_least is above store_line_cycles");
    }
    return 0;
}

static int streams_are_once(const struct machine *machine, struct error *error)
{
    const struct list streams = machine->memory ? machine->memory->streams : (struct list){0};
    const struct memory_stream *of = streams.items;
    for (size_t i = 0; i < streams.count; i++)
        for (size_t k = 0; k < i; k++)
            if (of[k].kernel == of[i].kernel)
                return LEVEL_ERROR(&of[i], "a second stream of %s", memory_stream_name(&of[i]));
    return 0;
}

static int walks_are_of_levels(const struct machine *machine, struct error *error)
{
    const struct list walks = machine->memory ? machine->memory->strided : (struct list){0};
    const struct strided_lines *of = walks.items;
    for (size_t i = 0; i < walks.count; i++) {
        if (!memory_level(machine->memory, of[i].level))
            return LEVEL_ERROR(&of[i], "a walk through a level that levels does not have");
        for (size_t k = 0; k < i; k++)
            if (of[k].level == of[i].level && of[k].stride_lines == of[i].stride_lines)
                return LEVEL_ERROR(&of[i], "a second walk of stride_lines %.0f through that level",
                                   of[i].stride_lines);
    }
    return 0;
}

static int levels_are_not_too_many(const struct machine *machine, struct error *error)
{
    const struct list levels = machine->memory ? machine->memory->levels : (struct list){0};
    if (levels.count <= MEMORY_LEVELS_MOST)
        return 0;
    return LEVEL_ERROR((const struct memory_level *)levels.items, "more than %d levels of memory",
                       MEMORY_LEVELS_MOST);
}

static int replacement_has_ways(const struct machine *machine, struct error *error)
{
    const struct list levels = machine->memory ? machine->memory->levels : (struct list){0};
    for (size_t i = 0; i < levels.count; i++) {
        const struct memory_level *level = (const struct memory_level *)levels.items + i;
        if (level->replacement == REPLACEMENT_LRU && isnan(level->ways))
            return LEVEL_ERROR(level, "replacement lru without ways");
    }
    return 0;
}

static int lanes_are_at_least_one(const struct machine *machine, struct error *error)
{
    const struct node *node = machine->node;
    for (int k = 0; node && k < OPERATION_COUNT; k++)
        if (node->lanes.of[k] != 0.0 && node->lanes.of[k] < 1.0)
            return error_at(error, in_file(machine, node->place),
                            "%g lanes for %s: expected at least 1", node->lanes.of[k],
                            operation_name((enum operation)k));
    return 0;
}

static machine_rule *const machine_rules[] = {
    machine_has_a_name,
    utilities_are_not_too_many,
    regions_are_not_too_many,
    units_have_names_and_cycles,
    units_have_a_clock,
    lanes_are_at_least_one,
    levels_ascend,
    streams_are_once,
    walks_are_of_levels,
    levels_are_not_too_many,
    replacement_has_ways,
    capacity_is_known_in_one_way,
    load_times_are_within_their_moments,
    microbenchmarks_check,
};

int machine_check(const struct machine *machine, struct error *error)
{
    const struct cost *costs = machine->communication.items;
    for (size_t rule = 0; rule < sizeof machine_rules / sizeof *machine_rules; rule++)
        if (machine_rules[rule](machine, error) != 0)
            return -1;
    for (size_t i = 0; i < machine->communication.count; i++)
        if (cost_check(machine, &costs[i], error) != 0)
            return -1;
    return 0;
}
