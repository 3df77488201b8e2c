/* The derived communication and work of every sample against enumeration: its segments are executed
   statement by statement from the text of the description, with nothing of model/segment but what
   the file says; who wrote an element last says where a message can be sent, who owns it and who
   needs it what it is. */
#include "model/segment/program/schedule.h"
#include "test/enumerated/combination.h"
#include "test/enumerated/moves.h"
#include "test/enumerated/outcome.h"
#include "test/enumerated/random_bounds.h"
#include "test/enumerated/random_elimination.h"
#include "test/enumerated/random_pieces.h"
#include "test/enumerated/random_reduction.h"
#include "test/enumerated/random_split.h"
#include "test/enumerated/random_sweep.h"
#include "test/enumerated/work.h"
#include "test/scratch.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a segment, a change, a sample ---- */

static size_t compared;

static struct tally derived(const struct world *it, const struct analysis *analysis)
{
    struct tally tally = {0};
    const struct array *arrays = it->program->arrays.items;
    const struct demand *demands = analysis->demands.items;
    for (size_t i = 0; i < analysis->demands.count; i++)
        tally_add_demand(&tally, &demands[i], demands[i].utility ? 1.0 : arrays[0].element_bytes);
    compared += tally.count;
    return tally;
}

/* Of several works, and those of them in which another processor is the busiest than in each. */
static size_t phases, shared_phases;

static void compare_phases(const struct outcome *outcome, const struct analysis *analysis)
{
    const struct work *works = analysis->work.items;
    for (size_t i = 0; i < analysis->work.count;) {
        const size_t count = work_check_phase(outcome, &works[i], analysis->work.count - i);
        phases += count > 1;
        shared_phases += works[i].iterations != NULL;
        i += count;
    }
}

static void compare_segment(struct world *it, const struct segment *segment,
                            const struct analysis *analysis)
{
    struct trace trace = {.world = it};
    char of[200];
    trace_execute(&trace, &segment->body);
    trace_find_writers(&trace);
    struct outcome outcome = {.trace = &trace, .tally = trace.calls};
    for (int s = 0; s < trace.statement_count; s++) {
        outcome_add_reads(&outcome, trace.statements[s], analysis);
        if (trace.statements[s]->reduce != REDUCE_NONE)
            combination_add(&outcome.tally, &trace, trace.statements[s]);
    }
    snprintf(of, sizeof of, "%s, %s of %s on %d", it->program->path, segment->name,
             it->candidate->name, it->processors);
    const struct tally tally = derived(it, analysis);
    tally_compare(&outcome.tally, &tally, of);
    ck_assert_uint_eq(analysis->pipelines.count, (size_t)outcome.pipelines);
    for (int k = 0; k < outcome.pipelines; k++)
        wave_compare(&outcome.waves[k], &trace,
                     (const struct pipeline *)analysis->pipelines.items + k);
    ck_assert_uint_eq(analysis->work.count, (size_t)trace.statement_count);
    for (int s = 0; s < trace.statement_count; s++)
        work_check(&outcome, (const struct work *)analysis->work.items + s);
    compare_phases(&outcome, analysis);
    free(trace.events);
}

/* What has to move for the arrays to lie as they do in the other world. */
static void add_moves(struct tally *tally, const struct world *before, const struct world *after)
{
    for (size_t a = 0; a < after->program->arrays.count; a++) {
        const struct lying *from = &before->arrays[a], *to = &after->arrays[a];
        struct moves moves = moves_new(from->elements);
        for (int element = 0; element < from->elements; element++)
            for (int q = 0; q < after->processors; q++)
                if (world_has(after, to, q, element) && !world_has(before, from, q, element))
                    moves_add(&moves, q, world_source(before, from, q, element), element);
        const struct pairs pairs = moves_pairs(after, &moves.count[0][0]);
        const struct expected class = pairs_classify(&pairs, moves_same(&moves));
        tally_add_expected(tally, &class);
        free(moves.moved);
    }
}

static void abort_with(const struct error *error)
{
    char line[800];
    ck_abort_msg("%s", error_line(error, line, sizeof line));
}

/* Where changes happen: before each of the segments, after the last, and on the way back. */
enum { PLACES = 8 };

/* All segments are gone through as often as the description says; each time but the first begins
   with the layouts that the first segment had. */
static void execute_changes(struct world *it, struct tally *tallies)
{
    const size_t segments = it->program->segments.count;
    const int times = it->program->repeat.text ? world_value(it, it->program->repeat.text) : 1;
    struct world first = *it;
    ck_assert_uint_lt(segments + 1, PLACES);
    for (int time = 0; time < times; time++)
        for (size_t i = 0; i <= segments; i++) {
            const struct world before = *it;
            const bool back = time > 0 && i == 0;
            if (back)
                memcpy(it->arrays, first.arrays, sizeof it->arrays);
            else
                world_redistribute(it, i);
            if (time == 0 && i == 0)
                first = *it;
            add_moves(&tallies[back ? segments + 1 : i], &before, it);
        }
}

static void add_change(struct tally *tally, const struct world *it, const struct change *change)
{
    struct analysis analysis;
    struct error error;
    if (analysis_change(&analysis, it->program, &change->from, &change->to, change->place,
                        change->times, &error) != 0)
        abort_with(&error);
    const struct tally once = derived(it, &analysis);
    for (size_t i = 0; i < once.count; i++) {
        const struct entry *entry = &once.entries[i];
        tally_add_expected(tally,
                           &(struct expected){entry->class, entry->times * analysis.repeat,
                                              entry->elements, entry->group, entry->at_once});
    }
    analysis_free(&analysis);
}

static void compare_changes(struct world *it, const struct schedule *schedule)
{
    static struct tally expected[PLACES], tallies[PLACES];
    memset(expected, 0, sizeof expected);
    memset(tallies, 0, sizeof tallies);
    execute_changes(it, expected);
    for (size_t i = 0; i < schedule->change_count; i++) {
        const struct change *change = &schedule->changes[i];
        const bool back = strstr(change->name, "redistribute back to ") != NULL;
        add_change(&tallies[back ? schedule->segment_count + 1 : change->before], it, change);
    }
    for (size_t i = 0; i < PLACES; i++)
        tally_compare(&expected[i], &tallies[i], "a change of layouts");
}

static int times_of(const struct world *it, const struct segment *segment)
{
    const char *all = it->program->repeat.text;
    return (all ? world_value(it, all) : 1) *
           (segment->repeat.text ? world_value(it, segment->repeat.text) : 1);
}

static void compare_candidate(struct world *it)
{
    const struct segment *segments = it->program->segments.items;
    struct schedule schedule;
    struct subject subject;
    struct error error;
    if (schedule_make(&schedule, it->program, it->candidate, it->scope, &error) != 0 ||
        subject_make(&subject, it->program, it->scope, &error) != 0)
        abort_with(&error);
    world_lay_grid(it);
    world_lay_arrays(it);
    for (size_t i = 0; i < it->program->segments.count; i++) {
        struct analysis analysis;
        world_redistribute(it, i);
        if (analysis_make(&analysis, &subject, i, &schedule.layouts[i], &error) != 0)
            abort_with(&error);
        compare_segment(it, &segments[i], &analysis);
        ck_assert_double_eq(analysis.repeat, times_of(it, &segments[i]));
        analysis_free(&analysis);
    }
    world_lay_arrays(it);
    compare_changes(it, &schedule);
    subject_free(&subject);
    schedule_free(&schedule);
}

static void compare_file(const char *path, const char *size, int processors)
{
    struct program program;
    struct error error;
    if (program_read(&program, path, &error) != 0)
        abort_with(&error);
    for (size_t i = 0; i < program.candidates.count; i++) {
        struct world world = {.program = &program,
                              .candidate = (const struct candidate *)program.candidates.items + i,
                              .processors = processors};
        world.scope = program_scope(&program, &size, 1, processors, &error);
        if (!world.scope)
            abort_with(&error);
        compare_candidate(&world);
        scope_free(world.scope);
    }
    program_free(&program);
}

static void compare_sample(const char *file, const char *size, int processors)
{
    char path[400];
    const char *source = getenv("FORECOST_SOURCE");
    snprintf(path, sizeof path, "%s/samples/%s", source ? source : ".", file);
    compare_file(path, size, processors);
}

/* Sizes that divide and sizes that leave a remainder, or processors with nothing. */
static const struct {
    const char *file, *sizes[3];
    int processors[6];
} samples[] = {
    {"adi/adi.yaml",              {"N=12", "N=17"},         {1, 2, 3, 4, 8, 16}},
    {"cg/cg.yaml",                {"N=12", "N=17"},         {1, 2, 4, 8, 16}   },
    {"fft/fft-binary.yaml",       {"n=8", "n=16"},          {1, 2, 4, 8, 16}   },
    {"fft/fft.yaml",              {"n=8", "n=16"},          {1, 2, 4, 8, 16}   },
    {"heat/heat.yaml",            {"N=8", "N=11"},          {1, 2, 4, 8, 16}   },
    {"jacobi/jacobi.yaml",        {"N=12", "N=17"},         {1, 2, 4, 8, 16}   },
    {"lu/lu.yaml",                {"N=12", "N=17", "N=33"}, {1, 2, 3, 4, 8, 16}},
    {"matvec/matvec.yaml",        {"N=16", "N=21"},         {1, 2, 4, 8, 16}   },
    {"summa/summa.yaml",          {"N=16", "N=24"},         {1, 2, 4, 8, 16}   },
    {"sweep/sweep.yaml",          {"N=12", "N=17"},         {1, 2, 4, 8, 16}   },
    {"transpose/three-ways.yaml", {"N=12", "N=17"},         {1, 2, 3, 4, 8, 16}},
};

START_TEST(samples_agree_with_enumeration)
{
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++)
        for (int n = 0; n < 3 && samples[s].sizes[n]; n++)
            for (int i = 0; i < 6 && samples[s].processors[i]; i++)
                compare_sample(samples[s].file, samples[s].sizes[n], samples[s].processors[i]);
    ck_assert_uint_gt(compared, 200);
}
END_TEST

/* ---- segments that are repeated together ---- */

#define SWEEP(name, more, writes, reads)                                                           \
    "  - segment: " name "\n" more "    body:\n      - loop: {i: [0, N - 1]}\n        body:\n"     \
    "          - loop: {j: [1, N - 1]}\n            body:\n"                                       \
    "              - {statement: s, writes: \"" writes "\", reads: [\"" reads "\"]}\n"

/* Candidates that end as they began, that do not, that begin otherwise than they are distributed,
   and whose arrays come from two layouts. */
static const char repeated_text[] =
    "forecost-segment: 1\nparameters: {N: 12, T: 1}\nrepeat: 3 * T\n"
    "arrays: {u: {extent: [N, N]}, v: {extent: [N, N], align: u}, w: {extent: [N]}}\n"
    "candidates:\n"
    "  closed: {grid: [p], distribute: {u: [BLOCK, '*']}, redistribute: "
    "[{before: down, u: ['*', BLOCK]}, {after: down, u: [BLOCK, '*']}]}\n"
    "  open: {grid: [p], distribute: {u: [BLOCK, '*']}, redistribute: "
    "[{before: down, u: ['*', BLOCK]}]}\n"
    "  otherwise: {grid: [p], distribute: {u: [CYCLIC, '*'], w: [BLOCK]}, redistribute: "
    "[{before: across, u: [BLOCK, '*']}, {before: down, u: ['*', CYCLIC], w: [CYCLIC]}]}\n"
    "  after: {grid: [p], distribute: {u: [BLOCK, '*']}, redistribute: "
    "[{after: down, u: ['*', '*']}]}\n"
    "  fixed: {grid: [p], distribute: {u: [BLOCK, '*']}}\n"
    "program:\n" SWEEP("across", "", "u[i][j]", "u[i][j-1]")
        SWEEP("down", "    repeat: 2\n", "v[j][i]", "v[j-1][i]");

START_TEST(repeated_segments_agree_with_enumeration)
{
    char *path = scratch_path("repeated.yaml");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(repeated_text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    compared = 0;
    for (int processors = 1; processors <= 8; processors++) {
        compare_file(path, "T=2", processors);
        compare_file(path, "N=7", processors);
    }
    ck_assert_uint_gt(compared, 50);
    remove_scratch(path);
}
END_TEST

/* ---- random descriptions ---- */

static struct tally combinations(const struct analysis *analysis)
{
    struct tally tally = {0};
    const struct demand *demands = analysis->demands.items;
    for (size_t i = 0; i < analysis->demands.count; i++) {
        const struct use *uses = demands[i].uses.items;
        if (demands[i].uses.count > 0 && uses[0].class >= TRAFFIC_COMBINE)
            tally_add_demand(&tally, &demands[i], 8.0);
    }
    return tally;
}

/* Alone what reductions combine: what else is read of whom is not looked at. */
static void compare_reduction(struct world *it, const struct segment *segment,
                              const struct analysis *analysis)
{
    struct trace trace = {.world = it};
    struct tally expected = {0};
    trace_execute(&trace, &segment->body);
    trace_find_writers(&trace);
    for (int s = 0; s < trace.statement_count; s++)
        if (trace.statements[s]->reduce != REDUCE_NONE)
            combination_add(&expected, &trace, trace.statements[s]);
    const struct tally tally = combinations(analysis);
    tally_compare(&expected, &tally, "a random reduction");
    compared += tally.count;
    free(trace.events);
}

/* Whether something that the event reads was written by another processor within loops, but for
   what is sent element by element within all of them. */
static bool waits_within(const struct trace *trace, const struct event *event)
{
    for (int k = 0; k < event->read_count; k++) {
        const struct event *writer =
            event->writers[k] < 0 ? NULL : &trace->events[event->writers[k]];
        const struct loop *carrier;
        for (int q = 0; writer && q < trace->world->processors; q++)
            if (trace_executes(trace->world, event, q) &&
                !trace_executes(trace->world, writer, q)) {
                const int depth = depth_between(event, writer, &carrier);
                if (depth > 0 && depth < event->depth)
                    return true;
            }
    }
    return false;
}

/* Alone who computes what between messages; the outermost loop is all that may wait for them. */
static void compare_pieces(struct world *it, const struct segment *segment,
                           const struct analysis *analysis)
{
    struct trace trace = {.world = it};
    const struct work *works = analysis->work.items;
    trace_execute(&trace, &segment->body);
    trace_find_writers(&trace);
    struct outcome outcome = {.trace = &trace};
    for (size_t i = 0; i < trace.count && outcome.synchronous_count == 0; i++)
        if (waits_within(&trace, &trace.events[i]))
            outcome.synchronous[outcome.synchronous_count++] = trace.events[i].loops[0];
    for (int s = 0; s < trace.statement_count; s++)
        work_check(&outcome, &works[s]);
    compare_phases(&outcome, analysis);
    compared++;
    free(trace.events);
}

static void count_pipelines(struct world *it, const struct segment *segment,
                            const struct analysis *analysis)
{
    compare_segment(it, segment, analysis);
    compared += analysis->pipelines.count;
}

static void compare_random(int count, int (*describe)(gsl_rng *random, const char *path),
                           void (*compare)(struct world *it, const struct segment *segment,
                                           const struct analysis *analysis))
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    char *path = scratch_path("random.yaml");
    for (int i = 0; i < count; i++) {
        struct program program;
        struct schedule schedule;
        struct subject subject;
        struct analysis analysis;
        struct error error;
        const int processors = describe(random, path);
        if (program_read(&program, path, &error) != 0)
            abort_with(&error);
        struct world world = {
            .program = &program, .candidate = program.candidates.items, .processors = processors};
        world.scope = program_scope(&program, NULL, 0, processors, &error);
        if (!world.scope ||
            schedule_make(&schedule, &program, world.candidate, world.scope, &error) != 0 ||
            subject_make(&subject, &program, world.scope, &error) != 0 ||
            analysis_make(&analysis, &subject, 0, schedule.layouts, &error) != 0)
            abort_with(&error);
        world_lay_grid(&world);
        world_lay_arrays(&world);
        compare(&world, program.segments.items, &analysis);
        analysis_free(&analysis);
        subject_free(&subject);
        schedule_free(&schedule);
        scope_free(world.scope);
        program_free(&program);
    }
    ck_assert_uint_gt(compared, (size_t)count / 3);
    remove_scratch(path);
    gsl_rng_free(random);
}

START_TEST(random_reductions_agree_with_enumeration)
{
    compare_random(OFTEN(600, 3000), random_reduction_write, compare_reduction);
}
END_TEST

START_TEST(random_sweeps_agree_with_enumeration)
{
    compare_random(OFTEN(300, 1500), random_sweep_write, count_pipelines);
}
END_TEST

START_TEST(random_bounds_agree_with_enumeration)
{
    compare_random(OFTEN(200, 2000), random_bounds_write, compare_segment);
}
END_TEST

START_TEST(random_pieces_agree_with_enumeration)
{
    compare_random(OFTEN(400, 3000), random_pieces_write, compare_pieces);
    ck_assert_uint_gt(phases, 100);
    ck_assert_uint_gt(shared_phases, 40);
}
END_TEST

/* ---- loops that are split ---- */

/* What a description sends, and what its busiest processor computes. */
static struct tally whole_of(const char *path, int processors, double *busiest)
{
    struct program program;
    struct schedule schedule;
    struct subject subject;
    struct analysis analysis;
    struct error error;
    if (program_read(&program, path, &error) != 0)
        abort_with(&error);
    struct scope *scope = program_scope(&program, NULL, 0, processors, &error);
    if (!scope ||
        schedule_make(&schedule, &program, program.candidates.items, scope, &error) != 0 ||
        subject_make(&subject, &program, scope, &error) != 0 ||
        analysis_make(&analysis, &subject, 0, schedule.layouts, &error) != 0)
        abort_with(&error);
    struct tally tally = {0};
    const struct demand *demands = analysis.demands.items;
    for (size_t i = 0; i < analysis.demands.count; i++)
        tally_add_demand(&tally, &demands[i], 8.0);
    const struct work *works = analysis.work.items;
    double most = 0.0;
    *busiest = 0.0;
    for (int q = 0; q < processors; q++) {
        double sum = 0.0;
        for (size_t i = 0; i < analysis.work.count; i++)
            sum += works[i].iterations ? works[i].iterations[q] : works[i].iterations_most;
        most = sum > most ? sum : most;
    }
    *busiest = most;
    analysis_free(&analysis);
    subject_free(&subject);
    schedule_free(&schedule);
    scope_free(scope);
    program_free(&program);
    return tally;
}

START_TEST(split_loops_are_whole_ones)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    char *whole = scratch_path("whole.yaml"), *split = scratch_path("split.yaml");
    size_t messages = 0;
    for (int i = 0; i < OFTEN(400, 4000); i++) {
        double expected_most, most;
        const int processors = random_split_write(random, whole, split);
        const struct tally expected = whole_of(whole, processors, &expected_most);
        const struct tally found = whole_of(split, processors, &most);
        tally_compare(&expected, &found, "a split loop");
        ck_assert_double_eq(most, expected_most);
        messages += expected.count;
    }
    ck_assert_uint_gt(messages, 200);
    remove_scratch(whole);
    remove_scratch(split);
    gsl_rng_free(random);
}
END_TEST

START_TEST(random_eliminations_agree_with_enumeration)
{
    compare_random(OFTEN(150, 1000), random_elimination_write, compare_segment);
}
END_TEST

/* ---- chains on blocks that are dealt out ---- */

/* a[i] of a[i - apart]: so many iterations go on at once, of which the busiest processor computes
   and sends what it has, one after the other. */
static void compare_chain(int apart, int block, int processors, bool is_matrix)
{
    enum { N = 29, TIMES = 3 };
    struct program program;
    struct analysis analysis;
    struct schedule schedule;
    struct subject subject;
    struct error error;
    char *path = scratch_path("chain.yaml");
    FILE *stream = fopen(path, "w");
    ck_assert_ptr_nonnull(stream);
    fprintf(stream,
            "forecost-segment: 1\nparameters: {N: %d, T: %d}\narrays: {a: {extent: [N, T]}}\n"
            "candidates: {c: {grid: [p], distribute: {a: [CYCLIC(%d), '*']}}}\n"
            "program:\n- segment: s\n  body:\n  - loop: {j: [0, T - 1]}\n    body:\n"
            "    - loop: {i: [%d, N - 1]}\n      body:\n"
            "      - {statement: s, writes: 'a[i][%s]', reads: ['a[i-%d][%s]']}\n",
            N, TIMES, block, apart, is_matrix ? "j" : "0", apart, is_matrix ? "j" : "0");
    fclose(stream);
    double work = 0.0, sent = 0.0, told = 0.0;
    for (int first = apart; first < N; first += apart) {
        int mine[PROCESSORS] = {0}, in[PROCESSORS] = {0}, out[PROCESSORS] = {0};
        int most = 0, most_sent = 0;
        for (int i = first; i < N && i < first + apart; i++) {
            const int q = i / block % processors, r = (i - apart) / block % processors;
            most = ++mine[q] > most ? mine[q] : most;
            if (q == r)
                continue;
            most_sent = ++in[q] > most_sent ? in[q] : most_sent;
            most_sent = ++out[r] > most_sent ? out[r] : most_sent;
        }
        work += TIMES * most;
        sent += TIMES * most_sent;
    }
    if (program_read(&program, path, &error) != 0)
        abort_with(&error);
    struct scope *scope = program_scope(&program, NULL, 0, processors, &error);
    if (!scope ||
        schedule_make(&schedule, &program, program.candidates.items, scope, &error) != 0 ||
        subject_make(&subject, &program, scope, &error) != 0 ||
        analysis_make(&analysis, &subject, 0, &schedule.layouts[0], &error) != 0)
        abort_with(&error);
    const struct demand *demands = analysis.demands.items;
    for (size_t i = 0; i < analysis.demands.count; i++)
        for (size_t k = 0; k < demands[i].uses.count; k++)
            told += ((const struct use *)demands[i].uses.items)[k].times;
    ck_assert_double_eq(((const struct work *)analysis.work.items)->iterations_most, work);
    ck_assert_double_eq_tol(told, sent, 1e-9);
    analysis_free(&analysis);
    subject_free(&subject);
    schedule_free(&schedule);
    scope_free(scope);
    program_free(&program);
    remove_scratch(path);
}

START_TEST(chains_agree_with_enumeration)
{
    for (int apart = 1; apart <= 5; apart++)
        for (int block = 1; block <= 4; block++)
            for (int processors = 2; processors <= 4; processors++) {
                compare_chain(apart, block, processors, true);
                compare_chain(apart, block, processors, false);
            }
}
END_TEST

SUITE("enumerated", samples_agree_with_enumeration, repeated_segments_agree_with_enumeration,
      random_reductions_agree_with_enumeration, random_sweeps_agree_with_enumeration,
      random_eliminations_agree_with_enumeration, random_bounds_agree_with_enumeration,
      random_pieces_agree_with_enumeration, split_loops_are_whole_ones,
      chains_agree_with_enumeration)
