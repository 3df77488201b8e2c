/* What the pipelines of a segment make of its rows: as many items as there are pipelines, and rows
   as long as their stages. */
#ifndef FORECAST_PREDICT_PIPELINES_H
#define FORECAST_PREDICT_PIPELINES_H

#include "forecast/predict/segment_prediction.h"
#include "model/machine/machine.h"
#include "model/segment/traffic/analysis.h"

/* The rows in a pipeline take as long as its stages: the items are those of the critical path.
   Their rows have to be in the segment. */
int pipelines_add(struct segment_prediction *segment, const struct machine *machine,
                  const struct analysis *analysis, struct error *error);

#endif
