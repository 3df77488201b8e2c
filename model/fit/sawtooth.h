/* What a packet costs: the part of the times that goes with a sawtooth and not with a
   line. */
#ifndef MODEL_FIT_SAWTOOTH_H
#define MODEL_FIT_SAWTOOTH_H

#include "model/fit/packets.h"

/* How many packets there are more than a straight line through the middle of the steps says: -1/2
   at the end of a step, 1/2 at its begin. */
double sawtooth_at(const struct packets *packets, double bytes);

/* Sums of squares and products of what a weighted line through saw and times leaves of them; of
   several regions with a line each, their sum. */
struct sawtooth {
    double saw_saw, saw_time, time_time;
};

/* Adds one region's points; fewer than three leave nothing. Their times are above 0. */
void sawtooth_add(struct sawtooth *sawtooth, const struct packets *packets,
                  const struct observation *points, size_t count);

/* What a packet costs, us; 0 where the times do not go with the saw. */
double sawtooth_each_us(const struct sawtooth *sawtooth);

/* What a byte costs besides the packets, us: the slope of one line through what they leave. */
double sawtooth_slope_us(const struct packets *packets, const struct observation *points,
                         size_t count);

#endif
