#include "test/enumerated/work.h"
#include "test/check.h"

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
