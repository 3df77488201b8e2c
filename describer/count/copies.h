/* Elements that a program reads into a scalar and then overwrites while it still uses the scalar:
   what a loop reads is the value from before, which is an element of an array of its own. */
#ifndef DESCRIBER_COUNT_COPIES_H
#define DESCRIBER_COUNT_COPIES_H

#include "describer/count/results.h"

/* Finds them (node's copied_as). For when all other references are as they are written. */
void copies_place(struct describer *describer);

/* Of what a statement of the part reads, has it read the copies where there are any. */
void copies_read(const struct describer *describer, const struct part *part, struct reads *reads);

#endif
