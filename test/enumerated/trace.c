#include "test/enumerated/trace.h"

#include "model/base/allocation.h"
#include "test/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct access access_of(const struct world *it, const char *text)
{
    const struct array *arrays = it->program->arrays.items;
    const size_t length = text ? strcspn(text, "[") : 0;
    struct access access = {-1, 0};
    if (!text)
        return access;
    for (size_t a = 0; a < it->program->arrays.count; a++)
        if (strlen(arrays[a].name) == length && strncmp(arrays[a].name, text, length) == 0)
            access.array = (int)a;
    ck_assert_msg(access.array >= 0, "%s", text);
    const struct lying *lies = &it->arrays[access.array];
    const char *next = text + length;
    for (int d = 0; d < lies->rank; d++) {
        char index[80];
        const size_t inside = strcspn(next + 1, "]");
        snprintf(index, sizeof index, "%.*s", (int)inside, next + 1);
        const int element = world_value(it, index);
        ck_assert_int_lt(element, lies->extent[d]);
        access.element = access.element * lies->extent[d] + element;
        next += inside + 2;
    }
    return access;
}

static void note_statement(struct trace *trace, const struct statement *statement)
{
    for (int i = 0; i < trace->statement_count; i++)
        if (trace->statements[i] == statement)
            return;
    ck_assert_int_lt(trace->statement_count, STATEMENTS);
    trace->statements[trace->statement_count++] = statement;
}

static void execute_statement(struct trace *trace, const struct statement *statement)
{
    const struct formula *reads = statement->reads.items;
    struct event event = trace->now;
    event.statement = statement;
    event.read_count = (int)statement->reads.count;
    for (int k = 0; k < event.read_count; k++)
        event.reads[k] = access_of(trace->world, reads[k].text);
    event.writes = access_of(trace->world, statement->writes.text);
    event.home = statement->home.text               ? access_of(trace->world, statement->home.text)
                 : statement->reduce != REDUCE_NONE ? event.reads[0]
                                                    : event.writes;
    if (trace->count == trace->size) {
        trace->size = 2 * trace->size + 1000;
        trace->events = realloc(trace->events, trace->size * sizeof *trace->events);
        ck_assert_ptr_nonnull(trace->events);
    }
    trace->events[trace->count++] = event;
    note_statement(trace, statement);
}

static void execute_call(struct trace *trace, const struct call *call)
{
    const struct world *it = trace->world;
    const int processors =
        call->processors.text ? world_value(it, call->processors.text) : it->processors;
    const struct expected expected = {TRAFFIC_CLASSES, 1.0, world_value(it, call->bytes.text),
                                      processors, floor((double)it->processors / processors)};
    if (processors > 1)
        tally_add_expected(&trace->calls, &expected);
}

void trace_execute(struct trace *trace, const struct list *body)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++) {
        const struct loop *loop = steps[i].loop;
        ck_assert_uint_eq(steps[i].branches.count, 0);
        if (steps[i].statement)
            execute_statement(trace, steps[i].statement);
        if (steps[i].call)
            execute_call(trace, steps[i].call);
        if (!loop)
            continue;
        const int level = trace->now.depth++;
        const int last = world_value(trace->world, loop->last.text);
        ck_assert_int_lt(level, DEPTH);
        trace->now.loops[level] = loop;
        for (int at = world_value(trace->world, loop->first.text); at <= last; at++) {
            world_set(trace->world, loop->index, at);
            trace->now.at[level] = at;
            trace_execute(trace, &loop->body);
        }
        trace->now.depth--;
    }
}

/* Within how many loops what an event reads was written; *carrier: the loop that carries it from
   one iteration to another, or NULL. */
int depth_between(const struct event *reader, const struct event *writer,
                  const struct loop **carrier)
{
    int common = 0;
    *carrier = NULL;
    while (common < reader->depth && common < writer->depth &&
           reader->loops[common] == writer->loops[common]) {
        if (reader->at[common] != writer->at[common]) {
            *carrier = reader->loops[common];
            return common + 1;
        }
        common++;
    }
    return common;
}

bool trace_carries(const struct trace *trace, const struct loop *loop)
{
    for (int i = 0; i < trace->carrying_count; i++)
        if (trace->carrying[i] == loop)
            return true;
    return false;
}

/* Once all writers are known. */
static void find_carrying(struct trace *trace)
{
    for (size_t i = 0; i < trace->count; i++)
        for (int k = 0; k < trace->events[i].read_count; k++) {
            const int writer = trace->events[i].writers[k];
            const struct loop *carrier = NULL;
            if (writer >= 0)
                depth_between(&trace->events[i], &trace->events[writer], &carrier);
            if (carrier && !trace_carries(trace, carrier)) {
                ck_assert_int_lt(trace->carrying_count, CARRYING);
                trace->carrying[trace->carrying_count++] = carrier;
            }
        }
}

/* Who wrote last what each event reads. */
void trace_find_writers(struct trace *trace)
{
    int *last[ARRAYS];
    for (int a = 0; a < ARRAYS; a++) {
        const int elements = trace->world->arrays[a].elements;
        last[a] = memory_new((size_t)elements + 1, sizeof *last[a]);
        for (int e = 0; e < elements; e++)
            last[a][e] = -1;
    }
    for (size_t i = 0; i < trace->count; i++) {
        struct event *event = &trace->events[i];
        for (int k = 0; k < event->read_count; k++)
            event->writers[k] = last[event->reads[k].array][event->reads[k].element];
        if (event->writes.array >= 0)
            last[event->writes.array][event->writes.element] = (int)i;
    }
    for (int a = 0; a < ARRAYS; a++)
        free(last[a]);
    find_carrying(trace);
}

bool trace_executes(const struct world *it, const struct event *event, int processor)
{
    return event->home.array < 0 ||
           world_has(it, &it->arrays[event->home.array], processor, event->home.element);
}
