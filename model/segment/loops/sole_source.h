/* A turn in which all processors that execute need the same elements, and one of them has all: a
   step of an elimination, whose column goes to everybody. What its needs (needs.h) would say is
   known then without looking at every processor. */
#ifndef MODEL_SEGMENT_LOOPS_SOLE_SOURCE_H
#define MODEL_SEGMENT_LOOPS_SOLE_SOURCE_H

#include "model/segment/loops/needs.h"

struct sole_source {
    double receivers;                 /* that execute, without the source */
    double elements[DIMENSIONS_MOST]; /* that each needs, along the dimensions of the array */
    int dimensions, grid_dimensions;
    /* Along each grid dimension. */
    struct sole_source_along {
        double executing; /* coordinates */
        bool has_source;  /* the source is one of them */
        bool are_all;     /* they are all coordinates */
        double block;     /* number of that which the source has it from */
        struct range ran; /* elements that they execute; of one coordinate, its block */
    } along[DIMENSIONS_MOST];
};

/* False where the turn is another one, or has to be looked at more closely: an element lies outside
   the array, or nothing runs. The ranges of the turn are set. */
bool sole_source_find(struct sole_source *source, const struct reads *reads,
                      const struct home *home, const struct array_layout *lies,
                      const struct turn *turn);

/* Whether all turns between these two, of one loop that bounds and subscripts follow evenly, have
   as many receivers and messages in as many pieces, each with as many more or fewer elements than
   the turn before. False: that is not certain. lies: of the array. */
bool sole_source_is_even(const struct sole_source *first, const struct sole_source *last,
                         const struct array_layout *lies);

#endif
