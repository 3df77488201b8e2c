/* Rows of a nest whose iterations wait for one another, and which do not wait for the end of the
   row before: a core takes instructions in their order and begins a row while the row before is
   under way, as far as its window reaches. Two things end it. The scheduler holds operations that
   wait for operands, and an operation makes room when it starts. The reorder buffer holds all
   instructions from the oldest one that is not done, and makes room in their order. */
#ifndef MODEL_NODE_WINDOW_H
#define MODEL_NODE_WINDOW_H

#include "model/node/node.h"

/* From one row's end to the next one's, over what a row takes alone; from 0 to 1. In rows: the
   iterations that the scheduler holds, or the reorder buffer behind the oldest, over those of a
   row; at least 0. Exact where nothing else limits (test/model/window.c). */
double window_scheduler_share(double rows);
double window_reorder_share(double rows);

/* What of a row counts. */
struct window_row {
    double iterations;   /* at least 1 */
    double waiting;      /* operations of an iteration that wait for the iteration before */
    double instructions; /* of an iteration */
};

/* The same on a node: the larger of the two. 1 where it knows neither scheduler_operations nor
   window_instructions. */
double window_share(const struct node *node, const struct window_row *row);

#endif
