/* What the shim keeps with a communicator of the program, as an attribute of it: the choices for
   its number of processors and each root, and a private communicator of the same processors, in
   which no message meets the program's own. */
#ifndef SHIM_COMPANION_H
#define SHIM_COMPANION_H

#include "model/machine/broadcast_choice.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

struct companion {
    MPI_Comm comm; /* MPI_COMM_NULL: broadcasts on this communicator are left to the library */
    int processors;
    bool depends_on_root;              /* otherwise the first root's choices are everybody's */
    struct broadcast_choices *by_root; /* of all processors; not made yet: without items */
};

/* Choices that were made already on this processor. */
struct known_choices {
    struct known_choices *next;
    int processors, root;
    struct broadcast_choices choices;
};

/* All companions of this processor. */
struct companions {
    int key;                /* of the attribute */
    struct machine machine; /* owned: what chooses */
    atomic_int private_communicators;
    _Atomic(struct known_choices *) known;
};

/* No companions yet. Takes the machine over. The address must hold as long as communicators do. */
void companions_begin(struct companions *companions, const struct machine *machine);

/* The companion of comm, borrowed. The first time it is made, collectively over comm; later calls
   are local. It ends with comm, and no other communicator that MPI makes from comm inherits it. */
struct companion *companion_of(struct companions *companions, MPI_Comm comm);

/* The choices for a broadcast from root on comm, whose companion has a private communicator;
   borrowed from the companion. The first time for a root they are made, collectively over comm. */
const struct broadcast_choices *companion_choices(struct companions *companions,
                                                  struct companion *companion, MPI_Comm comm,
                                                  int root);

/* Ends the companion of MPI_COMM_WORLD and the machine; those of communicators that are not freed
   yet still end with them. Collective over MPI_COMM_WORLD. */
void companions_end(struct companions *companions);

#endif
