/* Explicit communication of a segment: what its calls say, as demands. */
#ifndef MODEL_SEGMENT_TRAFFIC_CALLS_H
#define MODEL_SEGMENT_TRAFFIC_CALLS_H

#include "model/segment/traffic/analysis.h"

/* Adds a demand for each call among the instances. Errors are at the place of what is wrong. */
int calls_derive(struct analysis *analysis, const struct list *instances,
                 const struct layout *layout, struct scope *scope, struct error *error);

#endif
