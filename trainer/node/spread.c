#include "trainer/node/spread.h"

#include "model/base/memory.h"
#include "trainer/node/core_clock.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PASSES = 8, PASSES_MOST = 24, CLOCKS = 9 };

static const double pass_ns = 0.3e9, clock_ns = 0.06e9;

/* Disturbances are larger, and seldom the same twice. */
static const double agreement = 0.01;

/* With half a core it is a fifth and more. */
static const double crowding_most = 1.02;

/* An idle core would come back with another clock. */
static void stay_busy_until(double ns)
{
    while (core_clock_now_ns() < ns) {
    }
}

struct passes {
    double of[PASSES_MOST]; /* from the least to the most */
};

static bool agree(const struct passes *seen, const enum spread_choice *choices, size_t items)
{
    for (size_t i = 0; i < items; i++)
        if (choices[i] == SPREAD_AGREED && seen[i].of[2] > (1.0 + agreement) * seen[i].of[1])
            return false;
    return true;
}

/* One pass more than the count. Whether the core was free of others before and behind it. */
static bool measure_all(struct passes *seen, size_t count, size_t items, spread_measure *measure,
                        void *state)
{
    const double begin_ns = core_clock_now_ns(), before = core_clock_crowding();
    for (size_t i = 0; i < items; i++) {
        seen[i].of[count] = measure(state, i);
        gsl_sort(seen[i].of, 1, count + 1);
    }
    const bool is_free = fmax(before, core_clock_crowding()) <= crowding_most;
    stay_busy_until(begin_ns + pass_ns);
    return is_free;
}

size_t spread_over_passes(double *results, const enum spread_choice *choices, size_t items,
                          spread_measure *measure, void *state)
{
    struct passes *seen = memory_new(items, sizeof *seen);
    size_t count = 0, undisturbed = 0;
    while (count < PASSES || (count < PASSES_MOST && !agree(seen, choices, items)))
        undisturbed += measure_all(seen, count++, items, measure, state);
    for (size_t i = 0; i < items; i++)
        results[i] = seen[i].of[choices[i] == SPREAD_MIDDLE ? count / 2 : 1];
    free(seen);
    return undisturbed;
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
