/* Whether processors share a level of memory: what a line costs while another processor loads too,
   over what it costs alone. Knows no clock and no processor. */
#ifndef TRAINER_MEMORY_SHARING_H
#define TRAINER_MEMORY_SHARING_H

#include <stdbool.h>

/* One block of loads: the cost of a line, in any unit, while the other processor loads as many
   lines of its own, or does nothing. NAN: it cannot be measured. */
typedef double sharing_block(void *state, bool together);

/* The median over blocks together, each over the mean of the blocks alone before and after it, so
   that what drifts is in both. About 1: the level is each processor's own, or gives both what they
   want. NAN as soon as a block is. */
double sharing_ratio(sharing_block *block, void *state);

#endif
