/* Sums by key: a hash table that only grows. Keys are numbers of any size that 64 bits hold. */
#ifndef MODEL_BASE_KEYED_H
#define MODEL_BASE_KEYED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyed_sum {
    uint64_t key;
    double sum;
};

/* Zeroed = empty. */
struct keyed {
    size_t count, room;
    struct keyed_sum *sums; /* in the order in which keys came; owned */
    uint32_t *slots;        /* number + 1 in sums; 0: free; owned */
};

enum { KEYED_MOST = 5000000 };

/* Adds to the sum of the key; returns whether it is a new one. Not more than KEYED_MOST keys. */
bool keyed_add(struct keyed *keyed, uint64_t key, double more);

void keyed_free(struct keyed *keyed);

/* A set of numbers below `universe`: bits where that is small, else keys. */
struct number_set {
    uint64_t *bits; /* NULL: keys; owned */
    struct keyed keys;
};

struct number_set number_set_new(double universe);

/* Returns whether the number was not in the set; now it is. */
static inline bool number_set_add(struct number_set *set, uint64_t number)
{
    if (!set->bits)
        return keyed_add(&set->keys, number, 0.0);
    uint64_t *word = &set->bits[number / 64];
    const uint64_t bit = UINT64_C(1) << number % 64;
    const bool is_new = !(*word & bit);
    *word |= bit;
    return is_new;
}

void number_set_free(struct number_set *set);

#endif
