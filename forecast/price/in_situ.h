/* Messages between computations: the table's times are of uses one right after the other; what a
   program writes, reads and works on between two uses makes them longer (model/micro/in_situ.h). */
#ifndef FORECAST_PRICE_IN_SITU_H
#define FORECAST_PRICE_IN_SITU_H

#include "forecast/price/charge.h"
#include "model/segment/traffic/analysis.h"

/* Whether the table says how much longer any utility takes. */
bool in_situ_is_known(const struct machine *machine);

/* The bytes that a processor touches before a use, of those that it touches in one repetition of
   the segment: all of them where messages go at once, else their share of the uses; at least the
   buffers of the use itself, which a program writes before and reads behind it. */
double in_situ_touched_bytes(const struct use *use, double segment_bytes);

/* Makes a charge what it is where a processor touches so many bytes before each use, 0 or more.
   Messages between two processors, of whose own rows there are none, are as exchanges. */
void in_situ_charge(struct charge *charge, const struct machine *machine, double touched_bytes);

#endif
