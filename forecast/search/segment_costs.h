/* What a segment costs under every layout of the arrays that it uses. Costs are bounds from below
   until they are asked for: what an array adds in which nothing runs is derived with the other
   such arrays replicated. Where lines that miss are derived, arrays that the segment does not use
   count as replicated. */
#ifndef FORECAST_SEARCH_SEGMENT_COSTS_H
#define FORECAST_SEARCH_SEGMENT_COSTS_H

#include "forecast/search/node_times.h"
#include "forecast/search/space.h"

struct pricing {
    struct space *space;
    struct study *study;          /* derived for the space's grid */
    double predictions;           /* that were made */
    double failures;              /* that could not be made: INFINITY */
    struct error first;           /* the first failure; only where there are some */
    struct node_times node_times; /* where misses depend on the layout; owned */
};

struct segment_costs {
    size_t segment;
    size_t count;                 /* leaders that it uses; */
    size_t leaders[LEADERS_MOST]; /* first those whose elements decide where it runs, */
    size_t deciding;              /* so many */
    bool writes_others;           /* some of the others are written */
    size_t stride[LEADERS_MOST];
    size_t size;
    double *us;  /* INFINITY: cannot be predicted; owned */
    bool *exact; /* owned */
};

void pricing_free(struct pricing *pricing);

/* Fills the costs with bounds. Release with segment_costs_free. The bounds take `size` entries of
   9 bytes. */
void segment_costs_make(struct segment_costs *costs, struct pricing *pricing, size_t segment);
void segment_costs_free(struct segment_costs *costs);

/* The entry of a choice: an option for each leader of the space. */
size_t segment_costs_at(const struct segment_costs *costs, const size_t *choice);

/* How many entries there will be, to refuse too many before they are made. */
double segment_costs_size(const struct pricing *pricing, size_t segment);

/* The exact cost of a choice. */
double segment_costs_exact(struct segment_costs *costs, struct pricing *pricing,
                           const size_t *choice);

/* What moving one leader's arrays from one option to another takes; INFINITY: not known. */
double move_us(struct pricing *pricing, size_t leader, size_t from, size_t to);

#endif
