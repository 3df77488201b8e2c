#include "test/enumerated/work.h"
#include "test/check.h"

#include <math.h>

static bool waits(const struct outcome *outcome, const struct loop *loop)
{
    for (int i = 0; i < outcome->synchronous_count; i++)
        if (outcome->synchronous[i] == loop)
            return true;
    return false;
}

static double most_of(int *counts, int processors)
{
    int most = 0;
    for (int q = 0; q < processors; q++) {
        most = counts[q] > most ? counts[q] : most;
        counts[q] = 0;
    }
    return most;
}

void work_check(const struct outcome *outcome, const struct work *work)
{
    const struct trace *trace = outcome->trace;
    const struct world *it = trace->world;
    int counts[PROCESSORS] = {0};
    const struct event *before = NULL;
    double most = 0.0, sum = 0.0;
    for (size_t i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        if (event->statement != work->statement)
            continue;
        for (int l = 0; before && l < event->depth; l++)
            if (event->at[l] != before->at[l] && waits(outcome, event->loops[l]))
                most += most_of(counts, it->processors);
        for (int q = 0; q < it->processors; q++) {
            counts[q] += trace_executes(it, event, q);
            sum += trace_executes(it, event, q);
        }
        before = event;
    }
    most += most_of(counts, it->processors);
    ck_assert_double_eq(work->iterations_most, most);
    ck_assert_double_eq_tol(work->iterations_mean, sum / it->processors, 1e-9);
}

static const struct work *work_of(const struct work *works, size_t count,
                                  const struct statement *statement)
{
    for (size_t i = 0; i < count; i++)
        if (works[i].statement == statement)
            return &works[i];
    return NULL;
}

/* Whether two events lie in one iteration of all loops that wait for messages. */
static bool in_one_step(const struct outcome *outcome, const struct event *a, const struct event *b)
{
    for (int l = 0; l < a->depth && l < b->depth && a->loops[l] == b->loops[l]; l++)
        if (a->at[l] != b->at[l] && waits(outcome, a->loops[l]))
            return false;
    return true;
}

/* What a processor reads of the phase it has computed itself, unless that is sent element by
   element, within all loops. */
static void check_nothing_is_sent(const struct outcome *outcome, const struct event *event,
                                  const struct work *works, size_t count)
{
    const struct trace *trace = outcome->trace;
    for (int k = 0; k < event->read_count; k++) {
        const struct event *writer =
            event->writers[k] < 0 ? NULL : &trace->events[event->writers[k]];
        const struct loop *carrier;
        if (!writer || !work_of(works, count, writer->statement) ||
            writer->statement == event->statement || !in_one_step(outcome, event, writer) ||
            depth_between(event, writer, &carrier) == event->depth)
            continue;
        for (int q = 0; q < trace->world->processors; q++)
            ck_assert_msg(!trace_executes(trace->world, event, q) ||
                              trace_executes(trace->world, writer, q),
                          "a phase of which a part waits for another");
    }
}

size_t work_check_phase(const struct outcome *outcome, const struct work *works, size_t count)
{
    const struct trace *trace = outcome->trace;
    const int processors = trace->world->processors;
    int counts[PROCESSORS] = {0}, all[STATEMENTS][PROCESSORS] = {{0}};
    const struct event *before = NULL;
    size_t of = 1;
    double most = 0.0, derived = 0.0, each = 0.0;
    while (of < count && works[of].phase == works->phase)
        of++;
    for (size_t i = 0; i < trace->count && of > 1; i++) {
        const struct event *event = &trace->events[i];
        const struct work *work = work_of(works, of, event->statement);
        if (!work)
            continue;
        check_nothing_is_sent(outcome, event, works, of);
        if (before && !in_one_step(outcome, event, before))
            most += most_of(counts, processors);
        for (int q = 0; q < processors; q++) {
            counts[q] += trace_executes(trace->world, event, q);
            all[work - works][q] += trace_executes(trace->world, event, q);
        }
        before = event;
    }
    most += most_of(counts, processors);
    for (size_t i = 0; i < of; i++)
        each += works[i].iterations_most;
    for (int q = 0; q < processors && works->iterations; q++) {
        double sum = 0.0;
        for (size_t i = 0; i < of; i++) {
            ck_assert_double_eq(works[i].iterations[q], all[i][q]);
            sum += works[i].iterations[q];
        }
        derived = fmax(derived, sum);
    }
    if (of > 1)
        ck_assert_double_eq(works->iterations ? derived : each, most);
    return of;
}
