#include "test/enumerated/random_split.h"

#include "test/check.h"
#include "test/draw.h"

#include <stdio.h>

#define DRAWN(random, texts)                                                                       \
    (texts)[draw_between((random), 0, (int)(sizeof(texts) / sizeof *(texts)) - 1)]

static const char *const kinds[] = {"BLOCK", "BLOCK", "BLOCK", "CYCLIC", "CYCLIC(3)"};

enum { READS_MOST_DRAWN = 3, REACH = 2 };

struct split {
    const char *kind[2];
    int grid[2], elements, stride[2], reads, offset[READS_MOST_DRAWN][2];
    int first[2], last[2]; /* of i and j */
    bool is_repeated;
};

static FILE *begin(const struct split *it, const char *path)
{
    FILE *stream = fopen(path, "w");
    ck_assert_ptr_nonnull(stream);
    fprintf(stream,
            "forecost-segment: 1\narrays: {u: {extent: [%d, %d]}, v: {extent: [%d, %d]}}\n"
            "candidates: {c: {grid: [%d, %d], distribute: {u: [%s, %s], v: [%s, %s]}}}\n"
            "program:\n- segment: s\n  body:\n",
            it->elements, it->elements, it->elements, it->elements, it->grid[0], it->grid[1],
            it->kind[0], it->kind[1], it->kind[0], it->kind[1]);
    if (it->is_repeated)
        fprintf(stream,
                "  - loop: {t: [1, 3]}\n    body:\n    - {statement: b, writes: 'u[%d][%d]'}\n",
                it->elements - 1, it->elements - 1);
    return stream;
}

/* tile: so many values of i a tile, a loop of tiles about it; 0: none. */
static void write_box(FILE *stream, const struct split *it, const int *first, const int *last,
                      int tile)
{
    int margin = it->is_repeated ? 4 : 2;
    if (tile > 0) {
        fprintf(stream, "%*s- loop: {ii: [0, %d]}\n%*s  body:\n", margin, "",
                (last[0] - first[0] + 1) / tile - 1, margin, "");
        margin += 2;
    }
    if (tile > 0)
        fprintf(stream, "%*s- loop: {i: [%d*ii+%d, %d*ii+%d]}\n%*s  body:\n", margin, "", tile,
                first[0], tile, first[0] + tile - 1, margin, "");
    else
        fprintf(stream, "%*s- loop: {i: [%d, %d]}\n%*s  body:\n", margin, "", first[0], last[0],
                margin, "");
    fprintf(stream, "%*s- loop: {j: [%d, %d]}\n%*s  body:\n", margin + 2, "", first[1], last[1],
            margin + 2, "");
    fprintf(stream, "%*s- {statement: s, writes: 'v[%d*i+%d][%d*j+%d]', reads: [", margin + 4, "",
            it->stride[0], REACH, it->stride[1], REACH);
    for (int k = 0; k < it->reads; k++)
        fprintf(stream, "%s'u[%d*i+%d][%d*j+%d]'", k ? ", " : "", it->stride[0],
                REACH + it->offset[k][0], it->stride[1], REACH + it->offset[k][1]);
    fprintf(stream, "]}\n");
}

int random_split_write(gsl_rng *random, const char *whole, const char *split)
{
    struct split it = {.elements = draw_between(random, 12, 26),
                       .reads = draw_between(random, 1, READS_MOST_DRAWN),
                       .is_repeated = draw_chance(random, 40)};
    const bool is_line = draw_chance(random, 50); /* of processors */
    it.grid[0] = draw_between(random, 2, 4);
    it.grid[1] = is_line ? 1 : draw_between(random, 2, 3);
    for (int d = 0; d < 2; d++) {
        it.kind[d] = d == 1 && is_line ? "BLOCK" : DRAWN(random, kinds);
        it.stride[d] = draw_chance(random, 75) ? 1 : 2;
        it.first[d] = draw_between(random, 0, 1);
        it.last[d] = (it.elements - 1 - 2 * REACH) / it.stride[d] - draw_between(random, 0, 1);
    }
    for (int k = 0; k < it.reads;
         k++) /* straight along one dimension: nothing goes round corners */
        it.offset[k][draw_between(random, 0, 1)] = draw_between(random, -REACH, REACH);
    FILE *stream = begin(&it, whole);
    write_box(stream, &it, it.first, it.last, 0);
    fclose(stream);
    stream = begin(&it, split);
    const int d = draw_between(random, 0, 1);
    for (int first = it.first[d]; first <= it.last[d];) {
        int from[2] = {it.first[0], it.first[1]}, to[2] = {it.last[0], it.last[1]};
        from[d] = first;
        to[d] = draw_chance(random, 30) ? first : draw_between(random, first, it.last[d]);
        if (first > it.first[d] && draw_chance(random, 50))
            to[d] = it.last[d];
        const int tile = d == 0 && draw_chance(random, 30) ? draw_between(random, 2, 4) : 0;
        const int tiled = tile > 0 ? (to[0] - from[0] + 1) / tile * tile : 0;
        if (tiled > 0)
            write_box(stream, &it, from, (int[]){from[0] + tiled - 1, to[1]}, tile);
        from[0] += tiled;
        if (from[0] <= to[0])
            write_box(stream, &it, from, to, 0);
        first = to[d] + 1;
    }
    fclose(stream);
    return it.grid[0] * it.grid[1];
}
