/* A few sizes whose times stand apart from those on both sides: too few for a region of their own,
   which needs three. */
#ifndef TRAINER_CURVE_HUMP_H
#define TRAINER_CURVE_HUMP_H

#include "trainer/curve/running.h"

/* Measures sizes between and beside such, so that a fit sees them as a region; of so few that
   nothing stands apart, none. Returns 0, or -1 with *error set. */
int hump_measure(struct running *run, struct error *error);

#endif
