/* The cost that a curve becomes: what it is of, how it was measured, and its functions of p. */
#ifndef TRAINER_CURVE_CURVE_COST_H
#define TRAINER_CURVE_CURVE_COST_H

#include "trainer/curve/curve.h"
#include "trainer/engine/run.h"

/* Says of what the cost of the run's utility is: sizes from bytes.least to bytes.most, p as the run
   counts it now. */
void curve_cost_describe(struct cost *cost, const struct run *run, struct span bytes);

/* Adds the cost that the curve of the run's utility becomes, of all its passes so far; a processor
   count whose points have no time above 0 is left out. disturbed: by what, in a few words; NULL: by
   nothing. What stands for the points follows in the file where that is not what was measured
   first. False, and nothing is changed, where no time at the most processors is above 0. */
bool curve_cost_add(struct run *run, struct curve *curve, const char *disturbed,
                    struct machine *machine);

/* From its by_processors (ascending, at least one) and all points: the functions of p, their
   errors, and, of a broadcast, what one message takes. */
void curve_cost_over_processors(const struct run *run, struct cost *cost, const struct list *points,
                                const struct machine *machine);

/* Tells the user that it is done. */
void curve_cost_report(struct run *run, const struct cost *cost);

/* Says in the table at which of the participants[i] the run's utility has no cost. */
void curve_cost_say_missing(const struct run *run, const int *participants, size_t count,
                            struct machine *machine);

#endif
