/* A machine table against the machine: fresh points, at sizes and processor counts drawn at random,
   predicted and measured. */
#ifndef TRAINER_VALIDATE_H
#define TRAINER_VALIDATE_H

#include "model/machine/machine.h"
#include "trainer/crew.h"
#include "trainer/options.h"

/* Prints a row a utility to stdout: how many of the points (of struct point) are its own, median,
   95th percentile and largest of the relative errors |predicted - measured| / measured, how
   many per cent of the measured times lie between the table's low and high, and where the largest
   error was. A point without a time above 0, or without a model, is left out. Returns 0, or 1 when
   a 95th percentile is above the tolerance (a share) or nothing could be compared. */
int validate_points(const struct machine *machine, const struct list *points, double tolerance);

/* Rank 0: measures fresh points, writes them as points_write does where -o says, if it does, and
   prints those rows. Returns as validate_points, or -1 on an error. */
int validate(const struct machine *machine, const struct options *options, struct crew *crew,
             int processors, bool simulated, struct error *error);

#endif
