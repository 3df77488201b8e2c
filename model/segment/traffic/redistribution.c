/* Changes from one layout to another. */
#include "model/segment/loops/needs.h"
#include "model/segment/traffic/demand.h"

#include <stdio.h>

/* An array of n dimensions as a statement would copy it: copy[i][j] = array[i][j]. */
static void copy_of(struct turn *turn, struct reference *reference, const struct array *array,
                    const struct array_layout *lies)
{
    *turn = (struct turn){.depth = lies->dimensions};
    *reference = (struct reference){.array = array, .dimensions = lies->dimensions};
    for (int d = 0; d < lies->dimensions; d++) {
        turn->ranges[d] = (struct range){0.0, lies->extent[d] - 1.0};
        reference->subscripts[d].by[d] = 1.0;
    }
}

/* Everything of the identity factorises. */
static struct traffic copy_traffic(const struct program *program, const struct array *array,
                                   const struct layout *from, const struct layout *to)
{
    struct turn turn;
    struct reference reference;
    struct home home;
    struct needs needs;
    const struct array_layout *lies = layout_of(from, program, array);
    copy_of(&turn, &reference, array, lies);
    turn.effort = program->effort;
    const struct reads reads = {array, 1, {&reference}};
    struct traffic traffic = {.class = TRAFFIC_LOCAL};
    if (!home_of(&home, &reference, to, program, turn.fixed, turn.at) ||
        needs_make(&needs, &reads, &home, lies, &turn) != NEEDS_MADE)
        return traffic;
    traffic = traffic_of(&needs, array, lies);
    if (traffic.pieces == PIECES_ONE)
        traffic.pieces = needs_pieces(&needs, array, layout_of(to, program, array));
    needs_free(&needs);
    return traffic;
}

int analysis_change(struct analysis *analysis, const struct program *program,
                    const struct layout *from, const struct layout *to, struct place place,
                    double times, struct error *error)
{
    const struct array *arrays = program->arrays.items;
    *analysis = (struct analysis){.repeat = times};
    effort_begin(program->effort);
    for (size_t i = 0; i < program->arrays.count; i++) {
        if (array_layout_same(&from->arrays[i], &to->arrays[i]))
            continue;
        const struct traffic traffic = copy_traffic(program, &arrays[i], from, to);
        if (traffic.class == TRAFFIC_LOCAL)
            continue;
        const struct use use = {.class = traffic.class,
                                .times = traffic.partners,
                                .bytes = traffic.elements * arrays[i].element_bytes,
                                .processors = traffic.group,
                                .at_once = traffic.at_once,
                                .pieces = traffic.pieces};
        struct demand *demand = demand_add(analysis, place);
        snprintf(demand->cause, sizeof demand->cause, "%s", arrays[i].name);
        demand_add_use(demand, &use);
    }
    if (program_check_effort(program, place, error) == 0)
        return 0;
    analysis_free(analysis);
    return -1;
}
