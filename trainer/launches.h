/* The same calibration, or validation, several times, each a launch of its own, and what all of
   them say together. */
#ifndef TRAINER_LAUNCHES_H
#define TRAINER_LAUNCHES_H

#include "trainer/base/options.h"

#include <stdbool.h>

/* Whether a launcher of MPI programs has started this process. */
bool launches_started_by_launcher(void);

/* Starts options->launches launches of --ranks ranks, one after the other, with the same arguments,
   each with a seed and an output of its own (TABLE.launch-1.yaml, ...), and writes the merged table
   and all points to the output, both at the end. To be called before MPI is initialised, and MPI
   must not be used after it. A launch that fails ends it, and so does a signal, which is passed on:
   what the whole launches before it say is written then, nothing if there are none; the status is
   -1, or 128 + the signal.
   With --validate they all measure the same points (validation.launch-1.csv, ..., or beside -o);
   all of them go to validation.csv, and the lower quartile of each is compared with the table, as
   validate_points does, whose 0 or 1 is returned. -1 with *error set on an error. */
int launches_run(const struct options *options, int argc, char **argv, struct error *error);

#endif
