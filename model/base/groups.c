#include "model/base/groups.h"

#include "model/base/allocation.h"

#include <stdlib.h>

struct groups groups_new(size_t count)
{
    struct groups groups = {count, count, count, memory_new(count, sizeof(uint32_t))};
    for (size_t i = 0; i < count; i++)
        groups.parents[i] = (uint32_t)i;
    return groups;
}

void groups_add(struct groups *groups)
{
    if (groups->count == groups->room) {
        groups->room = groups->room ? 2 * groups->room : 16;
        groups->parents = memory_grow(groups->parents, groups->room, sizeof *groups->parents);
    }
    groups->parents[groups->count] = (uint32_t)groups->count;
    groups->count++;
    groups->disjoint++;
}

size_t groups_of(struct groups *groups, size_t member)
{
    while (groups->parents[member] != member) {
        groups->parents[member] = groups->parents[groups->parents[member]];
        member = groups->parents[member];
    }
    return member;
}

void groups_join(struct groups *groups, size_t a, size_t b)
{
    a = groups_of(groups, a);
    b = groups_of(groups, b);
    groups->disjoint -= a != b;
    groups->parents[a < b ? b : a] = (uint32_t)(a < b ? a : b);
}

size_t groups_largest(struct groups *groups, size_t *together)
{
    uint32_t *sizes = memory_new(groups->count, sizeof *sizes);
    size_t largest = 0, several = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const size_t size = ++sizes[groups_of(groups, i)];
        largest = size > largest ? size : largest;
        several += size == 1 ? 0 : size == 2 ? 2 : 1; /* the second one counts the first too */
    }
    free(sizes);
    if (together)
        *together = several;
    return largest;
}

void groups_free(struct groups *groups)
{
    free(groups->parents);
    *groups = (struct groups){0};
}
