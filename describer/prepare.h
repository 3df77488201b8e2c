/* What directives and the command line say before anything is gone through, and what has to be
   said of them behind it. */
#ifndef DESCRIBER_PREPARE_H
#define DESCRIBER_PREPARE_H

#include "describer/options.h"
#include "describer/state/describer.h"

/* Parameters of `parameters` and of -D, extents of `array`; with so many processes conditions are
   decided. */
void prepare(struct describer *describer, const struct options *options, int processes);

/* An error for a directive that belongs to nothing that is described. */
void check_used(struct describer *describer);

#endif
