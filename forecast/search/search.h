/* The best of all partitionings: every distribution of every array over every grid, and a layout a
   segment where moving pays. */
#ifndef FORECAST_SEARCH_SEARCH_H
#define FORECAST_SEARCH_SEARCH_H

#include "forecast/predict/study.h"

enum { SEARCH_BEST = 10 };

struct search {
    double grids, layouts; /* looked at; on all grids */
    double predictions;    /* of segments and moves, that were needed for it */
    double failures;       /* of them, that could not be made */
    bool plans_left_out;   /* on some grid there were too many layouts to plan with */
    struct list found;     /* of struct candidate: the best layouts, and the best plan where it is
                              better */
};

/* Grids that differ in the order of their dimensions are one. Errors: more layouts than the limits
   of the description's `search` should leave. 1: nothing could be predicted, *error has the first
   reason. Release with search_free. */
int search_make(struct search *search, struct study *study, struct error *error);
void search_free(struct search *search);

/* A candidate as it would stand in a description, in one line; to be freed. */
char *candidate_text(const struct candidate *candidate);

#endif
