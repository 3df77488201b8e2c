/* Where between two measured sizes one region ends and the next begins. */
#ifndef TRAINER_CURVE_EDGE_H
#define TRAINER_CURVE_EDGE_H

#include "trainer/curve/running.h"

/* Narrows the gap between two regions until the sizes are neighbours or the noise hides the edge;
   where there is noise and the step is small, to a hundredth of the size. */
int edge_narrow(struct running *run, const struct region *left, const struct region *right,
                struct error *error);

/* The size whose time would say most about where the edge between two regions of the points (count
   of them, sorted by bytes) is: a multiple of granule halfway between the fitted sizes about it.
   NAN where these are within a hundredth of each other, or the lines too near to matter. */
double edge_middle(const struct observation *points, size_t count, double granule,
                   const struct region *left, const struct region *right);

/* Of points (struct point) of one processor count: the size, a multiple of granule, halfway across
   the highest step, where the time grows faster than the bytes from one size to the next. NAN:
   there is none, or its sizes are near. */
double edge_within_step(const struct list *points, double granule, enum statistic statistic);

/* A sweep narrows the edges that it sees. What it does not see for noise, several passes may show,
   between sizes far apart: adds the size halfway, not yet measured. Before the pass so numbered,
   from 0; does nothing where there were too few before, or there are too few left. */
void edge_add_sizes(struct curve *curve, size_t pass);

#endif
