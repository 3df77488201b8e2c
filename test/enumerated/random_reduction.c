#include "test/enumerated/random_reduction.h"

#include "test/check.h"
#include "test/draw.h"
#include "test/enumerated/world.h"

#include <stdbool.h>
#include <stdio.h>

enum { LOOPS = 4 }; /* the last one is the loop outside */

static const char *const names[LOOPS] = {"i", "j", "k", "t"};

struct case_of {
    int grid_count, grid[2], processors;
    int loop_count, first[LOOPS], last[LOOPS];
    bool outside; /* there is a loop outside */
    bool less;    /* the innermost loop ends the earlier the later the loop outside is */
    enum { READ_NEVER, READ_BEFORE, READ_AFTER } read;
    struct operand {
        int rank, loops[RANK]; /* which index each dimension has; -1: none */
    } home, result;
};

/* Each loop in one dimension or in none. */
static struct operand random_operand(gsl_rng *random, const struct case_of *it, int percent)
{
    struct operand operand = {.rank = 0};
    int loops[LOOPS] = {0, 1, 2, 3};
    draw_order(random, loops, LOOPS);
    for (int k = 0; k < LOOPS && operand.rank < RANK; k++) {
        const bool is = loops[k] < it->loop_count || (loops[k] == LOOPS - 1 && it->outside);
        if (is && draw_chance(random, percent))
            operand.loops[operand.rank++] = loops[k];
    }
    if (operand.rank == 0)
        operand.loops[operand.rank++] = -1;
    return operand;
}

static bool names_loop(const struct operand *operand, int loop)
{
    for (int d = 0; d < operand->rank; d++)
        if (operand->loops[d] == loop)
            return true;
    return false;
}

static struct case_of random_case(gsl_rng *random)
{
    struct case_of it = {.grid_count = draw_between(random, 1, 2), .processors = 1};
    for (int g = 0; g < it.grid_count; g++)
        it.processors *= it.grid[g] = draw_between(random, 1, 4);
    it.loop_count = draw_between(random, 2, 3);
    it.outside = draw_chance(random, 75);
    for (int l = 0; l < LOOPS; l++) {
        it.first[l] = draw_between(random, 0, 1);
        it.last[l] =
            it.first[l] + draw_between(random, l == LOOPS - 1 ? 1 : 3, l == LOOPS - 1 ? 3 : 6);
    }
    it.less = it.outside && draw_chance(random, 30);
    it.read = it.outside ? draw_between(random, READ_NEVER, READ_AFTER) : READ_NEVER;
    it.home = random_operand(random, &it, 85);
    it.result = random_operand(random, &it, 45);
    /* Otherwise other processors contribute to one result than to another. */
    it.less &= it.read == READ_AFTER ||
               (names_loop(&it.result, it.loop_count - 1) && names_loop(&it.result, LOOPS - 1));
    return it;
}

static void write_reference(FILE *stream, const char *array, const struct operand *it)
{
    fprintf(stream, "'%s", array);
    for (int d = 0; d < it->rank; d++)
        fprintf(stream, "[%s]", it->loops[d] < 0 ? "0" : names[it->loops[d]]);
    fprintf(stream, "'");
}

static int extent_of(const struct case_of *it, const struct operand *operand, int d)
{
    return operand->loops[d] < 0 ? 1 : it->last[operand->loops[d]] + 1;
}

static void write_extent(FILE *stream, const struct case_of *it, const char *array,
                         const struct operand *operand)
{
    fprintf(stream, "  %s: {extent: [", array);
    for (int d = 0; d < operand->rank; d++)
        fprintf(stream, "%s%d", d ? ", " : "", extent_of(it, operand, d));
    fprintf(stream, "]}\n");
}

static void write_distribution(FILE *stream, gsl_rng *random, const struct case_of *it,
                               const char *array, const struct operand *operand)
{
    bool used[2] = {false, false};
    fprintf(stream, "%s: [", array);
    for (int d = 0; d < operand->rank; d++) {
        const int g = draw_between(random, 0, it->grid_count - 1);
        const bool cyclic = draw_chance(random, 50);
        fprintf(stream, "%s", d ? ", " : "");
        if (used[g] || draw_chance(random, 20))
            fprintf(stream, "'*'");
        else if (cyclic)
            fprintf(stream, "CYCLIC(%d)@%d", draw_between(random, 1, 3), g);
        else
            fprintf(stream, "BLOCK@%d", g);
        used[g] = true;
    }
    fprintf(stream, "]");
}

/* Opens a nest of the loops marked; returns the margin of what stands within. */
static int write_loops(FILE *stream, const struct case_of *it, const bool *loops, int margin)
{
    for (int l = 0; l < it->loop_count; l++) {
        if (!loops[l])
            continue;
        fprintf(stream, "%*s- loop: {%s: [%d, '%d%s']}\n%*sbody:\n", margin, "", names[l],
                it->first[l], it->last[l], it->less && l == it->loop_count - 1 ? " - t" : "",
                margin + 2, "");
        margin += 2;
    }
    return margin;
}

static void write_sum(FILE *stream, const struct case_of *it, int margin)
{
    const bool all[LOOPS] = {true, true, true, true};
    margin = write_loops(stream, it, all, margin);
    fprintf(stream, "%*s- {statement: sum, reduce: sum, writes: ", margin, "");
    write_reference(stream, "s", &it->result);
    fprintf(stream, ", reads: [");
    write_reference(stream, "a", &it->home);
    fprintf(stream, "]}\n");
}

/* Reads the results where they lie, so that nothing but the reduction is sent for them. */
static void write_use(FILE *stream, const struct case_of *it, int margin)
{
    bool of_result[LOOPS] = {false};
    for (int d = 0; d < it->result.rank; d++)
        if (it->result.loops[d] >= 0)
            of_result[it->result.loops[d]] = true;
    margin = write_loops(stream, it, of_result, margin);
    fprintf(stream, "%*s- {statement: use, writes: ", margin, "");
    write_reference(stream, "r", &it->result);
    fprintf(stream, ", reads: [");
    write_reference(stream, "s", &it->result);
    fprintf(stream, "]}\n");
}

static void write_program(FILE *stream, const struct case_of *it)
{
    int margin = 2;
    fprintf(stream, "program:\n- segment: reduces\n  body:\n");
    if (it->outside) {
        fprintf(stream, "  - loop: {t: [%d, %d]}\n    body:\n", it->first[LOOPS - 1],
                it->last[LOOPS - 1]);
        margin = 4;
    }
    if (it->read == READ_BEFORE)
        write_use(stream, it, margin);
    write_sum(stream, it, margin);
    if (it->read == READ_AFTER)
        write_use(stream, it, margin);
}

int random_reduction_write(gsl_rng *random, const char *path)
{
    const struct case_of it = random_case(random);
    FILE *stream = fopen(path, "w");
    ck_assert_ptr_nonnull(stream);
    fprintf(stream, "forecost-segment: 1\narrays:\n");
    write_extent(stream, &it, "a", &it.home);
    write_extent(stream, &it, "s", &it.result);
    write_extent(stream, &it, "r", &it.result);
    fprintf(stream, "candidates: {c: {grid: [");
    for (int g = 0; g < it.grid_count; g++)
        fprintf(stream, "%s%d", g ? ", " : "", it.grid[g]);
    fprintf(stream, "], distribute: {");
    write_distribution(stream, random, &it, "a", &it.home);
    fprintf(stream, ", ");
    write_distribution(stream, random, &it, "s", &it.result);
    fprintf(stream, "}}}\n");
    write_program(stream, &it);
    fclose(stream);
    return it.processors;
}
