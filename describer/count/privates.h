/* Arrays that begin anew in each iteration of a loop: declared in its body, or set there before
   they are read. Each iteration has an array of its own. This lies where the iteration runs: on the
   processor that has the result, or, where there is none, the elements that it is made of. */
#ifndef DESCRIBER_COUNT_PRIVATES_H
#define DESCRIBER_COUNT_PRIVATES_H

#include "describer/state/describer.h"

/* Finds them (array's prefix, beside). For when all references are as they are written. */
void privates_place(struct describer *describer);

#endif
