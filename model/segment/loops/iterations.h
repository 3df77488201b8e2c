/* The iterations of a nest as conditions on its indices. */
#ifndef MODEL_SEGMENT_LOOPS_ITERATIONS_H
#define MODEL_SEGMENT_LOOPS_ITERATIONS_H

#include "model/base/inequalities.h"
#include "model/segment/loops/nest.h"

/* Adds that unknowns offset..offset+depth-1 are the indices of an iteration of the nest. Bounds
   that are not affine are left out; returns whether there were none of them. */
bool iterations_add(struct inequalities *system, const struct nest *nest, int offset);

/* Whether all bounds of the nest are affine with whole coefficients, so that none is left out. */
bool iterations_complete(const struct nest *nest);

/* The coefficients of an affine function of a nest's indices, as unknowns from offset on, times
   factor, added to by. */
void iterations_spread(double *by, const struct affine *affine, double factor, int offset);

/* Whether an affine function can be at most / at least some value in the nest. True in doubt. */
bool iterations_reach(const struct nest *nest, const struct affine *affine, double at_most);
bool iterations_exceed(const struct nest *nest, const struct affine *affine, double at_least);

#endif
