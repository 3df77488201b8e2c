/* The predicted cost of a candidate partitioning on a machine: computation of the busiest processor
   plus communication, segment by segment, with what it is made of. */
#ifndef FORECAST_PREDICT_PREDICT_H
#define FORECAST_PREDICT_PREDICT_H

#include "forecast/predict/compute.h"
#include "forecast/predict/segment_prediction.h"
#include "model/segment/program/schedule.h"

/* Predicts the segment of that number under a layout. On success release with
   segment_prediction_free. */
int segment_predict(struct segment_prediction *segment, const struct machine *machine,
                    const struct computing *computing, const struct subject *subject, size_t number,
                    const struct layout *layout, struct error *error);

/* Predicts the change from one layout to another, once; the rest as above. */
int change_predict(struct segment_prediction *segment, const struct machine *machine,
                   const struct program *program, const struct layout *from,
                   const struct layout *to, struct place place, struct error *error);

/* Predicts what broadcasting the replicated of the wanted arrays (by number) takes before the
   program begins; the rest as above. */
int fill_predict(struct segment_prediction *segment, const struct machine *machine,
                 const struct program *program, const struct layout *layout, const bool *wanted,
                 struct place place, struct error *error);

struct prediction {
    struct list segments;            /* of struct segment_prediction */
    struct segment_prediction whole; /* without items */
    double memory_bytes; /* that arrays take on a processor, the most; NAN unless the candidate has
                            what is replicated filled */
};

/* Predicts under the layouts of a schedule. Errors are at their place in the description, or about
   the table. On success release with prediction_free; the machine must outlive it. */
int prediction_make(struct prediction *prediction, const struct machine *machine,
                    const struct subject *subject, const struct computing *computing,
                    const struct schedule *schedule, struct error *error);

void prediction_free(struct prediction *prediction);

#endif
