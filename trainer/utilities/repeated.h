/* What one more of a collective costs that a loop calls again and again with the same root: those
   who are done sooner than others are ahead, and several are on their way at the same time. So many
   and one take so long, less one alone. */
#ifndef TRAINER_UTILITIES_REPEATED_H
#define TRAINER_UTILITIES_REPEATED_H

#include "trainer/utilities/utility.h"

/* One behind another in a run, from each of the roots. */
enum { REPEATED_CALLS = 32 };

/* One call from that root. */
typedef void repeated_call(const struct site *site, int root);

/* Times one alone from each of so many roots, from 1: the first processor, the last, and those at
   equal distances between. Sets site->state; release with repeated_teardown. */
void repeated_setup(struct site *site, repeated_call *call, int roots);

/* REPEATED_CALLS * times more than one from each of the roots, timed without that one. */
void repeated_run(struct site *site, long times, repeated_call *call, int roots);

void repeated_teardown(struct site *site);

#endif
