/* Which elements of an array the processors need from one another in one turn: the product, over
   the dimensions of the array, of what each loop couples (rules "Counting" and "Union of reads").
   Processors are numbered with the last grid dimension fastest. */
#ifndef MODEL_SEGMENT_LOOPS_NEEDS_H
#define MODEL_SEGMENT_LOOPS_NEEDS_H

#include "model/segment/loops/coupling.h"

/* The reads of one array that differ in constants alone. */
struct reads {
    const struct array *array;
    size_t count;
    const struct reference *references[READS_MOST];
};

/* One turn of the loops about the reads: which have a value, and the ranges of the others. A loop
   with ordinal[l] runs at every owner of the data through its own values: at[l] is the how-manieth
   of them this turn has (rule "Turns"). */
struct turn {
    int depth;
    bool fixed[LOOPS_MOST], ordinal[LOOPS_MOST];
    double at[LOOPS_MOST];
    struct range ranges[LOOPS_MOST];
    struct effort *effort; /* borrowed */
};

/* One dimension of the array: its coupling, between the coordinates of grid dimension `by` of the
   processor that needs and of grid dimension `to` of the processor that has; -1: of none. */
struct factor {
    int by, to;
    struct coupling coupling;
};

struct needs {
    int grid_dimensions;
    double grid[DIMENSIONS_MOST];     /* without coordinates at its end that have no part in it */
    bool everywhere[DIMENSIONS_MOST]; /* the array is not distributed along the grid dimension */
    double *active[DIMENSIONS_MOST];  /* by coordinate: whether it executes anything; owned */
    size_t factor_count;
    struct factor factors[DIMENSIONS_MOST];
};

enum needs_status {
    NEEDS_MADE,
    NEEDS_COUPLED, /* the loops cannot be told apart: no product */
    NEEDS_OUTSIDE  /* an element lies outside the array */
};

/* Derives the needs of the home's processors. On NEEDS_MADE release with needs_free. */
enum needs_status needs_make(struct needs *needs, const struct reads *reads,
                             const struct home *home, const struct array_layout *lies,
                             const struct turn *turn);

void needs_free(struct needs *needs);

/* The product of its grid; 1 of needs that were not made. */
double needs_processors(const struct needs *needs);

/* Whether a read could be of the same reads as the first: the same loops with the same
   coefficients in the same subscripts. */
bool reads_agree(const struct reads *reads, const struct reference *reference);

#endif
