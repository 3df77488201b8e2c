/* Shifts where what goes round a corner is a message of its own (`corners: direct`): of a read that
   is shifted along several grid dimensions, each part beyond some of them, one edge or corner of a
   block, comes from the neighbour that it lies with; the part beyond one of them is a face. */
#ifndef MODEL_SEGMENT_TRAFFIC_CORNERS_H
#define MODEL_SEGMENT_TRAFFIC_CORNERS_H

#include "model/segment/traffic/shift.h"

/* As shift_derive. Behind the phases of the lines there is one of no grid dimension for each set of
   dimensions that reads go round a corner of: a message to each neighbour across it. False also
   where no line is exchanged, or there is too much to be told apart. */
bool corners_derive(struct shift *shift, const struct reads *reads, const struct home *home,
                    const struct array_layout *lies, const struct turn *turn);

#endif
