/* What memory takes that a program writes for the first time. */
#ifndef TRAINER_MICRO_FIRST_TOUCH_PROBE_H
#define TRAINER_MICRO_FIRST_TOUCH_PROBE_H

#include "model/records/record.h"

/* Every rank at once. Rank 0's list, of struct first_touch, gets one row, of the rank that it takes
   longest; none where there is no memory for it. About 0.1 s. */
void first_touch_probe(struct list *rows);

#endif
