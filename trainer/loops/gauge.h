/* Whether the processor is as quick as it has been: on a machine that others share it is half as
   quick for seconds, whatever a loop does. */
#ifndef TRAINER_LOOPS_GAUGE_H
#define TRAINER_LOOPS_GAUGE_H

#include <stdbool.h>

struct gauge {
    double least_ns; /* of the same work, all times; 0: none yet */
};

/* Whether that work took clearly longer than ever. */
bool gauge_is_slow(struct gauge *gauge, double took_ns);

/* How long it takes now: sums of numbers that the nearest cache holds. */
double gauge_time_ns(double (*clock_s)(void));

#endif
