#include "test/enumerated/moves.h"

#include "model/base/allocation.h"

#include <string.h>

struct moves moves_new(int elements)
{
    const size_t pairs = (size_t)PROCESSORS * PROCESSORS;
    return (struct moves){.elements = elements, .moved = memory_new(pairs * (size_t)elements, 1)};
}

void moves_add(struct moves *moves, int to, int from, int element)
{
    unsigned char *moved =
        moves->moved + (size_t)(to * PROCESSORS + from) * (size_t)moves->elements;
    moves->repeated[to][from]++;
    moves->count[to][from] += !moved[element];
    moved[element] = 1;
}

struct pairs moves_pairs(const struct world *it, const int *count)
{
    return (struct pairs){it->processors, PROCESSORS, count};
}

bool moves_same(const struct moves *moves)
{
    const size_t elements = (size_t)moves->elements;
    for (int from = 0; from < PROCESSORS; from++) {
        const unsigned char *first = NULL;
        for (int to = 0; to < PROCESSORS; to++) {
            const unsigned char *moved = moves->moved + (size_t)(to * PROCESSORS + from) * elements;
            if (moves->count[to][from] == 0)
                continue;
            if (first && memcmp(first, moved, elements) != 0)
                return false;
            first = moved;
        }
    }
    return true;
}
