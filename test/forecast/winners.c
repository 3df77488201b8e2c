/* Whether a search finds what exhaustive evaluation finds: every layout of the arrays of a
   described program is predicted, without pruning.

     winners TABLE SEGMENT PROCESSORS [NAME=VALUE...]

   The space is made small enough: CYCLIC(b) is left out, then CYCLIC, then grids of two dimensions;
   the search is told the same. PROCESSORS has to be an even number. Prints a line; status 1 where
   the winners differ, 3 where the least space is too large or has no prediction. */
#include "forecast/search/search.h"
#include "forecast/search/space.h"
#include "model/segment/program/program_fields.h"
#include "test/forecast/every.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Layouts that are predicted one by one: some seconds. */
static const double most_layouts = 1e5;

struct winners {
    struct machine machine;
    struct program program;
    struct study study;
    size_t leaders[LEADERS_MOST], leader_count, left_out;
    int rank, kinds;
    double layouts, least_us;
};

static int find_leaders(struct winners *it, struct error *error)
{
    struct subject subject;
    struct space space;
    const double line[1] = {it->study.processors};
    if (space_make(&space, &it->study, line, 1, NULL, 0, KINDS_ALL, error) != 0)
        return -1;
    const int status = subject_make(&subject, &it->program, it->study.scope, error);
    space_free(&space);
    if (status != 0)
        return -1;
    space_leaders(&it->program, &subject, it->leaders, &it->leader_count, &it->left_out);
    subject_free(&subject);
    return 0;
}

/* All layouts on a line of processors, or on a grid of two times half of them. */
static struct every every_on(const struct winners *it, int rank, int kinds, char (*sizes)[32])
{
    struct every every = {.program = &it->program, .rank = rank, .kinds = kinds};
    snprintf(sizes[0], sizeof sizes[0], "%.0f", it->study.processors / rank);
    snprintf(sizes[1], sizeof sizes[1], "2");
    every.grid[0] = sizes[0];
    every.grid[1] = sizes[1];
    for (size_t i = 0; i < it->leader_count; i++)
        if (!every_add(&every, it->leaders[i]))
            return (struct every){0};
    return every;
}

/* Whether the space is small enough. */
static bool is_small(struct winners *it, int rank, int kinds)
{
    char sizes[2][32];
    it->rank = rank;
    it->kinds = kinds;
    it->layouts = 0.0;
    for (int r = 1; r <= rank; r++) {
        const struct every every = every_on(it, r, kinds, sizes);
        it->layouts += every.slots ? every_count(&every) : INFINITY;
    }
    return it->layouts <= most_layouts;
}

static void limit_search(struct winners *it)
{
    struct search_limits *limits = &it->program.search;
    distributions_add(&limits->kinds, "BLOCK");
    if (it->kinds == 2)
        distributions_add(&limits->kinds, "CYCLIC");
    limits->ranks = it->rank;
    limits->fixed = true;
}

static void take(void *winners, const struct candidate *layout)
{
    struct winners *it = winners;
    it->least_us = fmin(it->least_us, every_predicted_us(&it->study, layout));
}

static void evaluate_all(struct winners *it)
{
    char sizes[2][32];
    it->least_us = INFINITY;
    for (int r = 1; r <= it->rank; r++) {
        const struct every every = every_on(it, r, it->kinds, sizes);
        every_take(&every, take, it);
    }
}

static int compare(struct winners *it, const char *name, struct error *error)
{
    struct search search;
    if (search_make(&search, &it->study, 0.0, error) != 0)
        return -1;
    const struct candidate *found = search.found.items;
    const double us = every_predicted_us(&it->study, &found[0]);
    search_free(&search);
    const bool equal = fabs(us - it->least_us) <= 1e-9 * it->least_us;
    printf("%s: %.0f layouts (%s, %d-dimensional grids), least %.9g us, searched %.9g us: %s\n",
           name, it->layouts, it->kinds == 2 ? "BLOCK and CYCLIC" : "BLOCK", it->rank, it->least_us,
           us, equal ? "equal" : "DIFFERENT");
    return equal ? 0 : 1;
}

static int run(struct winners *it, const char *name, struct error *error)
{
    if (find_leaders(it, error) != 0)
        return -1;
    if (!is_small(it, 2, 2) && !is_small(it, 2, 1) && !is_small(it, 1, 2) && !is_small(it, 1, 1)) {
        printf("%s: too many layouts\n", name);
        return 3;
    }
    limit_search(it);
    evaluate_all(it);
    if (!isinf(it->least_us))
        return compare(it, name, error);
    printf("%s: no layout has a prediction\n", name);
    return 3;
}

static int fail(const struct error *error)
{
    char line[800];
    fprintf(stderr, "%s\n", error_line(error, line, sizeof line));
    return 2;
}

int main(int argc, char **argv)
{
    struct winners it = {0};
    struct error error;
    if (argc < 4) {
        fprintf(stderr, "winners TABLE SEGMENT PROCESSORS [NAME=VALUE...]\n");
        return 2;
    }
    if (machine_read(&it.machine, argv[1], &error) != 0 ||
        program_read(&it.program, argv[2], &error) != 0 ||
        study_make(&it.study, &it.machine, &it.program, strtod(argv[3], NULL),
                   (const char *const *)argv + 4, (size_t)argc - 4, &error) != 0)
        return fail(&error);
    const char *slash = strrchr(argv[2], '/');
    const int status = run(&it, slash ? slash + 1 : argv[2], &error);
    study_free(&it.study);
    program_free(&it.program);
    machine_free(&it.machine);
    return status < 0 ? fail(&error) : status;
}
