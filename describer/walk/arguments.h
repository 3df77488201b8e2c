/* Whole numbers that a function is given where the source calls it. */
#ifndef DESCRIBER_WALK_ARGUMENTS_H
#define DESCRIBER_WALK_ARGUMENTS_H

#include "describer/walk/evaluate.h"

/* Sets the integer parameters of a function to what main gives it, where that is known and no
   directive says their value. */
void arguments_take(struct describer *describer, const struct function *function);

/* Sets the parameters of a function that is described with arrays of its own to what a call says of
   them: numbers, records, and which of the arrays are the same. */
void arguments_bind(struct describer *describer, const struct function *function,
                    const struct syntax *call);

/* The extents of arrays that a function is given are those that it begins with, also where it
   changes the numbers that they are made of. */
void arguments_fix_extents(struct describer *describer, const struct function *function);

/* Notes that a number which is told stands for one that the source gives; where it stands for two
   that differ, a remark says so. */
void arguments_note_told(struct describer *describer, struct symbol *told, polynomial given,
                         struct place place);

#endif
