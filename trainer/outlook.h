/* What a calibration will measure, as far as that is known before it begins. */
#ifndef TRAINER_OUTLOOK_H
#define TRAINER_OUTLOOK_H

#include "model/cost/cost.h"
#include "trainer/base/options.h"

struct outlook {
    const struct options *options;
    int processors; /* ranks */
    bool crowded;   /* they share cores */
};

/* Whether the processors and suites that the options ask for are there, and anything suits. */
int outlook_check(const struct outlook *outlook, struct error *error);

/* Whether the utility or section of that name (things.h) will be measured. */
bool outlook_has(const struct outlook *outlook, const char *name);

/* Whether the cost was measured between more processors than it would be now. */
bool outlook_has_fewer(const struct outlook *outlook, const struct cost *cost);

#endif
