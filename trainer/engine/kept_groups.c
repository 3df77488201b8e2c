#include "trainer/engine/kept_groups.h"

#include "model/base/allocation.h"

#include <stdlib.h>

struct kept_group {
    int participants;
    struct group group;
};

/* Every utility asks for the same few counts: to make the communicators of each anew took longer
   than what most of them measure, of 1024 simulated ranks a minute each time. */
struct group kept_groups_first(struct kept_groups *kept, int participants)
{
    for (size_t i = 0; i < kept->count; i++)
        if (kept->items[i].participants == participants)
            return kept->items[i].group;
    const struct kept_group made = {participants,
                                    group_new((struct group_ranks){0, participants - 1, 1})};
    kept->items = memory_grow(kept->items, kept->count + 1, sizeof *kept->items);
    kept->items[kept->count++] = made;
    return made.group;
}

void kept_groups_free(struct kept_groups *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        group_free(&kept->items[i].group);
    free(kept->items);
    *kept = (struct kept_groups){0};
}
