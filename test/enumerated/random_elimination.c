#include "test/enumerated/random_elimination.h"

#include "test/check.h"
#include "test/draw.h"

#include <stdio.h>

/* Rows or columns in blocks long enough for stretches of steps within them, or in rounds of short
   ones. */
static void write_layout(FILE *stream, gsl_rng *random, int *processors)
{
    static const char *const kinds[] = {"BLOCK",     "BLOCK",     "CYCLIC",
                                        "CYCLIC(2)", "CYCLIC(3)", "BLOCK(20)"};
    const char *kind = kinds[draw_between(random, 0, 5)];
    const bool by_rows = draw_between(random, 0, 1);
    *processors = draw_between(random, 2, 5);
    fprintf(stream, "{c: {grid: [%d], distribute: {a: [%s, %s]}}}\n", *processors,
            by_rows ? kind : "'*'", by_rows ? "'*'" : kind);
}

static void write_loop(FILE *stream, gsl_rng *random, char index, int margin)
{
    static const char *const ranges[] = {"k + 1, N - 1", "k + 1, N - 1", "k + 2, N - 1",
                                         "k + 1, N - 1"};
    fprintf(stream, "%*s- loop: {%c: [%s]}\n%*sbody:\n", margin, "", index,
            ranges[draw_between(random, 0, 3)], margin + 2, "");
}

int random_elimination_write(gsl_rng *random, const char *path)
{
    FILE *stream = fopen(path, "w");
    int processors;
    ck_assert_ptr_nonnull(stream);
    fprintf(stream, "forecost-segment: 1\nparameters: {N: %d}\narrays: {a: {extent: [N, N]}}\n",
            draw_between(random, 24, 40));
    fprintf(stream, "candidates: ");
    write_layout(stream, random, &processors);
    fprintf(stream, "program:\n- segment: eliminate\n  body:\n");
    fprintf(stream, "  - loop: {k: [%d, N - %d]}\n    body:\n", draw_between(random, 0, 2),
            draw_between(random, 2, 4));
    write_loop(stream, random, 'i', 4);
    write_loop(stream, random, 'j', 6);
    fprintf(stream, "        - {statement: s, writes: 'a[i][j]', reads: ['a[i][j]', 'a[i][k]', "
                    "'a[k][j]']}\n");
    fclose(stream);
    return processors;
}
