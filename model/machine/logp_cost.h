/* What the LogP parameters of a table tell of a message, where nobody measured messages. */
#ifndef MODEL_MACHINE_LOGP_COST_H
#define MODEL_MACHINE_LOGP_COST_H

#include "model/machine/machine.h"

/* Adds the utility point-to-point to a table that has LogP parameters and no such utility; its
   answers are flagged from-logp. A small message takes o_s + L + o_r. Longer ones: as bulk
   transfers where their times are known, each without its small reply, in straight lines from size
   to size; else by the line of transfers; else as a train of small messages, o_s + (k - 1) g + L +
   o_r for k of them, where sends follow one another at the gap, or where it does not show at the
   larger overhead (Culler, Fast Network Interfaces, The LogP model; Bulk-transfer time and
   bandwidth). Adds nothing where an overhead or L is not known. */
void logp_add_point_to_point(struct machine *machine);

#endif
