/* Groups of the first ranks, which are made once for each count. */
#ifndef TRAINER_ENGINE_KEPT_GROUPS_H
#define TRAINER_ENGINE_KEPT_GROUPS_H

#include "trainer/base/group.h"

#include <stddef.h>

/* Zeroed = none. */
struct kept_groups {
    struct kept_group *items; /* owned */
    size_t count;
};

/* Of so many ranks, made where there is none yet; kept_groups_free releases it. Every rank calls
   it, all in the same order. */
struct group kept_groups_first(struct kept_groups *kept, int participants);

void kept_groups_free(struct kept_groups *kept);

#endif
