/* The search on one grid of processors. */
#ifndef FORECAST_SEARCH_GRIDS_H
#define FORECAST_SEARCH_GRIDS_H

#include "forecast/search/finds.h"

struct grid {
    double sizes[DIMENSIONS_MOST];
    int rank;
    double ways;            /* layouts that there are */
    double looked_at;       /* of them */
    bool is_done;           /* all of a level were looked at: */
    enum kinds_level level; /* the last such level */
    bool plan_left_out;     /* redistributions were not looked for, or not all */
    /* All layouts and what they cost, to look for redistributions among them; owned where there are
       any. */
    struct space space;
    struct segment_costs *costs; /* one a segment; NULL: not kept */
};

/* What is to be looked at. */
struct grid_task {
    struct study *study;
    const size_t *leaders; /* numbers of arrays */
    size_t leader_count;
    const bool *given; /* by array: it has contents when the program begins */
    enum kinds_level level;
    struct deadline costs_until, until; /* costs are derived until the first */
};

/* Looks at all layouts of a level. What is derived of the program with the grid's sizes may be
   wrong: an error. */
int grid_search(struct grid *grid, const struct grid_task *task, struct finds *finds,
                struct error *error);

/* Looks for redistributions, after all layouts have been looked at. Errors as above. */
int grid_plan(struct grid *grid, struct study *study, const struct deadline *deadline,
              struct finds *finds, struct error *error);

void grid_free(struct grid *grid);

#endif
