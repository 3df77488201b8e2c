/* The later passes of a launch. What slows a shared machine lasts for 10 ms to minutes, so that a
   whole sweep may be slow: once all utilities are swept, every point is asked again, so often and
   in such doubt as engine/passes.h says, in random order over utilities and sizes, and sizes are
   added where they are lacking (edge.h); the costs are made anew of what the passes agree on. Runs
   on rank 0. */
#ifndef TRAINER_CURVE_LATER_PASSES_H
#define TRAINER_CURVE_LATER_PASSES_H

#include "trainer/engine/run.h"

/* What the table calls them. */
extern const char *const later_passes_name;

/* Asks the run's curves again until its share_end_s or a signal, and makes the costs of the
   machine's utilities anew; what stands for the points follows in the file. What was not reached
   stays as it is. Returns 0, or -1 with *error set. */
int later_passes_make(struct run *run, struct machine *machine, struct error *error);

#endif
