/* Arrays of which several processors have the same part: what they take of memory, and what filling
   them takes before a program begins. */
#ifndef MODEL_SEGMENT_TRAFFIC_FILL_H
#define MODEL_SEGMENT_TRAFFIC_FILL_H

#include "model/segment/traffic/analysis.h"

/* By number of the program's arrays, into given (of as many): whether a statement reads it before
   one that stands further up writes it. */
void arrays_given(const struct subject *subject, bool *given);

/* Elements of an array on the processor that has the most. */
double array_elements(const struct array_layout *lies);

/* Bytes of all arrays on one processor, at most. */
double layout_bytes(const struct layout *layout, const struct program *program);

/* One broadcast of a part to all processors that have it, for each array that is wanted (by
   number). Release with analysis_free. */
void analysis_fill(struct analysis *analysis, const struct program *program,
                   const struct layout *layout, const bool *wanted, struct place place);

#endif
