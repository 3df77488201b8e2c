/* The sources' kernels on the machine (Abandah, IBM SP2, section 5.4): their points, and what the
   sources' rules read off them. */
#ifndef TRAINER_MEMORY_MEMORY_KERNELS_H
#define TRAINER_MEMORY_MEMORY_KERNELS_H

#include "trainer/engine/run.h"
#include "trainer/memory/plateaus.h"

/* Runs them for two seconds at most on arrays far beyond the last cache, of plateaus that reach
   memory; writes the points, times in us of a clock of ghz, and fills by_1995_rules of the
   machine's memory, or says that nothing was seen. */
void kernels_run(const struct run *run, const struct backend *backend,
                 const struct plateaus *plateaus, double ghz, struct machine *machine);

#endif
