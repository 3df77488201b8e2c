/* Suite "node": what computation costs a processor, as rows of functional units. */
#ifndef TRAINER_NODE_NODE_SUITE_H
#define TRAINER_NODE_NODE_SUITE_H

#include "model/machine/machine.h"
#include "trainer/engine/run.h"

/* Fills machine->node: clock, unit rows, latencies, lanes; or says why they are not measured. About
   3 s, and up to 8 s while others have a share of the core. */
int node_measure(struct run *run, struct machine *machine, struct error *error);

/* About how long that takes, s; nothing on a simulated machine. */
double node_foresee_s(struct run *run);

#endif
