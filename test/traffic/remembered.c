/* What was derived before is what would be derived anew. */
#include "model/segment/traffic/remembered.h"

#include "model/segment/program/effort.h"
#include "model/segment/program/schedule.h"
#include "test/suite.h"

#include <string.h>

/* Triangular loops, a reduction, and layouts that have one array's in common. */
static const char text[] =
    "forecost-segment: 1\n"
    "arrays: {a: {extent: [12, 12]}, x: {extent: [12]}, y: {extent: [12]}}\n"
    "candidates:\n"
    "  rows: {grid: [p], distribute: {a: [BLOCK, '*'], x: [BLOCK], y: [BLOCK]}}\n"
    "  cyclic: {grid: [p], distribute: {a: [CYCLIC, '*'], x: [BLOCK], y: [BLOCK]}}\n"
    "  columns: {grid: [p], distribute: {a: ['*', BLOCK], x: [BLOCK], y: [CYCLIC]}}\n"
    "  blocks: {grid: [2, p / 2], distribute: {a: [BLOCK, CYCLIC], x: [BLOCK@1], y: [BLOCK@0]}}\n"
    "program:\n"
    "  - segment: s\n"
    "    body:\n"
    "      - loop: {i: [1, 11]}\n"
    "        body:\n"
    "          - loop: {k: [0, i - 1]}\n"
    "            body:\n"
    "              - {statement: t, writes: \"x[i]\", reads: [\"x[i]\", \"a[i][k]\", \"y[k]\"]}\n"
    "      - loop: {i: [0, 11]}\n"
    "        body:\n"
    "          - loop: {j: [0, 11]}\n"
    "            body:\n"
    "              - {statement: r, writes: \"y[i]\", reads: [\"a[i][j]\", \"x[j]\"], reduce: "
    "sum}\n";

enum { PROCESSORS = 4, CANDIDATES = 4 };

struct given {
    struct program program;
    struct scope *scope;
    struct schedule schedules[CANDIDATES];
    struct subject subject;
    size_t names; /* in the scope, without a grid's */
};

static void check(int status, const struct error *error)
{
    char line[800];
    ck_assert_msg(status == 0, "%s", status ? error_line(error, line, sizeof line) : "");
}

static void begin(struct given *it)
{
    struct error error;
    *it = (struct given){0};
    check(program_read_text(&it->program, "text", text, strlen(text), &error), &error);
    it->scope = program_scope(&it->program, NULL, 0, PROCESSORS, &error);
    ck_assert_ptr_nonnull(it->scope);
    it->names = scope_count(it->scope);
    const struct candidate *candidates = it->program.candidates.items;
    ck_assert_uint_eq(it->program.candidates.count, CANDIDATES);
    for (int i = 0; i < CANDIDATES; i++) {
        scope_cut(it->scope, it->names);
        check(schedule_make(&it->schedules[i], &it->program, &candidates[i], it->scope, &error),
              &error);
    }
    check(subject_make(&it->subject, &it->program, it->scope, &error), &error);
}

static void end(struct given *it)
{
    subject_free(&it->subject);
    for (int i = 0; i < CANDIDATES; i++)
        schedule_free(&it->schedules[i]);
    scope_free(it->scope);
    program_free(&it->program);
}

/* Of the first segment under one candidate; returns how much of the effort it took. */
static double analyse(struct analysis *analysis, struct given *it, int candidate,
                      struct remembered *remembered)
{
    struct error error;
    struct subject subject = it->subject;
    subject.remembered = remembered;
    check(analysis_make(analysis, &subject, 0, it->schedules[candidate].layouts, &error), &error);
    return it->program.effort->most - it->program.effort->left;
}

static void compare_demands(const struct demand *a, const struct demand *b)
{
    const struct use *x = a->uses.items, *y = b->uses.items;
    ck_assert_str_eq(a->cause, b->cause);
    ck_assert_int_eq(a->enumerated, b->enumerated);
    ck_assert_uint_eq(a->uses.count, b->uses.count);
    for (size_t i = 0; i < a->uses.count; i++) {
        ck_assert_int_eq(x[i].class, y[i].class);
        ck_assert_double_eq(x[i].times, y[i].times);
        ck_assert_double_eq(x[i].bytes, y[i].bytes);
        ck_assert_double_eq(x[i].processors, y[i].processors);
        ck_assert_double_eq(x[i].at_once, y[i].at_once);
    }
}

static void compare(const struct analysis *a, const struct analysis *b)
{
    const struct demand *x = a->demands.items, *y = b->demands.items;
    const struct work *v = a->work.items, *w = b->work.items;
    ck_assert_uint_eq(a->demands.count, b->demands.count);
    for (size_t i = 0; i < a->demands.count; i++)
        compare_demands(&x[i], &y[i]);
    ck_assert_uint_eq(a->work.count, b->work.count);
    for (size_t i = 0; i < a->work.count; i++) {
        ck_assert_double_eq(v[i].iterations_most, w[i].iterations_most);
        ck_assert_double_eq(v[i].iterations_mean, w[i].iterations_mean);
        ck_assert_int_eq(v[i].pipeline, w[i].pipeline);
    }
}

START_TEST(what_is_remembered_is_what_is_derived)
{
    struct given it;
    struct remembered remembered = {0};
    size_t known = 0, demands = 0;
    begin(&it);
    for (int i = 0; i < 3 * CANDIDATES; i++) {
        struct analysis anew, again;
        const double steps = analyse(&anew, &it, i % CANDIDATES, NULL);
        ck_assert_double_eq(analyse(&again, &it, i % CANDIDATES, &remembered), steps);
        compare(&anew, &again);
        demands += anew.demands.count;
        analysis_free(&anew);
        analysis_free(&again);
        if (i == CANDIDATES - 1)
            known = remembered.keys.count;
    }
    ck_assert_uint_gt(demands, 0);
    ck_assert_uint_gt(known, CANDIDATES);
    ck_assert_uint_eq(remembered.keys.count, known); /* nothing is derived twice */
    remembered_free(&remembered);
    ck_assert_uint_eq(remembered.keys.count, 0);
    end(&it);
}
END_TEST

/* By rows and cyclic x and y lie alike: what depends on them alone is derived once. */
START_TEST(layouts_share_what_they_have_in_common)
{
    struct given it;
    struct remembered remembered = {0};
    struct analysis analysis;
    begin(&it);
    analyse(&analysis, &it, 0, &remembered);
    analysis_free(&analysis);
    const size_t first = remembered.keys.count;
    analyse(&analysis, &it, 1, &remembered);
    analysis_free(&analysis);
    ck_assert_uint_lt(remembered.keys.count, 2 * first);
    remembered_free(&remembered);
    end(&it);
}
END_TEST

SUITE("remembered", what_is_remembered_is_what_is_derived, layouts_share_what_they_have_in_common)
