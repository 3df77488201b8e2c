#include "test/enumerated/pipelining.h"

#include <check.h>
#include <math.h>
#include <string.h>

enum { VALUES = 100 };

/* Along which grid dimension alone `to` is the next of `from`; -1: it is not. */
static int next_along(const struct world *it, int to, int from)
{
    int along = -1;
    for (int g = 0; g < it->grid_count; g++) {
        const int step = world_coordinate(it, to, g) - world_coordinate(it, from, g);
        if (step == 0)
            continue;
        if (step != 1 || along >= 0)
            return -1;
        along = g;
    }
    return along;
}

static int all_along(const struct world *it, const struct moves *moves)
{
    int along = -1;
    for (int to = 0; to < it->processors; to++)
        for (int from = 0; from < it->processors; from++) {
            if (moves->count[to][from] == 0)
                continue;
            const int g = next_along(it, to, from);
            if (g < 0 || (along >= 0 && g != along))
                return -1;
            along = g;
        }
    return along;
}

/* Whether each value of a loop belongs to one coordinate along the grid dimension. */
static bool goes_by(const struct passing *passing, int level, int along)
{
    const struct trace *trace = passing->trace;
    const struct world *it = trace->world;
    int coordinate[VALUES];
    memset(coordinate, -1, sizeof coordinate);
    for (size_t i = 0; i < trace->count; i++)
        for (int q = 0; q < it->processors; q++) {
            const struct event *event = &trace->events[i];
            const int mine = world_coordinate(it, q, along);
            if (event->statement != passing->statement || !trace_executes(it, event, q))
                continue;
            ck_assert_int_lt(event->at[level], VALUES);
            int *const known = &coordinate[event->at[level]];
            if (*known >= 0 && *known != mine)
                return false;
            *known = mine;
        }
    return true;
}

int pipelining_along(const struct passing *passing)
{
    const int along = all_along(passing->trace->world, passing->moves);
    return along >= 0 && goes_by(passing, passing->level, along) ? along : -1;
}

/* Whether the iteration that wrote what another one reads comes later in the loop: then its strips
   cannot go through one by one. */
static bool runs_against(const struct passing *passing, int level)
{
    const struct trace *trace = passing->trace;
    for (size_t i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        for (int k = 0; k < event->read_count && event->statement == passing->statement; k++)
            if (event->writers[k] >= 0 &&
                trace->events[event->writers[k]].statement == passing->statement &&
                trace->events[event->writers[k]].at[level] > event->at[level])
                return true;
    }
    return false;
}

static int coordinates_at_work(const struct passing *passing, int along)
{
    const struct trace *trace = passing->trace;
    const struct world *it = trace->world;
    bool active[PROCESSORS] = {false};
    int count = 0;
    for (size_t i = 0; i < trace->count; i++)
        for (int q = 0; q < it->processors; q++)
            if (trace->events[i].statement == passing->statement &&
                trace_executes(it, &trace->events[i], q))
                active[world_coordinate(it, q, along)] = true;
    for (int c = 0; c < it->grid[along]; c++)
        count += active[c];
    return count;
}

/* How many values of a loop the busiest processor has. */
static int values_most(const struct passing *passing, int level)
{
    const struct trace *trace = passing->trace;
    int most = 0;
    for (int q = 0; q < trace->world->processors; q++) {
        bool has[VALUES] = {false};
        int count = 0;
        for (size_t i = 0; i < trace->count; i++) {
            const struct event *event = &trace->events[i];
            if (event->statement != passing->statement || !trace_executes(trace->world, event, q))
                continue;
            count += !has[event->at[level]];
            has[event->at[level]] = true;
        }
        most = count > most ? count : most;
    }
    return most;
}

static double bytes_most(const struct passing *passing)
{
    const struct world *it = passing->trace->world;
    const struct array *arrays = it->program->arrays.items;
    int most = 0;
    for (int to = 0; to < it->processors; to++)
        for (int from = 0; from < it->processors; from++)
            most = passing->moves->count[to][from] > most ? passing->moves->count[to][from] : most;
    return most * arrays[passing->array].element_bytes;
}

static const struct event *any_of(const struct passing *passing)
{
    const struct event *event = passing->trace->events;
    while (event->statement != passing->statement)
        event++;
    return event;
}

/* Of the loop that is cut into strips each value brings the same. */
void pipelining_check(const struct passing *passing, int along, const struct pipeline *pipeline)
{
    const struct event *any = any_of(passing);
    int level = 0;
    while (level < any->depth && any->loops[level] != pipeline->strips)
        level++;
    ck_assert_int_lt(level, any->depth);
    ck_assert(!runs_against(passing, level));
    const double values = values_most(passing, level);
    ck_assert_int_eq(pipeline->grid_dimension, along);
    ck_assert_double_eq(pipeline->active, coordinates_at_work(passing, along));
    ck_assert_double_eq(pipeline->outer, values);
    ck_assert_uint_eq(pipeline->message_count, 1);
    ck_assert_double_eq(pipeline->bytes[0] * values, bytes_most(passing));
    ck_assert_double_eq(pipeline->lines, 1.0);
}

void pipelining_check_joined(const struct passing *passing, int along,
                             const struct pipeline *pipeline)
{
    ck_assert_ptr_eq(any_of(passing)->loops[passing->level], pipeline->strips);
    ck_assert_int_ne(pipeline->grid_dimension, along);
    ck_assert_double_eq(pipeline->across, coordinates_at_work(passing, along));
    ck_assert_double_eq(pipeline->across_bytes, bytes_most(passing));
}
