/* Batches of runs of a loop, and which of them count: on a shared core the other half of it is in
   use for a millisecond to a second at a time, which makes loops up to twice as long. */
#ifndef TRAINER_LOOPS_BATCHES_H
#define TRAINER_LOOPS_BATCHES_H

#include "trainer/loops/interruptions.h"

#include <stdbool.h>
#include <stddef.h>

enum { BATCHES_MOST = 64 };

/* crowding_least: the least that was seen so far on this core, 0 if none was: that of a core of
   one's own. The rest begins as zeros. */
struct batches {
    double times_s[BATCHES_MOST], crowdings[BATCHES_MOST];
    size_t count;
    double crowding_least;
};

/* A batch of any time above 0 and how crowded the core was before and behind it (sampler.h); the
   most crowded of those before makes room. */
void batches_add(struct batches *batches, double time_s, double before, double behind);

/* Whether there are as many as a time needs, quiet or not. */
bool batches_are_some(const struct batches *batches);

/* Whether so many were quiet that more would tell nothing. */
bool batches_are_enough(const struct batches *batches);

/* Whether nobody else has a share of a core that is so crowded. */
bool batches_is_quiet(const struct batches *batches, double crowding);

/* Whether quiet ones alone say what the time is. */
bool batches_are_quiet(const struct batches *batches);

/* How many runs, of so many s each, a batch is to have: so few that many batches lie between two
   interruptions, or, where one run is too long for that, so many that all have their share of them;
   always so where others measure at once. */
double batches_runs(const struct interruptions *seen, double run_s, bool is_together);

/* What a batch takes while nothing interrupts it, in s: the lower decile of the quiet ones, of
   which some were not interrupted. Where a batch is so long that all were, their mean without the
   share that interruptions take. Of all batches where next to none are quiet. */
double batches_time(struct batches *batches, const struct interruptions *seen);

#endif
