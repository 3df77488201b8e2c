#include "test/enumerated/random_pieces.h"

#include "test/check.h"
#include "test/draw.h"

#include <stdio.h>

#define DRAWN(random, texts)                                                                       \
    (texts)[draw_between((random), 0, (int)(sizeof(texts) / sizeof *(texts)) - 1)]

static const char *const kinds[] = {"BLOCK", "BLOCK", "BLOCK", "CYCLIC", "CYCLIC(2)"};
/* A loop that is split, its ends peeled off, or a triangle. */
static const char *const ranges[] = {"1, M - 1", "M, N - 2",     "1, 1",     "N - 2, N - 2",
                                     "2, N - 3", "1, N - M - 1", "1, N - 2", "N - M, N - 2"};
static const char *const inner[] = {"0, i - 1", "i + 1, N - 1", "0, M - 1", "M, N - 1"};
static const char *const written[] = {"u[i]", "u[i]", "w[i]", "w[N - 1 - i]", "w[i + 1]"};
static const char *const read[] = {"v[i]", "v[i]", "x[i]", "v[i]", "u[i]"};

static void write_statement(FILE *stream, gsl_rng *random, int margin)
{
    fprintf(stream, "%*s- {statement: s, writes: '%s', reads: ['%s'%s]}\n", margin, "",
            DRAWN(random, written), DRAWN(random, read), draw_chance(random, 30) ? ", 'x[i]'" : "");
}

static void write_piece(FILE *stream, gsl_rng *random, int margin)
{
    fprintf(stream, "%*s- loop: {i: [%s]}\n%*s  body:\n", margin, "", DRAWN(random, ranges), margin,
            "");
    for (int i = draw_between(random, 1, 2); i > 0; i--) {
        const bool is_deep = draw_chance(random, 50);
        if (is_deep)
            fprintf(stream, "%*s- loop: {j: [%s]}\n%*s  body:\n", margin + 2, "",
                    DRAWN(random, inner), margin + 2, "");
        if (is_deep)
            fprintf(stream, "%*s- {statement: s, writes: 'a[i][j]', reads: ['b[i][j]']}\n",
                    margin + 4, "");
        else
            write_statement(stream, random, margin + 2);
    }
}

int random_pieces_write(gsl_rng *random, const char *path)
{
    FILE *stream = fopen(path, "w");
    const int processors = draw_between(random, 2, 6), elements = draw_between(random, 9, 24);
    const char *kind = DRAWN(random, kinds);
    const bool is_repeated = draw_chance(random, 40);
    ck_assert_ptr_nonnull(stream);
    fprintf(stream,
            "forecost-segment: 1\nparameters: {N: %d, M: %d}\n"
            "arrays: {a: {extent: [N, N]}, b: {extent: [N, N]}, u: {extent: [N]}, "
            "v: {extent: [N]}, w: {extent: [N]}, x: {extent: [N]}}\n"
            "candidates: {c: {grid: [%d], distribute: {a: [%s, '*'], b: [%s, '*'], u: [%s], "
            "v: [%s], w: [%s], x: [%s]}}}\n",
            elements, draw_between(random, 3, elements - 4), processors, kind, kind, kind, kind,
            kind, draw_chance(random, 50) ? kind : DRAWN(random, kinds));
    fprintf(stream, "program:\n- segment: s\n  body:\n");
    if (is_repeated)
        fprintf(stream, "  - loop: {t: [1, 3]}\n    body:\n");
    for (int i = draw_between(random, 2, 3); i > 0; i--)
        write_piece(stream, random, is_repeated ? 4 : 2);
    fclose(stream);
    return processors;
}
