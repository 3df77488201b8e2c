/* Numbers by key, where a key is several words of 64 bits: a hash table that only grows. The first
   key is number 0, the next one 1. */
#ifndef MODEL_BASE_LOOKUP_H
#define MODEL_BASE_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed = empty. */
struct lookup {
    size_t count, room; /* of keys */
    struct lookup_key {
        size_t first, count; /* of words */
        uint64_t hash;
    } * keys;                     /* owned */
    size_t word_count, word_room; /* of all keys */
    uint64_t *words;              /* owned */
    uint32_t *slots;              /* number + 1; 0: free; owned */
};

/* The number of the key; lookup->count before the call where it is a new one. Fewer than 2^31 keys.
   words: so many times 8 bytes of anything, compared bit by bit. */
size_t lookup_add(struct lookup *lookup, const void *words, size_t count);

/* Makes it empty. */
void lookup_free(struct lookup *lookup);

#endif
