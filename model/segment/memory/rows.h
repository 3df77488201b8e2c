/* Rows of a nest: iterations that a chain of operations runs through one after the other. The chain
   of one row does not wait for that of the row before, which a core uses (window.h). */
#ifndef MODEL_SEGMENT_MEMORY_ROWS_H
#define MODEL_SEGMENT_MEMORY_ROWS_H

#include "model/segment/memory/loops.h"

/* The loops that a statement's recurrence runs through, as bits (1 << loop), of a leaf's nest.
   Where it writes the same element in all iterations of the innermost loop: all such loops. Else
   the innermost loop, and those about it of which an iteration reads at its beginning what the one
   before wrote at its end. written: NULL: not told. */
unsigned rows_of_recurrence(const struct leaf *leaf, const struct reference *written,
                            const struct touch *reads, size_t read_count);

/* The same of a reduction: all loops in which it writes the same element. */
unsigned rows_of_reduction(const struct leaf *leaf, const struct reference *written);

/* Sets what share of their latencies the chains of one execution of a leaf count: the longest way
   through the nest and, of what is beside it, what the node's window cannot hide. node: NULL: a
   window without an end, which no processor exceeds; all counts where the node does not know its
   window. row_most: iterations of the innermost loop that rows are cut into, INFINITY: not cut. */
void rows_overlap(struct essential *essential, const struct leaf *leaf, double row_most,
                  const struct node *node);

#endif
