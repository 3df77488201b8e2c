/* Where between two measured sizes one region ends and the next begins. */
#ifndef TRAINER_SWEEP_EDGE_H
#define TRAINER_SWEEP_EDGE_H

#include "trainer/sweep/running.h"

/* Narrows the gap between two regions until the sizes are neighbours or the noise hides the edge;
   where there is noise and the step is small, to a hundredth of the size. */
int edge_narrow(struct running *run, const struct region *left, const struct region *right,
                struct error *error);

#endif
