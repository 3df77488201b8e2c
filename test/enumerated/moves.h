/* Which elements go from which processor to which. */
#ifndef TEST_ENUMERATED_MOVES_H
#define TEST_ENUMERATED_MOVES_H

#include "test/enumerated/world.h"
#include "test/expected.h"

/* Elements that go from processor to processor; a message's loops outside at one value. */
struct moves {
    int elements;
    unsigned char *moved;                 /* owned; [to][from][element] */
    int count[PROCESSORS][PROCESSORS];    /* of different ones */
    int repeated[PROCESSORS][PROCESSORS]; /* of each iteration's own */
};

struct moves moves_new(int elements);

void moves_add(struct moves *moves, int to, int from, int element);

/* One of its two tables of counts, of the processors that there are. */
struct pairs moves_pairs(const struct world *it, const int *count);

/* Whether each source sends the same to all to which it sends anything. */
bool moves_same(const struct moves *moves);

#endif
