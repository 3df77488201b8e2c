/* When the last processor has a broadcast that goes along a tree, where messages within a node take
   one time and those between nodes another. Among such processors the time is no smooth function of
   their number, but it follows from the tree. */
#ifndef MODEL_MACHINE_ROUTE_H
#define MODEL_MACHINE_ROUTE_H

#include "model/machine/tree.h"

/* Every sender waits until its receiver has the message. Processors 0 to together - 1 share the
   first node, the next as many the second, and so on; together = 0: all share one. */
struct route {
    const struct tree *tree;
    int processors, root, together;
};

/* What a message takes. */
struct hop {
    double near_us, far_us;
};

/* When the last one has it, and how many near and far messages that it waited for, one after
   another, make up that time. */
struct arrival {
    double time_us, near, far;
};

/* Sends whole_parts >= 0 parts that take `whole` a message, then one that takes `last`. Where the
   parts have come to follow one another steadily, the rest of them is not gone through one by one.
 */
struct arrival route_arrival(const struct route *route, double whole_parts, struct hop whole,
                             struct hop last);

#endif
