/* A loop that stands in for a statement: it walks the statement's arrays, as far and with the
   strides that one processor does, and carries out as many operations of each kind. What it
   computes has no meaning; what it takes is what such a loop takes, written as plain C, some
   elements at a time, which stay in registers. Knows no MPI. */
#ifndef TRAINER_REHEARSAL_ELEMENT_WALK_H
#define TRAINER_REHEARSAL_ELEMENT_WALK_H

#include "model/node/node.h"

#include <stdbool.h>

enum { WALK_STEPS = 12, WALK_READS = 32, WALK_DISTANCE = 64 };

/* What operations are carried out with; not known to the compiler. */
struct operands {
    double addend, factor, divisor;
};

/* One array reference: element 0 of row r is at base[offset + the sum of step[l] x index l]. */
struct walked {
    double *base; /* borrowed */
    long offset;  /* in doubles */
    long step[WALK_STEPS];
};

struct walk {
    int depth;
    double trips[WALK_STEPS]; /* of each loop, outermost first */
    double rows;              /* how often the innermost loop is begun, in one sweep */
    long length;              /* its trips */
    int read_count;
    struct walked reads[WALK_READS];
    bool writes;
    struct walked written;
    struct operations operations; /* per element; loads and stores are the references */
    struct operations chain;      /* of those: that need an earlier element's result */
    long distance;                /* how much earlier, 1 to WALK_DISTANCE */
    struct operands operands;
    struct operations done; /* what was carried out, over all elements */
    double rows_done;
    double value; /* of the last element */
    double carried[WALK_DISTANCE];
};

/* The rows from `first` on to before `end`. */
void walk_rows(struct walk *walk, double first, double end);

/* The same, of each row the elements `from` on to before `to`. */
void walk_parts(struct walk *walk, double first, double end, long from, long to);

#endif
