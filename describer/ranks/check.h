/* Whether what is described is what the processes send. */
#ifndef DESCRIBER_RANKS_CHECK_H
#define DESCRIBER_RANKS_CHECK_H

#include "describer/ranks/run.h"

/* Notes an error where messages of the run, of which no loop is shortened, are not described, or
   others are. */
void ranks_check(struct describer *describer, const struct run *run);

#endif
