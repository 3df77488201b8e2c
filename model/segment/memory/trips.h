/* How often a loop runs, and from where to where, also where its bounds depend on the indices of
   loops about it: means over the iterations of those. */
#ifndef MODEL_SEGMENT_MEMORY_TRIPS_H
#define MODEL_SEGMENT_MEMORY_TRIPS_H

#include "model/base/expression.h"
#include "model/segment/loops/nest.h"
#include "model/segment/program/program.h"

/* Loops about a body, outermost first; their bounds are means where they vary. */
struct mean_nest {
    int depth;
    double first[LOOPS_MOST], last[LOOPS_MOST];
};

/* How often the loop at a depth runs; 0 where it ends before it starts. */
double mean_trips(const struct mean_nest *nest, int loop);

/* Sets the bounds of the innermost of mean->depth loops, which are those of the nest, and *trips to
   how often it runs each time that it is begun; mean has the bounds of the others. An error, at its
   place, where a bound has no value, or where there are too many to go through. */
int trips_find(struct mean_nest *mean, const struct nest *nest, double *trips, struct error *error);

#endif
