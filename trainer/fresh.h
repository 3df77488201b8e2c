/* Fresh points: sizes and processor counts drawn at random, measured to be compared with a machine
   table that never saw them. Runs on rank 0. */
#ifndef TRAINER_FRESH_H
#define TRAINER_FRESH_H

#include "trainer/engine/run.h"

/* Appends to points (of struct point) what was measured of the table's utilities: on a real machine
   at several moments, all utilities apart, of which stands what stands in a table (moments.h). The
   seed alone decides which points. A size for which the table has no model is left out, and so is
   what the budget did not reach; neither is an error; *count becomes how many points were drawn.
   Returns 0, or -1 with *error set. */
int fresh_measure(struct run *run, const struct machine *machine, struct list *points,
                  size_t *count, struct error *error);

#endif
