/* Samples of what this core does, in cycles of a chain of one cycle a step, which is timed on both
   sides of each sample: the clock changes with what the core does, and a disturbed chain would make
   too few cycles of the sample. */
#ifndef TRAINER_NODE_SAMPLER_H
#define TRAINER_NODE_SAMPLER_H

#include "trainer/node/spread.h"

/* The core before the next sample. */
struct sampler {
    double cycle_ns, crowding;
};

void sampler_begin(struct sampler *sampler);

/* How many cycles `run` takes, over `count`. Core clock as in core_clock.h. */
struct spread_sample sampler_take(struct sampler *sampler, void (*run)(void *what), void *what,
                                  double count);

#endif
