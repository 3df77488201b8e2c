/* How a number of messages depends on p. */
#ifndef DESCRIBER_RANKS_LAWS_H
#define DESCRIBER_RANKS_LAWS_H

#include "describer/state/describer.h"

/* The polynomial of p and of what is derived from it that has these values at these p; NULL: none
   of the laws that messages follow. One value alone is a constant. */
polynomial law_of(struct describer *describer, const int *p, const double *values, int count);

#endif
