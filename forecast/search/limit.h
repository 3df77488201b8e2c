/* What a layout has to be better than to be one of the best of a search. */
#ifndef FORECAST_SEARCH_LIMIT_H
#define FORECAST_SEARCH_LIMIT_H

#include <stddef.h>

enum { FINDS_MOST = 10 };

struct limit {
    double us; /* INFINITY: nothing is known yet */
    size_t count;
    double best_us[FINDS_MOST]; /* of different layouts, the best first */
};

/* A layout that was not known takes so long. */
void limit_note(struct limit *limit, double us);

#endif
