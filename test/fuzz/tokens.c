#include "test/fuzz/tokens.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    "0",
    "1",
    "-1",
    "2147483647",
    "9223372036854775807",
    "1e300",
    "n",
    "i",
    "j",
    "x",
    "u",
    "N",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
    "!",
    "?",
    ":",
    "=",
    "+=",
    "*=",
    "++",
    "--",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "&",
    "<<",
    ">>",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case 1:",
    "default:",
    "goto out;",
    "out:",
    "return",
    "break",
    "continue",
    "int",
    "double",
    "float",
    "char",
    "static",
    "const",
    "struct s",
    "union",
    "void",
    "sizeof",
    "(int)",
    "i * j",
    "x[i]",
    "x[i - 1]",
    "x[x[0]]",
    "s->x",
    "s.x",
    "&x",
    "*x",
    "x[n][n]",
    "int (*f)(int)",
    "typedef",
    "malloc(n)",
    "sqrt(x)",
    "f(x)",
    "main",
    "argv[1]",
    "\n#pragma forecost segment s\n",
    "\n#pragma forecost probability(0.5)\n",
    "\n#pragma forecost reduction(+: x)\n",
    "\n#pragma forecost gather(x: reach(n))\n",
    "\n#pragma forecost ignore\n",
    "\n#pragma forecost repeat(n)\n",
    "\n#pragma scop\n",
    "\n#pragma endscop\n",
    "\n#pragma forecost cost f(add: 1)\n",
    "\n#define M(x) x x\n",
    "M(x)",
    "\n#include <mpi.h>\n",
    "for (int q = 0; q < 7; q++)",
    "if (i > 3)",
    "while (n > 0)",
    "n / 2",
    "i % 2",
    "MPI_Send(x, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);",
    "MPI_Recv(x, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    "MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"};
enum { WORDS = sizeof words / sizeof *words, TOGETHER = 30 };

/* From where a token begins to behind its end. */
static size_t token_end(const uint8_t *bytes, size_t size, size_t at)
{
    size_t end = at;
    if (end < size && bytes[end] == '#')
        while (end < size && bytes[end] != '\n')
            end++;
    while (end < size && (isalnum(bytes[end]) || bytes[end] == '_' || bytes[end] == '.'))
        end++;
    end += end == at && end < size;
    while (end < size && isspace(bytes[end]))
        end++;
    return end;
}

struct span {
    size_t from, to;
};

/* So many tokens, from one at random on. */
static struct span some(const uint8_t *bytes, size_t size, unsigned *seed, size_t count)
{
    size_t at = 0;
    const size_t about = size ? (size_t)rand_r(seed) % size : 0;
    while (at < size && token_end(bytes, size, at) <= about)
        at = token_end(bytes, size, at);
    size_t end = at;
    for (size_t i = 0; i < count; i++)
        end = token_end(bytes, size, end);
    return (struct span){at, end};
}

/* Bytes of the span give way to others; false: there is no room. */
static bool replace(uint8_t *bytes, size_t *size, size_t room, struct span span, const void *by,
                    size_t length)
{
    const size_t behind = *size - span.to;
    if (span.from + length + behind > room)
        return false;
    memmove(bytes + span.from + length, bytes + span.to, behind);
    memcpy(bytes + span.from, by, length);
    *size = span.from + length + behind;
    return true;
}

static void change(uint8_t *bytes, size_t *size, size_t room, unsigned *seed)
{
    const size_t way = (size_t)rand_r(seed) % 6;
    const char *word = words[(size_t)rand_r(seed) % WORDS];
    const size_t count = way == 0 || way > 2 ? 1 + (size_t)rand_r(seed) % TOGETHER : way;
    struct span here = some(bytes, *size, seed, way == 1 ? 0 : way == 2 ? 1 : count);
    if (way == 0) {
        replace(bytes, size, room, here, "", 0);
    } else if (way <= 2) {
        if (replace(bytes, size, room, here, word, strlen(word)))
            replace(bytes, size, room,
                    (struct span){here.from + strlen(word), here.from + strlen(word)}, " ", 1);
    } else {
        /* A part is put elsewhere as well, or in the place of another. */
        const size_t length = here.to - here.from;
        uint8_t *part = malloc(length + 1);
        if (!part)
            return;
        memcpy(part, bytes + here.from, length);
        const struct span there = some(bytes, *size, seed, way == 3 ? 0 : 1);
        replace(bytes, size, room, way == 5 ? (struct span){here.to, here.to} : there, part,
                length);
        free(part);
    }
}

size_t tokens_change(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    unsigned state = seed;
    for (int left = 1 + rand_r(&state) % 4; left > 0; left--)
        change(bytes, &size, room, &state);
    return size;
}
