/* Affine functions of the indices of a nest of loops: subscripts, and bounds of triangular loops.
 */
#ifndef MODEL_SEGMENT_LOOPS_AFFINE_H
#define MODEL_SEGMENT_LOOPS_AFFINE_H

#include "model/base/expression.h"

enum { LOOPS_MOST = 12 };

/* constant + the sum of by[l] x the index of loop l, outermost first. */
struct affine {
    double constant, by[LOOPS_MOST];
};

/* Reads an expression over the scope's names and the indices of `depth` loops. *loop becomes -1, or
   the outermost loop in which it is not affine (then *affine is not of use). Errors are those of
   the expression. */
int affine_parse(struct affine *affine, const char *text, struct place place,
                 const char *const *index, int depth, struct scope *scope, int *loop,
                 struct error *error);

/* The value where loop l has the value at[l]; at[l] is not looked at where by[l] is 0. */
double affine_value(const struct affine *affine, const double *at);

/* Whether two have the same slope in every loop. */
bool affine_parallel(const struct affine *a, const struct affine *b);

/* The outermost loop, from loop `from` on, on whose index it depends; -1: none. */
int affine_loop(const struct affine *affine, int from);

#endif
