/* The curves of an earlier calibration that this one goes on with, from its table and its file of
   points. Runs on rank 0. */
#ifndef TRAINER_CURVE_RESUMED_H
#define TRAINER_CURVE_RESUMED_H

#include "trainer/engine/run.h"

/* Appends to the run's curves those of the machine's costs; one whose points are not in the file
   any more has none, and its cost stays as it is. */
void resumed_curves(struct run *run, const struct machine *machine);

#endif
