/* Runs of uses that differ in bytes alone: where their costs lie close to a line, all of them are
   priced by the first, the middle and the last one, so that a long run takes no longer than a short
   one. */
#ifndef FORECAST_PRICE_RUNS_H
#define FORECAST_PRICE_RUNS_H

#include "forecast/price/charge.h"
#include "model/segment/traffic/analysis.h"

/* The sum over a run is off by about this share at most: costs are taken to lie on a line where a
   quarter, half and three quarters of the way between two sizes are within three times of it, and a
   parabola goes through what is added. */
extern const double run_error;

/* What is done with the uses of a run. */
struct run_pricing {
    /* What one of them costs; 0, or -1 with the error set. */
    int (*price)(void *state, const struct use *use, struct charge *charge, struct error *error);
    /* It counts as often as so many sizes: all of a run together as often as it has uses. */
    void (*add)(void *state, const struct use *use, const struct charge *charge, double sizes);
    void *state;
};

/* Prices a run, which may be of one use, and adds what it costs. 0, or -1 with the error of a use
   that has no price. */
int run_price(const struct run_pricing *pricing, const struct use *run, struct error *error);

#endif
