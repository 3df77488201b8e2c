/* What synchronisations take beyond themselves, because processors do not end their computation at
   the same time (model/micro/waiting.h). */
#ifndef FORECAST_PREDICT_WAITING_H
#define FORECAST_PREDICT_WAITING_H

#include "forecast/predict/segment_prediction.h"
#include "model/machine/machine.h"
#include "model/segment/traffic/analysis.h"

/* How a segment with these demands synchronises in one repetition. Demands that are as frequent
   share their rounds: of each kind the most frequent one counts. A segment that touches more bytes
   in a repetition than a processor's private caches hold computes through memory. */
struct synchronising waiting_rounds(const struct machine *machine, const struct analysis *analysis,
                                    double touched_bytes);

/* One processor, one after the other, sends to all or receives from all, or a pipeline hands on
   from one to the next. With exponential noise that makes a round of 16 or of 64 processors 0.82
   times the noise longer, the largest of three 0.83: it goes on as among three. */
struct waiting_for waiting_for_one(double processors);

/* Adds a line to the breakdown of each segment that synchronises behind computation. Segments of as
   many repetitions are one loop, each behind the one before, and the first behind the last. What a
   loop computes that does not synchronise is waited for in the next one that does. Nothing is added
   where the table has no waiting. segments: of struct segment_prediction, without their sums. */
void waiting_add(struct list *segments, const struct machine *machine);

#endif
