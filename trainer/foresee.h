/* How long the parts of a run will take, by a few points of each: before the first part. Runs on
   rank 0. */
#ifndef TRAINER_FORESEE_H
#define TRAINER_FORESEE_H

#include "trainer/effort/effort.h"
#include "trainer/engine/run.h"
#include "trainer/parts.h"

/* Asks the machine about the parts of the run that are still to come, and shares the budget among
   them. Returns 0, or -1 with *error set; effort_free() in any case. */
int effort_foresee(struct run *run, const struct parts *parts, struct effort *effort,
                   struct error *error);
void effort_free(struct effort *effort);

#endif
