#include "test/enumerated/pipelining.h"
#include "test/check.h"

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

static int coordinates_at_work(const struct trace *trace, const struct statement *statement,
                               int along)
{
    const struct world *it = trace->world;
    bool active[PROCESSORS] = {false};
    int count = 0;
    for (size_t i = 0; i < trace->count; i++)
        for (int q = 0; q < it->processors; q++)
            if (trace->events[i].statement == statement && trace_executes(it, &trace->events[i], q))
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

static const struct event *any_of(const struct passing *passing)
{
    const struct event *event = passing->trace->events;
    while (event->statement != passing->statement)
        event++;
    return event;
}

static int level_of(const struct event *event, const struct loop *loop)
{
    int level = event->depth - 1;
    while (level >= 0 && event->loops[level] != loop)
        level--;
    return level;
}

/* The most that a processor gets of another, in one of the runs of what goes through at once. */
static double bytes_most(const struct passing *passing, const struct pipeline *pipeline)
{
    const struct world *it = passing->trace->world;
    const struct array *arrays = it->program->arrays.items;
    const int band = level_of(any_of(passing), pipeline->band);
    int most = 0;
    double runs = 1.0;
    for (int to = 0; to < it->processors; to++)
        for (int from = 0; from < it->processors; from++)
            most = passing->moves->count[to][from] > most ? passing->moves->count[to][from] : most;
    for (int level = 0; level < band; level++)
        runs *= values_most(passing, level);
    return most * arrays[passing->array].element_bytes / runs;
}

static void wave_begin(struct wave *wave, const struct passing *passing,
                       const struct pipeline *pipeline)
{
    *wave = (struct wave){.statement = passing->statement, .active = 1.0};
    wave->strips = pipeline->strips ? level_of(any_of(passing), pipeline->strips) : -1;
    ck_assert(wave->strips < 0 || !runs_against(passing, wave->strips));
    wave->outer = wave->strips < 0 ? 1.0 : values_most(passing, wave->strips);
    wave->across = 1.0;
}

void wave_add(struct wave *wave, const struct passing *passing, int along,
              const struct pipeline *pipeline)
{
    const double bytes = bytes_most(passing, pipeline);
    const int active = coordinates_at_work(passing->trace, passing->statement, along);
    if (!wave->statement)
        wave_begin(wave, passing, pipeline);
    if (passing->level == wave->strips) {
        wave->across = active;
        wave->across_bytes = bytes;
    } else {
        if (passing->level == level_of(any_of(passing), pipeline->carrier))
            wave->along = along;
        wave->active += wave->joined[along] ? 0.0 : active - 1.0;
        wave->bytes[wave->message_count++] = bytes;
    }
    wave->joined[along] = true;
}

void wave_compare(const struct wave *wave, const struct trace *trace,
                  const struct pipeline *pipeline)
{
    double lines = 1.0;
    for (int g = 0; g < trace->world->grid_count; g++)
        if (!wave->joined[g])
            lines *= coordinates_at_work(trace, wave->statement, g);
    ck_assert_int_eq(pipeline->grid_dimension, wave->along);
    ck_assert_double_eq(pipeline->active, wave->active);
    ck_assert_double_eq(pipeline->outer, wave->outer);
    ck_assert_double_eq(pipeline->lines, lines);
    ck_assert_double_eq(pipeline->across, wave->across);
    ck_assert_double_eq(pipeline->across_bytes, wave->across_bytes);
    ck_assert_uint_eq(pipeline->message_count, (size_t)wave->message_count);
    double sum = 0.0, expected = 0.0; /* their order is that of the reads */
    for (int k = 0; k < wave->message_count; k++) {
        sum += pipeline->messages[k].bytes * wave->outer;
        expected += wave->bytes[k];
    }
    ck_assert_double_eq_tol(sum, expected, 1e-9);
}
