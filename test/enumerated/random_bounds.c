#include "test/enumerated/random_bounds.h"

#include "test/check.h"
#include "test/draw.h"

#include <stdio.h>

#define DRAWN(random, texts)                                                                       \
    (texts)[draw_between((random), 0, (int)(sizeof(texts) / sizeof *(texts)) - 1)]

/* They rise, fall, do both, or jump; some leave the inner loop empty. */
static const char *const firsts[] = {"0", "mod(i, 2)", "max(0, 3 - i)", "abs(i - 5)",
                                     "i < 4 ? 2 : 0"};
static const char *const lasts[] = {
    "min(i, N - 1 - i)", "min(i + 2, N - 1)", "N - 1 - mod(3 * i, 4)",
    "max(i, N - 1 - i)", "i > 7 ? 3 : N - 2", "floor(sqrt(i))",
    "cdiv(i, 2)"};
static const char *const kinds[] = {"BLOCK", "BLOCK", "CYCLIC", "CYCLIC(2)"};
/* Affine, each in its own way. */
static const char *const of_i[] = {"i", "min(i, N)", "mod(i, N)", "N > 3 ? i : j * j"};
static const char *const of_j[] = {"j", "j ^ 1", "floor(j + 0.5)", "2 * j - (j + 0)"};

int random_bounds_write(gsl_rng *random, const char *path)
{
    FILE *stream = fopen(path, "w");
    const int processors = draw_between(random, 2, 5);
    const bool is_matrix = draw_chance(random, 50);
    ck_assert_ptr_nonnull(stream);
    fprintf(
        stream,
        "forecost-segment: 1\nparameters: {N: %d}\n"
        "arrays: {a: {extent: [N, N]}, u: {extent: [N]}, v: {extent: [N]}, w: {extent: [N]}}\n"
        "candidates: {c: {grid: [%d], distribute: {a: [%s, '*'], u: [%s], v: [%s], w: [%s]}}}\n",
        draw_between(random, 9, 24), processors, DRAWN(random, kinds), DRAWN(random, kinds),
        DRAWN(random, kinds), DRAWN(random, kinds));
    fprintf(stream,
            "program:\n- segment: s\n  body:\n  - loop: {i: [0, N - 1]}\n    body:\n"
            "    - loop: {j: ['%s', '%s']}\n      body:\n",
            DRAWN(random, firsts), DRAWN(random, lasts));
    fprintf(stream, "      - {statement: s, writes: '%s', reads: ['v[%s]', 'w[%s]']}\n",
            is_matrix ? "a[i][j]" : "u[i]", DRAWN(random, of_j),
            draw_chance(random, 50) ? DRAWN(random, of_i) : DRAWN(random, of_j));
    fclose(stream);
    return processors;
}
