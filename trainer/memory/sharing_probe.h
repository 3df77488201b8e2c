/* Lines loaded by rank 0, alone or while another rank of its node loads its own. */
#ifndef TRAINER_MEMORY_SHARING_PROBE_H
#define TRAINER_MEMORY_SHARING_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct sharing_order {
    size_t bytes; /* of each rank's array; 0: the arrays are given back, nothing is loaded */
    size_t line_bytes;
    bool together;
};

/* What comes back: results[0] is cycles a line of rank 0's; NAN: no other rank is on its node, or
   there is too little memory. */

#endif
