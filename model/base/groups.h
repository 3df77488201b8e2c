/* Processors that exchange anything with one another, directly or through others: disjoint groups.
 */
#ifndef MODEL_BASE_GROUPS_H
#define MODEL_BASE_GROUPS_H

#include <stddef.h>
#include <stdint.h>

struct groups {
    size_t count, room, disjoint; /* of members; of groups, singles included */
    uint32_t *parents;            /* owned */
};

/* count groups of one; less than 2^32. */
struct groups groups_new(size_t count);

/* One more member, the last one, in a group of its own. */
void groups_add(struct groups *groups);

/* Makes one group of those of two members. */
void groups_join(struct groups *groups, size_t a, size_t b);

/* The member that stands for the group. */
size_t groups_of(struct groups *groups, size_t member);

/* How many members the largest group has; into *together, if not NULL, how many have company. */
size_t groups_largest(struct groups *groups, size_t *together);

void groups_free(struct groups *groups);

#endif
