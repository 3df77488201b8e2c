/* The message size at which the library changes from eager to rendezvous, found by what it means:
   an eager send completes although no receive is posted. Exact to the byte, in milliseconds, where
   a step in time would have to be seen through noise. */
#ifndef TRAINER_ENGINE_PROTOCOL_SWITCH_H
#define TRAINER_ENGINE_PROTOCOL_SWITCH_H

#include <mpi.h>
#include <stdbool.h>

struct protocol_switch {
    bool seen;               /* both protocols occur up to the largest size tried */
    double eager_upto_bytes; /* the largest size sent eagerly; -1: not even an empty message */
    int probes;              /* messages sent to find out */
};

/* Bisects between 0 and bytes_most with sends from rank 0 to rank 1 of comm; every rank of comm
   calls, and every rank gets the result. Memory: bytes_most on two ranks. */
struct protocol_switch protocol_switch_find(MPI_Comm comm, int bytes_most);

#endif
