/* What a pattern takes among a number of processors that was not measured, where another share of
   its messages leaves a node than at the measured ones: no function of p says that. */
#ifndef MODEL_COST_EDGE_H
#define MODEL_COST_EDGE_H

#include "model/cost/cost.h"

struct edge {
    double time_us, low_us, high_us;
    double relative_error; /* of the measured counts */
};

/* At processors, as the utility counts them, between two of cost->by_processors of which the
   greater has more messages that leave a node; or below the first, where as many do as there. What
   the greater one takes more, than its messages within nodes would, goes with the stages that leave
   a node, as far as the smallest messages take it, and beyond that with the messages that do; the
   interval has all of it with the one and with the other. False: that p was measured, who sends to
   whom is not known, or no node ends there. */
bool edge_answer(const struct cost *cost, double bytes, double processors, struct edge *edge);

/* What answers at a measured count, us; NAN: no region does. */
double edge_measured_us(const struct cost *cost, const struct at_processors *at, double bytes);

/* How far that is off, and what is told of other counts by it. */
double edge_relative_error(const struct at_processors *at, double bytes);

#endif
