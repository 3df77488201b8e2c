/* One use of a utility, as it is asked for: so many bytes among so many processors that take part.
 */
#ifndef MODEL_MACHINE_ONE_USE_H
#define MODEL_MACHINE_ONE_USE_H

#include "model/machine/machine.h"

struct one_use {
    struct cost_answer answer;
    double formula_p;     /* p as the utility's own formula counts it */
    double rate_mb_per_s; /* as the sources count it (rate.h); NAN where bytes or time are not above
                             0 */
};

/* Prices it as structure_answer does, which may not know it: STRUCTURE_NOT_KNOWN. Errors, without a
   place: bytes below 0 or not finite, too few processors or no whole number of them; a particular
   one (error.h): no answer there. */
int one_use_price(struct one_use *use, const struct machine *machine, const struct cost *cost,
                  double bytes, double processors, struct error *error);

#endif
