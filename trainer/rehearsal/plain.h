/* Rows of frequent statements as plain loops over their elements: what a compiler makes of a
   program's own. Knows no MPI. */
#ifndef TRAINER_REHEARSAL_PLAIN_H
#define TRAINER_REHEARSAL_PLAIN_H

#include "trainer/rehearsal/element_walk.h"

/* How a source meets what was read before. */
enum how { TAKEN, ADDED, MULTIPLY_ADDED, MULTIPLIED, PRODUCT_ADDED };

struct source {
    const double *at; /* the row's first element */
    long step;
    enum how how; /* PRODUCT_ADDED: with the next source, whose own does not count */
};

/* A row of one statement. */
struct row {
    int source_count;
    struct source sources[WALK_READS];
    struct operands with;
    double *to; /* the row's first element; NULL: nothing is written */
    long to_step;
};

/* The number of the loop for rows that join their sources so, with so many operations of each kind
   more, and write every element or the sum of products; 0: there is none. */
int plain_find(const struct row *row, const long *owed, bool writes);

/* Carries out the elements `from` on to before `to` by that loop; returns the value of the last, or
   the sum where to_step is 0. */
double plain_row(const struct row *row, int number, long from, long to);

#endif
