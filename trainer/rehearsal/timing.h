/* How often a phase is run, and how much of it, until its time is known. */
#ifndef TRAINER_REHEARSAL_TIMING_H
#define TRAINER_REHEARSAL_TIMING_H

#include "model/fit/points.h"
#include "trainer/base/options.h"
#include "trainer/rehearsal/phase.h"

struct timing {
    const struct options *options;
    struct rehearsal_phase *phase;
    bool simulated;
    int rank;
    double patience_s;               /* about what the budget leaves to the phase */
    double each_s;                   /* what a round takes; of rank 0 */
    double compute_s, communicate_s; /* of all batches */
};

/* Every rank: chooses the share of a sweep that a round has, and measures rounds; *point becomes
   rank 0's. Where the phase's deadline has passed then, as all ranks have agreed, there was no time
   for it, and *point says nothing. Returns 0, or -1 with *error set. */
int timing_measure(struct timing *timing, struct point *point, struct error *error);

#endif
