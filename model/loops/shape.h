/* What the time of an iteration of an innermost loop depends on, beside its text: how long its rows
   are, how much the loops around it touch, on how many pages a row lies, and whether its walks
   crowd the sets of caches. */
#ifndef MODEL_LOOPS_SHAPE_H
#define MODEL_LOOPS_SHAPE_H

#include "model/segment/memory/loops.h"

/* The keys of one point of a curve. */
struct loop_shape {
    double row;         /* iterations each time that the loop is begun, in the mean */
    double plane_bytes; /* touched by the loop and the one around it, in whole lines */
    double nest_bytes;  /* touched by all its loops in its function */
    double row_pages;   /* of 4 KB, touched each time that the loop is begun */
    double crowding;    /* binary digits by which the longest step of a walk is a multiple of a
                           line, up to 7; 0: its walks are along rows */
};

/* Of a leaf, with `nest` loops about it in its function. array_count: of the program. */
struct loop_shape loop_shape_of(const struct loop_node *leaf, int nest, size_t array_count);

/* The leaf whose first statement has the hash of its loop's text; NULL: there is none. */
const struct loop_node *loop_shape_leaf(const struct loop_node *node, const char *hash);

#endif
