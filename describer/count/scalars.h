/* Scalars that iterations hand on. One that accumulates, and is used for nothing else on the way,
   is a reduction. Of all others each iteration's value is an element of an array, as the same
   program would have it that kept them all: a recurrence then has its messages and its order. */
#ifndef DESCRIBER_COUNT_SCALARS_H
#define DESCRIBER_COUNT_SCALARS_H

#include "describer/count/count.h"

/* Finds which scalars are needed, and which of these are reductions. */
void scalars_classify(struct describer *describer);

/* Finds the element that each of them is (node's stored_as): beside what is computed from it, or
   what it is computed from. For when all other references are as they are written. */
void scalars_place(struct describer *describer);

/* The array of the values of a scalar, of so many dimensions, made if there is none; `apart` tells
   arrays of the same name apart. */
struct array *scalar_array(struct describer *describer, const char *name, int rank,
                           const char *apart, struct place place);

/* Whether the value of a node depends on another one in the same iteration. */
bool node_depends(struct describer *describer, int node, int on);

/* The reference with another value in place of the loop's index. */
struct reference reference_at(struct algebra *algebra, const struct reference *reference,
                              const struct symbol *index, polynomial value);

#endif
