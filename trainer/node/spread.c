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

/* An idle core would come back with another clock. */
static void stay_busy_until(double ns)
{
    while (core_clock_now_ns() < ns) {
    }
}

/* The least come first, in their order; NAN where it cannot be measured. */
struct least {
    double of[3];
};

static void keep_least(struct least *least, double value)
{
    if (isnan(value))
        *least = (struct least){
            {NAN, NAN, NAN}
        };
    for (size_t k = 0; k < 3; k++)
        if (value < least->of[k]) {
            const double next = least->of[k];
            least->of[k] = value;
            value = next;
        }
}

static bool agree(const struct least *least, size_t items)
{
    for (size_t i = 0; i < items; i++)
        if (least[i].of[2] > (1.0 + agreement) * least[i].of[1])
            return false;
    return true;
}

static void measure_all(struct least *least, size_t items, spread_measure *measure, void *state)
{
    const double begin_ns = core_clock_now_ns();
    for (size_t i = 0; i < items; i++)
        keep_least(&least[i], measure(state, i));
    stay_busy_until(begin_ns + pass_ns);
}

void spread_over_passes(double *results, size_t items, size_t agreeing, spread_measure *measure,
                        void *state)
{
    struct least *least = memory_new(items, sizeof *least);
    for (size_t i = 0; i < items; i++)
        least[i] = (struct least){
            {INFINITY, INFINITY, INFINITY}
        };
    for (size_t pass = 0; pass < PASSES || (pass < PASSES_MOST && !agree(least, agreeing)); pass++)
        measure_all(least, items, measure, state);
    for (size_t i = 0; i < items; i++)
        results[i] = least[i].of[1];
    free(least);
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
