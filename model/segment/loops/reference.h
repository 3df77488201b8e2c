/* A reference to an array element within loops: every subscript an affine function of the loop
   indices. */
#ifndef MODEL_SEGMENT_LOOPS_REFERENCE_H
#define MODEL_SEGMENT_LOOPS_REFERENCE_H

#include "model/segment/loops/nest.h"
#include "model/segment/program/layout.h"

struct reference {
    const struct array *array; /* borrowed */
    int dimensions;
    struct affine subscripts[DIMENSIONS_MOST];
    const struct formula *text; /* borrowed */
    bool wraps;                 /* it leaves a periodic array, and goes on at the other end */
};

/* Reads "u[i-1][j]". Errors: no such array, another number of dimensions, a subscript that is not
   affine or not whole, or leaves the array somewhere in the nest; of a periodic one, by more than
   its extent. */
int reference_parse(struct reference *reference, const struct formula *text,
                    const struct nest *nest, struct error *error);

/* Whether the subscripts of two references are the same. */
bool reference_same_subscripts(const struct reference *a, const struct reference *b);

/* Whether a subscript depends on the index of that loop. */
bool reference_names(const struct reference *reference, int loop);

/* One subscript where some loops have fixed values: constant + coefficient x the index of one loop;
   loop -1: the constant alone. */
struct subscript {
    int loop;
    double coefficient, constant;
};

/* A subscript of the reference with the indices of the fixed loops at their values `at`, counted
   among the elements that its array's dimension lies along. False where it couples two or more of
   the other loops. */
bool reference_subscript(const struct reference *reference, int dimension,
                         const struct array_layout *lies, const bool *fixed, const double *at,
                         struct subscript *subscript);

#endif
