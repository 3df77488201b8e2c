/* The search against exhaustive evaluation: every layout, and every sequence of layouts, is written
   as a candidate and predicted as a described one would be. */
#include "forecast/search/search.h"

#include "forecast/search/segment_parts.h"
#include "model/segment/program/program_fields.h"
#include "test/forecast/every.h"
#include "test/forecast/search_programs.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- everything, as candidates ---- */

enum { LAYOUTS_MOST = 4000 };

static struct candidate *with_all(struct list *one, const struct candidate *layout)
{
    const struct formula *grid = layout->grid.items;
    struct candidate *candidate = candidates_add(one, "sequence");
    candidate->fill = true;
    for (size_t g = 0; g < layout->grid.count; g++)
        formulas_add(&candidate->grid, grid[g].text);
    return candidate;
}

static void distribute_all(struct list *to, const struct candidate *layout)
{
    const struct distribute *items = layout->distribute.items;
    for (size_t i = 0; i < layout->distribute.count; i++) {
        const struct formula *texts = items[i].dimensions.items;
        struct list *dimensions = distribute_add(to, items[i].array);
        for (size_t d = 0; d < items[i].dimensions.count; d++)
            distributions_add(dimensions, texts[d].text);
    }
}

/* The best sequence that begins so: segments from `segment` on take any layout. */
static double best_sequence_us(struct study *study, const struct candidate **chosen, size_t segment,
                               const struct list *layouts)
{
    const struct segment *segments = study->program->segments.items;
    const struct candidate *items = layouts->items;
    double best = INFINITY;
    if (segment < study->program->segments.count) {
        for (size_t i = 0; i < layouts->count; i++) {
            chosen[segment] = &items[i];
            best = fmin(best, best_sequence_us(study, chosen, segment + 1, layouts));
        }
        return best;
    }
    struct list one = {0};
    struct candidate *candidate = with_all(&one, chosen[0]);
    distribute_all(&candidate->distribute, chosen[0]);
    for (size_t s = 1; s < segment; s++)
        distribute_all(redistribute_add(candidate, segments[s].name), chosen[s]);
    best = every_predicted_us(study, candidate);
    candidates_free(&one);
    return best;
}

/* ---- comparison ---- */

struct truth {
    double best_us[LAYOUTS_MOST];
    size_t count;
    double plan_us;
};

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct evaluation {
    struct truth *truth;
    struct study *study;
    struct list fitting; /* of struct candidate */
};

/* Layouts that fit only: two dimensions along one grid dimension do not. */
static void evaluate(void *evaluation, const struct candidate *layout)
{
    struct evaluation *it = evaluation;
    const double us = every_predicted_us(it->study, layout);
    if (isinf(us))
        return;
    ck_assert_uint_lt(it->truth->count, LAYOUTS_MOST);
    it->truth->best_us[it->truth->count++] = us;
    struct candidate *copy = with_all(&it->fitting, layout);
    distribute_all(&copy->distribute, layout);
}

static void evaluate_grid(struct truth *truth, struct study *study, const char *first,
                          const char *second, bool plan)
{
    struct evaluation it = {.truth = truth, .study = study};
    const struct candidate *chosen[4];
    struct every every = {
        .program = study->program, .grid = {first, second},
             .rank = second ? 2 : 1, .kinds = 2
    };
    const struct array *arrays = study->program->arrays.items;
    for (size_t i = 0; i < study->program->arrays.count; i++)
        if (!arrays[i].align)
            every_add(&every, i);
    every_take(&every, evaluate, &it);
    if (plan)
        truth->plan_us = fmin(truth->plan_us, best_sequence_us(study, chosen, 0, &it.fitting));
    candidates_free(&it.fitting);
}

/* The layouts that take less were among those found before: none is left out between the best. */
static void skip_to(const struct truth *truth, size_t *reached, double us, size_t program)
{
    ck_assert_msg(*reached == truth->count || truth->best_us[*reached] > us * (1.0 - 1e-9),
                  "%zu: a layout of %.17g us was not found before one of %.17g us", program,
                  truth->best_us[*reached], us);
    while (*reached < truth->count && truth->best_us[*reached] <= us * (1.0 + 1e-9))
        ++*reached;
}

static void compare(struct study *study, const struct truth *truth, bool plan, size_t program)
{
    struct search search;
    struct error error;
    char line[800];
    const int status = search_make(&search, study, 0.0, &error);
    ck_assert_msg(status == 0, "%zu: %s", program,
                  status ? error_line(&error, line, sizeof line) : "");
    const struct candidate *found = search.found.items;
    ck_assert_uint_ge(search.found.count, 1);
    double before_us = 0.0, best_us = INFINITY;
    size_t reached = 0; /* of all layouts, best first */
    for (size_t i = 0; i < search.found.count; i++) {
        const double us = every_predicted_us(study, &found[i]);
        best_us = fmin(best_us, us);
        if (strncmp(found[i].name, "search", 6) != 0)
            continue;
        skip_to(truth, &reached, us, program);
        ck_assert(us >= before_us * (1.0 - 1e-9));
        before_us = us;
    }
    ck_assert_double_eq_tol(every_predicted_us(study, &found[0]), truth->best_us[0],
                            1e-9 * truth->best_us[0]);
    if (plan)
        ck_assert_double_eq_tol(best_us, fmin(truth->plan_us, truth->best_us[0]),
                                1e-9 * truth->best_us[0]);
    search_free(&search);
}

static char *write_text(const char *name, const char *text)
{
    static char path[2][64];
    char *at = path[strcmp(name, "table") == 0];
    snprintf(at, sizeof path[0], "/tmp/search-%s-%d.yaml", name, (int)getpid());
    FILE *file = fopen(at, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    return at;
}

/* Reads a program of the list. */
static void begin_program(struct program *program, size_t number)
{
    struct error error;
    char line[800];
    char *path = write_text("segment", programs[number]);
    const int status = program_read(program, path, &error);
    unlink(path);
    ck_assert_msg(status == 0, "%s", status ? error_line(&error, line, sizeof line) : "");
}

/* On four processors; sequences on a line of them where there are few enough. */
static void compare_program(const struct machine *machine, size_t number, bool plan)
{
    static struct truth truth;
    struct program program;
    struct study study;
    struct error error;
    begin_program(&program, number);
    program.search.ranks = plan ? 1.0 : (double)NAN;
    ck_assert_int_eq(study_make(&study, machine, &program, 4.0, NULL, 0, &error), 0);
    truth = (struct truth){.plan_us = INFINITY};
    evaluate_grid(&truth, &study, "4", NULL, plan);
    if (!plan)
        evaluate_grid(&truth, &study, "2", "2", false);
    qsort(truth.best_us, truth.count, sizeof *truth.best_us, ascending);
    if (plan && number != 2) /* or nothing is shown */
        ck_assert_double_lt(truth.plan_us, truth.best_us[0]);
    compare(&study, &truth, plan, number);
    study_free(&study);
    program_free(&program);
}

/* A machine of this table with another node. */
static void read_machine(struct machine *machine, const char *node)
{
    struct error error;
    char text[2000], line[800];
    snprintf(text, sizeof text, "%.*s%s", (int)(strstr(table_text, "node:") - table_text),
             table_text, node);
    char *path = write_text("table", text);
    const int status = machine_read(machine, path, &error);
    ck_assert_msg(status == 0, "%s", status ? error_line(&error, line, sizeof line) : "");
    unlink(path);
}

START_TEST(the_best_layout_is_the_best_of_all)
{
    struct machine machine;
    read_machine(&machine, strstr(table_text, "node:"));
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        compare_program(&machine, i, false);
    machine_free(&machine);
}
END_TEST

/* Of one segment: what others leave in the caches is not followed from layout to layout. */
START_TEST(the_best_layout_is_the_best_where_lines_miss)
{
    struct machine machine;
    read_machine(&machine, small_caches);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!strstr(programs[i], "segment: r"))
            compare_program(&machine, i, false);
    machine_free(&machine);
}
END_TEST

START_TEST(the_best_plan_is_the_best_of_all_sequences)
{
    struct machine machine;
    read_machine(&machine, strstr(table_text, "node:"));
    compare_program(&machine, 1, true);
    compare_program(&machine, 2, true);
    compare_program(&machine, 5, true);
    machine_free(&machine);
}
END_TEST

/* What takes longer than ten layouts is known to, without what arrays add to it. */
START_TEST(what_is_too_dear_is_not_looked_at_again)
{
    enum { MANY_TURNS = 6 };
    struct machine machine;
    struct program program;
    struct study study;
    struct search search;
    struct error error;
    read_machine(&machine, strstr(table_text, "node:"));
    begin_program(&program, MANY_TURNS);
    ck_assert_int_eq(study_make(&study, &machine, &program, 4.0, NULL, 0, &error), 0);
    ck_assert_int_eq(search_make(&search, &study, 0.0, &error), 0);
    ck_assert_str_eq(search.skipped, "");
    ck_assert_double_eq(search.failures, 0.0);
    ck_assert_double_lt(search.predictions, search.layouts / 2.0);
    search_free(&search);
    study_free(&study);
    program_free(&program);
    machine_free(&machine);
}
END_TEST

/* ---- parts ---- */

static double sum_of(const struct parts *parts, const size_t *choice)
{
    double us = 0.0;
    for (size_t i = 0; i < parts->count; i++)
        us += parts->items[i].us[part_at(&parts->items[i], choice)];
    return us;
}

static bool next_choice(const struct space *space, size_t *choice)
{
    for (size_t i = 0; i < space->leader_count; i++) {
        if (++choice[i] < space->leaders[i].option_count)
            return true;
        choice[i] = 0;
    }
    return false;
}

/* Of every layout the parts of a segment are no dearer than all of it; whether one is as dear. */
static bool compare_parts(struct pricing *pricing, size_t segment)
{
    size_t choice[LEADERS_MOST] = {0};
    struct parts parts = {0};
    bool equal = false;
    segment_parts_add(&parts, pricing, segment);
    do {
        const double us = segment_price(pricing, segment, choice),
                     least_us = sum_of(&parts, choice);
        if (isinf(us))
            continue;
        ck_assert_double_le(least_us, us * (1.0 + 1e-9));
        equal |= least_us > us * (1.0 - 1e-9);
    } while (next_choice(pricing->space, choice));
    parts_free(&parts);
    return equal;
}

static void check_parts(const struct machine *machine, const char *text, bool misses)
{
    static const double grid[] = {2.0, 2.0};
    struct program program;
    struct study study;
    struct subject subject;
    struct space space;
    struct error error;
    size_t leaders[LEADERS_MOST], count, left_out;
    char *path = write_text("segment", text);
    ck_assert_int_eq(program_read(&program, path, &error), 0);
    unlink(path);
    ck_assert_int_eq(study_make(&study, machine, &program, 4.0, NULL, 0, &error), 0);
    ck_assert_int_eq(subject_make(&subject, &program, study.scope, &error), 0);
    space_leaders(&program, &subject, leaders, &count, &left_out);
    subject_free(&subject);
    ck_assert_int_eq(space_make(&space, &study, grid, 2, leaders, count, KINDS_ALL, &error), 0);
    ck_assert_int_eq(study_derive(&study, space.schedule, &error), 0);
    struct pricing pricing = {.space = &space, .study = &study};
    for (size_t s = 0; s < program.segments.count; s++)
        ck_assert(compare_parts(&pricing, s) || misses ||
                  ((struct segment *)program.segments.items)[s].overlap);
    pricing_free(&pricing);
    space_free(&space);
    study_free(&study);
    program_free(&program);
}

/* Nests that share arrays and loops, reductions, what is written elsewhere than computed. */
static const char several_nests[] = HEAD
    "arrays: {a: {extent: [8, 8]}, x: {extent: [8]}, y: {extent: [8]}}\n"
    "program:\n  - segment: s\n    body:\n" NEST(
        "[0, 7]", "[1, 7]", "writes: \"a[i][j]\", reads: [\"a[i][j-1]\", \"x[i]\"]")
        NEST("[0, 7]", "[0, 7]",
             "writes: \"y[i]\", reads: [\"a[i][j]\", \"x[j]\"], reduce: sum, operations: {add: 3}")
            NEST("[0, 7]", "[0, 7]",
                 "writes: \"x[i]\", reads: [\"y[i]\", \"a[j][i]\"], home: \"y[i]\", "
                 "operations: {add: 1}");

START_TEST(parts_are_no_dearer_than_the_whole)
{
    const char *nodes[] = {strstr(table_text, "node:"), small_caches};
    for (size_t n = 0; n < 2; n++) {
        struct machine machine;
        read_machine(&machine, nodes[n]);
        check_parts(&machine, several_nests, n == 1);
        for (size_t i = 0; i < sizeof programs / sizeof *programs && n == 0; i++)
            check_parts(&machine, programs[i], false);
        machine_free(&machine);
    }
}
END_TEST

SUITE("search", parts_are_no_dearer_than_the_whole, the_best_layout_is_the_best_of_all,
      what_is_too_dear_is_not_looked_at_again, the_best_layout_is_the_best_where_lines_miss,
      the_best_plan_is_the_best_of_all_sequences)
