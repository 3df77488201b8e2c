/* The suite `memory`: what the levels of memory are and what they cost. Rank 0 measures; the others
   wait in the library meanwhile, which keeps their cores busy and the shared levels quiet. */
#ifndef TRAINER_MEMORY_MEMORY_SUITE_H
#define TRAINER_MEMORY_MEMORY_SUITE_H

#include "trainer/engine/run.h"

/* Fills machine->memory, or says why not. A few seconds, and at most 128 MiB of memory. */
int memory_measure(struct run *run, struct machine *machine, struct error *error);

/* About how long that takes, s; nothing on a simulated machine. */
double memory_foresee_s(struct run *run);

#endif
