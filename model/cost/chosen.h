/* What a pattern takes whose algorithm the library chooses, by the processors and the bytes, among
   a number of processors that was not measured: other counts tell how long it may be, and no
   function of p does. */
#ifndef MODEL_COST_CHOSEN_H
#define MODEL_COST_CHOSEN_H

#include "model/cost/edge.h"

/* The least and the most that it may take at processors, as the utility counts them, between two of
   cost->by_processors: from three quarters of what an even growth would be to all that the greater
   one takes more, for a tree has as many stages as at the next power of two; where
   the library folds (pattern.h), and one more message. False: that p was measured, no count is on
   one side, or the library chooses nothing. */
bool chosen_span(const struct cost *cost, double bytes, double processors, struct span *us);

/* How far both counts are off there, and what is told by them. */
double chosen_relative_error(const struct cost *cost, double bytes, double processors);

/* The answer where a node ends between the two: the middle of the span, in which any of it may be.
   False: none ends, or as above. */
bool chosen_answer(const struct cost *cost, double bytes, double processors, struct edge *edge);

#endif
