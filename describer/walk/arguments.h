/* Whole numbers that a function is given where the source calls it. */
#ifndef DESCRIBER_WALK_ARGUMENTS_H
#define DESCRIBER_WALK_ARGUMENTS_H

#include "describer/walk/evaluate.h"

/* Sets the integer parameters of a function to what main gives it, where that is known and no
   directive says their value. */
void arguments_take(struct describer *describer, const struct function *function);

#endif
