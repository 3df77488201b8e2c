/* Reads through an index array, v[col[k]], of which is known how far from the statement's own
   element they may lie. */
#ifndef MODEL_SEGMENT_TRAFFIC_GATHERS_H
#define MODEL_SEGMENT_TRAFFIC_GATHERS_H

#include "model/segment/traffic/analysis.h"

/* Adds the demands of the instances' gathers: where the array lies as the statement runs, in blocks
   that are not shorter than the reach, what neighbours have within it; else the whole array. It
   moves once for all values of the loops outside which it is not written. Errors are at the place
   of a gather: a reach or loads that are no number from 0 on, an array that the same loops write.
 */
int gathers_derive(struct analysis *analysis, const struct list *instances,
                   const struct layout *layout, struct scope *scope, bool corners_direct,
                   struct error *error);

#endif
