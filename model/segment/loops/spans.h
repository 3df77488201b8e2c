/* Sets of whole numbers by key, as disjoint spans: for what comes in runs. */
#ifndef MODEL_SEGMENT_LOOPS_SPANS_H
#define MODEL_SEGMENT_LOOPS_SPANS_H

#include "model/base/lookup.h"

#include <stdbool.h>

/* Both ends included. */
struct span {
    uint64_t first, last;
};

/* Zeroed = empty. */
struct spans {
    struct lookup keys;
    struct spans_item {
        struct span span;
        size_t next; /* of its key, number + 1, ascending; 0: none */
    } * items;       /* owned */
    size_t count, room, heads_room;
    size_t *heads; /* by key, number + 1; owned */
};

/* Adds a span to the set of a key of two words; shows what of it was not in the set before, piece
   by piece. A piece may not be added to the same sets while it is shown. */
void spans_add(struct spans *spans, const uint64_t key[2], struct span span,
               void (*take)(void *taker, struct span fresh), void *taker);

/* Makes it empty. */
void spans_free(struct spans *spans);

#endif
