/* Computation that a description tells as it was measured in the program, on whatever machine. */
#ifndef FORECAST_PREDICT_MEASURED_TIME_H
#define FORECAST_PREDICT_MEASURED_TIME_H

#include "forecast/predict/segment_prediction.h"
#include "model/machine/machine.h"
#include "model/segment/traffic/analysis.h"

/* Adds the line of what the segment tells, if it tells any. On the machine that it was measured on
   it takes as long; on another as much longer as that one's node is slower: by what its memory
   delivers, by its arithmetic, in the middle, and the interval has both. Where either node's is not
   known the time stays and is flagged other-node. */
void measured_time_add(struct segment_prediction *segment, const struct machine *machine,
                       const struct segment *described, const struct analysis *analysis);

#endif
