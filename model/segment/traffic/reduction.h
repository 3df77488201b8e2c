/* Rule "Reductions": processors that contribute to the same elements combine what they have. */
#ifndef MODEL_SEGMENT_TRAFFIC_REDUCTION_H
#define MODEL_SEGMENT_TRAFFIC_REDUCTION_H

#include "model/segment/traffic/turns.h"

/* Takes what an instance whose statement reduces has to combine, once for every value of the loops
   within which its result is needed. Errors: a home that couples loops, bounds. */
int reduction_take(const struct instance *instance, const struct layout *layout,
                   const struct turn_taker *taker, struct error *error);

#endif
