/* Scalars that loops leave behind, as elements: an array of one element, or one a scalar for each
   iteration of the loops around its beginning. */
#ifndef DESCRIBER_COUNT_RESULTS_H
#define DESCRIBER_COUNT_RESULTS_H

#include "describer/count/count.h"

/* Scalars that are accumulated and then stored whole are accumulated where they are stored. */
void results_place(struct describer *describer);

/* The element that a scalar is; its node is NODE_RESULT. */
const struct reference *result_reference(struct describer *describer, int node);

/* The result that an accumulation leads to, through those of all loops that go on with it; -1:
   nobody uses it. */
int result_of_carry(struct describer *describer, const struct carry *carry);

/* The elements that a value is made of, in the order of the source. */
struct reads {
    struct reference *items;
    struct place *places;
    int *nodes; /* that they are */
    int count, room;
    const struct node **gathers; /* elements whose subscripts are data */
    int gather_count;
};
void reads_of(struct describer *describer, int node, int without, struct reads *reads);

/* The same of a scalar's value that is an element itself. */
void reads_of_scalar(struct describer *describer, int node, struct reads *reads);

#endif
