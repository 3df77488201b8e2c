/* What an iteration of a measured loop takes at a shape that need not have been measured. */
#ifndef MODEL_LOOPS_CURVE_TIME_H
#define MODEL_LOOPS_CURVE_TIME_H

#include "model/loops/curves.h"

struct loop_time {
    double each_ns;
    bool is_beyond; /* the shape lies outside what was measured: the nearest of it answers */
};

/* By a plane through the logarithms of times, fitted to the measured points by least squares with
   weights that fall with their distance in the logarithms of the shape (Cleveland, Robust Locally
   Weighted Regression and Smoothing Scatterplots); never outside what the nearest points took.
   together: on all processors at once, where that was measured. */
struct loop_time loop_curve_time(const struct loop_curve *curve, const struct loop_shape *shape,
                                 bool together);

/* The same of a point of the curve by its number, alone, from the others; there are others. */
double loop_curve_time_without(const struct loop_curve *curve, size_t point);

/* Sets the curve's errors: each point from the others. */
void loop_curve_judge(struct loop_curve *curve);

#endif
