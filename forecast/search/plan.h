/* The cheapest sequence of layouts, one a segment, with what moving from one to the next takes
   (rule "Redistribution" of doc/segment-description.md): dynamic programming over segments and
   layouts of one grid. */
#ifndef FORECAST_SEARCH_PLAN_H
#define FORECAST_SEARCH_PLAN_H

#include "forecast/search/segment_costs.h"

struct plan {
    bool found, too_many; /* too_many: more layouts than are gone through */
    double us;
    size_t (*choices)[LEADERS_MOST]; /* an option for each leader, one row a segment; owned */
};

/* The cheapest plan on the grid of these costs (one a segment, for all its repetitions, made exact
   where it matters), whose segments are gone through `repeat` times, with the way back from the
   last layouts to the first between them; none where it does not cost less than limit_us. Layouts
   that no plan within the limit can go through in a segment are left out first. Release with
   plan_free. */
void plan_make(struct plan *plan, struct pricing *pricing, struct segment_costs *costs,
               double repeat, double limit_us);
void plan_free(struct plan *plan);

#endif
