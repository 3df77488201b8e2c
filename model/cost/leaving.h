/* How many messages of a pattern leave a node: what its processors share, where they are several.
 */
#ifndef MODEL_COST_LEAVING_H
#define MODEL_COST_LEAVING_H

#include "model/cost/pattern.h"

/* The most messages of one use among `processors` that go from one node of `near` processors, ranks
   in their order, to others. NAN: the row does not say who sends to whom, or processors is no whole
   number from 2 to 100000, or near none from 1. */
double leaving_messages(const struct pattern *pattern, double processors, double near);

/* Whether each processor has the same few partners among however many: stages to all others and
   down a tree grow with p. */
bool leaving_is_told(const struct pattern *pattern);

/* In how many of its stages, one after the other, any message leaves a node. NAN as above. */
double leaving_stages(const struct pattern *pattern, double processors, double near);

/* The most messages that go from one node to others when the processors, in lines of `side` whose
   neighbours differ by `stride` in number, exchange with both neighbours; of a ring with those at
   the other end, too. NAN: these are no whole numbers, or as above. */
double leaving_lines(double processors, double near, double side, double stride, bool is_ring);

#endif
