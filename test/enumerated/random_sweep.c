#include "test/enumerated/random_sweep.h"

#include "test/check.h"
#include "test/draw.h"
#include "test/enumerated/world.h"

#include <stdio.h>

enum { READS_MOST = 3 };

/* whole: which dimensions lie whole on each processor. */
static void write_layout(FILE *stream, gsl_rng *random, const int *extent, int rank, bool *whole,
                         int *processors)
{
    static const int grids[][2] = {
        {2, 1},
        {3, 1},
        {4, 1},
        {2, 2},
        {2, 3},
        {3, 2},
        {4, 3},
        {2, 4}
    };
    int on[RANK] = {0, 1, 2};
    const int *grid = grids[draw_between(random, 0, 7)];
    draw_order(random, on, rank);
    fprintf(stream, "forecost-segment: 1\narrays: {u: {extent: [");
    for (int d = 0; d < rank; d++)
        fprintf(stream, "%s%d", d ? ", " : "", extent[d]);
    fprintf(stream, "]}}\ncandidates: {c: {grid: [%d%s%.0d], distribute: {u: [", grid[0],
            grid[1] > 1 ? ", " : "", grid[1] > 1 ? grid[1] : 0);
    for (int d = 0; d < rank; d++) {
        whole[d] = on[d] == 2 || (on[d] == 1 && grid[1] == 1);
        fprintf(stream, "%s", d ? ", " : "");
        if (whole[d])
            fprintf(stream, "'*'");
        else
            fprintf(stream, "BLOCK@%d", on[d]);
    }
    fprintf(stream, "]}}}\n");
    *processors = grid[0] * grid[1];
}

/* u[i][j-2]: an offset along one dimension, or the same along another. */
static void write_element(FILE *stream, int rank, int along, int other, int offset)
{
    fprintf(stream, "'u");
    for (int d = 0; d < rank; d++) {
        fprintf(stream, "[%c", "ijk"[d]);
        if ((d == along || d == other) && offset)
            fprintf(stream, " %c %d", offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
        fprintf(stream, "]");
    }
    fprintf(stream, "'");
}

/* Reads straight along dimensions; or of a diagonal too, and then nothing else along the first
   dimension: what is read together has the form of a block. */
static void write_statement(FILE *stream, gsl_rng *random, int rank, const bool *whole, int margin)
{
    static const int offsets[] = {-2, -1, -1, -1, 1, 2};
    const int reads = draw_between(random, 1, READS_MOST),
              first = draw_between(random, 0, rank - 1);
    const int other = draw_between(random, 0, rank - 1), far = offsets[draw_between(random, 0, 5)];
    const bool is_diagonal = other != first && whole[other] && draw_between(random, 0, 1);
    fprintf(stream, "%*s- {statement: s, writes: ", margin, "");
    write_element(stream, rank, 0, 0, 0);
    fprintf(stream, ", reads: [");
    write_element(stream, rank, first, first, far);
    if (is_diagonal) {
        fprintf(stream, ", ");
        write_element(stream, rank, first, other, far);
    }
    for (int k = 1; k < reads; k++) {
        const int along = draw_between(random, 0, rank - 1);
        if (is_diagonal && along == first)
            continue;
        fprintf(stream, ", ");
        write_element(stream, rank, along, along, offsets[draw_between(random, 0, 5)]);
    }
    fprintf(stream, "]}\n");
}

int random_sweep_write(gsl_rng *random, const char *path)
{
    FILE *stream = fopen(path, "w");
    int extent[RANK], order[RANK] = {0, 1, 2}, processors, margin = 2;
    bool whole[RANK];
    const int rank = draw_between(random, 2, 3);
    ck_assert_ptr_nonnull(stream);
    for (int d = 0; d < rank; d++)
        extent[d] = draw_between(random, 8, 12);
    write_layout(stream, random, extent, rank, whole, &processors);
    fprintf(stream, "program:\n- segment: sweep\n  body:\n");
    draw_order(random, order, rank);
    for (int l = 0; l < rank; l++, margin += 2)
        fprintf(stream, "%*s- loop: {%c: [2, %d]}\n%*sbody:\n", margin, "", "ijk"[order[l]],
                extent[order[l]] - 3, margin + 2, "");
    write_statement(stream, random, rank, whole, margin);
    fclose(stream);
    return processors;
}
