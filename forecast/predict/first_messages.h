/* What the first messages of a program, and its memory, take more the first time
   (model/micro/start_up.h). */
#ifndef FORECAST_PREDICT_FIRST_MESSAGES_H
#define FORECAST_PREDICT_FIRST_MESSAGES_H

#include "forecast/predict/predict.h"

/* Fills an empty segment with what so many bytes of memory take that are written for the first
   time. The machine has first_touch. */
void first_touch_fill(struct segment_prediction *segment, double bytes,
                      const struct machine *machine);

/* Fills an empty segment with what the messages of all others of the prediction take more where
   they are the first between two processors: as if each processor sent all of its own to one other.
 */
void first_messages_fill(struct segment_prediction *segment, const struct prediction *prediction,
                         const struct machine *machine);

#endif
