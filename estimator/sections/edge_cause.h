/* Why a region of a utility ends at its size: what the table says, or what else it has there. */
#ifndef ESTIMATOR_SECTIONS_EDGE_CAUSE_H
#define ESTIMATOR_SECTIONS_EDGE_CAUSE_H

#include "model/machine/machine.h"

enum { EDGE_TEXT = 100 };

/* "ends at the packet limit", or nothing where no cause is known. */
void edge_print(const struct machine *machine, const struct cost *cost, const struct region *region,
                char text[EDGE_TEXT]);

#endif
