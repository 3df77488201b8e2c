/* A table and its points, to which another calibration of the same machine is added. */
#ifndef MODEL_TABLES_ADDITION_H
#define MODEL_TABLES_ADDITION_H

#include "model/machine/machine.h"
#include "model/machine/things.h"

/* Puts what `now` has into *into, in the place of what *into has of the same name; all else stays.
   How it was measured becomes a row of what was added. What is put there is *into's then; now
   remains to be freed. */
void addition_make(struct machine *into, struct machine *now);

/* The same of their points (struct point): those of `measured`, the things of `now`, take the place
   of the earlier ones; of other names the earlier ones stand where there are any. */
void addition_of_points(struct list *into, const struct list *now, const struct things *measured);

#endif
