/* The derived communication and work of every sample against enumeration: its segments are executed
   statement by statement from the text of the description, with nothing of model/segment but what
   the file says; who wrote an element last says where a message can be sent, who owns it and who
   needs it what it is. */
#include "model/segment/schedule.h"
#include "test/enumerated/combination.h"
#include "test/enumerated/moves.h"
#include "test/enumerated/outcome.h"
#include "test/enumerated/random_reduction.h"
#include "test/enumerated/random_sweep.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- work ---- */

static bool waits(const struct outcome *outcome, const struct loop *loop)
{
    for (int i = 0; i < outcome->synchronous_count; i++)
        if (outcome->synchronous[i] == loop)
            return true;
    return false;
}

static double most_of(int *counts, int processors)
{
    int most = 0;
    for (int q = 0; q < processors; q++) {
        most = counts[q] > most ? counts[q] : most;
        counts[q] = 0;
    }
    return most;
}

/* The busiest of every step, where steps wait for messages. */
static void check_work(const struct outcome *outcome, const struct work *work)
{
    const struct trace *trace = outcome->trace;
    const struct world *it = trace->world;
    int counts[PROCESSORS] = {0};
    const struct event *before = NULL;
    double most = 0.0, sum = 0.0;
    for (size_t i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        if (event->statement != work->statement)
            continue;
        for (int l = 0; before && l < event->depth; l++)
            if (event->at[l] != before->at[l] && waits(outcome, event->loops[l]))
                most += most_of(counts, it->processors);
        for (int q = 0; q < it->processors; q++) {
            counts[q] += trace_executes(it, event, q);
            sum += trace_executes(it, event, q);
        }
        before = event;
    }
    most += most_of(counts, it->processors);
    ck_assert_double_eq(work->iterations_most, most);
    ck_assert_double_eq_tol(work->iterations_mean, sum / it->processors, 1e-9);
}

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
        check_work(&outcome, (const struct work *)analysis->work.items + s);
    free(trace.events);
}

static void compare_change(const struct world *before, const struct world *after,
                           const struct analysis *analysis)
{
    struct tally expected = {0};
    for (size_t a = 0; a < after->program->arrays.count; a++) {
        const struct lying *from = &before->arrays[a], *to = &after->arrays[a];
        struct moves moves = moves_new(from->elements);
        for (int element = 0; element < from->elements; element++)
            for (int q = 0; q < after->processors; q++)
                if (world_has(after, to, q, element) && !world_has(before, from, q, element))
                    moves_add(&moves, q, world_source(before, from, q, element), element);
        const struct pairs pairs = moves_pairs(after, &moves.count[0][0]);
        const struct expected class = pairs_classify(&pairs, moves_same(&moves));
        tally_add_expected(&expected, &class);
        free(moves.moved);
    }
    const struct tally tally = derived(after, analysis);
    tally_compare(&expected, &tally, "a change of layouts");
}

static void abort_with(const struct error *error)
{
    char line[800];
    ck_abort_msg("%s", error_line(error, line, sizeof line));
}

static void compare_changes(struct world *it, const struct schedule *schedule, size_t number)
{
    const struct world before = *it;
    world_redistribute(it, number);
    for (size_t i = 0; i < schedule->change_count; i++) {
        const struct change *change = &schedule->changes[i];
        struct analysis analysis;
        struct error error;
        if (change->before != number)
            continue;
        if (analysis_change(&analysis, it->program, &change->from, &change->to, change->place,
                            change->times, &error) != 0)
            abort_with(&error);
        compare_change(&before, it, &analysis);
        analysis_free(&analysis);
    }
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
        compare_changes(it, &schedule, i);
        if (analysis_make(&analysis, &subject, i, &schedule.layouts[i], &error) != 0)
            abort_with(&error);
        compare_segment(it, &segments[i], &analysis);
        analysis_free(&analysis);
    }
    compare_changes(it, &schedule, it->program->segments.count);
    subject_free(&subject);
    schedule_free(&schedule);
}

static void compare_sample(const char *file, const char *size, int processors)
{
    char path[400];
    struct program program;
    struct error error;
    const char *source = getenv("FORECOST_SOURCE");
    snprintf(path, sizeof path, "%s/samples/%s", source ? source : ".", file);
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

/* Sizes that divide and sizes that leave a remainder, or processors with nothing. */
static const struct {
    const char *file, *sizes[3];
    int processors[6];
} samples[] = {
    {"adi/adi.yaml",              {"N=12", "N=17"}, {1, 2, 3, 4, 8, 16}},
    {"cg/cg.yaml",                {"N=12", "N=17"}, {1, 2, 4, 8, 16}   },
    {"fft/fft-binary.yaml",       {"n=8", "n=16"},  {1, 2, 4, 8, 16}   },
    {"fft/fft.yaml",              {"n=8", "n=16"},  {1, 2, 4, 8, 16}   },
    {"heat/heat.yaml",            {"N=8", "N=11"},  {1, 2, 4, 8, 16}   },
    {"jacobi/jacobi.yaml",        {"N=12", "N=17"}, {1, 2, 4, 8, 16}   },
    {"lu/lu.yaml",                {"N=12", "N=17"}, {1, 2, 3, 4, 8, 16}},
    {"matvec/matvec.yaml",        {"N=16", "N=21"}, {1, 2, 4, 8, 16}   },
    {"summa/summa.yaml",          {"N=16", "N=24"}, {1, 2, 4, 8, 16}   },
    {"sweep/sweep.yaml",          {"N=12", "N=17"}, {1, 2, 4, 8, 16}   },
    {"transpose/three-ways.yaml", {"N=12", "N=17"}, {1, 2, 3, 4, 8, 16}},
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

/* ---- random descriptions ---- */

static struct tally combinations(const struct analysis *analysis)
{
    struct tally tally = {0};
    const struct demand *demands = analysis->demands.items;
    for (size_t i = 0; i < analysis->demands.count; i++) {
        const struct use *uses = demands[i].uses.items;
        if (demands[i].uses.count > 0 && uses[0].class == TRAFFIC_COMBINE)
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

static void count_pipelines(struct world *it, const struct segment *segment,
                            const struct analysis *analysis)
{
    compare_segment(it, segment, analysis);
    compared += analysis->pipelines.count;
}

static void compare_random(const char *path, int count,
                           int (*describe)(gsl_rng *random, const char *path),
                           void (*compare)(struct world *it, const struct segment *segment,
                                           const struct analysis *analysis))
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
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
    unlink(path);
    gsl_rng_free(random);
}

START_TEST(random_reductions_agree_with_enumeration)
{
    compare_random("reduction-test.yaml", 3000, random_reduction_write, compare_reduction);
}
END_TEST

START_TEST(random_sweeps_agree_with_enumeration)
{
    compare_random("sweep-test.yaml", 1500, random_sweep_write, count_pipelines);
}
END_TEST

SUITE("enumerated", samples_agree_with_enumeration, random_reductions_agree_with_enumeration,
      random_sweeps_agree_with_enumeration)
