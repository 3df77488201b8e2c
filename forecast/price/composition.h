/* What a table does not have, composed of what it has (rule "Composition" of
   doc/segment-description.md). */
#ifndef FORECAST_PRICE_COMPOSITION_H
#define FORECAST_PRICE_COMPOSITION_H

#include "forecast/price/charge.h"

/* Charges one use of the utility `wanted` with the cheapest of its compositions from utilities of
   the machine, whose ingredients may be composed in their turn. One that is known to be too low is
   taken only where there is no other. Errors, without a place: the table has not what any of them
   needs, or none of those it has the utilities for has an answer: then each is named with its
   reason. charged->uses and charged->pattern are not looked at. */
int composition_charge(struct charge *charge, const struct machine *machine, const char *wanted,
                       const struct charged *charged, struct error *error);

#endif
