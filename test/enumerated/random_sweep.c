#include "test/enumerated/random_sweep.h"

#include "test/draw.h"
#include "test/enumerated/world.h"

#include <check.h>
#include <stdio.h>

enum { READS_MOST = 3 };

static void write_layout(FILE *stream, gsl_rng *random, const int *extent, int rank,
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
        fprintf(stream, "%s", d ? ", " : "");
        if (on[d] == 2 || (on[d] == 1 && grid[1] == 1))
            fprintf(stream, "'*'");
        else
            fprintf(stream, "BLOCK@%d", on[d]);
    }
    fprintf(stream, "]}}}\n");
    *processors = grid[0] * grid[1];
}

/* u[i][j-2]: an offset along one dimension. */
static void write_element(FILE *stream, int rank, int along, int offset)
{
    fprintf(stream, "'u");
    for (int d = 0; d < rank; d++) {
        fprintf(stream, "[%c", "ijk"[d]);
        if (d == along && offset)
            fprintf(stream, " %c %d", offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
        fprintf(stream, "]");
    }
    fprintf(stream, "'");
}

static void write_statement(FILE *stream, gsl_rng *random, int rank, int margin)
{
    static const int offsets[] = {-2, -1, -1, -1, 1, 2};
    const int reads = draw_between(random, 1, READS_MOST);
    fprintf(stream, "%*s- {statement: s, writes: ", margin, "");
    write_element(stream, rank, 0, 0);
    fprintf(stream, ", reads: [");
    for (int k = 0; k < reads; k++) {
        fprintf(stream, "%s", k ? ", " : "");
        write_element(stream, rank, draw_between(random, 0, rank - 1),
                      offsets[draw_between(random, 0, 5)]);
    }
    fprintf(stream, "]}\n");
}

int random_sweep_write(gsl_rng *random, const char *path)
{
    FILE *stream = fopen(path, "w");
    int extent[RANK], order[RANK] = {0, 1, 2}, processors, margin = 2;
    const int rank = draw_between(random, 2, 3);
    ck_assert_ptr_nonnull(stream);
    for (int d = 0; d < rank; d++)
        extent[d] = draw_between(random, 8, 12);
    write_layout(stream, random, extent, rank, &processors);
    fprintf(stream, "program:\n- segment: sweep\n  body:\n");
    draw_order(random, order, rank);
    for (int l = 0; l < rank; l++, margin += 2)
        fprintf(stream, "%*s- loop: {%c: [2, %d]}\n%*sbody:\n", margin, "", "ijk"[order[l]],
                extent[order[l]] - 3, margin + 2, "");
    write_statement(stream, random, rank, margin);
    fclose(stream);
    return processors;
}
