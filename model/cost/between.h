/* What a utility takes among a number of processors between two that were measured, where their
   laws do not say it: nodes end, the library takes another algorithm, a grid has another shape. */
#ifndef MODEL_COST_BETWEEN_H
#define MODEL_COST_BETWEEN_H

#include "model/cost/edge.h"

/* By who sends to whom (edge.h), by what the library may choose (chosen.h), or as at the count that
   has as many neighbours. Hops say themselves what leaves a node; those in rounds are of one
   algorithm, which the library may not choose. False: the law says it. */
bool between_answer(const struct cost *cost, bool by_hops, double bytes, double processors,
                    struct edge *edge);

/* Widens an answer of the law, which `region` says the error of, by what else may be. */
void between_hold(const struct cost *cost, const struct region *region, double bytes,
                  double processors, struct cost_answer *answer);

/* Widens an answer by what that of between_answer holds. */
void between_hold_edge(struct cost_answer *answer, const struct edge *edge);

/* Flags an answer between two measured counts whose interval is so wide that it says little. */
void between_flag(const struct cost *cost, double processors, struct cost_answer *answer);

#endif
