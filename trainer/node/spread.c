#include "trainer/node/spread.h"

#include "model/base/memory.h"
#include "trainer/node/core_clock.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { PASSES = 8, CLOCKS = 9 };

static const double pass_ns = 0.3e9, clock_ns = 0.06e9;

/* An idle core would come back with another clock. */
static void stay_busy_until(double ns)
{
    while (core_clock_now_ns() < ns) {
    }
}

void spread_over_passes(double *results, size_t items, spread_measure *measure, void *state)
{
    double(*seen)[PASSES] = memory_new(items, sizeof *seen);
    for (size_t pass = 0; pass < PASSES; pass++) {
        const double begin_ns = core_clock_now_ns();
        for (size_t i = 0; i < items; i++)
            seen[i][pass] = measure(state, i);
        stay_busy_until(begin_ns + pass_ns);
    }
    for (size_t i = 0; i < items; i++) {
        gsl_sort(seen[i], 1, PASSES);
        results[i] = seen[i][1];
    }
    free(seen);
}

double spread_clock_ghz(void)
{
    double seen[CLOCKS];
    size_t count = 0;
    for (size_t i = 0; i < CLOCKS; i++) {
        const double begin_ns = core_clock_now_ns(), ghz = core_clock_ghz();
        if (!isnan(ghz))
            seen[count++] = ghz;
        stay_busy_until(begin_ns + clock_ns);
    }
    gsl_sort(seen, 1, count);
    return count > 0 ? seen[count / 2] : (double)NAN;
}
