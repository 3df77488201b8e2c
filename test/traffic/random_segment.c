#include "test/traffic/random_segment.h"
#include "test/draw.h"

#include <stdio.h>

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

static void random_loops(gsl_rng *random, struct case_of *it)
{
    it->grid_count = draw_between(random, 1, RANK);
    it->turns = draw_chance(random, 25) ? draw_between(random, 2, 4) : 0;
    it->less = it->turns ? draw_between(random, 0, 1) : 0;
    it->loop_count = draw_between(random, 1, RANK);
    it->processors = 1;
    for (int g = 0; g < it->grid_count; g++) {
        it->grid[g] = draw_between(random, 1, least_of(6, PROCESSORS / it->processors));
        it->processors *= it->grid[g];
    }
    for (int l = 0; l < it->loop_count; l++) {
        it->first[l] = draw_between(random, 0, 2);
        it->last[l] = it->first[l] + draw_between(random, it->less ? it->turns : 0, 6);
    }
}

/* The extreme values of a subscript without its constant. */
static void ends_of(const struct case_of *it, const struct index *index, int *least, int *most)
{
    *least = *most = 0;
    if (index->loop < 0)
        return;
    const int a = index->coefficient * it->first[index->loop];
    const int b = index->coefficient * it->last[index->loop];
    *least = a < b ? a : b;
    *most = a < b ? b : a;
    if (index->second >= 0) {
        *least += it->first[index->second];
        *most += it->last[index->second];
    }
}

int turns_of(const struct case_of *it)
{
    return it->turns ? it->turns : 1;
}

/* Constants and an extent that keep all elements inside. */
static void fit(gsl_rng *random, const struct case_of *it, struct operand *operand, int d,
                int spread)
{
    int least, most;
    ends_of(it, &operand->index[d], &least, &most);
    for (int k = 0; k < READS; k++)
        operand->index[d].constants[k] = draw_between(random, 0, spread) - least;
    operand->extent[d] = most - least + spread + 1 + draw_between(random, 0, 2);
    operand->index[d].turn = it->turns ? draw_between(random, 0, 1) : 0;
    operand->extent[d] += turns_of(it) - 1;
}

/* Every loop in one subscript at most. */
static void random_subscripts(gsl_rng *random, const struct case_of *it, struct operand *operand)
{
    int loops[RANK] = {0, 1, 2}, next = 0;
    draw_order(random, loops, RANK);
    operand->rank = draw_between(random, 1, RANK);
    for (int d = 0; d < operand->rank; d++) {
        struct index *index = &operand->index[d];
        *index = (struct index){.loop = -1, .second = -1};
        while (next < RANK && loops[next] >= it->loop_count)
            next++;
        if (next < RANK && draw_chance(random, 85)) {
            index->loop = loops[next++];
            index->coefficient = draw_chance(random, 80) ? 1 : draw_chance(random, 60) ? -1 : 2;
        }
        fit(random, it, operand, d, 2);
    }
}

static void random_distribution(gsl_rng *random, const struct case_of *it, struct operand *operand)
{
    bool used[RANK] = {false};
    for (int d = 0; d < operand->rank; d++) {
        const int g = draw_between(random, 0, it->grid_count - 1), n = operand->extent[d];
        const int share = (n + it->grid[g] - 1) / it->grid[g];
        operand->grid[d] = -1;
        operand->block[d] = n;
        operand->cyclic[d] = draw_chance(random, 50);
        if (used[g] || draw_chance(random, 20))
            continue;
        used[g] = true;
        operand->grid[d] = g;
        operand->block[d] =
            operand->cyclic[d] ? draw_between(random, 1, 3) : share + draw_chance(random, 30);
    }
}

/* The data lie as the home does; the reads are a star (one offset each) or fill a box. */
static void make_stencil(gsl_rng *random, struct case_of *it)
{
    int offsets[READS][RANK] = {{0}};
    it->data = it->home;
    const bool box = it->home.rank >= 2 && draw_chance(random, 40);
    it->read_count = box ? 4 : draw_between(random, 1, READS);
    const int a = draw_between(random, -3, 3), b = draw_between(random, -3, 3);
    const int c = draw_between(random, -3, 3), d = draw_between(random, -3, 3);
    for (int k = 0; k < it->read_count; k++) {
        offsets[k][box ? 0 : draw_between(random, 0, it->home.rank - 1)] =
            box ? (k & 1 ? a : b) : draw_between(random, -3, 3);
        if (box)
            offsets[k][1] = k & 2 ? c : d;
    }
    for (int dim = 0; dim < it->home.rank; dim++) {
        it->home.index[dim].constants[0] += 3;
        it->home.extent[dim] += 6;
        it->data.extent[dim] = it->home.extent[dim];
        for (int k = 0; k < READS; k++)
            it->data.index[dim].constants[k] = it->home.index[dim].constants[0] + offsets[k][dim];
    }
    random_distribution(random, it, &it->home);
    for (int dim = 0; dim < it->home.rank; dim++) {
        it->data.grid[dim] = it->home.grid[dim];
        it->data.block[dim] = it->home.block[dim];
        it->data.cyclic[dim] = it->home.cyclic[dim];
    }
}

static void couple(gsl_rng *random, struct case_of *it)
{
    struct index *index = &it->data.index[draw_between(random, 0, it->data.rank - 1)];
    const int second = draw_between(random, 0, it->loop_count - 1);
    if (index->loop < 0 || index->loop == second)
        return;
    it->coupled = true;
    index->second = second;
    fit(random, it, &it->data, (int)(index - it->data.index), 2);
    random_distribution(random, it, &it->data);
}

struct case_of random_case(gsl_rng *random)
{
    struct case_of it = {0};
    random_loops(random, &it);
    random_subscripts(random, &it, &it.home);
    if (draw_chance(random, 35)) {
        make_stencil(random, &it);
        return it;
    }
    random_subscripts(random, &it, &it.data);
    it.read_count = draw_chance(random, 60) ? 1 : draw_between(random, 2, READS);
    random_distribution(random, &it, &it.home);
    random_distribution(random, &it, &it.data);
    if (draw_chance(random, 15))
        couple(random, &it);
    else if (it.loop_count > 1 && !it.less && draw_chance(random, 10)) {
        it.below = draw_between(random, 1, 3);
        /* A bound that is the same for all values of the first loop makes a box. */
        it.coupled = it.first[0] - it.below < it.last[it.loop_count - 1];
    }
    return it;
}

/* ---- as a description ---- */

static void write_reference(FILE *stream, const char *array, const struct operand *it, int read)
{
    static const char *const names[] = {"i", "j", "k"};
    fprintf(stream, "'%s", array);
    for (int d = 0; d < it->rank; d++) {
        const struct index *index = &it->index[d];
        fprintf(stream, "[");
        if (index->loop >= 0)
            fprintf(stream, "%d * %s + ", index->coefficient, names[index->loop]);
        if (index->second >= 0)
            fprintf(stream, "%s + ", names[index->second]);
        if (index->turn)
            fprintf(stream, "t + ");
        fprintf(stream, "%d]", index->constants[read]);
    }
    fprintf(stream, "'");
}

static void write_distribution(FILE *stream, const char *array, const struct operand *it)
{
    fprintf(stream, "%s: [", array);
    for (int d = 0; d < it->rank; d++) {
        fprintf(stream, "%s", d ? ", " : "");
        if (it->grid[d] < 0)
            fprintf(stream, "'*'");
        else
            fprintf(stream, "%s(%d)@%d", it->cyclic[d] ? "CYCLIC" : "BLOCK", it->block[d],
                    it->grid[d]);
    }
    fprintf(stream, "]");
}

static void write_extent(FILE *stream, const char *array, const struct operand *it)
{
    fprintf(stream, "%s: {extent: [", array);
    for (int d = 0; d < it->rank; d++)
        fprintf(stream, "%s%d", d ? ", " : "", it->extent[d]);
    fprintf(stream, "]}");
}

/* Every element that is read is written again after the reads, so that the loop outside carries. */
static void write_all_of_data(FILE *stream, const struct case_of *it)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int d = 0; d < it->data.rank; d++)
        fprintf(stream, "%*s- loop: {%s: [0, %d]}\n%*sbody:\n", 4 + 2 * d, "", names[d],
                it->data.extent[d] - 1, 6 + 2 * d, "");
    fprintf(stream, "%*s- {statement: again, writes: 'b", 4 + 2 * it->data.rank, "");
    for (int d = 0; d < it->data.rank; d++)
        fprintf(stream, "[%s]", names[d]);
    fprintf(stream, "'}\n");
}

void write_description(const struct case_of *it, const char *path)
{
    static const char *const names[] = {"i", "j", "k"};
    FILE *stream = fopen(path, "w");
    fprintf(stream, "forecost-segment: 1\narrays: {");
    write_extent(stream, "a", &it->home);
    fprintf(stream, ", ");
    write_extent(stream, "b", &it->data);
    fprintf(stream, "}\ncandidates: {c: {grid: [");
    for (int g = 0; g < it->grid_count; g++)
        fprintf(stream, "%s%d", g ? ", " : "", it->grid[g]);
    fprintf(stream, "], distribute: {");
    write_distribution(stream, "a", &it->home);
    fprintf(stream, ", ");
    write_distribution(stream, "b", &it->data);
    fprintf(stream, "}}}\nprogram:\n- segment: s\n  body:\n");
    const int outside = it->turns ? 2 : 0;
    if (it->turns)
        fprintf(stream, "  - loop: {t: [0, %d]}\n    body:\n", it->turns - 1);
    for (int l = 0; l < it->loop_count; l++) {
        const int margin = 2 + outside + 2 * l;
        fprintf(stream, "%*s- loop: {%s: [%d, ", margin, "", names[l], it->first[l]);
        if (it->less && l == it->loop_count - 1)
            fprintf(stream, "%d - t]}\n", it->last[l]);
        else if (it->below && l == it->loop_count - 1)
            fprintf(stream, "'min(%d, i - %d)']}\n", it->last[l], it->below);
        else
            fprintf(stream, "%d]}\n", it->last[l]);
        fprintf(stream, "%*sbody:\n", margin + 2, "");
    }
    fprintf(stream, "%*s- {statement: s, writes: ", 2 + outside + 2 * it->loop_count, "");
    write_reference(stream, "a", &it->home, 0);
    fprintf(stream, ", reads: [");
    for (int k = 0; k < it->read_count; k++) {
        fprintf(stream, "%s", k ? ", " : "");
        write_reference(stream, "b", &it->data, k);
    }
    fprintf(stream, "]}\n");
    if (it->turns)
        write_all_of_data(stream, it);
    fclose(stream);
}
