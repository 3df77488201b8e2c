/* Traffic by running through every iteration: for subscripts that couple loops, and loops whose
   bounds do. Exact, but only for nests of a moderate size. */
#ifndef MODEL_SEGMENT_TRAFFIC_ENUMERATE_H
#define MODEL_SEGMENT_TRAFFIC_ENUMERATE_H

#include "model/segment/traffic/traffic.h"

/* What the reads of an array that lies so make move when `home` (NULL: every processor) executes
   the nest's iterations where the turn's fixed loops have their values. Errors: too many iterations
   (2 x 10^7) or elements (5 x 10^6), a subscript outside its array. */
int enumerate_traffic(struct traffic *traffic, const struct reads *reads,
                      const struct reference *home, const struct nest *nest,
                      const struct turn *turn, const struct array_layout *lies,
                      const struct layout *layout, struct error *error);

#endif
