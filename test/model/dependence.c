/* Placement by flow dependences against running through every pair of iterations. */
#include "model/segment/loops/dependence.h"
#include "test/draw.h"
#include "test/scratch.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <stdio.h>

enum { NESTS = 4000, LOOPS = 3, RANK = 2 };

/* coefficients x indices + constant, of the loops of its statement. */
struct subscript_of {
    int by[LOOPS], constant;
};

/* Two statements with `common` loops in common; w[..] = , = w[..]. */
struct nests {
    int common, depth[2], last[LOOPS + LOOPS];
    int below[2]; /* the statement's last loop ends so much below its first index; 0: a number */
    bool writer_first;
    struct subscript_of subscripts[2][RANK]; /* of the writer, of the reader */
};

static struct nests random_nests(gsl_rng *random)
{
    struct nests it = {.common = draw_between(random, 1, LOOPS),
                       .writer_first = draw_between(random, 0, 1)};
    for (int s = 0; s < 2; s++) {
        it.depth[s] = draw_between(random, it.common, LOOPS);
        if (it.depth[s] > it.common && it.depth[s] > 1 && draw_between(random, 0, 3) == 0)
            it.below[s] = draw_between(random, 1, 2);
        for (int d = 0; d < RANK; d++) {
            it.subscripts[s][d] = (struct subscript_of){.constant = draw_between(random, 10, 12)};
            for (int l = 0; l < it.depth[s]; l++)
                it.subscripts[s][d].by[l] =
                    draw_between(random, 0, 2) == 0
                        ? (draw_between(random, 0, 4) ? 1 : draw_between(random, -1, 2))
                        : 0;
        }
    }
    for (int l = 0; l < 2 * LOOPS; l++)
        it.last[l] = draw_between(random, 1, 3);
    return it;
}

/* The loop's last value: common loops are the writer's. */
static int last_of(const struct nests *it, int s, int l, const int *at)
{
    if (it->below[s] && l == it->depth[s] - 1 && l >= it->common)
        return at[0] - it->below[s];
    return it->last[l < it->common ? l : s * LOOPS + l];
}

/* ---- as a description ---- */

static void write_statement(FILE *stream, const struct nests *it, int s, int margin)
{
    static const char *const names[2][LOOPS] = {
        {"i", "j", "k"},
        {"i", "m", "n"}
    };
    for (int l = it->common; l < it->depth[s]; l++, margin += 2) {
        fprintf(stream, "%*s- loop: {%s: [0, ", margin, "", names[s][l]);
        if (it->below[s] && l == it->depth[s] - 1)
            fprintf(stream, "i - %d]}\n", it->below[s]);
        else
            fprintf(stream, "%d]}\n", it->last[s * LOOPS + l]);
        fprintf(stream, "%*sbody:\n", margin + 2, "");
    }
    fprintf(stream, "%*s- {statement: %s, %s: %s'w", margin, "", s ? "reader" : "writer",
            s ? "reads" : "writes", s ? "[" : "");
    for (int d = 0; d < RANK; d++) {
        fprintf(stream, "[%d", it->subscripts[s][d].constant);
        for (int l = 0; l < it->depth[s]; l++)
            fprintf(stream, " + %d * %s", it->subscripts[s][d].by[l],
                    s && l >= it->common ? names[1][l] : names[0][l]);
        fprintf(stream, "]");
    }
    fprintf(stream, "'%s}\n", s ? "]" : "");
}

static void write_description(const struct nests *it, const char *path)
{
    static const char *const names[LOOPS] = {"i", "j", "k"};
    FILE *stream = fopen(path, "w");
    fprintf(stream, "forecost-segment: 1\narrays: {w: {extent: [60, 60]}}\n"
                    "candidates: {c: {grid: [p], distribute: {w: [BLOCK, '*']}}}\n"
                    "program:\n- segment: s\n  body:\n");
    for (int l = 0; l < it->common; l++)
        fprintf(stream, "%*s- loop: {%s: [0, %d]}\n%*sbody:\n", 2 + 2 * l, "", names[l],
                it->last[l], 4 + 2 * l, "");
    write_statement(stream, it, it->writer_first ? 0 : 1, 2 + 2 * it->common);
    write_statement(stream, it, it->writer_first ? 1 : 0, 2 + 2 * it->common);
    fclose(stream);
}

/* ---- the truth ---- */

static bool next(const struct nests *it, int s, int *at)
{
    for (int l = it->depth[s] - 1; l >= 0; l--) {
        if (++at[l] <= last_of(it, s, l, at))
            return true;
        at[l] = 0;
    }
    return false;
}

static bool is_iteration(const struct nests *it, int s, const int *at)
{
    for (int l = 0; l < it->depth[s]; l++)
        if (at[l] > last_of(it, s, l, at))
            return false;
    return true;
}

static int value_of(const struct subscript_of *subscript, const int *at)
{
    int value = subscript->constant;
    for (int l = 0; l < LOOPS; l++)
        value += subscript->by[l] * at[l];
    return value;
}

/* In how many loops the flow from one iteration to another keeps a message: 0 where there is none.
 */
static int depth_of(const struct nests *it, const int *writer, const int *reader, bool *carried)
{
    int alike = 0;
    for (int d = 0; d < RANK; d++)
        if (value_of(&it->subscripts[0][d], writer) != value_of(&it->subscripts[1][d], reader))
            return 0;
    while (alike < it->common && writer[alike] == reader[alike])
        alike++;
    *carried = alike < it->common;
    if (*carried)
        return writer[alike] < reader[alike] ? alike + 1 : 0;
    return it->writer_first ? it->common : 0;
}

static int placement(const struct nests *it, bool *carried, bool *carries)
{
    int writer[LOOPS] = {0}, deepest = 0;
    *carried = false;
    do {
        int reader[LOOPS] = {0};
        do {
            bool by_loop;
            const int depth = is_iteration(it, 0, writer) && is_iteration(it, 1, reader)
                                  ? depth_of(it, writer, reader, &by_loop)
                                  : 0;
            if (depth == 0)
                continue;
            if (by_loop)
                carries[depth - 1] = true;
            if (depth > deepest)
                *carried = by_loop;
            if (depth == deepest)
                *carried &= by_loop; /* within one iteration comes before what an earlier left */
            deepest = depth > deepest ? depth : deepest;
        } while (next(it, 1, reader));
    } while (next(it, 0, writer));
    return deepest;
}

/* Whether the element flows from an earlier iteration of the outer loop to a later one, and from a
   greater index of the inner one to a lesser. */
static bool flow_crosses(const struct nests *it, const int *writer, const int *reader, int outer,
                         int inner)
{
    for (int d = 0; d < RANK; d++)
        if (value_of(&it->subscripts[0][d], writer) != value_of(&it->subscripts[1][d], reader))
            return false;
    for (int l = 0; l < outer; l++)
        if (writer[l] != reader[l])
            return false;
    return writer[outer] < reader[outer] && writer[inner] > reader[inner];
}

static bool crosses(const struct nests *it, int outer, int inner)
{
    int writer[LOOPS] = {0};
    do {
        int reader[LOOPS] = {0};
        do {
            if (is_iteration(it, 0, writer) && is_iteration(it, 1, reader) &&
                flow_crosses(it, writer, reader, outer, inner))
                return true;
        } while (next(it, 1, reader));
    } while (next(it, 0, writer));
    return false;
}

/* ---- the comparison ---- */

struct score {
    size_t same, deeper, otherwise, some;
    size_t crossing, thought_crossing;
};

static void compare_crossing(const struct nests *it, const struct list *instances,
                             const struct instance *reader, struct score *score)
{
    for (int outer = 0; outer < it->common; outer++)
        for (int inner = outer + 1; inner < it->common; inner++) {
            const bool expected = crosses(it, outer, inner);
            const bool got = dependence_crosses(instances, reader, outer, inner);
            ck_assert(got || !expected);
            ck_assert(got == dependence_crosses(instances, reader, inner, outer));
            score->crossing += expected;
            score->thought_crossing += got;
        }
}

static void compare(const struct nests *it, const struct list *instances, struct score *score)
{
    const struct instance *all = instances->items;
    const struct instance *reader = &all[it->writer_first ? 1 : 0];
    bool carried, expected_carried, carries[LOOPS] = {false};
    const int depth = dependence_placement(instances, reader, &reader->reads[0], &carried);
    const int expected = placement(it, &expected_carried, carries);
    ck_assert_int_ge(depth, expected); /* never too early */
    score->same += depth == expected;
    score->deeper += depth > expected;
    score->otherwise += depth == expected && depth > 0 && carried != expected_carried;
    score->some += expected > 0;
    for (int l = 0; l < it->common; l++)
        ck_assert(dependence_loop_carries(instances, reader, l) || !carries[l]);
    compare_crossing(it, instances, reader, score);
}

static void check_one(const struct nests *it, const char *path, struct score *score)
{
    struct program program;
    struct list instances = {0};
    struct error error;
    char line[800];
    write_description(it, path);
    if (program_read(&program, path, &error) != 0)
        ck_abort_msg("%s", error_line(&error, line, sizeof line));
    struct scope *scope = program_scope(&program, NULL, 0, 2, &error);
    if (instances_make(&instances, &program, program.segments.items, scope, &error) != 0)
        ck_abort_msg("%s", error_line(&error, line, sizeof line));
    compare(it, &instances, score);
    list_free(&instance_record, &instances);
    scope_free(scope);
    program_free(&program);
}

START_TEST(random_nests_agree_with_enumeration)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    char *path = scratch_path("nests.yaml");
    struct score score = {0};
    for (int i = 0; i < NESTS; i++) {
        const struct nests it = random_nests(random);
        check_one(&it, path, &score);
    }
    remove_scratch(path);
    gsl_rng_free(random);
    ck_assert_uint_gt(score.some, NESTS / 4);
    /* Where only fractions solve the conditions, there is thought to be a dependence. */
    ck_assert_uint_eq(score.same + score.deeper, NESTS);
    ck_assert_uint_lt((score.deeper + score.otherwise) * 500, NESTS);
    ck_assert_uint_gt(score.crossing, NESTS / 40);
    ck_assert_uint_le(score.thought_crossing, score.crossing + score.crossing / 20);
}
END_TEST

SUITE("dependence", random_nests_agree_with_enumeration)
