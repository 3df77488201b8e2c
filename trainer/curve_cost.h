/* The cost that a curve becomes: what it is of, how it was measured, and its functions of p. */
#ifndef TRAINER_CURVE_COST_H
#define TRAINER_CURVE_COST_H

#include "model/machine/fit.h"
#include "trainer/run.h"

/* Says of what the cost of the run's utility is: sizes from bytes.least to bytes.most, p as the run
   counts it now. */
void curve_cost_describe(struct cost *cost, const struct run *run, struct span bytes);

/* Counts its points (struct point, at least one). */
void curve_cost_count(struct cost *cost, const struct list *points);

/* The median over the points of the processors' mean time as a share of the longest; 0: not known.
 */
double curve_cost_mean_over_maximum(const struct list *points);

/* Says in the cost what disturbed it; NULL: nothing did. Of several disturbances the first is told.
 */
void curve_cost_disturbed(struct cost *cost, const char *disturbance);

/* Points as observations, sorted by size; to be freed. */
struct observation *curve_cost_observe(const struct list *points, enum statistic statistic);

/* From its by_processors (ascending, at least one) and all points: the functions of p, their
   errors, and, of a broadcast, what one message takes. */
void curve_cost_over_processors(const struct run *run, struct cost *cost, const struct list *points,
                                const struct machine *machine);

/* Tells the user that it is done. */
void curve_cost_report(struct run *run, const struct cost *cost);

/* Says in the table that the run's utility was not measured with so many participants. */
void curve_cost_missing(const struct run *run, int participants, struct machine *machine);

#endif
