/* Whether orders that are called so sure are right so often: machines whose true times are drawn,
   each measured in several launches with errors, fitted and merged as the trainer does, and the
   candidates of a program ranked by that table. What they take in truth is drawn with the
   same kinds of errors: of one more launch, of sizes by themselves, and of messages in a program.
 */
#include "forecast/rank/ranking.h"
#include "model/base/allocation.h"
#include "model/fit/measured.h"
#include "model/tables/merge.h"
#include "model/tables/other_node.h"
#include "test/suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const parameters[] = {"N", "M", "a", "b", "c", "d"};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

enum { PROCESSORS = 16, LAUNCHES = 5, SIZES = 36, HELD_OUT_OF = 5, SIZES_MOST = 1 << 20 };

/* Standard deviations of logarithms: of a launch, of a size, and of one measurement. */
static const double of_launch = 0.06, of_size = 0.02, of_noise = 0.01;

/* Utilities and what they may take: between half and twice of this. */
static const struct {
    const char *name;
    double participants, t0_us, per_byte_us;
} utilities[] = {
    {"exchange",     2,  12,  0.01 },
    {"halo-1",       16, 25,  0.017},
    {"combine",      16, 40,  0.02 },
    {"many-to-many", 16, 150, 0.12 },
    {"all-gather",   16, 120, 0.11 },
};
enum { UTILITIES = sizeof utilities / sizeof *utilities };

/* Rows and columns share the sum, columns and turned the neighbours along j, rows and turned what
   is gathered. */
static const char program_text[] =
    "forecost-segment: 1\n"
    "parameters: {N: 512, M: 1024, a: 10, b: 10, c: 10, d: 10}\n"
    "arrays:\n"
    "  u: {extent: [N, M]}\n"
    "  v: {extent: [N, M]}\n"
    "  w: {extent: [N, M]}\n"
    "  x: {extent: [M]}\n"
    "  t: {extent: [N]}\n"
    "candidates:\n"
    "  rows: {grid: [p], distribute: {u: [BLOCK, \"*\"], v: [BLOCK, \"*\"], w: [BLOCK, \"*\"], x: "
    "[BLOCK], t: [BLOCK]}}\n"
    "  columns: {grid: [p], distribute: {u: [\"*\", BLOCK], v: [\"*\", BLOCK], w: [\"*\", BLOCK], "
    "x: [BLOCK]}}\n"
    "  turned: {grid: [p], distribute: {u: [\"*\", BLOCK], v: [BLOCK, \"*\"], w: [\"*\", BLOCK], "
    "x: [BLOCK], t: [BLOCK]}}\n"
    "program:\n"
    "  - segment: both\n"
    "    repeat: a\n"
    "    body:\n"
    "      - loop: {i: [1, N - 2]}\n"
    "        body:\n"
    "          - loop: {j: [1, M - 2]}\n"
    "            body:\n"
    "              - {statement: x, writes: \"w[i][j]\", reads: [\"u[i-1][j]\", \"u[i+1][j]\"], "
    "operations: {}}\n"
    "  - segment: one\n"
    "    repeat: b\n"
    "    body:\n"
    "      - loop: {i: [0, N - 1]}\n"
    "        body:\n"
    "          - loop: {j: [1, M - 1]}\n"
    "            body:\n"
    "              - {statement: y, writes: \"w[i][j]\", reads: [\"u[i][j-1]\"], operations: {}}\n"
    "  - segment: product\n"
    "    repeat: c\n"
    "    body:\n"
    "      - loop: {i: [0, N - 1]}\n"
    "        body:\n"
    "          - loop: {j: [0, M - 1]}\n"
    "            body:\n"
    "              - {statement: z, writes: \"t[i]\", reads: [\"v[i][j]\", \"x[j]\"], reduce: sum, "
    "operations: {}}\n"
    "  - segment: sum\n"
    "    repeat: d\n"
    "    body:\n"
    "      - call: {utility: combine, bytes: 8 * M}\n";

/* Eager up to there, with another line beyond. */
static const double eager_bytes = 16384;

struct truth {
    double t0_us[UTILITIES][2], per_byte_us[UTILITIES][2];
    unsigned long seed;
};

/* ---- what is true ---- */

static double factor_of(gsl_rng *random)
{
    return exp2(2.0 * gsl_rng_uniform(random) - 1.0);
}

static struct truth truth_draw(gsl_rng *random)
{
    struct truth truth = {.seed = gsl_rng_get(random)};
    for (int u = 0; u < UTILITIES; u++) {
        const double setup = factor_of(random), rate = factor_of(random);
        for (int k = 0; k < 2; k++) {
            truth.t0_us[u][k] = utilities[u].t0_us * setup * (1.0 + 2.0 * k);
            truth.per_byte_us[u][k] = utilities[u].per_byte_us * rate / (1.0 + k);
        }
    }
    return truth;
}

/* A normal deviate that is always the same for the same numbers. */
static double deviate(unsigned long seed, int utility, double bytes, int launch)
{
    static gsl_rng *random;
    if (!random)
        random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed ^ (unsigned long)(utility * 1000003 + launch * 7919) ^
                            (unsigned long)(bytes * 31.0));
    return gsl_ran_gaussian(random, 1.0);
}

/* Of a launch: 0 is the one of the programs. */
static double true_us(const struct truth *truth, int utility, double bytes, int launch)
{
    const int k = bytes > eager_bytes;
    return (truth->t0_us[utility][k] + truth->per_byte_us[utility][k] * bytes) *
           exp(of_size * deviate(truth->seed, utility, bytes, -1) +
               of_launch * deviate(truth->seed, utility, -1.0 - k, launch));
}

/* ---- what is measured ---- */

static size_t measure(const struct truth *truth, int utility, int launch, gsl_rng *random,
                      struct observation *seen)
{
    size_t count = 0;
    for (int i = 0; i < SIZES; i++) {
        const double bytes =
            i == 0 ? 0.0
                   : floor(exp(log(SIZES_MOST) * (i - gsl_rng_uniform(random)) / (SIZES - 1.0)));
        if (count > 0 && bytes <= seen[count - 1].bytes)
            continue;
        const double time_us =
            true_us(truth, utility, bytes, launch) * exp(gsl_ran_gaussian(random, of_noise));
        seen[count++] = (struct observation){.bytes = bytes,
                                             .time_us = time_us,
                                             .half_width_us = of_noise * time_us,
                                             .processors = utilities[utility].participants,
                                             .held_out = i % HELD_OUT_OF == HELD_OUT_OF / 2};
    }
    return count;
}

static void add_cost(struct machine *machine, const struct truth *truth, int utility, int launch,
                     gsl_rng *random)
{
    struct observation seen[SIZES];
    struct error error;
    const struct fit_plan plan = fit_plan_default();
    struct cost *cost = list_add(&cost_record, &machine->communication);
    const size_t count = measure(truth, utility, launch, random, seen);
    cost->utility = memory_copy_text(utilities[utility].name);
    cost->processors_mean = MEAN_PARTICIPANTS;
    cost->bytes = (struct span){0, SIZES_MOST};
    cost->processors = (struct span){2, utilities[utility].participants};
    cost->points = (double)count;
    ck_assert_int_eq(fit_regions(seen, count, &plan, &cost->regions, &error), 0);
    measured_learn(cost, seen, count);
}

static struct machine machine_measured(const struct truth *truth, gsl_rng *random)
{
    static const char text[] = "forecost: 4\nmachine: {name: drawn, processors: 16, measured: "
                               "{date: 2026-01-01T00:00:00Z, seed: 1}}\n";
    struct machine launches[LAUNCHES];
    struct error error;
    for (int k = 0; k < LAUNCHES; k++) {
        ck_assert_int_eq(
            machine_read_text(&launches[k], "drawn.yaml", text, sizeof text - 1, &error), 0);
        for (int u = 0; u < UTILITIES; u++)
            add_cost(&launches[k], truth, u, k + 1, random);
    }
    ck_assert_msg(machine_merge(launches, LAUNCHES, &error) == 0, "%s", error.text);
    for (int k = 1; k < LAUNCHES; k++)
        machine_free(&launches[k]);
    machine_leave_out_computation(&launches[0]);
    return launches[0];
}

/* ---- what programs take in truth ---- */

static const struct cost *cost_of(const struct machine *machine, const struct region *region)
{
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++) {
        const struct region *regions = costs[i].regions.items;
        if (region >= regions && region < regions + costs[i].regions.count)
            return &costs[i];
    }
    return NULL;
}

static int utility_of(const struct cost *cost)
{
    int u = 0;
    while (strcmp(utilities[u].name, cost->utility) != 0)
        u++;
    return u;
}

/* in_program: what messages take more than alone, of all candidates. */
static double program_us(const struct machine *machine, const struct truth *truth,
                         const struct segment_prediction *whole, double in_program)
{
    const struct uncertain *items = whole->uncertain.list.items;
    double us = whole->communicate_us;
    for (size_t i = 0; i < whole->uncertain.list.count; i++) {
        const struct cost *cost = cost_of(machine, items[i].region);
        struct cost_answer answer;
        if (!cost)
            continue;
        ck_assert_int_eq(cost_answer(cost, items[i].bytes, items[i].processors, &answer, NULL), 0);
        us += items[i].time_us *
              (true_us(truth, utility_of(cost), items[i].bytes, 0) / answer.time_us - 1.0);
    }
    return us * in_program;
}

/* ---- how often ---- */

struct tally {
    int sure, sure_right, nearly, nearly_right, inside, all;
};

static void rank(const struct machine *machine, const struct truth *truth,
                 const struct program *program, gsl_rng *random, struct tally *tally)
{
    struct study study;
    struct ranking ranking;
    struct error error;
    char texts[PARAMETERS][40];
    const char *definitions[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) {
        const double most = i < 2 ? 8192 : 32, least = i < 2 ? 64 : 1;
        snprintf(texts[i], sizeof texts[i], "%s=%.0f", parameters[i],
                 floor(least * pow(most / least, gsl_rng_uniform(random))));
        definitions[i] = texts[i];
    }
    ck_assert_msg(
        study_make(&study, machine, program, PROCESSORS, definitions, PARAMETERS, &error) == 0,
        "%s", error.text);
    ck_assert_msg(ranking_make(&ranking, &study, &program->candidates, NULL, &error) == 0, "%s",
                  error.text);
    ck_assert_msg(!ranking.no_odds, "%s: %s", program->path, ranking.no_odds);
    const double in_program = exp(gsl_ran_gaussian(random, 0.1));
    double last_us = 0.0;
    for (size_t i = 0; i < ranking.count; i++) {
        const struct ranked *it = &ranking.items[i];
        const struct segment_prediction *whole = &it->prediction.whole;
        const double us = program_us(machine, truth, whole, in_program);
        const double odds = i > 0 ? ranking.items[i - 1].odds.before_next : 0.5;
        tally->all++;
        tally->inside += us >= whole->low_us && us <= whole->high_us;
        if (i > 0 && it->rank != ranking.items[i - 1].rank) {
            const bool nearly = odds >= 0.85 && odds < 0.95;
            tally->nearly += nearly;
            tally->nearly_right += nearly && last_us < us;
            tally->sure += odds >= 0.95;
            tally->sure_right += odds >= 0.95 && last_us < us;
        }
        last_us = us;
    }
    ranking_free(&ranking);
    study_free(&study);
}

static void read_program(struct program *program)
{
    char path[] = "/tmp/odds-test-XXXXXX";
    struct error error;
    FILE *file = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(program_text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_msg(program_read(program, path, &error) == 0, "%s", error.text);
    unlink(path);
}

START_TEST(orders_are_right_as_often_as_they_are_called)
{
    enum { PROGRAMS = 8 }; /* for each machine */
    const int wanted = OFTEN(200, 2000);
    struct program program;
    struct tally tally = {0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 45);
    read_program(&program);
    while (tally.nearly < wanted && tally.all < 400 * wanted) {
        const struct truth truth = truth_draw(random);
        struct machine machine = machine_measured(&truth, random);
        for (int k = 0; k < PROGRAMS; k++)
            rank(&machine, &truth, &program, random, &tally);
        machine_free(&machine);
    }
    program_free(&program);
    gsl_rng_free(random);
    printf("# of %d orders called 85 to 95 %% sure %.1f %% are right, of %d called surer %.1f %%; "
           "%.1f %% of %d times are inside their intervals\n",
           tally.nearly, 100.0 * tally.nearly_right / tally.nearly, tally.sure,
           100.0 * tally.sure_right / tally.sure, 100.0 * tally.inside / tally.all, tally.all);
    ck_assert_int_ge(tally.nearly, wanted);
    ck_assert_double_ge(tally.nearly_right, 0.85 * tally.nearly);
    ck_assert_double_le(tally.nearly_right, 0.95 * tally.nearly);
    ck_assert_double_ge(tally.sure_right, 0.95 * tally.sure);
}
END_TEST

SUITE("odds", orders_are_right_as_often_as_they_are_called)
