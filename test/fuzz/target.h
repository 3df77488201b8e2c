/* A fuzz target: one reader, given bytes that may be anything. libFuzzer calls it with inputs of
   its own making, replay.c with files. What it promises beyond not crashing it checks with REQUIRE.
 */
#ifndef TEST_FUZZ_TARGET_H
#define TEST_FUZZ_TARGET_H

#include "model/base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The name is libFuzzer's. Always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Bytes as a file without a name in any folder, for readers that take a path. */
struct input {
    int descriptor;
    char path[32];
};

struct input input_open(const void *bytes, size_t size);
void input_close(const struct input *input);

/* What every refusal is: one line that says something. */
void require_message(const struct error *error);

#endif
