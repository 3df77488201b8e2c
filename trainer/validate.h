/* A machine table against the machine: fresh points, at sizes and processor counts drawn at random,
   predicted and measured. */
#ifndef TRAINER_VALIDATE_H
#define TRAINER_VALIDATE_H

#include "model/machine/machine.h"
#include "trainer/base/options.h"
#include "trainer/engine/engine.h"

/* Prints a row a utility to stdout: how many of the points (of struct point) are its own, median,
   95th percentile and largest of the relative errors |predicted - measured| / measured, how
   many per cent of the measured times lie between the table's low and high, where the largest
   error was, the median of measured / predicted and, in words, in which direction the table is off.
   Says of all utilities together on stderr in which direction. A point without a time above 0, or
   without a model, is left out. Returns 0, or 1 when a 95th percentile is above the tolerance (a
   share) or nothing could be compared. */
int validate_points(const struct machine *machine, const struct list *points, double tolerance);

/* Before anything is measured: whether a validation's points may be written there (target.h). */
int validate_check_output(const char *path, struct error *error);

/* Rank 0: measures fresh points, writes them as points_write does where -o says, if it does and
   there are some, and prints those rows. Returns as validate_points, 128 + the signal that came, or
   -1 on an error. */
int validate(const struct machine *machine, const struct options *options, struct engine *engine,
             int processors, bool simulated, struct error *error);

#endif
