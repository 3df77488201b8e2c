/* A machine table against the machine: fresh points, at sizes and processor counts drawn at random,
   predicted and measured. Runs on rank 0. */
#ifndef TRAINER_VALIDATE_H
#define TRAINER_VALIDATE_H

#include "model/machine/machine.h"
#include "trainer/crew.h"
#include "trainer/options.h"

/* Prints a row a utility to stdout: how many points, median, 95th percentile and largest of the
   relative errors |predicted - measured| / measured, and where the largest was. Returns 0, 1 when a
   95th percentile is above the tolerance or nothing could be compared, -1 on an error. A spent
   budget is not an error: the row then has fewer points. */
int validate(const struct machine *machine, const struct options *options, struct crew *crew,
             int processors, bool simulated, struct error *error);

#endif
