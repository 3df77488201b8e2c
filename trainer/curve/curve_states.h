/* The states of a machine, as the gauge beside every pass over every point tells them, and how many
   times as long a utility takes in the others. Knows no MPI and no clock. */
#ifndef TRAINER_CURVE_CURVE_STATES_H
#define TRAINER_CURVE_CURVE_STATES_H

#include "model/cost/cost.h"
#include "trainer/curve/curve.h"

/* The states (struct machine_state) of all passes of several curves, none where they are of one;
   every pass is told its own, so that what stands for a point is of the commonest. */
void curve_states_find(struct curve *curves, size_t count, struct list *states);

/* Sets cost->states: for every other state and region of the cost what its passes took against what
   stands for the same points, where there are enough of them. */
void curve_states_learn(const struct curve *curve, const struct list *states, struct cost *cost);

#endif
