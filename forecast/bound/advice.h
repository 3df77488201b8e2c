/* What a bound, and how much of it was reached, suggest to a programmer (Abandah, IBM SP2, sections
   5.6 and 5.7). */
#ifndef FORECAST_BOUND_ADVICE_H
#define FORECAST_BOUND_ADVICE_H

#include "model/node/bound.h"

/* What would lower the bound itself, a text for each kind of unit that limits: calls say once for
   each. wide: the node has instructions for neighbouring elements. */
typedef void advice_say(const char *text);
void advice_for_limit(const struct bound *bound, bool wide, advice_say *say);

/* What to look for when a program took so many per cent of the bound. */
const char *advice_for_share(double percent);

#endif
