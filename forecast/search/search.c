#include "forecast/search/search.h"

#include "forecast/search/grids.h"
#include "model/base/allocation.h"
#include "model/segment/program/program_fields.h"
#include "model/segment/traffic/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Layouts of so many are looked at without a look at simple ones before. */
static const double few_layouts = 1e5;

struct searching {
    struct search *search;
    struct study *study;
    struct finds finds;
    struct deadline deadline;
    size_t leaders[LEADERS_MOST], leader_count, leaders_left_out;
    int ranks;   /* most dimensions of a grid */
    bool *given; /* by array: it has contents when the program begins; owned */
    size_t grid_count;
    struct grid *grids; /* owned */
    struct error *error;
};

/* ---- which grids there are ---- */

static int add_grid(struct searching *it, const double *sizes, int rank)
{
    struct space space;
    if (space_make(&space, it->study, sizes, rank, it->leaders, it->leader_count, KINDS_ALL,
                   it->error) != 0)
        return -1;
    it->grids = memory_grow(it->grids, it->grid_count + 1, sizeof *it->grids);
    struct grid *grid = &it->grids[it->grid_count++];
    *grid = (struct grid){.rank = rank, .ways = space.ways};
    memcpy(grid->sizes, sizes, (size_t)rank * sizeof *sizes);
    it->search->all_layouts += space.ways;
    space_free(&space);
    return 0;
}

/* All factorisations of what is left, in factors that do not grow. */
static int find_grids(struct searching *it, double left, double most, double *sizes, int rank)
{
    if (left == 1.0 && rank > 0)
        return add_grid(it, sizes, rank);
    if (rank == it->ranks)
        return 0;
    for (double factor = fmin(left, most); factor >= 2.0 || factor == left; factor -= 1.0) {
        if (fmod(left, factor) != 0.0)
            continue;
        sizes[rank] = factor;
        if (find_grids(it, left / factor, factor, sizes, rank + 1) != 0)
            return -1;
    }
    return 0;
}

static void find_ranks(struct searching *it)
{
    const struct array *arrays = it->study->program->arrays.items;
    const double most = it->study->program->search.ranks;
    it->ranks = 1;
    for (size_t i = 0; i < it->leader_count; i++) {
        const int dimensions = (int)arrays[it->leaders[i]].extent.count;
        it->ranks = dimensions > it->ranks ? dimensions : it->ranks;
    }
    it->ranks = most < it->ranks ? (int)most : it->ranks;
}

/* What arrays are used is asked of all processors in a row: it does not depend on the grid. */
static int find_arrays(struct searching *it)
{
    struct subject subject;
    struct space space;
    const struct program *program = it->study->program;
    const double line[1] = {it->study->processors};
    if (space_make(&space, it->study, line, 1, NULL, 0, KINDS_ALL, it->error) != 0)
        return -1;
    const int status = subject_make(&subject, program, it->study->scope, it->error);
    space_free(&space);
    if (status != 0)
        return -1;
    it->given = memory_new(program->arrays.count, sizeof *it->given);
    arrays_given(&subject, it->given);
    space_leaders(program, &subject, it->leaders, &it->leader_count, &it->leaders_left_out);
    subject_free(&subject);
    find_ranks(it);
    return 0;
}

static int check_names(const struct searching *it)
{
    const struct program *program = it->study->program;
    const struct segment *segments = program->segments.items;
    for (size_t i = 0; i < program->segments.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(segments[i].name, segments[k].name) == 0)
                return error_at(it->error, program_place(program, segments[i].place),
                                "a search needs segments with names of their own: '%.60s' is a "
                                "second one",
                                segments[i].name);
    return 0;
}

/* ---- all grids, simple distributions first ---- */

/* The first level has a share of the time for each grid, so that there is an answer. */
static int search_level(struct searching *it, enum kinds_level level)
{
    for (size_t i = 0; i < it->grid_count; i++) {
        const double share = level == KINDS_BLOCK ? 1.0 / (double)(it->grid_count - i) : 0.8;
        const struct grid_task task = {.study = it->study,
                                       .leaders = it->leaders,
                                       .leader_count = it->leader_count,
                                       .given = it->given,
                                       .level = level,
                                       .costs_until = deadline_share(&it->deadline, 0.8 * share),
                                       .until = deadline_share(&it->deadline, share)};
        if (deadline_has_passed(&it->deadline))
            return 0;
        if (grid_search(&it->grids[i], &task, &it->finds, it->error) != 0)
            return -1;
    }
    return 0;
}

static int search_levels(struct searching *it)
{
    const bool few = it->search->all_layouts <= few_layouts;
    for (int level = few ? KINDS_ALL : KINDS_BLOCK; level <= KINDS_ALL; level++)
        if (search_level(it, (enum kinds_level)level) != 0)
            return -1;
    for (size_t i = 0; i < it->grid_count; i++)
        if (grid_plan(&it->grids[i], it->study, &it->deadline, &it->finds, it->error) != 0)
            return -1;
    return 0;
}

/* ---- the whole ---- */

static void say(struct search *search, const char *what)
{
    const size_t used = strlen(search->skipped);
    snprintf(search->skipped + used, sizeof search->skipped - used, "%s%s", used ? "; " : "", what);
}

/* "4 x 4" */
static char *name_grid(const struct grid *grid)
{
    char *name = memory_format("%.0f", grid->sizes[0]);
    for (int g = 1; g < grid->rank; g++) {
        char *longer = memory_format("%s x %.0f", name, grid->sizes[g]);
        free(name);
        name = longer;
    }
    return name;
}

/* The grids of which only so much was looked at. */
static void say_level(struct searching *it, bool any, enum kinds_level level, const char *what)
{
    char text[SEARCH_SKIPPED] = "";
    size_t used = 0;
    for (size_t i = 0; i < it->grid_count; i++) {
        const struct grid *grid = &it->grids[i];
        if (grid->is_done ? !any || grid->level != level : any)
            continue;
        char *name = name_grid(grid);
        if (used < sizeof text)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : what, name);
        free(name);
    }
    if (used > 0)
        say(it->search, text);
}

static void say_skipped(struct searching *it)
{
    char text[80];
    say_level(it, false, KINDS_BLOCK, "most on grids ");
    say_level(it, true, KINDS_BLOCK, "all but BLOCK on grids ");
    say_level(it, true, KINDS_SIMPLE, "CYCLIC(b) on grids ");
    if (it->leaders_left_out > 0) {
        snprintf(text, sizeof text, "%zu arrays, which are replicated", it->leaders_left_out);
        say(it->search, text);
    }
    if (it->search->plans_left_out > 0.0) {
        snprintf(text, sizeof text, "redistributions on %.0f of %zu grids",
                 it->search->plans_left_out, it->grid_count);
        say(it->search, text);
    }
}

static void sum_up(struct searching *it)
{
    struct search *search = it->search;
    search->grids = (double)it->grid_count;
    for (size_t i = 0; i < it->grid_count; i++) {
        search->layouts += it->grids[i].looked_at;
        search->plans_left_out += it->grids[i].plan_left_out;
        grid_free(&it->grids[i]);
    }
    search->predictions = it->finds.predictions;
    search->failures = it->finds.failures;
    say_skipped(it);
    free(it->grids);
    free(it->given);
}

/* Steps of effort.h that a prediction may take for each second that a search has: the slowest ones,
   turns that are derived alone, take a quarter of a microsecond for each processor (PolyBench's
   nussinov), so that one prediction takes a tenth of the time at most. What needs more counts as a
   failure. */
static const double steps_a_second = 4e5;

/* Limits the effort of a prediction, and returns what it was. */
static double limit_effort(const struct program *program, double seconds)
{
    const double most = program->effort ? program->effort->most : INFINITY;
    if (program->effort && seconds > 0.0)
        program->effort->most = fmin(most, steps_a_second * seconds);
    return most;
}

int search_make(struct search *search, struct study *study, double seconds, struct error *error)
{
    struct searching it = {.search = search, .study = study, .error = error};
    double sizes[DIMENSIONS_MOST];
    *search = (struct search){0};
    finds_begin(&it.finds);
    if (seconds > 0.0)
        it.deadline = deadline_after(seconds);
    const double effort_most = limit_effort(study->program, seconds);
    int status = check_names(&it);
    if (status == 0)
        status = find_arrays(&it);
    if (status == 0)
        status = find_grids(&it, study->processors, study->processors, sizes, 0);
    if (status == 0)
        status = search_levels(&it);
    if (study->program->effort)
        study->program->effort->most = effort_most;
    scope_cut(study->scope, study->names);
    sum_up(&it);
    finds_take(&it.finds, &search->found);
    if (status != 0)
        search_free(search);
    else if (search->found.count == 0 && search->failures > 0.0) {
        *error = it.finds.first;
        status = 1;
    }
    return status;
}

void search_free(struct search *search)
{
    candidates_free(&search->found);
}
