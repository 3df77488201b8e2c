/* Affine functions of the indices of a nest of loops: subscripts, and bounds of triangular loops.
 */
#ifndef MODEL_SEGMENT_LOOPS_AFFINE_H
#define MODEL_SEGMENT_LOOPS_AFFINE_H

#include "model/base/expression.h"

/* Outermost first. */
enum { LOOPS_MOST = INDICES_MOST };

/* The value where loop l has the value at[l]; at[l] is not looked at where by[l] is 0. */
double affine_value(const struct affine *affine, const double *at);

/* Whether two have the same slope in every loop. */
bool affine_parallel(const struct affine *a, const struct affine *b);

/* The outermost loop, from loop `from` on, on whose index it depends; -1: none. */
int affine_loop(const struct affine *affine, int from);

#endif
