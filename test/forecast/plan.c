/* The cheapest sequence of layouts of repeated segments, with the way back from the last to the
   first, against every sequence there is: random costs of segments, moves as they are priced. */
#include "forecast/search/plan.h"
#include "test/draw.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEGMENTS = 3, OPTIONS = 5, LAYOUTS = OPTIONS * OPTIONS, TRIALS = 240 };

static const char table_text[] =
    "forecost: 1\nmachine: {name: easy}\ncommunication:\n"
    "  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 10}]}\n"
    "  - {utility: exchange, regions: [{t0_us: 12, rinf_mb_per_s: 8}]}\n"
    "  - {utility: broadcast, regions: [{setup_us: {p: 10}, per_byte_us: {1: 0.1}}]}\n"
    "  - {utility: many-to-many, regions: [{setup_us: {p: 9}, per_byte_us: {1: 0.2}}]}\n"
    "  - {utility: many-to-one, regions: [{setup_us: {p: 10}, per_byte_us: {1: 0.1}}]}\n"
    "node: {rate_mflops: 1}\n";

#define SEGMENT(name)                                                                              \
    "  - segment: " name "\n    body:\n      - loop: {i: [0, 9]}\n        body:\n"                 \
    "          - {statement: t, writes: \"a[i]\", reads: [\"b[i]\"], operations: {add: 1}}\n"

static const char program_text[] = "forecost-segment: 1\n"
                                   "search: {kinds: [BLOCK, CYCLIC]}\n"
                                   "arrays: {a: {extent: [400]}, b: {extent: [90]}}\n"
                                   "program:\n" SEGMENT("x") SEGMENT("y") SEGMENT("z");

struct ring {
    struct machine machine;
    struct program program;
    struct study study;
    struct space space;
    struct pricing pricing;
    struct segment_costs costs[SEGMENTS];
    double move_us[2][OPTIONS][OPTIONS], us[SEGMENTS][LAYOUTS], repeat;
};

static const char *write_text(const char *text)
{
    static char path[] = "/tmp/plan-test-XXXXXX";
    memcpy(strrchr(path, '-') + 1, "XXXXXX", 6);
    FILE *file = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static void lay_out(struct ring *it)
{
    const double grid[] = {2.0, 2.0};
    size_t leaders[LEADERS_MOST], count, left_out;
    struct error error;
    struct subject subject;
    ck_assert_int_eq(space_make(&it->space, &it->study, grid, 2, NULL, 0, KINDS_ALL, &error), 0);
    ck_assert_int_eq(subject_make(&subject, &it->program, it->study.scope, &error), 0);
    space_leaders(&it->program, &subject, leaders, &count, &left_out);
    ck_assert_uint_eq(left_out, 0);
    subject_free(&subject);
    space_free(&it->space);
    scope_cut(it->study.scope, it->study.names);
    ck_assert_int_eq(space_make(&it->space, &it->study, grid, 2, leaders, count, KINDS_ALL, &error),
                     0);
    ck_assert_int_eq(study_derive(&it->study, it->space.schedule, &error), 0);
    ck_assert_uint_eq(it->space.leader_count, 2);
    ck_assert_uint_eq(it->space.leaders[0].option_count, OPTIONS);
    ck_assert_uint_eq(it->space.leaders[1].option_count, OPTIONS);
}

static void price(struct ring *it)
{
    it->pricing = (struct pricing){.space = &it->space, .study = &it->study};
    for (size_t s = 0; s < SEGMENTS; s++)
        segment_costs_make(&it->costs[s], &it->pricing, s);
    for (size_t a = 0; a < 2; a++)
        for (size_t from = 0; from < OPTIONS; from++)
            for (size_t to = 0; to < OPTIONS; to++) {
                space_choose(&it->space, a, from);
                it->move_us[a][from][to] = move_us(&it->pricing, a, from, to);
            }
    ck_assert_double_eq(it->pricing.failures, 0.0);
}

static void ring_make(struct ring *it)
{
    struct error error;
    const char *path = write_text(table_text);
    ck_assert_int_eq(machine_read(&it->machine, path, &error), 0);
    unlink(path);
    path = write_text(program_text);
    ck_assert_int_eq(program_read(&it->program, path, &error), 0);
    unlink(path);
    ck_assert_int_eq(study_make(&it->study, &it->machine, &it->program, 4.0, NULL, 0, &error), 0);
    lay_out(it);
    price(it);
}

static void ring_free(struct ring *it)
{
    for (size_t s = 0; s < SEGMENTS; s++)
        segment_costs_free(&it->costs[s]);
    pricing_free(&it->pricing);
    space_free(&it->space);
    study_free(&it->study);
    program_free(&it->program);
    machine_free(&it->machine);
}

/* Costs about as large as moves, much smaller ones, and much larger ones. */
static void draw_costs(struct ring *it, gsl_rng *random)
{
    static const double most_us[] = {10.0, 200.0, 1000.0}, repeats[] = {1.0, 2.0, 3.0, 1000.0};
    const double up_to_us = most_us[draw_between(random, 0, 2)];
    it->repeat = repeats[draw_between(random, 0, 3)];
    for (size_t s = 0; s < SEGMENTS; s++)
        for (size_t layout = 0; layout < LAYOUTS; layout++) {
            const size_t choice[LEADERS_MOST] = {layout % OPTIONS, layout / OPTIONS};
            const size_t at = segment_costs_at(&it->costs[s], choice);
            it->us[s][layout] = it->repeat * up_to_us * gsl_rng_uniform(random);
            it->costs[s].us[at] = it->us[s][layout];
            it->costs[s].exact[at] = true;
        }
}

static double moved_us(const struct ring *it, size_t from, size_t to)
{
    return it->move_us[0][from % OPTIONS][to % OPTIONS] +
           it->move_us[1][from / OPTIONS][to / OPTIONS];
}

static double sequence_us(const struct ring *it, const size_t *layouts)
{
    double us = (it->repeat - 1.0) * moved_us(it, layouts[SEGMENTS - 1], layouts[0]);
    for (size_t s = 0; s < SEGMENTS; s++)
        us += it->us[s][layouts[s]] +
              (s > 0 ? it->repeat * moved_us(it, layouts[s - 1], layouts[s]) : 0.0);
    return us;
}

/* Of all sequences, and (same) of those of one layout. */
static double best_us(const struct ring *it, bool same)
{
    double best = INFINITY;
    size_t at[SEGMENTS];
    for (at[0] = 0; at[0] < LAYOUTS; at[0]++)
        for (at[1] = 0; at[1] < LAYOUTS; at[1]++)
            for (at[2] = 0; at[2] < LAYOUTS; at[2]++)
                if (!same || (at[0] == at[1] && at[1] == at[2]))
                    best = fmin(best, sequence_us(it, at));
    return best;
}

static double plan_us(struct ring *it, double limit_us)
{
    struct plan plan;
    size_t at[SEGMENTS];
    plan_make(&plan, &it->pricing, it->costs, it->repeat, limit_us);
    const double us = plan.found ? plan.us : limit_us;
    for (size_t s = 0; s < SEGMENTS; s++)
        at[s] = plan.choices[s][0] + OPTIONS * plan.choices[s][1];
    if (plan.found) /* what it says is what its layouts take */
        ck_assert_double_eq_tol(sequence_us(it, at), us, 1e-9 * us);
    plan_free(&plan);
    return us;
}

START_TEST(a_ring_of_layouts_is_the_cheapest_of_all)
{
    static struct ring it;
    int changing = 0, open = 0;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    ring_make(&it);
    for (int k = 0; k < TRIALS; k++) {
        draw_costs(&it, random);
        const double best = best_us(&it, false), still = best_us(&it, true);
        ck_assert_double_eq_tol(plan_us(&it, INFINITY), best, 1e-9 * best);
        ck_assert_double_eq_tol(plan_us(&it, still), best, 1e-9 * best);
        changing += it.repeat > 1.0 && best < still;
        open += it.repeat == 1.0 && best < still;
    }
    ck_assert_int_gt(changing, TRIALS / 8); /* or nothing is shown */
    ck_assert_int_gt(open, TRIALS / 32);
    ring_free(&it);
    gsl_rng_free(random);
}
END_TEST

SUITE("plan", a_ring_of_layouts_is_the_cheapest_of_all)
