/* What a prediction is made of, as rows: computation, and each utility with its uses, bytes, t0 and
   rate. The text of `estimator predict` says the same in sentences. */
#ifndef ESTIMATOR_OUTPUT_BREAKDOWN_H
#define ESTIMATOR_OUTPUT_BREAKDOWN_H

#include "estimator/output/report.h"
#include "forecast/predict/predict.h"

/* The lines of one segment, or of all segments; a last column says where in the program's source
   each stands, of all segments only where has_origins. Their times add up to the segment's. Release
   with report_free. */
struct report *breakdown_of_segment(const struct segment_prediction *segment);
struct report *breakdown_of_all(const struct prediction *prediction, bool has_origins);

#endif
