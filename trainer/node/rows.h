/* How far a core looks ahead: chains of additions and products in rows that do not wait for one
   another, bare, of which the scheduler holds so many operations, and thinned by instructions that
   wait for nothing, of which the reorder buffer holds so many (model/node/window.h). */
#ifndef TRAINER_NODE_ROWS_H
#define TRAINER_NODE_ROWS_H

#include "model/node/node.h"

enum rows_kind { ROWS_BARE, ROWS_THINNED, ROWS_KINDS };

/* Operations of an iteration that wait for the one before, and all its instructions. */
enum { ROWS_WAITING = 2, ROWS_FILLERS = 12, ROWS_INSTRUCTIONS = ROWS_WAITING + ROWS_FILLERS + 2 };

/* Lengths of rows, of both kinds. */
struct rows_item {
    enum rows_kind kind;
    long iterations, rows; /* of a row; in a sample */
};
extern const struct rows_item rows_items[];
extern const size_t rows_count; /* 0: not written for this kind of processor */

/* The iterations of a run of one of them. */
double rows_iterations(size_t item);

/* item: a size_t's address. */
void rows_run(void *item);

/* Sets node->scheduler_operations and node->window_instructions from such cycles of an iteration of
   every item; NAN where the core does not look ahead, or farther than the longest rows, and of the
   reorder buffer also where the scheduler ends the thinned rows. */
void rows_set(struct node *node, const double *cycles);

#endif
