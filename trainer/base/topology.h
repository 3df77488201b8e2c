/* What the system tells of the machine: through hwloc where configure found it, else through
   sysconf. Told is not measured: a virtual machine tells of the host's caches, or of none. */
#ifndef TRAINER_BASE_TOPOLOGY_H
#define TRAINER_BASE_TOPOLOGY_H

#include "model/machine/machine.h"

struct topology_cache {
    double capacity_bytes, line_bytes, ways; /* NAN: not told */
    double cores;                            /* that share it; NAN: not told */
};

/* The data cache of that level, 1 and up. */
struct topology_cache topology_cache(int level);

/* Packages, cores and the like; NULL: nothing tells it. Owned by the caller: it belongs into a
   machine. */
struct topology *topology_new(void);

#endif
