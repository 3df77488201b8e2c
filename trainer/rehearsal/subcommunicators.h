/* Groups of ranks that communicate at the same time: all ranks, cut into groups of one size. */
#ifndef TRAINER_REHEARSAL_SUBCOMMUNICATORS_H
#define TRAINER_REHEARSAL_SUBCOMMUNICATORS_H

#include "trainer/base/group.h"

#include <mpi.h>

/* This rank's group among those of so many ranks. */
struct subcommunicator {
    struct group group; /* of nobody: this rank is in none */
    int size, rank;
    int number, count; /* which group this is, of how many */
};

struct subcommunicators {
    int rank, processors;       /* of MPI_COMM_WORLD */
    struct subcommunicator *of; /* by size, from 0; made when they are needed; owned */
};

/* Every rank. Release with subcommunicators_free. */
struct subcommunicators subcommunicators_new(void);
void subcommunicators_free(struct subcommunicators *subcommunicators);

/* Groups of neighbouring ranks, size of them each, 1 to all; ranks left over are in none. Every
   rank must ask in the same order. */
const struct subcommunicator *subcommunicators_take(struct subcommunicators *subcommunicators,
                                                    int size);

#endif
