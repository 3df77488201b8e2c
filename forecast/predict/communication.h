/* What the communication of a segment costs: a line of the breakdown for each demand and the
   utilities that serve it. */
#ifndef FORECAST_PREDICT_COMMUNICATION_H
#define FORECAST_PREDICT_COMMUNICATION_H

#include "forecast/predict/segment_prediction.h"

/* Adds the demands of the analysis, priced by the machine's table, to the segment's items and
   uncertainties. A processor touches touched_bytes in one repetition of the segment. An error, at
   its place, where the table has no price. */
int communication_add(struct segment_prediction *segment, const struct machine *machine,
                      const struct analysis *analysis, double touched_bytes, struct error *error);

/* Says, of the segment's items from number `from` on, how much longer they take because others
   communicate at the same time. */
void communication_say_contention(struct segment_prediction *segment, size_t from);

#endif
