/* One use of a utility, as it is asked for: so many bytes among so many processors that take part.
 */
#ifndef FORECAST_PRICE_ONE_USE_H
#define FORECAST_PRICE_ONE_USE_H

#include "forecast/price/charge.h"

enum { ONE_USE_TEXT = CHARGE_NAME + 24 };

struct one_use {
    double time_us, low_us, high_us;
    unsigned flags;
    size_t region;                  /* the one that answers, from 1; 0: it is composed */
    double formula_p;               /* p as the utility's own formula counts it */
    double rate_mb_per_s;           /* as the sources count it (rate.h); NAN where bytes or time are
                                       not above 0 */
    char composed_of[ONE_USE_TEXT]; /* empty: the table has it */
};

/* The table's cost of that utility; or, where it has none and the utility can be composed of others
   as predictions do, what stands for it: *composed, with no region, which borrows the name. An
   error where neither is. */
int one_use_find(const struct machine *machine, const char *utility, const struct cost **cost,
                 struct cost *composed, struct error *error);

/* Prices a cost of one_use_find as structure_answer does, which may not know it:
   STRUCTURE_NOT_KNOWN. Errors, without a place: bytes below 0 or not finite, too few processors or
   no whole number of them; a particular one (error.h): no answer there. */
int one_use_price(struct one_use *use, const struct machine *machine, const struct cost *cost,
                  double bytes, double processors, struct error *error);

#endif
