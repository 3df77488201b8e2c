#include "trainer/curve/running.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

static struct passes *passes_at(const struct running *run, size_t i)
{
    return (struct passes *)run->points.items + i;
}

struct running running_begin(const struct sweep_plan *plan, sweep_measure *measure, void *state,
                             struct curve *curve)
{
    curve->granule = plan->granule;
    curve->statistic = plan->statistic;
    return (struct running){.plan = plan, .measure = measure, .state = state, .curve = curve};
}

void running_end(struct running *run)
{
    for (size_t i = 0; i < run->points.count; i++)
        curve_add(run->curve, passes_at(run, i));
    free(run->points.items);
    free(run->sorted);
}

double running_time_us(const struct running *run, const struct point *point)
{
    return point_time_us(point, run->plan->statistic);
}

double running_size(const struct running *run, double bytes)
{
    const double granule = run->plan->granule;
    return fmin(run->plan->bytes_most,
                fmax(run->plan->bytes_least, granule * round(bytes / granule)));
}

bool running_knows(const struct running *run, double bytes)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].bytes == bytes)
            return true;
    return false;
}

/* ---- measuring ---- */

static struct observation observed(const struct running *run, const struct point *point)
{
    return (struct observation){point->bytes, running_time_us(run, point), point->half_width_us,
                                point->processors, point->held_out};
}

static void insert(struct running *run, const struct point *point)
{
    run->sorted = memory_grow(run->sorted, run->count + 1, sizeof *run->sorted);
    size_t at = run->count++;
    for (; at > 0 && run->sorted[at - 1].bytes > point->bytes; at--)
        run->sorted[at] = run->sorted[at - 1];
    run->sorted[at] = observed(run, point);
}

/* One measurement, which becomes the last; sets spent when there is no budget left. */
static int ask(struct running *run, const struct ask *what, struct error *error)
{
    run->last = (struct point){0};
    const int status = run->measure(run->state, what, &run->last, error);
    run->spent = status > 0;
    return status < 0 ? -1 : 0;
}

int running_measure_anyway(struct running *run, double bytes, bool held_out, struct error *error)
{
    if (ask(run, &(struct ask){.bytes = bytes, .held_out = held_out}, error) != 0)
        return -1;
    if (run->spent)
        return 0;
    struct passes *passes = list_add(&passes_record, &run->points);
    *passes = (struct passes){.of[0] = run->last, .count = 1, .at_once = 1};
    insert(run, &run->last);
    return 0;
}

int running_measure(struct running *run, double bytes, bool held_out, struct error *error)
{
    run->spent = run->spent || run->count >= run->plan->points_most;
    return run->spent ? 0 : running_measure_anyway(run, bytes, held_out, error);
}

/* ---- once more ---- */

/* Where points of one size took the same time, any of them is the one. */
static void replace(struct running *run, const struct point *before, const struct point *now)
{
    const double before_us = running_time_us(run, before);
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].bytes == before->bytes && run->sorted[i].time_us == before_us) {
            run->sorted[i] = observed(run, now);
            return;
        }
}

/* Held-out points too: what they hold is a time like any other. An exact one says the same. */
static int ask_point_again(struct running *run, struct passes *passes, struct error *error)
{
    const struct point first = passes->of[0];
    const struct ask what = {first.bytes, first.held_out, true};
    if (first.half_width_us == 0.0)
        return 0;
    do {
        if (ask(run, &what, error) != 0)
            return -1;
        if (run->spent)
            break;
        passes->of[passes->count++] = run->last;
        passes->at_once = passes->count;
    } while (passes->count < PASSES_AT_ONCE && passes_disagree(passes, run->plan->statistic));
    const struct point settled = passes_settled(passes, run->plan->statistic);
    replace(run, &first, &settled);
    return 0;
}

int running_ask_again(struct running *run, struct error *error)
{
    for (; !run->plan->trusting && run->again < run->points.count && !run->spent; run->again++)
        if (ask_point_again(run, passes_at(run, run->again), error) != 0)
            return -1;
    return 0;
}
