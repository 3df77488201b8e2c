#include "model/base/groups.h"

#include "model/base/allocation.h"

#include <stdlib.h>

struct groups groups_new(size_t count)
{
    struct groups groups = {count, count, memory_new(count, sizeof(size_t))};
    for (size_t i = 0; i < count; i++)
        groups.parents[i] = i;
    return groups;
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
    groups->parents[a < b ? b : a] = a < b ? a : b;
}

size_t groups_largest(struct groups *groups, size_t *together)
{
    size_t *sizes = memory_new(groups->count, sizeof *sizes), largest = 0, several = 0;
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
