#include "model/tables/other_node.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

static void swap_nodes(struct machine *machine, struct machine *from)
{
    struct node *const node = machine->node;
    struct memory *const memory = machine->memory;
    machine->node = from->node;
    machine->memory = from->memory;
    from->node = node;
    from->memory = memory;
}

int machine_take_node(struct machine *machine, struct machine *from, struct error *error)
{
    if (!from->node)
        return error_at(error, place_at(from->path, 0, 0),
                        "no node: expected a table that has one");
    swap_nodes(machine, from);
    char *name = memory_format("%s with the node of %s", machine->machine.name, from->machine.name);
    free(machine->machine.name);
    machine->machine.name = name;
    return 0;
}

int machine_take_node_of(struct machine *machine, const char *path, struct error *error)
{
    struct machine other;
    if (machine_read(&other, path, error) != 0)
        return -1;
    const int status = machine_take_node(machine, &other, error);
    machine_free(&other);
    return status;
}

void machine_leave_out_computation(struct machine *machine)
{
    struct machine without = machine_begin();
    without.node = memory_new(1, sizeof *without.node);
    record_begin(&node_record, without.node);
    without.node->rate_mflops = INFINITY;
    swap_nodes(machine, &without);
    machine_free(&without);
}
