#include "model/base/keyed.h"

#include "model/base/allocation.h"

#include <stdlib.h>

/* Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4). */
static size_t slot_of(const struct keyed *keyed, uint64_t key)
{
    const uint64_t mixed = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(mixed >> 32) & (2 * keyed->room - 1);
    while (keyed->slots[slot] && keyed->sums[keyed->slots[slot] - 1].key != key)
        slot = (slot + 1) & (2 * keyed->room - 1);
    return slot;
}

/* Twice as many slots as keys, both powers of two. */
static void grow(struct keyed *keyed)
{
    keyed->room = keyed->room ? 2 * keyed->room : 64;
    keyed->sums = memory_grow(keyed->sums, keyed->room, sizeof *keyed->sums);
    free(keyed->slots);
    keyed->slots = memory_new(2 * keyed->room, sizeof *keyed->slots);
    for (size_t i = 0; i < keyed->count; i++)
        keyed->slots[slot_of(keyed, keyed->sums[i].key)] = (uint32_t)i + 1;
}

bool keyed_add(struct keyed *keyed, uint64_t key, double more)
{
    if (keyed->count == keyed->room)
        grow(keyed);
    const size_t slot = slot_of(keyed, key);
    if (keyed->slots[slot]) {
        keyed->sums[keyed->slots[slot] - 1].sum += more;
        return false;
    }
    keyed->sums[keyed->count++] = (struct keyed_sum){key, more};
    keyed->slots[slot] = (uint32_t)keyed->count;
    return true;
}

void keyed_free(struct keyed *keyed)
{
    free(keyed->sums);
    free(keyed->slots);
    *keyed = (struct keyed){0};
}

/* 32 MB of bits, of which only those are touched that are set. */
static const double bits_most = 0x1p28;

struct number_set number_set_new(double universe)
{
    struct number_set set = {NULL, {0}};
    if (universe <= bits_most)
        set.bits = memory_new((size_t)universe / 64 + 1, sizeof *set.bits);
    return set;
}

void number_set_free(struct number_set *set)
{
    free(set->bits);
    keyed_free(&set->keys);
}
