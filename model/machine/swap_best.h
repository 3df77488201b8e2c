/* The best way to swap, as a utility that a prediction can use: the protocol that takes the least
   per volume. */
#ifndef MODEL_MACHINE_SWAP_BEST_H
#define MODEL_MACHINE_SWAP_BEST_H

#include "model/machine/machine.h"

/* Appends the utility "exchange-best" to machine->communication: both processors send and receive
   so many bytes, unordered, warm, in the best number of messages, by the best protocol of the
   nearest pair. Between the volumes that were measured lines join them; outside an answer is
   extrapolated. Nothing is added where fewer than two volumes were measured. */
void swap_add_best(struct machine *machine);

#endif
