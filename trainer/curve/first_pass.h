/* The first pass over one utility's curve: a sweep over message sizes at the largest processor
   count, and sizes of the same regions at the others, so that setup and rate become functions of p
   (common breakpoints). Runs on rank 0. */
#ifndef TRAINER_CURVE_FIRST_PASS_H
#define TRAINER_CURVE_FIRST_PASS_H

#include "trainer/curve/sweep.h"
#include "trainer/engine/run.h"

/* Which sizes the first pass asks for of the run's utility among so many. */
struct sweep_plan first_pass_plan(const struct run *run, int participants);

/* How many points it asks for to find the part size of a utility that sends in parts, and up to
   which size. */
int first_pass_parts_tried(double bytes_most, double *bytes);

/* Measures the utility at each participants[i] (ascending, count >= 1), until the run's
   share_end_s: a curve more of the run, and a new cost of the machine; what there was no time for
   is said in not_measured. */
int first_pass_measure(struct run *run, int utility, const int *participants, size_t count,
                       struct machine *machine, struct error *error);

#endif
