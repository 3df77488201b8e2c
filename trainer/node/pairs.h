/* From times of closed chains to latencies from each operation to each other. Knows no clock and no
   processor. */
#ifndef TRAINER_NODE_PAIRS_H
#define TRAINER_NODE_PAIRS_H

#include "model/node/node.h"

/* Cycles of chains in which every operation waits for the one before; 0: not measured. */
struct chains {
    /* Of one operation that follows itself; of a load, whose address is what the load before gave.
     */
    struct operations alone;
    /* .from[a].of[b], a < b: of a and b in turn, for one of each. For load and store: of storing a
       value, and loading it again. */
    struct operation_pairs in_turn;
    /* Of a load, the operation on what it gave, and the way of the result to the next load's
       address; .of[OPERATION_LOAD]: of those without an operation. */
    struct operations load_use;
};

/* *latencies: .from[a].of[b] is the cycles from the start of a to that of b, which uses its result.
   Only sums around chains can be timed, so that what the two of a pair take more than each with
   itself is shared out in halves; every chain of pairs has its sum. From a store to a load is until
   what was loaded can be used. 0: not known. */
void pairs_derive(const struct chains *chains, struct operation_pairs *latencies);

#endif
