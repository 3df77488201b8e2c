#include "test/enumerated/sending.h"

#include <stdlib.h>
#include <string.h>

static void find_depths(const struct trace *trace, struct sending *sending)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        if (event->statement != sending->statement)
            continue;
        sending->nest = event->depth;
        for (int k = 0; k < event->read_count; k++) {
            const struct loop *carrier;
            if (event->writers[k] < 0)
                continue;
            const int depth = depth_between(event, &trace->events[event->writers[k]], &carrier);
            if (depth > sending->depths[k])
                sending->depths[k] = depth;
        }
    }
}

static bool reads_what_a_loop_carries(const struct trace *trace, const struct statement *statement)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct loop *carrier;
        const struct event *event = &trace->events[i];
        for (int k = 0; k < event->read_count && event->statement == statement; k++)
            if (event->writers[k] >= 0 &&
                depth_between(event, &trace->events[event->writers[k]], &carrier) > 0 && carrier)
                return true;
    }
    return false;
}

struct sending sending_of(const struct trace *trace, const struct statement *statement)
{
    struct sending sending = {.statement = statement,
                              .carried = reads_what_a_loop_carries(trace, statement)};
    find_depths(trace, &sending);
    return sending;
}

bool sending_has(const struct sending *sending, const struct event *event, int k)
{
    return event->statement == sending->statement && event->reads[k].array == sending->array &&
           sending->depths[k] == sending->depth && !sending->delivered[k];
}

void sending_move(struct moves *moves, const struct world *it, const struct sending *sending,
                  const struct event *event)
{
    const struct lying *lies = &it->arrays[sending->array];
    for (int q = 0; q < it->processors; q++)
        for (int k = 0; k < event->read_count && trace_executes(it, event, q); k++)
            if (sending_has(sending, event, k) && !world_has(it, lies, q, event->reads[k].element))
                moves_add(moves, q, world_source(it, lies, q, event->reads[k].element),
                          event->reads[k].element);
}

void sending_move_all(struct moves *moves, const struct trace *trace, const struct sending *sending)
{
    for (size_t i = 0; i < trace->count; i++)
        if (trace->events[i].statement == sending->statement)
            sending_move(moves, trace->world, sending, &trace->events[i]);
}

/* ---- what stages have delivered ---- */

/* Whether a processor has received an element for a read of a pipelined message before an event. */
static bool has_received(const struct trace *trace, const struct sending *sending, size_t before,
                         int processor, int element)
{
    for (size_t i = 0; i < before; i++) {
        const struct event *event = &trace->events[i];
        for (int k = 0; k < event->read_count && event->statement == sending->statement; k++)
            if (event->reads[k].array == sending->array && event->reads[k].element == element &&
                sending->pipelined[sending->depths[k]] &&
                trace_executes(trace->world, event, processor))
                return true;
    }
    return false;
}

/* Round a corner, those have received it that are on the way. */
static bool has_come(const struct trace *trace, const struct sending *sending, size_t before,
                     int processor, int element)
{
    const struct world *it = trace->world;
    const int source = world_source(it, &it->arrays[sending->array], processor, element);
    for (int g = 0; g <= it->grid_count; g++) {
        const int on_the_way = world_halfway(it, processor, source, g);
        if (on_the_way != source && has_received(trace, sending, before, on_the_way, element))
            return true;
    }
    return processor == source;
}

/* All of a read that the segment has written. */
static bool is_delivered(const struct trace *trace, const struct sending *sending, int k)
{
    const struct world *it = trace->world;
    bool any = false;
    for (size_t i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        if (event->statement != sending->statement || event->reads[k].array != sending->array)
            continue;
        for (int q = 0; q < it->processors && event->writers[k] >= 0; q++) {
            if (!trace_executes(it, event, q) ||
                world_has(it, &it->arrays[sending->array], q, event->reads[k].element))
                continue;
            if (!has_come(trace, sending, i, q, event->reads[k].element))
                return false;
            any = true;
        }
    }
    return any;
}

static void find_pipelined(struct sending *sending, const struct trace *trace)
{
    for (sending->depth = 1; sending->depth <= sending->nest && sending->carried;
         sending->depth++) {
        struct moves moves = moves_new(trace->world->arrays[sending->array].elements);
        sending_move_all(&moves, trace, sending);
        sending->pipelined[sending->depth] =
            pipelining_along(&(struct passing){trace, sending->statement, sending->array,
                                               sending->depth - 1, &moves}) >= 0;
        free(moves.moved);
    }
}

void sending_find_delivered(struct sending *sending, const struct trace *trace)
{
    memset(sending->pipelined, 0, sizeof sending->pipelined);
    memset(sending->delivered, 0, sizeof sending->delivered);
    find_pipelined(sending, trace);
    for (int k = 0; k < READS; k++) {
        bool later = false; /* than it, within deeper loops */
        for (int depth = sending->depths[k] + 1; depth <= sending->nest; depth++)
            later |= sending->pipelined[depth];
        sending->delivered[k] = later && sending->depths[k] > 0 &&
                                !sending->pipelined[sending->depths[k]] &&
                                is_delivered(trace, sending, k);
    }
}
