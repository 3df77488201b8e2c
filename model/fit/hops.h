/* Hops: what one message of a broadcast or of another pattern takes, near and far, learned from the
   times of the whole pattern at several processor counts. Where the processors share nodes, or a
   message goes in parts, the time is no smooth function of p or n, but follows from these few
   numbers and from who sends to whom (route.h); cost_answer then answers with them. */
#ifndef MODEL_FIT_HOPS_H
#define MODEL_FIT_HOPS_H

#include "model/fit/fit.h"

/* Fills cost->tree, hops and hops_far from count points of a pattern of whole messages along that
   tree (enum cost_tree other than TREE_UNKNOWN), with the breaks of cost->by_processors and, where
   enough points are on both sides, those of `breaks` (of struct region), for at the largest p,
   which decides on breaks, far messages may hide those of near ones. Says how far from the points
   they are. False, and nothing is kept: the times are explained no better so than by the regions,
   or there are too few processor counts. */
bool hops_learn(struct cost *cost, int tree, const struct list *breaks,
                const struct observation *points, size_t count);

/* The same with the hops of another broadcast along the same tree, for one that sends in parts. */
bool hops_adopt(struct cost *cost, const struct cost *whole, const struct observation *points,
                size_t count);

/* Without hops the regions answer. */
void hops_forget(struct cost *cost);

#endif
