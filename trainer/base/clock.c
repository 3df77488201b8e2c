#include "trainer/base/clock.h"

#include <math.h>
#include <mpi.h>

enum { SERIES = 20, READINGS = 500 };

/* The least mean step of several series of readings: what one reading costs undisturbed. */
static double reading_cost_us(void)
{
    double least_us = INFINITY;
    for (int i = 0; i < SERIES; i++) {
        const double start_s = MPI_Wtime();
        for (int k = 1; k < READINGS; k++)
            (void)MPI_Wtime();
        least_us = fmin(least_us, 1e6 * (MPI_Wtime() - start_s) / READINGS);
    }
    return least_us;
}

static double smallest_step_us(void)
{
    double least_s = INFINITY;
    for (double last_s = MPI_Wtime(), i = 0; i < SERIES * READINGS; i++) {
        const double now_s = MPI_Wtime();
        if (now_s > last_s)
            least_s = fmin(least_s, now_s - last_s);
        last_s = now_s;
    }
    return isinf(least_s) ? 0.0 : 1e6 * least_s;
}

struct clock clock_measure(void)
{
    return (struct clock){reading_cost_us(), smallest_step_us()};
}
