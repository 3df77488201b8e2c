/* The clock that everything is timed with, and what it costs to read it. */
#ifndef TRAINER_BASE_CLOCK_H
#define TRAINER_BASE_CLOCK_H

#include <stdbool.h>

struct clock {
    double reading_us; /* the cost of one reading */
    double tick_us;    /* the smallest step seen; 0: none was seen (a simulated clock) */
};

/* Seconds since some time in the past. No clock that somebody sets: MPI_Wtime of MPICH is the wall
   clock, which made a calibration last -117 s. MPI_Wtime where ranks are simulated, as theirs is.
 */
double clock_s(void);

/* Measures clock_s, shortly where nothing disturbs it; bounded, so that a clock which stands
 * still does not hang it. */
struct clock clock_measure(bool is_exact);

#endif
