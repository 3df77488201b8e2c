/* Near and far: how long an empty message takes from rank 0 to every other (Abandah, IBM SP2,
   section 2.3). */
#ifndef TRAINER_ENGINE_DISTANCES_H
#define TRAINER_ENGINE_DISTANCES_H

#include "trainer/engine/engine.h"
#include "trainer/engine/measure.h"

struct distances {
    int near, far;          /* ranks; far = -1: none is farther than the near one */
    double near_us, far_us; /* an empty message's time to them */
    int together;           /* the ranks before this one are near to rank 0; 0: none is far */
};

/* Rank 0 asks each of the first 32 others, of those beyond as many as their number has half powers
   of two, and, where some are far, those between the last near and the first far one by halving;
   with two processors there is nothing to measure. near is rank 1 unless another is so much nearer;
   far is the farthest of those asked, where it is farther than near by more than their own errors.
 */
int distances_measure(const struct measure_plan *plan, struct engine *engine, int processors,
                      struct distances *distances, struct error *error);

#endif
