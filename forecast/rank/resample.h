/* Rankings under uncertainty: the candidates priced by many tables whose errors are drawn anew.
   What two candidates have in common cancels between them. */
#ifndef FORECAST_RANK_RESAMPLE_H
#define FORECAST_RANK_RESAMPLE_H

#include "forecast/predict/uncertainty.h"

enum { RESAMPLES = 2000 };

/* Totals that differ by less are equal: no table is as good as that. */
static const double resample_equal = 1e-3;

/* A candidate: certain_us + the uncertain times. */
struct contender {
    double certain_us;
    const struct list *uncertain; /* of struct uncertain; borrowed */
    /* What comes out: */
    double best;        /* probability that none is cheaper */
    double before_next; /* that it is not dearer than the next in the order; NAN: the last */
    double regret_us;   /* what choosing it costs more than the best of each table, on average */
    double times_low,
        times_high; /* the interval of its total over that of the first; 1: the first */
};

/* Draws RESAMPLES tables, always the same ones. contenders: in the order of the ranking. Equal
   totals share the first place evenly. How wide a total's interval is is uncertain_factor's. */
void resample(struct contender *contenders, size_t count);

#endif
