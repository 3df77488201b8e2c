/* Batches of runs of a loop, and which of them count: on a shared core the other half of it is in
   use for a millisecond to a second at a time, which makes loops up to twice as long. */
#ifndef TRAINER_LOOPS_BATCHES_H
#define TRAINER_LOOPS_BATCHES_H

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

/* The lower decile of the quiet batches, in s; where there are next to none, of all. */
double batches_time(struct batches *batches);

#endif
