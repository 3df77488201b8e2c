#include "model/base/lookup.h"

#include "model/base/allocation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4), of one word
   after the other. */
static uint64_t hash_of(const unsigned char *words, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, words + i * sizeof word, sizeof word);
        hash = (hash ^ word ^ word >> 32) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_key(const struct lookup *lookup, size_t number, uint64_t hash, const void *words,
                   size_t count)
{
    const struct lookup_key *key = &lookup->keys[number];
    return key->hash == hash && key->count == count &&
           memcmp(lookup->words + key->first, words, count * sizeof *lookup->words) == 0;
}

/* Twice as many slots as keys, both powers of two. */
static void grow(struct lookup *lookup)
{
    lookup->room = lookup->room ? 2 * lookup->room : 64;
    lookup->keys = memory_grow(lookup->keys, lookup->room, sizeof *lookup->keys);
    free(lookup->slots);
    lookup->slots = memory_new(2 * lookup->room, sizeof *lookup->slots);
    const size_t mask = 2 * lookup->room - 1;
    for (size_t i = 0; i < lookup->count; i++) {
        size_t slot = (size_t)lookup->keys[i].hash & mask;
        while (lookup->slots[slot])
            slot = (slot + 1) & mask;
        lookup->slots[slot] = (uint32_t)i + 1;
    }
}

static size_t keep_words(struct lookup *lookup, const void *words, size_t count)
{
    const size_t first = lookup->word_count;
    if (first + count > lookup->word_room) {
        lookup->word_room = 2 * (first + count);
        lookup->words = memory_grow(lookup->words, lookup->word_room, sizeof *lookup->words);
    }
    if (count > 0)
        memcpy(lookup->words + first, words, count * sizeof *lookup->words);
    lookup->word_count += count;
    return first;
}

size_t lookup_add(struct lookup *lookup, const void *words, size_t count)
{
    if (lookup->count == lookup->room)
        grow(lookup);
    const uint64_t hash = hash_of(words, count);
    const size_t mask = 2 * lookup->room - 1;
    size_t slot = (size_t)hash & mask;
    while (lookup->slots[slot] && !is_key(lookup, lookup->slots[slot] - 1, hash, words, count))
        slot = (slot + 1) & mask;
    if (lookup->slots[slot])
        return lookup->slots[slot] - 1;
    lookup->keys[lookup->count] =
        (struct lookup_key){keep_words(lookup, words, count), count, hash};
    lookup->slots[slot] = (uint32_t)++lookup->count;
    return lookup->count - 1;
}

void lookup_free(struct lookup *lookup)
{
    free(lookup->keys);
    free(lookup->words);
    free(lookup->slots);
    *lookup = (struct lookup){0};
}
