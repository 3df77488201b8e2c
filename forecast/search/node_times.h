/* What iterations take under the layouts of a search. Misses depend on where statements run, and on
   what a processor has of every other array; layouts that agree in that are derived once. */
#ifndef FORECAST_SEARCH_NODE_TIMES_H
#define FORECAST_SEARCH_NODE_TIMES_H

#include "forecast/predict/compute.h"

enum { COMPUTINGS_MOST = 128 }; /* that are kept */

/* Zeroed = empty. */
struct computings {
    size_t count;
    double *keys[COMPUTINGS_MOST]; /* owned */
    struct computing of[COMPUTINGS_MOST];
};

/* The computing of the subject under the layouts, one a segment and all the same; NULL where it
   cannot be derived. Borrowed until the next call. All calls are of one subject, machine and grid.
 */
const struct computing *computings_find(struct computings *computings,
                                        const struct machine *machine,
                                        const struct subject *subject, const struct layout *layouts,
                                        struct error *error);

void computings_free(struct computings *computings);

#endif
