/* When a search has to answer with what it has. */
#ifndef FORECAST_SEARCH_DEADLINE_H
#define FORECAST_SEARCH_DEADLINE_H

#include <stdbool.h>

struct deadline {
    double end_s; /* of the monotonic clock; 0: never */
};

/* So many seconds from now. */
struct deadline deadline_after(double seconds);

/* When a share of the time that is left will have passed. */
struct deadline deadline_share(const struct deadline *deadline, double share);

bool deadline_has_passed(const struct deadline *deadline);

#endif
