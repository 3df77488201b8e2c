#include "trainer/memory/memory_kernels.h"

#include "trainer/memory/memory_rules.h"
#include "trainer/memory/strided_walks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double kernels_s = 2.0;

/* How many times the last cache fits into the largest array: so far the transition is over. */
static const double beyond_last = 4.0;

static double largest_array(const struct plateaus *plateaus, double arena_bytes)
{
    return fmin(arena_bytes, beyond_last * plateaus->items[plateaus->count - 2].overflow_bytes);
}

static void write_point(const struct run *run, const struct curves *curves, size_t pattern,
                        size_t size, double ghz)
{
    const struct summary *cycles = &curves->cycles[pattern][size];
    const double us = 1e-3 / ghz;
    struct point point = {
        .processors = 1.0,
        .bytes = curves->bytes[size],
        .repetitions = (double)cycles->count,
        .minimum_us = us * cycles->minimum,
        .median_us = us * cycles->median,
        .mean_us = us * cycles->mean,
        .standard_deviation_us = us * cycles->standard_deviation,
        .maximum_us = us * cycles->maximum,
        .half_width_us = 0.5 * us * (cycles->median_high - cycles->median_low),
        .rejected = cycles->outliers,
        .attempt = 1.0,
    };
    snprintf(point.utility, sizeof point.utility, "memory-%s-%zu", strided_patterns[pattern].kernel,
             strided_patterns[pattern].stride_doubles);
    points_write(run->points_csv, &point);
}

void kernels_run(const struct run *run, const struct backend *backend,
                 const struct plateaus *plateaus, double ghz, struct machine *machine)
{
    struct cache_probe probe = cache_probe_begin(backend, run->options->seed, kernels_s);
    struct curves *curves =
        strided_measure(&probe, largest_array(plateaus, (double)backend->arena_most));
    for (size_t k = 0; k < PATTERNS; k++)
        for (size_t i = 0; i < curves->count; i++)
            write_point(run, curves, k, i, ghz);
    fflush(run->points_csv);
    rules_apply(curves, &machine->memory->by_1995_rules);
    if (machine->memory->by_1995_rules.count == 0)
        run_not_measured(machine, "memory by 1995 rules",
                         "no transition between plateaus of the kernels is seen");
    free(curves);
    cache_probe_end(&probe);
}
