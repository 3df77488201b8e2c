#include "forecast/search/limit.h"

#include <math.h>

void limit_note(struct limit *limit, double us)
{
    if (limit->count == FINDS_MOST && !(us < limit->best_us[FINDS_MOST - 1]))
        return;
    size_t at = limit->count < FINDS_MOST ? limit->count++ : FINDS_MOST - 1;
    for (; at > 0 && limit->best_us[at - 1] > us; at--)
        limit->best_us[at] = limit->best_us[at - 1];
    limit->best_us[at] = us;
    if (limit->count == FINDS_MOST)
        limit->us = fmin(limit->us, limit->best_us[FINDS_MOST - 1]);
}
