/* The best that a search has found so far. */
#ifndef FORECAST_SEARCH_FINDS_H
#define FORECAST_SEARCH_FINDS_H

#include "forecast/search/limit.h"
#include "forecast/search/plan.h"
#include "forecast/search/space.h"

/* One of the best layouts. */
struct find {
    double us;
    char *text;            /* as a candidate; owned */
    struct list candidate; /* of one struct candidate; owned */
};

struct finds {
    size_t count;
    struct find items[FINDS_MOST + 1]; /* best first */
    double plan_us;                    /* INFINITY: there is none */
    struct list plan;                  /* of one struct candidate; owned */
    double predictions, failures;
    struct error first; /* the first failure; only where there are some */
};

void finds_begin(struct finds *finds);

/* What a layout has to be better than, by more than rounding, to be one of the best. */
double finds_limit_us(const struct finds *finds);

/* Keeps the choice, unless it is known or not good enough. */
void finds_keep(struct finds *finds, double us, const struct space *space, const size_t *choice);
void finds_keep_plan(struct finds *finds, const struct space *space, const struct plan *plan);

/* Notes what was predicted, and releases the pricing. */
void finds_count(struct finds *finds, struct pricing *pricing);

/* Moves all to a list of struct candidate, the best layouts first; the plan where it is better. */
void finds_take(struct finds *finds, struct list *candidates);

#endif
