/* Where a derivation ends before it is complete, because what it has found so far is enough. */
#ifndef MODEL_SEGMENT_TRAFFIC_CUTOFF_H
#define MODEL_SEGMENT_TRAFFIC_CUTOFF_H

#include "model/segment/traffic/analysis.h"

/* Asked now and then of the demands that an analysis has, and of those of a message whose turns are
   under way: a part of what they will be. True ends the derivation as an error does. */
struct cutoff {
    bool (*is_reached)(void *asked, const struct analysis *so_far,
                       const struct analysis *under_way);
    void *asked;
};

#endif
