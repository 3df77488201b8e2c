/* From a use of communication to the utilities of a machine table: which of them serve it, and what
   that costs (rules "Class of a turn", "Composition" and "Meaning of p" of
   doc/segment-description.md). */
#ifndef FORECAST_PRICE_PRICE_H
#define FORECAST_PRICE_PRICE_H

#include "forecast/price/charge.h"
#include "model/segment/traffic/analysis.h"

/* Prices one of the times of a use of the demand. An error, without a place, when the table has no
   utility that serves it, or it does not scale so far. */
int price_use(const struct machine *machine, const struct demand *demand, const struct use *use,
              struct charge *charge, struct error *error);

#endif
