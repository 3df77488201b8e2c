/* What a utility takes at a processor count that was not measured: by its law, the functions of p
   or the hops of its pattern, scaled so that it meets what answers at the measured counts. */
#ifndef MODEL_COST_ACROSS_H
#define MODEL_COST_ACROSS_H

#include "model/cost/cost.h"

/* The law alone, for bytes >= 0 at p as the utility counts it: by the hops, or by the functions of
   p. us; may be negative; NAN: no hops there. */
double across_law_us(const struct cost *cost, bool by_hops, double bytes, double processors);

/* The time between two of cost->by_processors, below < processors < above, either of them NULL: the
   law times a factor that goes from the one at which it meets the time at `below` to the one at
   `above`, evenly over log p; at most twice as long or as short as both. Beyond the outermost with
   that one's factor. us. */
double across_us(const struct cost *cost, bool by_hops, double bytes, double processors,
                 const struct at_processors *below, const struct at_processors *above);

/* Without a law: by the power of p through the times at both. us; NAN: one of them is NULL. */
double across_power_us(const struct cost *cost, double bytes, double processors,
                       const struct at_processors *below, const struct at_processors *above);

/* The shorter and the longer of the times at both; NAN: one of them is NULL. us. */
struct span across_ends_us(const struct cost *cost, double bytes, const struct at_processors *below,
                           const struct at_processors *above);

/* Whether the time at `above` is more than twice as long as at `below` for all that the pattern has
   more messages there: something else begins between them, and nothing says where. */
bool across_outgrows(const struct cost *cost, double bytes, const struct at_processors *below,
                     const struct at_processors *above);

/* The nearest of cost->by_processors below and above a p that is none of them; NULL: none. */
const struct at_processors *across_below(const struct cost *cost, double processors);
const struct at_processors *across_above(const struct cost *cost, double processors);

#endif
