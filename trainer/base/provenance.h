/* Where and with what a table is measured. */
#ifndef TRAINER_BASE_PROVENANCE_H
#define TRAINER_BASE_PROVENANCE_H

#include "model/machine/machine.h"

#include <stdbool.h>

/* Whether the ranks run on SimGrid's simulated MPI: its clock is exact, the host's facts are not
   the machine's, and two runs must give the same table. */
bool provenance_is_simulated(void);

/* The facts about this run; on a simulated machine only those that do not change from run to run.
   Owned by the caller: it belongs into a machine, which releases it. options: the arguments. */
struct provenance *provenance_new(int argc, char **argv, unsigned long seed);

#endif
