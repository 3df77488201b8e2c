/* The conductor's score: which utilities are measured, in which order, until the budget ends, and
   what becomes of them in the machine table. Runs on rank 0. */
#ifndef TRAINER_CALIBRATE_H
#define TRAINER_CALIBRATE_H

#include "model/machine/machine.h"
#include "trainer/base/options.h"
#include "trainer/engine/engine.h"

#include <stdio.h>

/* Measures everything that the options ask for into *machine but its first `parts_before` parts,
   which it has; every point is written to points_csv as it is made. simulated: the clock is exact.
   A spent budget is not an error: what is missing then stands in machine->not_measured. */
int calibrate(struct machine *machine, const struct options *options, struct engine *engine,
              int processors, bool simulated, FILE *points_csv, int parts_before,
              struct error *error);

/* Says on standard output how long that would take, by a few points of each of its parts; crowded:
   ranks share cores. Returns 0, or -1 with *error set. */
int calibrate_foresee(const struct options *options, struct engine *engine, int processors,
                      bool simulated, bool crowded, struct error *error);

#endif
