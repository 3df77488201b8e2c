/* What lines cost that are walked through with a stride, against those in the order of addresses.
 */
#ifndef MODEL_NODE_STRIDED_H
#define MODEL_NODE_STRIDED_H

#include "model/node/cache.h"

/* A row of accesses, each so many bytes behind the one before. */
struct walk {
    double stride_bytes;
    bool stores;
    bool in_turn; /* behind each store stands one that the nearest cache holds */
};

/* Cycles that a line takes more on its way into the cache than memory_line_cycles says, which is of
   lines in the order of addresses. The table's walk answers that reaches as many sets of the
   nearest cache; 0 where it has none, where the stride is no longer than a line, or where cache is
   of no table. Never less than 0: what is in order bounds from below. */
double strided_more_cycles(const struct cache *cache, const struct walk *walk);

#endif
