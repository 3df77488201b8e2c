/* Shifts around a ring one behind another, with nothing between them. Each processor waits for the
   one before it alone: a link that is slow holds a message up once on its way around, and not in
   every shift. */
#ifndef FORECAST_PRICE_RINGS_H
#define FORECAST_PRICE_RINGS_H

#include "forecast/price/distance.h"

/* How much longer one of so many shifts takes, on average, than one alone: never more than 1. Links
   are as slow as shifts among as many processors as lie in the smallest block of measured size that
   has both their ends; blocks are of powers of two times the fewest processors measured. */
struct distance rings_distance(const struct machine *machine, const struct cost *shift,
                               double processors, double bytes, double in_a_row);

#endif
