/* Where a curve jumps from one measured size to the next, as where a cache or the translations of
   addresses end: sizes between say where. */
#ifndef TRAINER_LOOPS_JUMPS_H
#define TRAINER_LOOPS_JUMPS_H

#include "model/loops/curves.h"

#include <stdbool.h>

/* Of the usual points, in the order of what they touch: the two neighbours whose times are the
   furthest apart, unless the first one's jump is settled; false: none are apart by more than a
   fifth, or all that are lie close together. */
bool jumps_largest(const struct loop_curve *curve, const bool *is_usual, const bool *is_settled,
                   size_t pair[2]);

#endif
