#include "forecast/search/part.h"

#include "model/base/allocation.h"

#include <stdlib.h>

void part_depend(struct part *part, const struct space *space, size_t leader)
{
    part->size = part->count == 0 ? 1 : part->size;
    part->leaders[part->count] = leader;
    part->stride[part->count++] = part->size;
    part->size *= space->leaders[leader].option_count;
}

size_t part_at(const struct part *part, const size_t *choice)
{
    size_t at = 0;
    for (size_t i = 0; i < part->count; i++)
        at += choice[part->leaders[i]] * part->stride[i];
    return at;
}

void parts_add(struct parts *parts, const struct part *part)
{
    parts->items = memory_grow(parts->items, parts->count + 1, sizeof *parts->items);
    parts->items[parts->count++] = *part;
}

void parts_free(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].owned)
            free(parts->items[i].us);
    free(parts->items);
    *parts = (struct parts){0};
}
