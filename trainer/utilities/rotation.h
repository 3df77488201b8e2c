/* Collectives with a root, one after another from changing roots, so that each begins when the one
   before is done.

   Repeated from one root they overlap: those that have sent, or the root that has, are ahead by as
   many repetitions as the library buffers. Where another processor is the root of the next one, it
   begins with it when it is done with this one. Nobody who begins earlier ends later, so one
   repetition takes at most what one alone takes from the moment at which all begin; it takes just
   that where the processor that the last one was waited for is the one that the next one waits for.
   Which that is depends on the library's algorithm. So some distances from one root to the next are
   tried before each length, for at most a point's time, and the one that takes longest is kept. */
#ifndef TRAINER_UTILITIES_ROTATION_H
#define TRAINER_UTILITIES_ROTATION_H

#include "trainer/utilities/utility.h"

/* One repetition, which all of the site call. */
typedef void rotation_use(const struct site *site, int root);

/* Finds the distance; the same on all processors, which must all call it. Owned by site->state
   until rotation_tear_down. */
void rotation_set_up(struct site *site, rotation_use *use);

/* So many repetitions, the first from root 0. */
void rotation_run(struct site *site, long times);

void rotation_tear_down(struct site *site);

#endif
