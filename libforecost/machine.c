/* Machine tables, and what a pattern costs there. */
#include "forecast/price/one_use.h"
#include "libforecost/call.h"
#include "libforecost/handles.h"
#include "model/base/allocation.h"
#include "model/machine/logp_cost.h"
#include "model/tables/in_state.h"
#include "model/tables/other_node.h"

#include <stdlib.h>

/* ---- reading ---- */

struct reading {
    const char *path; /* or the name of the text */
    const char *text; /* NULL: the file of that path */
    size_t bytes;
    struct forecost_machine *machine; /* what comes out */
};

static int read_table(void *state, struct error *error)
{
    struct reading *it = state;
    struct machine table;
    const int status = it->text ? machine_read_text(&table, it->path, it->text, it->bytes, error)
                                : machine_read(&table, it->path, error);
    if (status != 0)
        return -1;
    logp_add_point_to_point(&table);
    it->machine = memory_new(1, sizeof *it->machine);
    it->machine->table = table;
    return 0;
}

static enum forecost_status read_it(struct reading reading, struct forecost_machine **machine,
                                    struct forecost_error *error)
{
    const enum forecost_status status = call_body_of(read_table, &reading, error);
    *machine = status == FORECOST_DONE ? reading.machine : NULL;
    return status;
}

enum forecost_status forecost_machine_read(struct forecost_machine **machine, const char *path,
                                           struct forecost_error *error)
{
    return read_it((struct reading){.path = path}, machine, error);
}

enum forecost_status forecost_machine_read_text(struct forecost_machine **machine, const char *name,
                                                const char *text, size_t bytes,
                                                struct forecost_error *error)
{
    return read_it((struct reading){.path = name, .text = text, .bytes = bytes}, machine, error);
}

void forecost_machine_free(struct forecost_machine *machine)
{
    if (!machine)
        return;
    machine_free(&machine->table);
    free(machine);
}

/* ---- what it has ---- */

const char *forecost_machine_name(const struct forecost_machine *machine)
{
    return machine->table.machine.name;
}

double forecost_machine_processors(const struct forecost_machine *machine)
{
    return machine->table.machine.processors;
}

const char *forecost_machine_pattern(const struct forecost_machine *machine, size_t number)
{
    const struct cost *costs = machine->table.communication.items;
    return number < machine->table.communication.count ? costs[number].utility : NULL;
}

/* ---- its node ---- */

struct taking {
    struct forecost_machine *machine;
    const char *path;
};

static int take_node(void *state, struct error *error)
{
    const struct taking *it = state;
    return machine_take_node_of(&it->machine->table, it->path, error);
}

enum forecost_status forecost_machine_take_node(struct forecost_machine *machine, const char *path,
                                                struct forecost_error *error)
{
    struct taking taking = {machine, path};
    return call_body_of(take_node, &taking, error);
}

static int leave_out(void *state, struct error *error)
{
    struct forecost_machine *machine = state;
    (void)error;
    machine_leave_out_computation(&machine->table);
    return 0;
}

enum forecost_status forecost_machine_leave_out_computation(struct forecost_machine *machine,
                                                            struct forecost_error *error)
{
    return call_body_of(leave_out, machine, error);
}

/* ---- its states ---- */

struct taking_state {
    struct forecost_machine *machine;
    int state;
};

static int take_state(void *state, struct error *error)
{
    const struct taking_state *it = state;
    return machine_in_state(&it->machine->table, it->state, error);
}

enum forecost_status forecost_machine_take_state(struct forecost_machine *machine, int state,
                                                 struct forecost_error *error)
{
    struct taking_state taking = {machine, state};
    return call_body_of(take_state, &taking, error);
}

/* ---- costs ---- */

struct asking {
    const struct machine *table;
    const char *pattern;
    double bytes, processors;
    struct one_use use; /* what comes out */
};

static int ask(void *state, struct error *error)
{
    struct asking *it = state;
    const struct cost *cost;
    struct cost composed;
    if (one_use_find(it->table, it->pattern, &cost, &composed, error) != 0)
        return -1;
    return one_use_price(&it->use, it->table, cost, it->bytes, it->processors, error);
}

enum forecost_status forecost_cost(const struct forecost_machine *machine, const char *pattern,
                                   double bytes, double processors, struct forecost_cost *cost,
                                   struct forecost_error *error)
{
    struct asking it = {
        .table = &machine->table, .pattern = pattern, .bytes = bytes, .processors = processors};
    const enum forecost_status status = call_body_of(ask, &it, error);
    const struct one_use *use = &it.use;
    const unsigned unknown =
        status == FORECOST_DONE ? cost_interval_flag(use->time_us, use->low_us, use->high_us) : 0;
    if (status == FORECOST_DONE)
        *cost = (struct forecost_cost){.time_us = use->time_us,
                                       .low_us = unknown ? (double)NAN : use->low_us,
                                       .high_us = unknown ? (double)NAN : use->high_us,
                                       .rate_mb_per_s = use->rate_mb_per_s,
                                       .region = use->region,
                                       .flags = use->flags | unknown};
    return status;
}

/* ---- flags ---- */

#define SAME(flag) _Static_assert((int)FORECOST_##flag == (int)COST_##flag, #flag)
SAME(EXTRAPOLATED_BYTES);
SAME(EXTRAPOLATED_PROCESSORS);
SAME(CLAMPED);
SAME(DISTURBED);
SAME(OTHER_GRID);
SAME(UNPRICED_MISSES);
SAME(SENDER_TIME);
SAME(RECEIVER_TIME);
SAME(FROM_LOGP);
SAME(ERROR_UNKNOWN);
SAME(PARTLY_BOUND);
SAME(COMMUNICATION_ONLY);
SAME(NOT_PRICED);
SAME(LAW_BEYOND);
SAME(OTHER_NODE);
SAME(OTHER_DISTANCE);

static const struct cost_flag_row *row_of(unsigned flag)
{
    const struct cost_flag_row *row = cost_flag_rows;
    while (row->name && row->flag != flag)
        row++;
    return row;
}

const char *forecost_flag_name(unsigned flag)
{
    return row_of(flag)->name;
}

const char *forecost_flag_says(unsigned flag)
{
    return row_of(flag)->says;
}
