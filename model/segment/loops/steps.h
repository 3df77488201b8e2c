/* What the values of one loop are together, where ranges further in follow it: the steps of an
   elimination have a little less to do each. Of how often each processor works in a step every
   factor goes evenly, as long as what is gone through begins and ends in the same blocks, or from
   one round of blocks to the next; such steps are summed by a formula, so that many take no longer
   than few. */
#ifndef MODEL_SEGMENT_LOOPS_STEPS_H
#define MODEL_SEGMENT_LOOPS_STEPS_H

#include "model/segment/loops/work.h"

/* The loops about an instance: those that have values, but for `loop`, whose values are of a range,
   and which no bounds of loops further in depend on without a value. */
struct steps {
    const struct instance *instance; /* borrowed */
    const struct layout *layout;     /* borrowed */
    int loop;
    struct range range;
    const bool *fixed; /* borrowed, with `loop` among them */
    double at[LOOPS_MOST];
};

/* Adds what all values of the loop have: of each value the busiest processor, and all together.
   False: that is to be found value by value, and nothing was added. */
bool steps_add(struct steps *steps, struct shares *shares);

/* The sum, over count values one apart about 0 in their middle, of the product of so many lines,
   each of which is middle + slope x: at most STEPS_LINES of them rise or fall. */
enum { STEPS_LINES = 5 };
double steps_sum(const double *middles, const double *slopes, size_t lines, double count);

#endif
