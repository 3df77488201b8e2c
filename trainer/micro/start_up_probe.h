/* What the first messages of the trainer itself take more than later ones (model/micro/start_up.h).
   They are first once in a launch: before all measurements. */
#ifndef TRAINER_MICRO_START_UP_PROBE_H
#define TRAINER_MICRO_START_UP_PROBE_H

#include "model/records/record.h"

/* Among all ranks of MPI_COMM_WORLD, at least two: each of a pair exchanges with the one half of
   all away. Rank 0's rows, of struct start_up, are of the rank that they took longest. */
void start_up_probe(struct list *rows);

#endif
