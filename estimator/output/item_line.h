/* A line of a prediction's breakdown as a person reads it. */
#ifndef ESTIMATOR_OUTPUT_ITEM_LINE_H
#define ESTIMATOR_OUTPUT_ITEM_LINE_H

#include "forecast/predict/segment_prediction.h"

/* Prints to standard output what an item takes and why, "11183 us: NAME: 100 x 111.83 us
   exchange(2040 bytes) [t0 40 us, rate 28.4 MB/s]", with its end of line. */
void item_line_print(const struct item *item);

#endif
