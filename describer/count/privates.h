/* Arrays that begin anew in each iteration of a loop: declared in its body, or set there before
   they are read. Each iteration has its own, which lies where the iteration runs: beside what is
   computed from it, or what it is computed from. */
#ifndef DESCRIBER_COUNT_PRIVATES_H
#define DESCRIBER_COUNT_PRIVATES_H

#include "describer/state/describer.h"

/* Finds them (array's prefix, beside). For when all references are as they are written. */
void privates_place(struct describer *describer);

#endif
