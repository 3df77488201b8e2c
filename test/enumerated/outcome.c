#include "test/enumerated/outcome.h"

#include "test/check.h"
#include "test/enumerated/moves.h"
#include "test/enumerated/sending.h"

#include <stdlib.h>
#include <string.h>

/* ---- shifts: along a grid dimension, home and read differ by a constant ---- */

/* By how much, of one read; false where there is none such. */
static bool distance_along(const struct world *it, const struct event *event, int k, int g,
                           int *distance)
{
    const struct lying *home = &it->arrays[event->home.array];
    const struct lying *data = &it->arrays[event->reads[k].array];
    int h = 0, d = 0;
    while (d < data->rank && data->grid[d] != g)
        d++;
    while (h < home->rank && home->grid[h] != g)
        h++;
    *distance = 0;
    if (d == data->rank)
        return true;
    if (h == home->rank || home->block[h] != data->block[d] || home->cyclic[h] != data->cyclic[d])
        return false;
    *distance = lying_subscript(data, d, event->reads[k].element) -
                lying_subscript(home, h, event->home.element);
    return true;
}

struct round {
    size_t first, end; /* events */
};

static bool is_shift(const struct trace *trace, const struct sending *sending,
                     const struct round *turn)
{
    const struct world *it = trace->world;
    int known[READS][RANK];
    bool begun[READS] = {false};
    for (size_t i = turn->first; i < turn->end; i++)
        for (int k = 0; k < trace->events[i].read_count; k++) {
            const struct event *event = &trace->events[i];
            if (!sending_has(sending, event, k))
                continue;
            for (int g = 0; g < it->grid_count; g++) {
                int distance;
                if (event->home.array < 0 || !distance_along(it, event, k, g, &distance) ||
                    (begun[k] && distance != known[k][g]))
                    return false;
                known[k][g] = distance;
            }
            begun[k] = true;
        }
    return true;
}

static void shift_along(struct moves *moves, const struct trace *trace,
                        const struct sending *sending, const struct round *turn, int g)
{
    const struct world *it = trace->world;
    const struct lying *lies = &it->arrays[sending->array];
    for (size_t i = turn->first; i < turn->end; i++)
        for (int k = 0; k < trace->events[i].read_count; k++) {
            const struct event *event = &trace->events[i];
            const int element = event->reads[k].element;
            int distance;
            if (!sending_has(sending, event, k) || !distance_along(it, event, k, g, &distance) ||
                distance == 0)
                continue;
            for (int q = 0; q < it->processors; q++) {
                if (!trace_executes(it, event, q))
                    continue;
                const int r = world_source(it, lies, q, element);
                const int from = world_halfway(it, q, r, g), to = world_halfway(it, q, r, g + 1);
                if (from != to)
                    moves_add(moves, to, from, element);
            }
        }
}

/* ---- what a sending amounts to ---- */

static bool same_turn(const struct event *a, const struct event *b, int depth)
{
    for (int l = 0; l < depth; l++)
        if (a->at[l] != b->at[l])
            return false;
    return true;
}

/* The next turn of a sending from *turn on; false: there is none. */
static bool next_turn(const struct trace *trace, const struct sending *sending, struct round *turn)
{
    turn->first = turn->end;
    while (turn->first < trace->count && trace->events[turn->first].statement != sending->statement)
        turn->first++;
    turn->end = turn->first;
    while (turn->end < trace->count &&
           (trace->events[turn->end].statement != sending->statement ||
            same_turn(&trace->events[turn->first], &trace->events[turn->end], sending->depth)))
        turn->end++;
    return turn->first < trace->count;
}

static void add_class(struct outcome *outcome, const struct moves *moves)
{
    const struct pairs pairs = moves_pairs(outcome->trace->world, &moves->count[0][0]);
    const struct expected expected = pairs_classify(&pairs, moves_same(moves));
    tally_add_expected(&outcome->tally, &expected);
}

static void add_shift(struct outcome *outcome, const struct sending *sending,
                      const struct round *turn)
{
    const struct world *it = outcome->trace->world;
    for (int g = 0; g < it->grid_count; g++) {
        struct moves moves = moves_new(it->arrays[sending->array].elements);
        shift_along(&moves, outcome->trace, sending, turn, g);
        const struct pairs pairs = moves_pairs(it, &moves.count[0][0]);
        const struct expected expected = pairs_shift(&pairs);
        tally_add_expected(&outcome->tally, &expected);
        free(moves.moved);
    }
}

static void move_turn(struct moves *moves, const struct trace *trace, const struct sending *sending,
                      const struct round *turn)
{
    for (size_t i = turn->first; i < turn->end; i++)
        if (trace->events[i].statement == sending->statement)
            sending_move(moves, trace->world, sending, &trace->events[i]);
}

/* The only processor that sends; -1: none or several do. */
static int single_source(const struct moves *moves)
{
    int source = -1;
    for (int from = 0; from < PROCESSORS; from++)
        for (int to = 0; to < PROCESSORS; to++) {
            if (moves->count[to][from] > 0 && source >= 0 && source != from)
                return -1;
            if (moves->count[to][from] > 0)
                source = from;
        }
    return source;
}

/* Rule "Turns": the first turns of all sources go on together, then the second ones, ... */
static void add_together(struct outcome *outcome, const struct sending *sending)
{
    enum { TURNS = 100 };
    const struct world *it = outcome->trace->world;
    struct moves steps[TURNS] = {{0}};
    int ordinal[PROCESSORS] = {0};
    const int elements = it->arrays[sending->array].elements;
    struct round turn = {0};
    while (next_turn(outcome->trace, sending, &turn)) {
        struct moves moves = moves_new(elements);
        move_turn(&moves, outcome->trace, sending, &turn);
        const int source = single_source(&moves);
        if (source >= 0) {
            ck_assert_int_lt(ordinal[source], TURNS);
            struct moves *step = &steps[ordinal[source]++];
            if (!step->moved)
                *step = moves_new(elements);
            move_turn(step, outcome->trace, sending, &turn);
        } else
            ck_assert(pairs_classify(
                          &(struct pairs){it->processors, PROCESSORS, &moves.count[0][0]}, false)
                          .class
                      == TRAFFIC_LOCAL);
        free(moves.moved);
    }
    for (int i = 0; i < TURNS && steps[i].moved; i++) {
        add_class(outcome, &steps[i]);
        free(steps[i].moved);
    }
}

static void add_synchronous(struct outcome *outcome, const struct loop *loop)
{
    ck_assert_int_lt(outcome->synchronous_count, DEPTH);
    outcome->synchronous[outcome->synchronous_count++] = loop;
}

static void add_turns(struct outcome *outcome, const struct sending *sending)
{
    const struct trace *trace = outcome->trace;
    struct round turn = {0};
    while (next_turn(trace, sending, &turn)) {
        struct moves moves = moves_new(trace->world->arrays[sending->array].elements);
        const bool first = turn.first == 0 || outcome->synchronous_count == 0;
        move_turn(&moves, trace, sending, &turn);
        if (is_shift(trace, sending, &turn))
            add_shift(outcome, sending, &turn);
        else
            add_class(outcome, &moves);
        for (int l = 0; first && l < sending->depth && single_source(&moves) >= 0; l++)
            if (trace_carries(trace, trace->events[turn.first].loops[l]))
                add_synchronous(outcome, trace->events[turn.first].loops[l]);
        free(moves.moved);
    }
}

/* Whether one of the loops outside carries any dependence. */
static bool is_carried(const struct trace *trace, const struct sending *sending)
{
    const struct event *event = trace->events;
    while (event->statement != sending->statement)
        event++;
    for (int l = 0; l < sending->depth; l++)
        if (trace_carries(trace, event->loops[l]))
            return true;
    return false;
}

static void add_pipelined(struct outcome *outcome, const struct passing *passing, int along,
                          const struct list *pipelines)
{
    const struct pipeline *known = pipelines->items;
    if (outcome->pipelines == 0 ||
        outcome->waves[outcome->pipelines - 1].statement != passing->statement)
        outcome->pipelines++;
    ck_assert_int_le(outcome->pipelines, WAVES);
    ck_assert_uint_ge(pipelines->count, (size_t)outcome->pipelines);
    wave_add(&outcome->waves[outcome->pipelines - 1], passing, along,
             &known[outcome->pipelines - 1]);
}

static void add_message(struct outcome *outcome, const struct sending *sending,
                        const struct analysis *analysis)
{
    const struct trace *trace = outcome->trace;
    struct moves moves = moves_new(trace->world->arrays[sending->array].elements);
    sending_move_all(&moves, trace, sending);
    const struct passing passing = {.trace = trace,
                                    .statement = sending->statement,
                                    .array = sending->array,
                                    .level = sending->depth - 1,
                                    .moves = &moves};
    const int along = sending->carried && sending->depth > 0 ? pipelining_along(&passing) : -1;
    if (along >= 0)
        add_pipelined(outcome, &passing, along, &analysis->pipelines);
    else if (sending->depth > 0 && sending->depth == sending->nest) {
        const struct pairs pairs = moves_pairs(trace->world, &moves.repeated[0][0]);
        const struct expected expected = pairs_single(&pairs);
        tally_add_expected(&outcome->tally, &expected);
    } else if (sending->depth > 0 && !is_carried(trace, sending))
        add_together(outcome, sending);
    else
        add_turns(outcome, sending);
    free(moves.moved);
}

void outcome_add_reads(struct outcome *outcome, const struct statement *statement,
                       const struct analysis *analysis)
{
    struct sending sending = sending_of(outcome->trace, statement);
    for (sending.array = 0; sending.array < ARRAYS; sending.array++) {
        sending_find_delivered(&sending, outcome->trace);
        for (sending.depth = 0; sending.depth <= sending.nest; sending.depth++)
            add_message(outcome, &sending, analysis);
    }
}
