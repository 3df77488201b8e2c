/* Asking again, because the machine's moods last for some points. */
#ifndef TRAINER_SWEEP_LOOKS_H
#define TRAINER_SWEEP_LOOKS_H

#include "trainer/sweep/running.h"

/* Asks for every point since the last time once more, unless the plan trusts. */
int looks_again(struct running *run, struct error *error);

/* Asks in every region whether it still holds: run->looks.region_off. */
int looks_at_regions(struct running *run, const struct list *regions, struct error *error);

#endif
