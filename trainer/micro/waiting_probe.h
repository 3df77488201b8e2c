/* Orders of the probe "waiting": computation on each processor, then a reduction of 8 bytes. */
#ifndef TRAINER_MICRO_WAITING_PROBE_H
#define TRAINER_MICRO_WAITING_PROBE_H

#include "model/micro/waiting.h"

/* Among the first processors: so often in a row a computation and a reduction, then the reduction
   as often alone; all of it so many runs, at least 3. Computations take work_us by the quickest of
   a few. */
struct waiting_order {
    int processors;
    int work; /* enum waiting_work */
    int times, runs;
    double work_us;
};

enum { WAITING_RUNS_MOST = 9 };

/* Results, us. The first is what a computation and a reduction in turn take beyond the mean of the
   computations of all processors and beyond the reduction alone: the mean of the runs but for the
   least and the most, and these two. Then what the shortest of all computations of all runs takes
   less than the mean of its run, and the means of the parts in their order (waiting_share). */
enum { WAITING_RESULT, WAITING_RESULT_LOW, WAITING_RESULT_HIGH, WAITING_LEAST, WAITING_PARTS };

/* The share of a part of all computations, beginning with the shortest. */
double waiting_share(int part);

#endif
