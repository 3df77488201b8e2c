/* From a demand for communication to the utilities of a machine table: which utility serves it, and
   what that costs (rules D9, D11, D16 of the segment language). */
#ifndef ESTIMATOR_PRICE_H
#define ESTIMATOR_PRICE_H

#include "model/machine/machine.h"
#include "model/segment/analysis.h"

/* A use of a utility, times over. */
struct charge {
    const struct cost *cost;  /* borrowed; its utility is the one used */
    double uses;              /* of the utility */
    double bytes, processors; /* as the utility's formula counts them */
    struct cost_answer each;  /* of one use */
    const char *instead_of;   /* the utility that the table does not have, or NULL */
};

/* Prices a demand. An error, without a place, when the table has no utility that serves it, or it
   does not scale so far. */
int price_demand(const struct machine *machine, const struct demand *demand, struct charge *charge,
                 struct error *error);

#endif
