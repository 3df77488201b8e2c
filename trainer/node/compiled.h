/* How much of the bound loops reach that are compiled as the trainer was: what a prediction of
   somebody's program needs beside what the processor can do. */
#ifndef TRAINER_NODE_COMPILED_H
#define TRAINER_NODE_COMPILED_H

#include "model/machine/node.h"

/* Sets node->kernels, and node->compiled_share, its low and its high, from plain loops over arrays
   in the first cache; units and clock are known. Core clock as in core_clock.h. */
void compiled_measure(struct node *node);

#endif
