/* The broadcast algorithms of Abandah, IBM SP2, chapter 3 over MPI: any root, any number of
   processors, any part size. Each is a broadcast of its own, with MPI_Bcast's result. */
#ifndef BROADCAST_ALGORITHM_H
#define BROADCAST_ALGORITHM_H

#include "model/cost/tree.h"

#include <mpi.h>

/* Where the algorithm runs. The relative rank r of the tree is the rank root + direction r. */
struct broadcast {
    const struct tree *tree;
    MPI_Comm comm;
    int root;
    int direction;  /* 1, or -1: the tree mirrored */
    int part_bytes; /* at least 1: the message is sent in parts of that size, the last one shorter
                     */
};

/* Broadcasts bytes >= 0 from the root to all of comm; every rank calls with the same arguments. The
   errors are the communicator's (by default: fatal). */
void broadcast_run(const struct broadcast *broadcast, char *buffer, int bytes);

#endif
