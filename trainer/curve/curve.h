/* The curves of one utility: a sweep over message sizes at the largest processor count, and the
   same regions at the others, so that setup and rate become functions of p (common breakpoints). */
#ifndef TRAINER_CURVE_CURVE_H
#define TRAINER_CURVE_CURVE_H

#include "trainer/engine/run.h"

/* Measures the utility at each participants[i] (ascending, count >= 1) into a new cost of the
   machine, until the run's share_end_s; what there was no time for is said in not_measured. */
int curve_measure(struct run *run, int utility, const int *participants, size_t count,
                  struct machine *machine, struct error *error);

#endif
