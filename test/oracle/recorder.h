/* What instrumented programs of the oracle call: tokens of statements, elements and scalars,
   written to a file at the end. Elements are named by the array in memory that they lie in, so that
   pointers may be exchanged. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TOKEN_STATEMENT,
    TOKEN_READ,
    TOKEN_WRITE,
    TOKEN_READ_SCALAR,
    TOKEN_WRITE_SCALAR,
    TOKEN_NEST,
    ARRAYS_MOST = 16,
    TOKENS_MOST = 4000000
};

static struct {
    const char *begin, *end;
    int size;
} arrays_[ARRAYS_MOST];
static int array_count_;
static int32_t *tokens_;
static size_t token_count_;

static void token_(int kind, int value)
{
    if (!tokens_)
        tokens_ = malloc(TOKENS_MOST * sizeof *tokens_);
    if (token_count_ == TOKENS_MOST) {
        fputs("too long\n", stderr);
        exit(3);
    }
    tokens_[token_count_++] = (int32_t)((uint32_t)kind << 28 | (uint32_t)value);
}

static void array_(const void *memory, size_t bytes, int size)
{
    arrays_[array_count_].begin = memory;
    arrays_[array_count_].end = (const char *)memory + bytes;
    arrays_[array_count_++].size = size;
}

static void element_(int kind, const void *where)
{
    const char *at = where;
    for (int i = 0; i < array_count_; i++)
        if (at >= arrays_[i].begin && at < arrays_[i].end) {
            token_(kind, i << 20 | (int)((at - arrays_[i].begin) / arrays_[i].size));
            return;
        }
    fputs("outside all arrays\n", stderr);
    exit(4);
}

#define B_(statement) token_(TOKEN_STATEMENT, statement)
#define R_(where) element_(TOKEN_READ, where)
#define W_(where) element_(TOKEN_WRITE, where)
#define RS_(scalar) token_(TOKEN_READ_SCALAR, scalar)
#define WS_(scalar) token_(TOKEN_WRITE_SCALAR, scalar)
#define N_(nest) token_(TOKEN_NEST, nest)

static void recorded_(const char *file)
{
    FILE *stream = fopen(file, "wb");
    fwrite(tokens_, sizeof *tokens_, token_count_, stream);
    fclose(stream);
    token_count_ = 0;
    array_count_ = 0;
}
