#include "model/machine/series.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

static void add(struct series *series, double participants, double time_us)
{
    series->participants[series->count] = participants;
    series->times_us[series->count++] = time_us;
}

struct series series_of(const struct cost *cost, double bytes)
{
    const struct at_processors *at = cost->by_processors.items;
    const size_t count = cost->by_processors.count;
    struct series series = {.participants = memory_new(2 * count, sizeof(double))};
    series.times_us = series.participants + count;
    for (size_t i = 0; i < count; i++) {
        const struct region *own = cost_region_among(&at[i].regions, bytes, at[i].processors);
        const double time_us =
            own ? cost_measured_us(cost, own, bytes, at[i].processors) : (double)NAN;
        if (time_us > 0.0)
            add(&series, cost_processors(cost, at[i].processors), time_us);
    }
    return series;
}

void series_keep(struct series *series, const bool *wanted)
{
    size_t kept = 0;
    for (size_t i = 0; i < series->count; i++)
        if (wanted[i]) {
            series->participants[kept] = series->participants[i];
            series->times_us[kept++] = series->times_us[i];
        }
    series->count = kept;
}

static bool is_power_of_two(double p)
{
    return p == exp2(round(log2(p)));
}

void series_keep_alike(struct series *series, double participants)
{
    bool *wanted = memory_new(series->count + 1, sizeof *wanted);
    size_t alike = 0;
    for (size_t i = 0; i < series->count; i++) {
        wanted[i] = is_power_of_two(series->participants[i]) == is_power_of_two(participants);
        alike += wanted[i];
    }
    if (alike >= 3)
        series_keep(series, wanted);
    free(wanted);
}

/* From one number of participants to another, both included. */
static void keep_from(struct series *series, double least, double most)
{
    bool *wanted = memory_new(series->count + 1, sizeof *wanted);
    for (size_t i = 0; i < series->count; i++)
        wanted[i] = series->participants[i] >= least && series->participants[i] <= most;
    series_keep(series, wanted);
    free(wanted);
}

void series_keep_nodes(struct series *series, double near)
{
    keep_from(series, near, INFINITY);
    series->near = near;
}

void series_keep_within(struct series *series, double near)
{
    keep_from(series, 0.0, near);
}

struct series series_before_last(const struct series *series)
{
    struct series before = *series;
    before.count--;
    return before;
}

double series_last_p(const struct series *series)
{
    return series->participants[series->count - 1];
}

double series_last_us(const struct series *series)
{
    return series->times_us[series->count - 1];
}
