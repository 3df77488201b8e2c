#include "trainer/loops/bench.h"

#include "model/base/allocation.h"
#include "trainer/base/attempt.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/loops/batches.h"
#include "trainer/node/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

/* ---- sizes ---- */

static int set_values(struct bench *bench, const struct program *program, struct scope *scope,
                      struct error *error)
{
    for (size_t i = 0; bench->loop->values[i]; i++) {
        double value;
        const struct place place = program_place(program, (struct place){0});
        if (i == BENCH_NAMES_MOST)
            return error_set(error, "it names too many values");
        struct expression *read = expression_read(bench->loop->values[i], place, error);
        const int status = read ? expression_whole(read, scope, place, &value, error) : -1;
        expression_free(read);
        if (status != 0)
            return -1;
        if (fabs(value) > 1e9)
            return error_set(error, "%s is %g: too large", bench->loop->values[i], value);
        bench->values[i] = (long)value;
    }
    return 0;
}

static int set_array(struct bench *bench, size_t number, const struct program *program,
                     struct scope *scope, struct error *error)
{
    const struct array *array = program_array(program, bench->loop->arrays[number]);
    if (!array || array->extent.count > OBJECT_RANK)
        return error_set(error, "no array %s in its description", bench->loop->arrays[number]);
    bench->elements[number] = 1.0;
    bench->element_bytes[number] = array->element_bytes;
    for (size_t d = 0; d < array->extent.count; d++) {
        double extent;
        const struct formula *formula = (const struct formula *)array->extent.items + d;
        if (program_value(program, formula, true, scope, &extent, error) != 0)
            return -1;
        bench->extents[number * OBJECT_RANK + d] = (long)extent;
        bench->elements[number] *= extent;
    }
    bench->bytes += bench->elements[number] * array->element_bytes;
    return bench->elements[number] >= 1.0 && bench->bytes < 0x1p40
               ? 0
               : error_set(error, "array %s has no size that can be", array->name);
}

static int set_shape(struct bench *bench, const struct program *program, struct scope *scope,
                     struct error *error)
{
    struct loop_node root;
    if (loops_make(&root, program, scope, REDUCTIONS_FREE, error) != 0)
        return -1;
    const struct loop_node *leaf = loop_shape_leaf(&root, bench->loop->hash);
    if (leaf)
        bench->shape = loop_shape_of(leaf, (int)bench->loop->nest, program->arrays.count);
    loops_free(&root);
    return leaf ? 0 : error_set(error, "its description does not have it");
}

int bench_make(struct bench *bench, const struct bench_program *program,
               const struct forecost_loop *loop, const char *const *definitions, size_t count,
               struct error *error)
{
    *bench = (struct bench){.loop = loop, .bytes_most = program->bytes_most, .step = 1};
    struct scope *scope =
        program_scope(&program->program, definitions, count, program->processors, error);
    if (!scope)
        return -1;
    int status = set_values(bench, &program->program, scope, error);
    for (size_t i = 0; status == 0 && loop->arrays[i]; i++)
        status = i < BENCH_NAMES_MOST ? set_array(bench, i, &program->program, scope, error)
                                      : error_set(error, "it has too many arrays");
    if (status == 0)
        status = set_shape(bench, &program->program, scope, error);
    scope_free(scope);
    return status;
}

/* ---- arrays ---- */

static void fill_numbers(void *array, double elements, double element_bytes)
{
    float *singles = array;
    double *doubles = array;
    for (size_t i = 0; i < (size_t)elements; i++)
        if (element_bytes == 4.0)
            singles[i] = 1.0F + 0.001F * (float)(i % 100);
        else if (element_bytes == 8.0)
            doubles[i] = 1.0 + 0.001 * (double)(i % 100);
}

/* Every one of them is a subscript of the smallest array. */
static void fill_subscripts(void *array, double elements, double element_bytes, size_t below)
{
    int *narrow = array;
    long *wide = array;
    for (size_t i = 0; i < (size_t)elements; i++)
        if (element_bytes == 4.0)
            narrow[i] = (int)(i * 7 % below);
        else if (element_bytes == 8.0)
            wide[i] = (long)(i * 7 % below);
}

static size_t least_extent(const struct bench *bench)
{
    long least = 1 << 30;
    for (size_t i = 0; bench->loop->arrays[i]; i++)
        for (int d = 0; d < OBJECT_RANK; d++)
            if (bench->extents[i * OBJECT_RANK + (size_t)d] > 0 &&
                bench->extents[i * OBJECT_RANK + (size_t)d] < least)
                least = bench->extents[i * OBJECT_RANK + (size_t)d];
    return (size_t)least;
}

/* Iterations of one run that are enough. */
static const double run_iterations = 2e6;

/* Where a run would take long, only some iterations of the outermost loop are gone through: those
   of the loops within touch nearly as much. */
static void choose_step(struct bench *bench)
{
    double counts[2] = {0.0, 0.0};
    bench->loop->count(bench->values, 1L << 40, counts); /* the first alone */
    const double first = counts[1];
    counts[0] = counts[1] = 0.0;
    if (bench->loop->nest > 2 || first * 2.0 > bench->shape.nest_bytes / 8.0) {
        bench->loop->count(bench->values, 1, counts);
        bench->step = (long)fmax(1.0, floor(counts[1] / run_iterations));
        counts[0] = counts[1] = 0.0;
    }
    bench->loop->count(bench->values, bench->step, counts);
    bench->iterations = counts[1];
}

static void run_once(const struct bench *bench)
{
    bench->loop->run(bench->values, bench->arrays, bench->extents, bench->step);
}

static void count_and_run(struct bench *bench)
{
    choose_step(bench);
    run_once(bench);
}

/* Behind an array, for loops that look a little beyond it. */
static const size_t slack_bytes = 4096;

struct first {
    long step;
    double iterations;
};

/* In the child: whatever the loop does, it does it to a process that nobody needs. */
static _Noreturn void try_first(struct bench *bench, int result, double seconds)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGXFSZ};
    const rlim_t cpu = (rlim_t)ceil(fmin(seconds, 1e6)) + 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    setrlimit(RLIMIT_CPU, &(struct rlimit){cpu, cpu});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 20, 1 << 20});
    setrlimit(RLIMIT_DATA, &(struct rlimit){(rlim_t)4 << 30, (rlim_t)4 << 30});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    count_and_run(bench);
    const struct first first = {bench->step, bench->iterations};
    _exit(write(result, &first, sizeof first) == sizeof first ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* The child's result, if there is one in time and nobody asks the program to end. */
static bool wait_for_first(int from, double end_s, struct first *first, bool *is_late)
{
    struct pollfd end = {.fd = from, .events = POLLIN};
    const double wait_ms = 20.0;
    while (poll(&end, 1, (int)wait_ms) <= 0)
        if (clock_s() > end_s || interruption_signal() != 0) {
            *is_late = true;
            return false;
        }
    return read(from, first, sizeof *first) == sizeof *first;
}

/* At every size, as each may be other instructions, or another end. */
static int run_first(struct bench *bench, double end_s, struct error *error)
{
    int ends[2], status = 0;
    struct first first;
    bool is_late = false;
    const double left_s = fmax(end_s - clock_s(), 0.0);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, "no process for it: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        try_first(bench, ends[1], left_s);
    close(ends[1]);
    const bool is_done = child > 0 && wait_for_first(ends[0], end_s, &first, &is_late);
    close(ends[0]);
    if (child < 0)
        return error_set(error, "no process for it: %s", strerror(errno));
    if (!is_done)
        kill(child, is_late ? SIGKILL : 0);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (is_late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        return interruption_signal() != 0
                   ? error_set(error, "a signal came while it ran")
                   : error_set(error, "a run of it does not end within the %.3g s that it has",
                               left_s);
    if (!is_done) {
        bench->ended_by = WIFSIGNALED(status) ? WTERMSIG(status) : BENCH_EXITED;
        return error_set(error, "it ends %s here",
                         WIFSIGNALED(status) ? "by a signal" : "the program");
    }
    bench->step = first.step;
    bench->iterations = first.iterations;
    return bench->iterations >= 1.0 ? 0 : error_set(error, "it does not run at these values");
}

/* What is stored to memory that is there alone: it may be left at any time. */
static void fill_all(void *state)
{
    const struct bench *bench = state;
    for (size_t i = 0; bench->loop->arrays[i]; i++) {
        const size_t bytes = (size_t)(bench->elements[i] * bench->element_bytes[i]);
        memset(bench->arrays[i], 0, bytes + slack_bytes);
        if (bench->loop->kinds[i] == 'f')
            fill_numbers(bench->arrays[i], bench->elements[i], bench->element_bytes[i]);
        else
            fill_subscripts(bench->arrays[i], bench->elements[i], bench->element_bytes[i],
                            least_extent(bench));
    }
}

int bench_fill(struct bench *bench, double end_s, struct error *error)
{
    if (bench->bytes > bench->bytes_most)
        return error_set(error,
                         "its arrays take %.3g GiB: more than the %.3g that each rank may have of "
                         "the memory that is free",
                         bench->bytes / 0x1p30, bench->bytes_most / 0x1p30);
    for (size_t i = 0; bench->loop->arrays[i]; i++) {
        const size_t bytes = (size_t)(bench->elements[i] * bench->element_bytes[i]);
        if (posix_memalign(&bench->arrays[i], 64, bytes + slack_bytes) != 0)
            return error_set(error, "no memory for its arrays");
    }
    if (attempt_until(fill_all, bench, end_s) != 0)
        return error_set(error, "the budget ended while its arrays were filled");
    return run_first(bench, end_s, error);
}

void bench_free(struct bench *bench)
{
    for (int i = 0; i < BENCH_NAMES_MOST; i++)
        free(bench->arrays[i]);
    *bench = (struct bench){0};
}

/* ---- time ---- */

/* How long the clock is watched at a time. */
static const double watched_least_s = 0.0003, watched_most_s = 0.002;

/* Numbers that shrink from run to run would end below the smallest normal one, where processors are
   slow; the program's own do not. Returns the state of before. */
static unsigned without_denormals(void)
{
#ifdef __SSE__
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    return before;
#else
    return 0;
#endif
}

static void with_denormals(unsigned before)
{
#ifdef __SSE__
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

static double runs_s(const struct bench *bench, double runs)
{
    const double start_s = clock_s();
    for (double i = 0.0; i < runs; i += 1.0)
        run_once(bench);
    return clock_s() - start_s;
}

/* Long against a reading of the clock; longer than what interrupts often. */
static const double tried_s = 10e-6, surely_s = 100e-6;

/* The least of three, where one is short enough to be mistaken for an interruption. */
static double least_runs_s(const struct bench *bench, double runs)
{
    double took_s = runs_s(bench, runs);
    for (int i = 0; i < 2 && took_s < surely_s; i++)
        took_s = fmin(took_s, runs_s(bench, runs));
    return took_s;
}

/* About how long a run takes. */
static double run_s(const struct bench *bench)
{
    double runs = 1.0, took_s;
    runs_s(bench, 1.0);
    while ((took_s = least_runs_s(bench, runs)) < tried_s && runs < 1e9)
        runs *= took_s > 0.0 ? fmin(fmax(2.0 * tried_s / took_s, 2.0), 100.0) : 100.0;
    return fmax(took_s, 1e-9) / runs;
}

/* Until others leave the core alone, or all time is gone. */
static void wait_for_quiet(struct sampler *sampler, const struct batches *batches, double end_s)
{
    while (!batches_is_quiet(batches, sampler->crowding) && clock_s() < end_s)
        sampler_begin(sampler);
}

/* Beside a batch; where it is longer, for long enough to see what interrupts it. */
static void watch(struct interruptions *seen, double batch_s)
{
    interruptions_watch(seen, fmin(fmax(batch_s, watched_least_s), watched_most_s));
}

/* Processors that measure at once do not stop between batches: they would leave the memory to one
   another. */
static void take_batches(const struct bench *bench, double runs, const struct bench_limits *limits,
                         struct batches *batches, struct interruptions *seen)
{
    struct sampler sampler;
    const double end_s = clock_s() + limits->point_s, patient_s = end_s + limits->patience_s;
    double took_s;
    sampler_begin(&sampler);
    do {
        if (limits->patience_s > 0.0)
            wait_for_quiet(&sampler, batches, patient_s);
        const double before = sampler.crowding;
        took_s = runs_s(bench, runs);
        sampler_begin(&sampler);
        batches_add(batches, took_s, before, sampler.crowding);
        if (limits->patience_s > 0.0 && took_s > surely_s)
            watch(seen, took_s);
    } while (!batches_are_some(batches) || clock_s() < end_s ||
             (!batches_are_enough(batches) && clock_s() < patient_s));
    watch(seen, took_s);
}

struct timing {
    const struct bench *bench;
    const struct bench_limits *limits;
    struct bench_core *core;
    struct batches batches;
    double runs;
};

static void take_time(void *state)
{
    struct timing *it = state;
    struct interruptions *seen = &it->core->interruptions;
    interruptions_age(seen);
    watch(seen, 0.0);
    it->runs = batches_runs(seen, run_s(it->bench), it->limits->patience_s == 0.0);
    take_batches(it->bench, it->runs, it->limits, &it->batches, seen);
}

struct bench_time bench_time(const struct bench *bench, const struct bench_limits *limits,
                             struct bench_core *core, double end_s)
{
    struct timing it = {bench, limits, core, {.crowding_least = core->crowding_least}, 1.0};
    const unsigned before = without_denormals();
    const bool is_done = attempt_until(take_time, &it, end_s) == 0;
    with_denormals(before);
    if (!is_done)
        return (struct bench_time){INFINITY, false};
    core->crowding_least = it.batches.crowding_least;
    return (struct bench_time){1e9 * batches_time(&it.batches, &core->interruptions) /
                                   (it.runs * bench->iterations),
                               batches_are_quiet(&it.batches)};
}
