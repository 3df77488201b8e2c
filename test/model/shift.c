/* Derived halo exchange against enumeration: every iteration, every element that it reads, who owns
   it, for hundreds of random small stencils. */
#include "test/derived.h"
#include "test/draw.h"
#include "test/scratch.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE_MOST = 24, PROCESSORS_MOST = 6, OFFSETS_MOST = 4 };

/* A 2-D stencil: loop bounds, offsets of the reads, a grid of blocks. */
struct stencil {
    int n, p[2], first[2], last[2], count, offsets[OFFSETS_MOST][2];
};

static struct stencil random_stencil(gsl_rng *random)
{
    struct stencil it = {.n = draw_between(random, 6, SIDE_MOST)};
    for (int d = 0; d < 2; d++) {
        it.p[d] = draw_between(random, 1, PROCESSORS_MOST);
        it.first[d] = draw_between(random, 2, 3);
        it.last[d] = it.n - 1 - draw_between(random, 2, 3);
    }
    it.count = draw_between(random, 1, OFFSETS_MOST);
    for (int k = 0; k < it.count; k++) {
        const int along = draw_between(random, 0, 1);
        it.offsets[k][along] = draw_between(random, -2, 2);
        it.offsets[k][1 - along] = 0;
    }
    return it;
}

static void write_description(const struct stencil *it, const char *path)
{
    FILE *stream = fopen(path, "w");
    fprintf(stream,
            "forecost-segment: 1\n"
            "arrays: {u: {extent: [%d, %d]}, v: {extent: [%d, %d], align: u}}\n"
            "candidates: {c: {grid: [%d, %d], distribute: {u: [BLOCK, BLOCK]}}}\n"
            "program:\n- segment: s\n  body:\n  - loop: {i: [%d, %d]}\n    body:\n"
            "    - loop: {j: [%d, %d]}\n      body:\n"
            "      - {statement: t, writes: 'v[i][j]', reads: [",
            it->n, it->n, it->n, it->n, it->p[0], it->p[1], it->first[0], it->last[0], it->first[1],
            it->last[1]);
    for (int k = 0; k < it->count; k++)
        fprintf(stream, "%s'u[i + %d][j + %d]'", k ? ", " : "", it->offsets[k][0],
                it->offsets[k][1]);
    fprintf(stream, "]}\n");
    fclose(stream);
}

/* ---- the truth, element by element, along one dimension ---- */

struct truth {
    double partners, bytes;
    bool both_ways;
};

static int owner(const struct stencil *it, int d, int i)
{
    return i / ((it->n + it->p[d] - 1) / it->p[d]);
}

/* How many elements along d processor q needs from r; offsets along the other dimension do not
   count here, as there each read has offset 0 in one of the two. */
static int needed(const struct stencil *it, int d, int q, int r)
{
    bool wanted[SIDE_MOST] = {false};
    int sum = 0;
    for (int k = 0; k < it->count; k++)
        for (int i = it->first[d]; i <= it->last[d]; i++)
            if (it->offsets[k][d] != 0 && owner(it, d, i) == q &&
                owner(it, d, i + it->offsets[k][d]) == r)
                wanted[i + it->offsets[k][d]] = true;
    for (int i = 0; i < it->n; i++)
        sum += wanted[i];
    return sum;
}

static struct truth enumerate(const struct stencil *it, int d)
{
    struct truth truth = {0};
    int width = 0, face = 0;
    for (int q = 0; q < it->p[1 - d]; q++) {
        int inside = 0;
        for (int i = it->first[1 - d]; i <= it->last[1 - d]; i++)
            inside += owner(it, 1 - d, i) == q;
        face = inside > face ? inside : face;
    }
    for (int q = 0; q < it->p[d]; q++) {
        int partners = 0;
        bool sends = false, receives = false;
        for (int r = 0; r < it->p[d]; r++) {
            if (r == q)
                continue;
            const int in = needed(it, d, q, r), out = needed(it, d, r, q);
            partners += in > 0 || out > 0;
            receives |= in > 0;
            sends |= out > 0;
            width = in > width ? in : width;
        }
        truth.partners = fmax(truth.partners, partners);
        truth.both_ways |= sends && receives;
    }
    truth.bytes = 8.0 * width * face;
    return truth;
}

/* ---- the comparison ---- */

static void compare(const struct stencil *it, const struct analysis *analysis)
{
    const struct demand *demands = analysis->demands.items;
    size_t at = 0;
    for (int d = 0; d < 2; d++) {
        const struct truth truth = enumerate(it, d);
        if (truth.partners == 0)
            continue;
        ck_assert_uint_lt(at, analysis->demands.count);
        ck_assert_uint_eq(demands[at].uses.count, 1);
        const struct use *use = demands[at].uses.items;
        ck_assert_int_eq(use->class, truth.both_ways ? TRAFFIC_EXCHANGE : TRAFFIC_MESSAGES);
        ck_assert_double_eq(use->times, truth.partners);
        ck_assert_double_eq(use->bytes, truth.bytes);
        at++;
    }
    ck_assert_uint_eq(at, analysis->demands.count);
}

static double busiest(const struct stencil *it)
{
    double most = 1;
    for (int d = 0; d < 2; d++) {
        int largest = 0;
        for (int q = 0; q < it->p[d]; q++) {
            int mine = 0;
            for (int i = it->first[d]; i <= it->last[d]; i++)
                mine += owner(it, d, i) == q;
            largest = mine > largest ? mine : largest;
        }
        most *= largest;
    }
    return most;
}

static void check_one(const struct stencil *it, const char *path)
{
    struct derived derived;
    write_description(it, path);
    derived_make(&derived, path, it->p[0] * it->p[1]);
    compare(it, &derived.analysis);
    const struct work *work = derived.analysis.work.items;
    ck_assert_double_eq(work->iterations_most, busiest(it));
    derived_free(&derived);
}

START_TEST(random_stencils_agree_with_enumeration)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    char *path = scratch_path("shift.yaml");
    for (int i = 0; i < 1000; i++) {
        const struct stencil stencil = random_stencil(random);
        if (stencil.last[0] >= stencil.first[0] && stencil.last[1] >= stencil.first[1])
            check_one(&stencil, path);
    }
    remove_scratch(path);
    gsl_rng_free(random);
}
END_TEST

SUITE("shift", random_stencils_agree_with_enumeration)
