/* From regions at several processor counts to functions of p: the terms of setup(p) and
   per_byte(p), learned from the table's per-p fits, so that another vocabulary needs no new
   measurement (Abandah, IBM SP2, sections 2.5 and 2.11). */
#ifndef MODEL_FIT_LEARN_H
#define MODEL_FIT_LEARN_H

#include "model/cost/cost.h"

#include <stddef.h>

/* Fits values[i] at p = processors[i], count >= 1, by a linear combination of few functions of p:
   least squares on relative error through GSL, the terms chosen by leave-one-out error with
   parsimony; never as many terms as values. One value gives a constant: no term in p is invented.
   basis_allowed: which functions may be used, or NULL for all. */
struct form learn_form(const double *processors, const double *values, size_t count,
                       const bool basis_allowed[BASIS_COUNT]);

/* Fills cost->regions from cost->by_processors, whose breakpoints are common to all p, with the
   functions allowed (NULL: all). Where those up to processors_near follow
   a law of their own, there are regions for them first, and then the others. Of their errors it
   says how far the functions are from processor counts that they were not shown. */
void learn_regions(struct cost *cost, const bool allowed[BASIS_COUNT]);

/* The region at one of cost->by_processors that the region-th of cost->regions was learned from;
   NULL: it was learned from those of other processor counts. Borrowed. */
const struct region *learned_from(const struct cost *cost, size_t region,
                                  const struct at_processors *at);

#endif
