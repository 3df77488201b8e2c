/* How much of the bound loops reach that are compiled as the trainer was: what a prediction of
   somebody's program needs beside what the processor can do. */
#ifndef TRAINER_NODE_COMPILED_H
#define TRAINER_NODE_COMPILED_H

#include "model/node/node.h"

#include <stdbool.h>
#include <stddef.h>

/* Plain loops over arrays in the first cache, and behind them chains: loops of which each iteration
   waits for the one before. */
extern const size_t compiled_count;

bool compiled_is_chain(size_t loop);

/* Makes ready to run one of them, up to a hundred times. The iterations of a run. */
double compiled_begin(size_t loop);

/* loop: a size_t's address. */
void compiled_run(void *loop);

/* Sets node->kernels, and node->compiled_share, its low and its high, and
   node->compiled_latency_cycles from such cycles of all loops; the units are known. */
void compiled_set(struct node *node, const double *cycles);

#endif
