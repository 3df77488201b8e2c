/* One point: repetitions until the median of batches is known well enough. Knows no MPI and no
   utility: it asks for batches. */
#ifndef TRAINER_ENGINE_MEASURE_H
#define TRAINER_ENGINE_MEASURE_H

#include "model/base/error.h"
#include "model/fit/points.h"

/* No clock tells more digits of a time; and a simulated one, which counts from the begin of the
   run, then says the same time later in it. */
enum { MEASURE_DIGITS = 7 };

/* How well, and how long at most. */
struct measure_plan {
    double accuracy, confidence; /* half width of the median's interval / median; e.g. 0.05, 0.95 */
    double batch_us;             /* a batch lasts at least that long; 0: one repetition, the clock
                                    is exact */
    size_t batches_least, batches_most;
    size_t batches_alike; /* the first so many are enough if they agree to 1e-5; where the
                                    clock is exact, any so many in a row are */
    double point_us_most; /* about the longest time for one point */
};

/* The plan with as many batches as tell whether a time is still the same. */
struct measure_plan measure_shortly(const struct measure_plan *plan);

/* What a batch took, the clock's own cost taken off, and how many uses each of its repetitions is
   of, from 1. */
struct batch_time {
    double elapsed_us, uses;
};

/* Runs `times` repetitions. Returns 0, or -1 with *error set. */
typedef int measure_batch(void *state, long times, struct batch_time *took, struct error *error);

/* Fills the statistics of *point: time per use, batch by batch. */
int measure(const struct measure_plan *plan, measure_batch *batch, void *state, struct point *point,
            struct error *error);

#endif
