/* A utility that makes the same calls as one that was measured before, under another name: the
   library's broadcast has three, and between two processors every tree is one message. It is not
   measured again. */
#ifndef TRAINER_CURVE_SAME_CALLS_H
#define TRAINER_CURVE_SAME_CALLS_H

#include "trainer/engine/run.h"

/* The cost of the machine that was measured with the calls of the utility among so many
   participants; NULL: none yet. Borrowed, until the next cost is added. */
const struct cost *same_calls_measured(const struct utility *utility, int participants,
                                       const struct machine *machine);

/* The same of a cost of the machine. */
const struct cost *same_calls_as(const struct cost *cost, const struct machine *machine);

/* Adds a cost of the run's utility with the times of the measured one, and its points to the file
   under the utility's name; note says whose they are. False, and nothing is changed, where the
   points of the measured one are not known any more. */
bool same_calls_adopt(struct run *run, struct span bytes, const struct cost *measured,
                      struct machine *machine);

#endif
