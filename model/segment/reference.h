/* A reference to an array element within loops: every subscript an affine function of the loop
   indices. */
#ifndef MODEL_SEGMENT_REFERENCE_H
#define MODEL_SEGMENT_REFERENCE_H

#include "model/segment/program.h"

enum { LOOPS_MOST = 12 };

/* The loops about a statement, outermost first, with the values of their bounds. */
struct nest {
    int depth;
    const char *index[LOOPS_MOST];
    double first[LOOPS_MOST], last[LOOPS_MOST];
};

/* How often the loop at a depth runs; 0 where it ends before it starts. */
double nest_trips(const struct nest *nest, int loop);

/* constant + coefficient x the index of one loop; loop -1: the constant alone. */
struct subscript {
    int loop;
    double coefficient, constant;
};

struct reference {
    const struct array *array; /* borrowed */
    int dimensions;
    struct subscript subscripts[DIMENSIONS_MOST];
    const struct formula *text; /* borrowed */
};

/* Reads "u[i-1][j]". extents: the array's, which the subscripts may not leave. Errors: no such
   array, another number of dimensions, a subscript that is not affine, uses several indices, or
   leaves the array. */
int reference_parse(struct reference *reference, const struct program *program,
                    const struct formula *text, const struct nest *nest, struct scope *scope,
                    struct error *error);

#endif
