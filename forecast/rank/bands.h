/* Which candidate is the cheapest over a range of a parameter: bands of values with the same
   winner. Shares are rounded up and regions have edges, so that crossovers are saw-teeth: every
   value is looked at. */
#ifndef FORECAST_RANK_BANDS_H
#define FORECAST_RANK_BANDS_H

#include "forecast/rank/ranking.h"

struct band {
    double from, to; /* values of the parameter, both included */
    char *best;      /* "rows = columns": all that tie; owned */
    double least;    /* probability that the first of them is the best, at the least sure value */
};

struct bands {
    struct list list; /* of struct band */
};

/* Takes one more value in; values come in the order in which they are given. */
void bands_add(struct bands *bands, double value, const struct ranking *ranking);

void bands_free(struct bands *bands);

#endif
