#include "trainer/node/node_rate.h"

#include "model/base/allocation.h"
#include "model/fit/summary.h"

#include <stdlib.h>
#include <time.h>

enum { SIDE = 128, SWEEPS = 20, SAMPLES = 15, FLOPS_A_POINT = 4 };

/* Two grids of 128 KB each. noinline, and the sum of the result is used: nothing can be left out.
 */
__attribute__((noinline)) static void relax(const double *restrict u, double *restrict v)
{
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            v[i * SIDE + j] = 0.25 * (u[(i - 1) * SIDE + j] + u[(i + 1) * SIDE + j] +
                                      u[i * SIDE + j - 1] + u[i * SIDE + j + 1]);
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

double node_rate_mflops(void)
{
    double *u = memory_new(2 * SIDE * SIDE, sizeof *u), *v = u + SIDE * SIDE;
    double samples[SAMPLES];
    for (int i = 0; i < 2 * SIDE * SIDE; i++)
        u[i] = 1.0 + 1e-3 * i;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const double start_us = now_us();
        for (int sweep = 0; sweep < SWEEPS; sweep += 2) {
            relax(u, v);
            relax(v, u);
        }
        const double points = (double)SWEEPS * (SIDE - 2) * (SIDE - 2);
        samples[sample] = FLOPS_A_POINT * points / (now_us() - start_us);
    }
    const volatile double used = u[SIDE + 1];
    (void)used;
    free(u);
    return summary_of(samples, SAMPLES, 0.95).median;
}
