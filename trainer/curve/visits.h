/* Other moments of the same launch. What slows a shared machine lasts for 10 ms to minutes, so that
   a whole sweep may be slow: once all utilities are swept, every point is asked again, so often and
   in such doubt as moments.h says, in random order over utilities and sizes, and sizes are added
   where they are lacking (curve_moments.h); the costs are made anew of what the moments agree on.
   Runs on rank 0. */
#ifndef TRAINER_CURVE_VISITS_H
#define TRAINER_CURVE_VISITS_H

#include "trainer/engine/run.h"

/* Makes the costs of the machine's utilities anew, from their points in the file and what the same
   points take now, until the run's share_end_s or a signal; the new points follow in the file. What
   was not reached stays as it is. Returns 0, or -1 with *error set. */
int visits_make(struct run *run, struct machine *machine, struct error *error);

#endif
