/* A utility as a program uses it: between two uses the processors write what they send, read what
   they got, and work on something else. */
#ifndef TRAINER_ENGINE_IN_SITU_H
#define TRAINER_ENGINE_IN_SITU_H

#include "trainer/utilities/utility.h"

/* How many uses are made where so many bytes of other memory lie between two: fewer where that
   takes long. The first few do not count. */
int in_situ_uses(size_t work_bytes);

/* Every rank: so many of them, one after the other; room: as many bytes as each buffer has
   that is written before and read behind each use, 0: neither; work_bytes of other memory are gone
   through as well. Returns, on rank 0 of the site, the median of what a use took in us; of each the
   processor counts that took least, which waited for nobody: no common clock is needed. Not with
   simulated machines, where computation takes no time. */
double in_situ_use_us(struct site *site, const struct utility *utility, size_t room,
                      size_t work_bytes);

#endif
