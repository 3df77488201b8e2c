/* A run of the program that the user timed, and what it says of the model's times for its other
   settings on that machine. */
#ifndef FORECAST_PREDICT_ANCHOR_H
#define FORECAST_PREDICT_ANCHOR_H

#include "forecast/predict/segment_prediction.h"
#include "model/machine/machine.h"

/* What multiplies the times of a prediction, and the standard deviations of the errors of its
   computation. Those of communication stay: each message size and pattern has its own. */
struct anchor {
    double compute, communicate;
    double compute_left;
    double run; /* standard deviation of the logarithm of a run's time from one to the next */
};

/* From the prediction of the run and its time; communicate_us: what of it was communication; NAN:
   not told. Then the difference is shared out as the errors of computation and communication say,
   and where nothing says them, both take as much longer.
   Errors, without a place: communication that takes longer than all, or a part that was measured
   and is not predicted. */
int anchor_make(struct anchor *anchor, const struct segment_prediction *run, double total_us,
                double communicate_us, struct error *error);

/* Applies it to a segment before its sums are made. */
void anchor_apply(const struct anchor *anchor, struct segment_prediction *segment);

#endif
