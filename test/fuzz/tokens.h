/* Changes of programs, token by token. */
#ifndef TEST_FUZZ_TOKENS_H
#define TEST_FUZZ_TOKENS_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer calls it for changes. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);

/* Drops, repeats, exchanges, inserts or replaces tokens of the text, a few at a time. Returns its
   new size, room at most. The same seed makes the same changes. */
size_t tokens_change(uint8_t *bytes, size_t size, size_t room, unsigned seed);

#endif
