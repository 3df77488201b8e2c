/* Halos that are exchanged once for several repetitions, against enumeration: what each processor
   must compute so that the next repetition has what it reads, step by step backwards from what it
   owns, and who has what the first of them reads; for hundreds of random small stencils. */
#include "test/derived.h"
#include "test/draw.h"
#include "test/expected.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANK = 3, READS = 4, PROCESSORS = 12, SIDE = 14, POINTS = SIDE * SIDE };

struct stencil {
    int rank, n[RANK], first[RANK], last[RANK], reach[RANK];
    int grid_count, grid[RANK], on[RANK]; /* on: the grid dimension, -1: none */
    int processors, points;
    int reads, offsets[READS][RANK];
    int repeat, sweeps;
    bool copies; /* a second nest copies back what the first one wrote */
};

static struct stencil random_stencil(gsl_rng *random)
{
    struct stencil it = {.rank = draw_between(random, 1, RANK), .processors = 1, .points = 1};
    it.grid_count = it.rank == 1 ? 1 : draw_between(random, 1, 2);
    int order[RANK] = {0, 1, 2};
    draw_order(random, order, it.rank);
    for (int d = 0; d < it.rank; d++) {
        it.n[d] = draw_between(random, 4, it.rank == 3 ? 5 : SIDE);
        it.points *= it.n[d];
        it.on[d] = order[d] < it.grid_count ? order[d] : -1;
    }
    for (int g = 0; g < it.grid_count; g++) {
        it.grid[g] = draw_between(random, 1, it.grid_count == 1 ? 5 : 3);
        it.processors *= it.grid[g];
    }
    it.reads = draw_between(random, 1, READS);
    for (int k = 0; k < it.reads; k++)
        it.offsets[k][draw_between(random, 0, it.rank - 1)] =
            draw_between(random, -1, 1) * (it.rank < 3 && draw_chance(random, 20) ? 2 : 1);
    for (int d = 0; d < it.rank; d++) {
        for (int k = 0; k < it.reads; k++)
            it.reach[d] = (int)fmax(it.reach[d], abs(it.offsets[k][d]));
        it.first[d] = it.reach[d];
        it.last[d] = it.n[d] - 1 - it.reach[d];
    }
    it.repeat = draw_between(random, 1, 9);
    it.sweeps = draw_between(random, 1, 4);
    for (int d = 0; d < it.rank; d++) /* no halo is wider than its array */
        while (it.sweeps * it.reach[d] > it.n[d])
            it.sweeps--;
    it.copies = draw_chance(random, 40);
    return it;
}

static void write_nest(FILE *stream, const struct stencil *it, const char *statement)
{
    int margin = 2;
    for (int d = 0; d < it->rank; d++, margin += 2)
        fprintf(stream, "%*s- loop: {%c: [%d, %d]}\n%*sbody:\n", margin, "", "ijk"[d],
                it -> first[d], it -> last[d], margin + 2, "");
    fprintf(stream, "%*s- %s\n", margin, "", statement);
}

static void add_element(char *text, const struct stencil *it, const char *array, const int *offset)
{
    text += sprintf(text, "'%s", array);
    for (int d = 0; d < it->rank; d++)
        text += sprintf(text, "[%c + %d]", "ijk"[d], offset ? offset[d] : 0);
    sprintf(text, "'");
}

static void write_statements(FILE *stream, const struct stencil *it)
{
    char text[600] = "{statement: s, writes: ";
    add_element(text + strlen(text), it, "v", NULL);
    strcat(text, ", reads: [");
    for (int k = 0; k < it->reads; k++) {
        strcat(text, k ? ", " : "");
        add_element(text + strlen(text), it, "u", it->offsets[k]);
    }
    write_nest(stream, it, strcat(text, "]}"));
    strcpy(text, "{statement: c, writes: ");
    add_element(text + strlen(text), it, "u", NULL);
    strcat(text, ", reads: [");
    add_element(text + strlen(text), it, "v", NULL);
    if (it->copies)
        write_nest(stream, it, strcat(text, "]}"));
}

static void write_description(const struct stencil *it, const char *path)
{
    FILE *stream = fopen(path, "w");
    ck_assert_ptr_nonnull(stream);
    fprintf(stream, "forecost-segment: 1\narrays:\n  u: {extent: [");
    for (int d = 0; d < it->rank; d++)
        fprintf(stream, "%s%d", d ? ", " : "", it->n[d]);
    fprintf(stream, "]}\n  v: {extent: [");
    for (int d = 0; d < it->rank; d++)
        fprintf(stream, "%s%d", d ? ", " : "", it->n[d]);
    fprintf(stream, "], align: u}\ncandidates:\n  c:\n    grid: [");
    for (int g = 0; g < it->grid_count; g++)
        fprintf(stream, "%s%d", g ? ", " : "", it->grid[g]);
    fprintf(stream, "]\n    distribute: {u: [");
    for (int d = 0; d < it->rank; d++)
        fprintf(stream, it->on[d] < 0 ? "%s'*'" : "%sBLOCK@%d", d ? ", " : "", it->on[d]);
    fprintf(stream, "]}\n    halo: {u: [");
    for (int d = 0; d < it->rank; d++)
        fprintf(stream, "%s%d", d ? ", " : "", it->sweeps * it->reach[d]);
    fprintf(stream, "]}\nprogram:\n- segment: s\n  repeat: %d\n  body:\n", it->repeat);
    write_statements(stream, it);
    fclose(stream);
}

/* ---- points, elements, owners ---- */

static int along(const struct stencil *it, int point, int d)
{
    for (int inner = it->rank - 1; inner > d; inner--)
        point /= it->n[inner];
    return point % it->n[d];
}

static int coordinate(const struct stencil *it, int processor, int g)
{
    for (int inner = it->grid_count - 1; inner > g; inner--)
        processor /= it->grid[inner];
    return processor % it->grid[g];
}

static bool owns_along(const struct stencil *it, int processor, int point, int d)
{
    const int g = it->on[d];
    return g < 0 || along(it, point, d) / ((it->n[d] + it->grid[g] - 1) / it->grid[g]) ==
                        coordinate(it, processor, g);
}

static int owner(const struct stencil *it, int point)
{
    for (int r = 0; r < it->processors; r++) {
        bool owns = true;
        for (int d = 0; d < it->rank; d++)
            owns &= owns_along(it, r, point, d);
        if (owns)
            return r;
    }
    ck_abort_msg("point %d lies nowhere", point);
    return -1;
}

static bool in_loops(const struct stencil *it, int point)
{
    for (int d = 0; d < it->rank; d++)
        if (along(it, point, d) < it->first[d] || along(it, point, d) > it->last[d])
            return false;
    return true;
}

/* ---- what is computed ---- */

struct set {
    bool has[POINTS];
};

static struct set own_points(const struct stencil *it, int processor)
{
    struct set own = {{false}};
    for (int x = 0; x < it->points; x++)
        own.has[x] = in_loops(it, x) && owner(it, x) == processor;
    return own;
}

static bool within_reach(const struct stencil *it, int x, int y)
{
    for (int d = 0; d < it->rank; d++)
        if (abs(along(it, x, d) - along(it, y, d)) > (it->on[d] < 0 ? 0 : it->reach[d]))
            return false;
    return true;
}

/* What the repetition before must have computed, so that this one can: a frame more. */
static struct set one_more(const struct stencil *it, const struct set *set)
{
    struct set more = {{false}};
    for (int y = 0; y < it->points; y++)
        for (int x = 0; x < it->points && set->has[y]; x++)
            more.has[x] |= in_loops(it, x) && within_reach(it, x, y);
    return more;
}

static int count(const struct stencil *it, const struct set *set)
{
    int sum = 0;
    for (int x = 0; x < it->points; x++)
        sum += set->has[x];
    return sum;
}

/* ---- what is exchanged ---- */

struct traffic_truth {
    struct set moved[PROCESSORS][PROCESSORS]; /* to, from */
};

static int shifted(const struct stencil *it, int x, const int *offset)
{
    int to = 0;
    for (int d = 0; d < it->rank; d++)
        to = to * it->n[d] + along(it, x, d) + offset[d];
    return to;
}

/* All that is read; where a frame is exchanged for several repetitions, whole boxes (rule "Union of
   reads"). */
static struct set read_by(const struct stencil *it, const struct set *computed, int k, bool box)
{
    bool seen[RANK][SIDE] = {{false}};
    struct set read = {{false}};
    for (int x = 0; x < it->points; x++)
        for (int o = 0; o < it->reads && computed->has[x]; o++) {
            const int y = shifted(it, x, it->offsets[o]);
            read.has[y] |= box || o == k;
            for (int d = 0; d < it->rank; d++)
                seen[d][along(it, y, d)] = true;
        }
    for (int y = 0; y < it->points && box; y++) {
        read.has[y] = true;
        for (int d = 0; d < it->rank; d++)
            read.has[y] &= seen[d][along(it, y, d)];
    }
    return read;
}

/* One coordinate after the other is put right. */
static int halfway(const struct stencil *it, int to, int from, int g)
{
    int at = 0;
    for (int h = 0; h < it->grid_count; h++)
        at = at * it->grid[h] + coordinate(it, h < g ? to : from, h);
    return at;
}

static void move_along(const struct stencil *it, struct traffic_truth *truth, int g, int q,
                       const struct set *read)
{
    for (int y = 0; y < it->points; y++) {
        if (!read->has[y])
            continue;
        const int r = owner(it, y), from = halfway(it, q, r, g), to = halfway(it, q, r, g + 1);
        truth->moved[to][from].has[y] |= from != to;
    }
}

static bool is_read_along(const struct stencil *it, int k, int g)
{
    for (int d = 0; d < it->rank; d++)
        if (it->on[d] == g && it->offsets[k][d] != 0)
            return true;
    return false;
}

static void add_exchange(struct tally *tally, const struct stencil *it, const struct set *computed,
                         bool box, double share)
{
    for (int g = 0; g < it->grid_count; g++) {
        struct traffic_truth *truth = calloc(1, sizeof *truth);
        int counts[PROCESSORS * PROCESSORS] = {0};
        for (int q = 0; q < it->processors; q++)
            for (int k = 0; k < it->reads; k++) {
                const struct set read = read_by(it, &computed[q], k, box);
                if (is_read_along(it, k, g))
                    move_along(it, truth, g, q, &read);
            }
        for (int to = 0; to < it->processors; to++)
            for (int from = 0; from < it->processors; from++)
                counts[to * PROCESSORS + from] = count(it, &truth->moved[to][from]);
        const struct pairs pairs = {it->processors, PROCESSORS, counts};
        struct expected expected = pairs_shift(&pairs);
        expected.times *= share;
        tally_add_expected(tally, &expected);
        free(truth);
    }
}

struct truth {
    struct tally tally;
    double most, total; /* computed points of a repetition, on average */
};

/* So many repetitions after an exchange, backwards from the last. */
static void add_round(struct truth *truth, const struct stencil *it, int sweeps, double share)
{
    struct set computed[PROCESSORS];
    for (int q = 0; q < it->processors; q++)
        computed[q] = own_points(it, q);
    for (int done = 1;; done++) {
        int most = 0;
        for (int q = 0; q < it->processors; q++) {
            most = (int)fmax(most, count(it, &computed[q]));
            truth->total += share * count(it, &computed[q]);
        }
        truth->most += share * most;
        if (done == sweeps)
            break;
        for (int q = 0; q < it->processors; q++)
            computed[q] = one_more(it, &computed[q]);
    }
    add_exchange(&truth->tally, it, computed, sweeps > 1, share);
}

static struct truth enumerate(const struct stencil *it)
{
    struct truth truth = {.tally = {0}};
    const int sweeps = it->sweeps < it->repeat ? it->sweeps : it->repeat;
    const int whole = it->repeat / sweeps, rest = it->repeat % sweeps;
    add_round(&truth, it, sweeps, (double)whole / it->repeat);
    if (rest > 0)
        add_round(&truth, it, rest, 1.0 / it->repeat);
    return truth;
}

/* Where nothing is read of others, nothing is spared. */
static bool reads_others(const struct stencil *it)
{
    for (int d = 0; d < it->rank; d++)
        if (it->on[d] >= 0 && it->reach[d] > 0)
            return true;
    return false;
}

static void compare(const struct stencil *it, const struct derived *derived, const char *of)
{
    const struct truth truth = enumerate(it);
    const struct analysis *analysis = &derived->analysis;
    const struct demand *demands = analysis->demands.items;
    const struct work *work = analysis->work.items;
    struct tally tally = {0};
    for (size_t i = 0; i < analysis->demands.count; i++)
        tally_add_demand(&tally, &demands[i], 8.0);
    tally_compare(&truth.tally, &tally, of);
    ck_assert_uint_eq(analysis->work.count, it->copies ? 2 : 1);
    for (size_t i = 0; i < analysis->work.count; i++) {
        ck_assert_msg(fabs(work[i].iterations_most - truth.most) < 1e-9, "%s: %g computed, not %g",
                      of, work[i].iterations_most, truth.most);
        ck_assert_double_eq_tol(work[i].iterations_mean, truth.total / it->processors, 1e-9);
    }
}

START_TEST(random_stencils_exchange_once_for_several_repetitions)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    char path[40], of[60];
    int spared = 0;
    gsl_rng_set(random, 77);
    snprintf(path, sizeof path, "halo-%d.yaml", (int)getpid());
    for (int i = 0; i < 600; i++) {
        struct stencil it = random_stencil(random);
        if (!reads_others(&it))
            it.sweeps = 1;
        struct derived derived;
        write_description(&it, path);
        snprintf(of, sizeof of, "stencil %d", i);
        derived_make(&derived, path, it.processors);
        compare(&it, &derived, of);
        spared += derived.analysis.sweeps > 1.0;
        derived_free(&derived);
        unlink(path);
    }
    ck_assert_int_gt(spared, 200);
    gsl_rng_free(random);
}
END_TEST

SUITE("halo", random_stencils_exchange_once_for_several_repetitions)
