/* The loops that stand in for the statements of a description: which part of which arrays they
 * walk. */
#include "trainer/rehearsal/proxy_kernel.h"
#include "model/segment/program/schedule.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *sample(const char *name)
{
    static char path[1024];
    const char *source = getenv("FORECOST_SOURCE");
    snprintf(path, sizeof path, "%s/samples/%s", source ? source : ".", name);
    return path;
}

struct derived {
    struct program program;
    struct scope *scope;
    struct schedule schedule;
    struct subject subject;
    struct analysis analysis;
    struct proxy_kernels proxy_kernels;
};

static int derive(struct derived *it, const char *candidate, double bytes_most, struct error *error)
{
    const char *const definitions[] = {"N=512"};
    ck_assert_int_eq(program_read(&it->program, sample("jacobi/jacobi.yaml"), error), 0);
    it->scope = program_scope(&it->program, definitions, 1, 4.0, error);
    ck_assert_int_eq(schedule_make(&it->schedule, &it->program,
                                   program_candidate(&it->program, candidate), it->scope, error),
                     0);
    ck_assert_int_eq(subject_make(&it->subject, &it->program, it->scope, error), 0);
    ck_assert_int_eq(analysis_make(&it->analysis, &it->subject, 0, &it->schedule.layouts[0], error),
                     0);
    return proxy_kernels_make(&it->proxy_kernels, &it->subject, 0, &it->schedule.layouts[0],
                              &it->analysis, bytes_most, error);
}

static void release(struct derived *it)
{
    proxy_kernels_free(&it->proxy_kernels);
    analysis_free(&it->analysis);
    subject_free(&it->subject);
    schedule_free(&it->schedule);
    scope_free(it->scope);
    program_free(&it->program);
}

/* 510 x 510 points inside; the busiest of 4 has 128 rows, or columns, of them. */
START_TEST(a_processor_walks_its_own_part)
{
    static const struct {
        const char *candidate;
        long length, row;
        double rows;
    } cases[] = {
        {"rows",    510, 512, 128},
        {"columns", 128, 128, 510},
        {"blocks",  255, 256, 255},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct derived it = {0};
        struct error error;
        ck_assert_int_eq(derive(&it, cases[i].candidate, 1e9, &error), 0);
        ck_assert_uint_eq(it.proxy_kernels.count, 1);
        struct walk *walk = &it.proxy_kernels.items[0].walk;
        ck_assert_int_eq(walk->length, cases[i].length);
        ck_assert_double_eq(walk->rows, cases[i].rows);
        ck_assert_int_eq(walk->reads[0].step[0], cases[i].row);
        ck_assert_int_eq(walk->reads[0].step[1], 1);
        ck_assert_int_eq(walk->reads[1].offset - walk->reads[0].offset, 2 * cases[i].row);
        walk_rows(walk, 0.0, walk->rows);
        ck_assert_double_eq(walk->done.of[OPERATION_ADD],
                            3.0 * cases[i].rows * (double)cases[i].length);
        ck_assert_double_eq(walk->done.of[OPERATION_LOAD],
                            4.0 * cases[i].rows * (double)cases[i].length);
        release(&it);
    }
}
END_TEST

static void walk_segment(struct derived *it, size_t segment)
{
    struct error error;
    ck_assert_int_eq(
        analysis_make(&it->analysis, &it->subject, segment, &it->schedule.layouts[segment], &error),
        0);
    ck_assert_int_eq(proxy_kernels_make(&it->proxy_kernels, &it->subject, segment,
                                        &it->schedule.layouts[segment], &it->analysis, 1e9, &error),
                     0);
    const struct work *works = it->analysis.work.items;
    for (size_t i = 0; i < it->proxy_kernels.count; i++) {
        struct walk *walk = &it->proxy_kernels.items[i].walk;
        const double iterations = walk->rows * (double)walk->length;
        ck_assert_double_eq_tol(iterations, works[i].iterations_most, 1e-6 * iterations);
        walk_rows(walk, 0.0, fmin(3.0, walk->rows));
        walk_rows(walk, fmax(0.0, floor(walk->rows) - 3.0), walk->rows);
    }
    proxy_kernels_free(&it->proxy_kernels);
    analysis_free(&it->analysis);
}

static void walk_candidate(struct derived *it, const struct candidate *candidate)
{
    struct error error;
    it->scope = program_scope(&it->program, NULL, 0, 4.0, &error);
    ck_assert_int_eq(schedule_make(&it->schedule, &it->program, candidate, it->scope, &error), 0);
    ck_assert_int_eq(subject_make(&it->subject, &it->program, it->scope, &error), 0);
    for (size_t i = 0; i < it->program.segments.count; i++)
        walk_segment(it, i);
    subject_free(&it->subject);
    schedule_free(&it->schedule);
    scope_free(it->scope);
}

/* As many iterations as the busiest processor has; what is built with sanitizers sees that first
   and last rows stay within the arrays. */
START_TEST(all_samples_are_walked_within_their_arrays)
{
    static const char *const names[] = {
        "adi/adi.yaml",        "cg/cg.yaml",         "fft/fft.yaml",
        "heat/heat.yaml",      "lu/lu.yaml",         "matvec/matvec.yaml",
        "summa/summa.yaml",    "jacobi/jacobi.yaml", "transpose/three-ways.yaml",
        "fft/fft-binary.yaml", "sweep/sweep.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct derived it = {0};
        struct error error;
        ck_assert_int_eq(program_read(&it.program, sample(names[i]), &error), 0);
        const struct candidate *candidates = it.program.candidates.items;
        for (size_t k = 0; k < it.program.candidates.count; k++)
            walk_candidate(&it, &candidates[k]);
        program_free(&it.program);
    }
}
END_TEST

START_TEST(arrays_without_room_are_refused)
{
    struct derived it = {0};
    struct error error;
    ck_assert_int_eq(derive(&it, "rows", 1e6, &error), -1); /* 512 x 128 doubles, twice */
    ck_assert_ptr_nonnull(strstr(error.text, "the arrays of one processor take 1.0"));
    ck_assert_uint_gt(error.line, 0);
    release(&it);
}
END_TEST

SUITE("proxy kernel", a_processor_walks_its_own_part, all_samples_are_walked_within_their_arrays,
      arrays_without_room_are_refused)
