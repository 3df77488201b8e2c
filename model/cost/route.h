/* When the last processor has a broadcast that goes along a tree, or has done the rounds of a
   pattern, where messages within a node take one time and those between nodes another. Among such
   processors the time is no smooth function of their number, but it follows from who sends to whom.
 */
#ifndef MODEL_COST_ROUTE_H
#define MODEL_COST_ROUTE_H

#include "model/cost/rounds.h"
#include "model/cost/tree.h"

/* Every sender waits until its receiver has the message, and all begin at the same time. Processors
   0 to together - 1 share the first node, the next as many the second, and so on; together = 0: all
   share one. */
struct route {
    const struct tree *tree;     /* NULL: the rounds say who sends to whom */
    const struct rounds *rounds; /* NULL: the tree does */
    int processors, root, together;
    bool other_roots; /* the median over the roots 1, p / 2 and p - 1, instead of from root */
};

/* Rounds of more messages are not gone through. */
enum { ROUTE_MESSAGES_MOST = 100000 };

/* Whether the road is short enough to go along in about a millisecond. */
bool route_is_bounded(const struct route *route);

/* What a message takes; and what each further one of those that are started at once adds, while the
   sender's link is busy with it. */
struct hop {
    double near_us, far_us, near_gap_us, far_gap_us;
};

/* When the last one has it, and how many near and far messages that it waited for, one after
   another, and how many further ones, make up that time. Of rounds that is said of one use of the
   utility. */
struct arrival {
    double time_us, near, far, near_gaps, far_gaps;
};

/* Sends whole_parts >= 0 parts that take `whole` a message, then one that takes `last`. Where the
   parts have come to follow one another steadily, the rest of them is not gone through one by one.
   Rounds know no parts: each takes `last` a message. */
struct arrival route_arrival(const struct route *route, double whole_parts, struct hop whole,
                             struct hop last);

#endif
