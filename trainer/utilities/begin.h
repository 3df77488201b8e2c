/* How the processors begin a batch at the same time. */
#ifndef TRAINER_UTILITIES_BEGIN_H
#define TRAINER_UTILITIES_BEGIN_H

#include "trainer/base/delay.h"
#include "trainer/utilities/utility.h"

/* Whether all ranks read one clock. */
bool begin_clock_is_global(void);

/* At that time of a clock that all read. */
void begin_at(const struct delayer *delayer, double begin_s);

/* Once all of the site are there. told: the others tell rank 0, which alone reads the clock, and
   that is all; else, where all read one clock, they begin at one time. */
void begin_lined_up(const struct site *site, const struct delayer *delayer, bool told);

#endif
