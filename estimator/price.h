/* From a use of communication to the utilities of a machine table: which of them serve it, and what
   that costs (rules D9, D11, D16 of the segment language). */
#ifndef ESTIMATOR_PRICE_H
#define ESTIMATOR_PRICE_H

#include "estimator/contention.h"
#include "model/machine/machine.h"
#include "model/segment/analysis.h"

enum { PARTS_MOST = 3 };

/* A utility's share of a charge. */
struct charge_part {
    const struct cost *cost;  /* borrowed */
    double uses;              /* of the utility for one use of what is wanted */
    double bytes, processors; /* as the utility's formula counts them */
    struct cost_answer each;  /* of one use of the utility, nothing else being under way */
    struct contention contention;
};

/* What one use costs: one utility, or a composition of several. */
struct charge {
    double time_us, low_us, high_us;
    double alone_us; /* if nothing else were under way */
    unsigned flags;
    const char *instead_of;  /* the utility that the table does not have, or NULL */
    bool too_low;            /* the composition is known to be too low */
    bool packing_unknown;    /* strided messages, and the table does not say what packing costs */
    const char *packing;     /* the utility that packing was priced by, or NULL */
    bool contention_unknown; /* others do the same at the same time, and the table does not say what
                                that costs */
    double contribute;       /* those of the participants that have something to combine; 0: all */
    size_t part_count;
    struct charge_part parts[PARTS_MOST];
};

/* Prices one of the times of a use of the demand. An error, without a place, when the table has no
   utility that serves it, or it does not scale so far. */
int price_use(const struct machine *machine, const struct demand *demand, const struct use *use,
              struct charge *charge, struct error *error);

/* Whether price_use may ask for the utility although a demand names another one or none. */
bool price_may_ask(const char *utility);

#endif
