/* Several launches of the trainer on one machine as one table. Where processes are placed when they
   start decides as much as the message size does, so that the launch is a random factor: one table
   of one launch is too sure of itself. */
#ifndef MODEL_TABLES_MERGE_H
#define MODEL_TABLES_MERGE_H

#include "model/machine/machine.h"

/* Turns launches[0] into the table of all count >= 2 launches. Every utility that all have becomes
   the regions of the lower quartile over launches (launched.c says why), at the processor counts
   that all measured; errors within a launch are the median over launches, and launches_p95 is how
   far the launches are from the merged regions, to either side (95th percentile of the longer time
   over the shorter, less one). A utility that a launch lacks is taken out and stands in
   not_measured. Other sections stay those of launches[0]. The other tables are not changed. */
int machine_merge(struct machine *launches, size_t count, struct error *error);

#endif
