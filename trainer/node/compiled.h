/* How much of the bound loops reach that are compiled as the trainer was: what a prediction of
   somebody's program needs beside what the processor can do. */
#ifndef TRAINER_NODE_COMPILED_H
#define TRAINER_NODE_COMPILED_H

#include "model/machine/node.h"

/* Plain loops over arrays in the first cache. */
extern const size_t compiled_count;

/* Makes ready to run one of them, up to a hundred times. The iterations of a run. */
double compiled_begin(size_t loop);

/* loop: a size_t's address. */
void compiled_run(void *loop);

/* Sets node->kernels, and node->compiled_share, its low and its high, from such cycles of all
   loops; the units are known. */
void compiled_set(struct node *node, const double *cycles);

#endif
