/* The six broadcast algorithms of 001 chapter 3 over MPI: any root, any number of processors, any
   datatype, any part size. Each is a broadcast of its own, with MPI_Bcast's result. */
#ifndef TRAINER_BROADCAST_ALGORITHM_H
#define TRAINER_BROADCAST_ALGORITHM_H

#include "trainer/broadcast/tree.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct broadcast_algorithm {
    const char *name;        /* "1m", "rd", "prd", "bt", "pbt", "bc" */
    const struct tree *tree; /* NULL: the library's MPI_Bcast */
    bool in_parts;
};

enum { BROADCAST_ALGORITHMS = 6 };
extern const struct broadcast_algorithm broadcast_algorithms[BROADCAST_ALGORITHMS];

/* The algorithm with that name, or NULL. */
const struct broadcast_algorithm *broadcast_algorithm_named(const char *name);

/* Broadcasts count elements of type from root to all of comm; every rank calls with the same
   arguments. part_elements >= 1: elements a part, used by the algorithms that send in parts.
   Returns MPI_SUCCESS or the error of the first MPI call that failed. */
int broadcast_run(const struct broadcast_algorithm *algorithm, void *buffer, int count,
                  MPI_Datatype type, int root, MPI_Comm comm, int part_elements);

/* The rank that receives last when root broadcasts over p ranks: the next root of a rotation by
   which global completion is timed (R147). For MPI_Bcast, whose order is not known, the next rank:
   stated in the table (R148). */
int broadcast_next_root(const struct broadcast_algorithm *algorithm, int root, int processors);

#endif
