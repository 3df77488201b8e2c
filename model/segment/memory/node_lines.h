/* Lines of the arrays that the nodes of a program's loops touch, each counted once: a share of
   misses asks for the same ones again and again. */
#ifndef MODEL_SEGMENT_MEMORY_NODE_LINES_H
#define MODEL_SEGMENT_MEMORY_NODE_LINES_H

#include "model/node/cache.h"
#include "model/segment/memory/loops.h"

/* A node, with numbers of lines per array of the program (footprint_lines), and the most of them
   that the cache can hold at once (footprint_held). */
struct node_lines {
    const struct loop_node *node; /* borrowed */
    size_t arrays;
    double *all, *all_held;      /* all iterations together */
    double *upto;                /* one iteration: the first child; the first two; ... */
    double *each_held;           /* one iteration */
    struct node_lines *children; /* owned: one a child of the node */
};

/* Of the node and of all below it. Release with node_lines_free. */
void node_lines_make(struct node_lines *lines, const struct loop_node *node, size_t arrays,
                     const struct cache *cache);

/* The lines of an array that the first so many children touch in one iteration. */
double node_lines_upto(const struct node_lines *lines, size_t children, size_t array);

/* That all of them touch in one iteration. */
double node_lines_each(const struct node_lines *lines, size_t array);

void node_lines_free(struct node_lines *lines);

#endif
