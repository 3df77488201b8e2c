/* Every allocation of the readers fails once, those of libyaml and the C library
   included: then the reader says so in one line, or the program ends with that line and status 2.
   It neither crashes nor takes a part of a file for the whole. */
#include "model/base/allocation.h"
#include "model/fit/points.h"
#include "model/machine/machine.h"
#include "model/segment/program/schedule.h"
#include "model/segment/traffic/analysis.h"
#include "test/expression_text.h"
#include "test/suite.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__SANITIZE_ADDRESS__)

/* ---- the allocator: glibc's, but for one call ---- */

/* Which call fails, counted from 1; 0: none. Of the child process alone, which sets it once. */
static long failing, calls;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool is_failing(void)
{
    if (failing == 0 || ++calls != failing)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return is_failing() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_failing() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return is_failing() ? NULL : __libc_realloc(old, size);
}

/* ---- the readers: each tells a number that what was read decides ---- */

typedef int reader(double *result, struct error *error);

static const char *source(const char *path, char text[400])
{
    const char *folder = getenv("FORECOST_SOURCE");
    snprintf(text, 400, "%s/%s", folder ? folder : ".", path);
    return text;
}

static int read_machine(double *result, struct error *error)
{
    char path[400];
    struct machine machine;
    struct cost_answer answer;
    const struct cost *cost;
    if (machine_read(&machine, source("machines/sp2-mpl.yaml", path), error) != 0)
        return -1;
    int status = machine_require(&machine, "many-to-many", &cost, error);
    if (status == 0)
        status = cost_answer(cost, 4096.0, 8.0, &answer, error);
    if (status == 0)
        *result = answer.time_us + (double)machine.communication.count;
    machine_free(&machine);
    return status;
}

static int read_points(double *result, struct error *error)
{
    char path[400];
    struct list list = {0};
    if (points_read(source("test/fuzz/seeds/points.csv", path), &list, error) != 0)
        return -1;
    const struct point *points = list.items;
    *result = 0.0;
    for (size_t i = 0; i < list.count; i++)
        *result += points[i].bytes + points[i].median_us;
    free(list.items);
    return 0;
}

static int evaluate(double *result, struct error *error)
{
    struct scope *scope = scope_new();
    const struct place place = place_at("in", 1, 1);
    int status = scope_set(scope, "N", 10.0, place, error);
    if (status == 0)
        status =
            text_value(scope, "max(N ^ 2, 3) + cdiv(N, 4) * if(N > 3, 2, 1)", place, result, error);
    if (status == 0 && text_value(scope, "M + 1", place, result, NULL) == 0)
        status = error_set(error, "a name that is not there has a value");
    scope_free(scope);
    return status;
}

static int analyse(const struct program *program, struct scope *scope, double *result,
                   struct error *error)
{
    struct schedule schedule;
    struct subject subject;
    struct analysis analysis;
    const struct candidate *candidate = program_candidate(program, "blocks");
    if (!candidate || schedule_make(&schedule, program, candidate, scope, error) != 0)
        return -1;
    int status = subject_make(&subject, program, scope, error);
    if (status == 0) {
        status = analysis_make(&analysis, &subject, 0, schedule.layouts, error);
        if (status == 0) {
            const struct work *work = analysis.work.items;
            *result = work[0].iterations_most + (double)analysis.demands.count;
            analysis_free(&analysis);
        }
        subject_free(&subject);
    }
    schedule_free(&schedule);
    return status;
}

static int read_segment(double *result, struct error *error)
{
    char path[400];
    struct program program;
    if (program_read(&program, source("samples/jacobi/jacobi.yaml", path), error) != 0)
        return -1;
    struct scope *scope = program_scope(&program, NULL, 0, 16.0, error);
    const int status = scope ? analyse(&program, scope, result, error) : -1;
    scope_free(scope);
    program_free(&program);
    return status;
}

/* ---- one failure after the other ---- */

struct outcome {
    int status; /* as waitpid tells it */
    bool reached;
    double result;
    char said[2000];
};

/* In the child: what the reader says goes to stderr, as in a program. */
static void run_reader(reader *read, long number, struct outcome *outcome)
{
    struct error error;
    failing = number;
    const int status = read(&outcome->result, &error);
    outcome->reached = number > 0 && calls >= number;
    failing = 0;
    if (status != 0) {
        char line[800];
        fprintf(stderr, "%s\n", error_line(&error, line, sizeof line));
    }
    _exit(status == 0 ? 0 : 2);
}

static void try(reader *read, long number, struct outcome *shared)
{
    const int file = memfd_create("stderr", 0);
    memset(shared, 0, sizeof *shared);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(file, STDERR_FILENO);
        run_reader(read, number, shared);
    }
    waitpid(child, &shared->status, 0);
    const ssize_t length = pread(file, shared->said, sizeof shared->said - 1, 0);
    shared->said[length > 0 ? length : 0] = '\0';
    close(file);
}

static void fail_each(reader *read)
{
    struct outcome *outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    try(read, 0, outcome);
    ck_assert_msg(outcome->status == 0, "%s", outcome->said);
    const double truth = outcome->result;
    long number = 1, refused = 0;
    for (bool more = true; more; number++) {
        try(read, number, outcome);
        ck_assert_msg(WIFEXITED(outcome->status), "allocation %ld: signal %d, %s", number,
                      WTERMSIG(outcome->status), outcome->said);
        if (WEXITSTATUS(outcome->status) == 0) { /* not reached, or the library did without */
            ck_assert_msg(outcome->result == truth, "allocation %ld: %g instead of %g", number,
                          outcome->result, truth);
            ck_assert_str_eq(outcome->said, "");
            more = outcome->reached;
            continue;
        }
        ck_assert_msg(WEXITSTATUS(outcome->status) == 2, "allocation %ld: %s", number,
                      outcome->said);
        const char *end = strchr(outcome->said, '\n');
        ck_assert_msg(end && end[1] == '\0', "allocation %ld: %s", number, outcome->said);
        ck_assert_msg(strstr(outcome->said, "emory"), "allocation %ld: %s", number, outcome->said);
        refused++;
    }
    ck_assert_int_gt(refused, 5);
    munmap(outcome, sizeof *outcome);
}

START_TEST(machine_tables)
{
    fail_each(read_machine);
}
END_TEST

START_TEST(points)
{
    fail_each(read_points);
}
END_TEST

START_TEST(expressions)
{
    fail_each(evaluate);
}
END_TEST

START_TEST(segments_and_their_analysis)
{
    fail_each(read_segment);
}
END_TEST

SUITE("allocation", machine_tables, points, expressions, segments_and_their_analysis)

#else

START_TEST(a_sanitizer_has_its_own_allocator)
{
}
END_TEST

SUITE("allocation", a_sanitizer_has_its_own_allocator)

#endif
