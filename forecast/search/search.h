/* The best of all partitionings: every distribution of every array over every grid, and a layout a
   segment where moving pays. What is replicated has to be broadcast before the program begins. */
#ifndef FORECAST_SEARCH_SEARCH_H
#define FORECAST_SEARCH_SEARCH_H

#include "forecast/predict/study.h"
#include "forecast/search/candidate_text.h"

enum { SEARCH_BEST = 10, SEARCH_SKIPPED = 200 };

struct search {
    double grids, layouts;        /* looked at; on all grids */
    double all_layouts;           /* that there are */
    double predictions;           /* of segments and moves, that were needed for it */
    double failures;              /* of them, that could not be made */
    double plans_left_out;        /* grids on which no redistribution was looked for */
    char skipped[SEARCH_SKIPPED]; /* what was not looked at, in words; empty: nothing */
    struct list found; /* of struct candidate: the best layouts, and the best plan where it
                          is better */
};

/* Answers with the best so far after about so many seconds (0: when all has been looked at). Grids
   that differ in the order of their dimensions are one. 1: nothing could be predicted, *error has
   the first reason. Release with search_free. */
int search_make(struct search *search, struct study *study, double seconds, struct error *error);
void search_free(struct search *search);

#endif
