/* The lines of an array that references touch while some of the loops about them run. */
#ifndef MODEL_SEGMENT_MEMORY_FOOTPRINT_H
#define MODEL_SEGMENT_MEMORY_FOOTPRINT_H

#include "model/node/cache.h"
#include "model/segment/memory/loops.h"

/* References of several leaves, gathered. */
struct footprint {
    struct list touches; /* of struct gathered */
    int depth;           /* loops from this depth on run; those outside stand still */
};

/* Takes the touches of a part of the program in. */
void footprint_add(struct footprint *footprint, const struct loop_node *node);

/* Bytes from one element of a dimension of the reference to the next, as memory has them, the
   slowest first; NAN: not known, of the middle ones of more than three. */
double touch_step_bytes(const struct touch *touch, int dimension);

/* How many different lines of the array are touched: a lower bound, as if every run of neighbouring
   elements began with a line. Not whole where a run is longer than a line. An array no larger than
   a line, such as the sum of a reduction, stays in registers: none. */
double footprint_lines(const struct footprint *footprint, size_t array, double line_bytes);

/* Over all arrays; *arrays (may be NULL) becomes how many different ones there are. */
double footprint_all_lines(const struct footprint *footprint, size_t array_count, double line_bytes,
                           double *arrays);

/* The most of these lines of an array that the cache can hold at once, as of a column of a matrix
   whose rows are a power of two long, which lie in few sets. */
double footprint_held(const struct footprint *footprint, size_t array, const struct cache *cache);

void footprint_free(struct footprint *footprint);

#endif
