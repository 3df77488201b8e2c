/* What iterations take under the layouts of a search. Misses depend on where statements run, and on
   what a processor has of every other array; layouts that agree in that are derived once. */
#ifndef FORECAST_SEARCH_NODE_TIMES_H
#define FORECAST_SEARCH_NODE_TIMES_H

#include "forecast/predict/compute.h"

enum { NODE_TIMES_MOST = 128 }; /* that are kept */

/* Zeroed = empty. */
struct node_times {
    size_t count;
    double *keys[NODE_TIMES_MOST]; /* owned */
    struct computing of[NODE_TIMES_MOST];
};

/* The computing of the subject under the layouts, one a segment and all the same; NULL where it
   cannot be derived. Borrowed until the next call. All calls are of one subject, machine and grid.
 */
const struct computing *node_times_find(struct node_times *node_times,
                                        const struct machine *machine,
                                        const struct subject *subject, const struct layout *layouts,
                                        struct error *error);

void node_times_free(struct node_times *node_times);

#endif
