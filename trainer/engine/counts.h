/* Which processor counts a utility is measured at. */
#ifndef TRAINER_ENGINE_COUNTS_H
#define TRAINER_ENGINE_COUNTS_H

#include "trainer/base/options.h"
#include "trainer/utilities/utility.h"

enum { COUNTS_MOST = 64 };

/* Whether --processors, if it was given, asks for what a run of so many processors has. */
int counts_check(const struct options *options, int processors, struct error *error);

/* The participants of the utility's measurements, ascending, into counts; returns how many. Of
   those that --processors asks for, or of a spread up to all with `together` (0: none) among them,
   the ones that suit the utility best; of a spread with some `together` the next larger that do.
   One between two processors has 2 alone. */
size_t counts_of(const struct utility *utility, const struct options *options, int processors,
                 int together, int counts[COUNTS_MOST]);

#endif
