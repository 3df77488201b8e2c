/* What one more of a collective costs that a loop calls again and again with the same root: those
   who are done sooner than others are ahead, and several are on their way at the same time. So many
   and one take so long, less one alone. */
#ifndef TRAINER_UTILITIES_REPEATED_H
#define TRAINER_UTILITIES_REPEATED_H

#include "trainer/utilities/utility.h"

/* One call from that root. */
typedef void repeated_call(const struct site *site, int root);

/* Times one alone from each of so many roots, from 1: the first processor, the last, and those at
   equal distances between. Sets site->state, which repeated_teardown releases, and how many uses a
   run is. */
void repeated_setup(struct site *site, repeated_call *call, int roots);

/* So many times as many uses as a run is, from each of the roots their share, and one more, timed
   without that one. */
void repeated_run(struct site *site, long times, repeated_call *call, int roots);

void repeated_teardown(struct site *site);

#endif
