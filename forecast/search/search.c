#include "forecast/search/search.h"

#include "forecast/search/plan.h"
#include "model/base/allocation.h"
#include "model/segment/program/program_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double entries_most = 5e6; /* of the costs of all segments on a grid: 45 MB */
static const double layouts_most = 5e7; /* on a grid */

/* One of the best. */
struct hit {
    double us;
    size_t choice[LEADERS_MOST]; /* on the present grid, until it becomes a candidate */
    struct list candidate;       /* of one struct candidate; owned */
};

struct searching {
    struct search *search;
    struct study *study;
    size_t leaders[LEADERS_MOST], leader_count;
    double repeat; /* of all segments */
    int ranks;     /* most dimensions of a grid */
    bool checking; /* sizes only: too many layouts are to be refused before any is looked at */
    size_t hit_count;
    struct hit hits[SEARCH_BEST + 1]; /* best first */
    double plan_us;
    struct list plan; /* of one struct candidate */
    struct error first;
    struct error *error;
};

/* ---- the best layouts of a grid ---- */

static double worst_us(const struct searching *it)
{
    return it->hit_count < SEARCH_BEST ? INFINITY : it->hits[it->hit_count - 1].us;
}

static void keep(struct searching *it, double us, const size_t *choice, size_t leaders)
{
    size_t at = it->hit_count;
    while (at > 0 && it->hits[at - 1].us > us) {
        it->hits[at] = it->hits[at - 1];
        at--;
    }
    it->hits[at] = (struct hit){.us = us};
    memcpy(it->hits[at].choice, choice, leaders * sizeof *choice);
    if (++it->hit_count > SEARCH_BEST)
        candidates_free(&it->hits[--it->hit_count].candidate);
}

/* Looks at one layout: at its bound, then at its costs. */
static void look(struct searching *it, struct pricing *pricing, struct segment_costs *costs,
                 const size_t *choice)
{
    const size_t segments = it->study->program->segments.count;
    double us = 0.0;
    for (size_t s = 0; s < segments; s++)
        us += costs[s].us[segment_costs_at(&costs[s], choice)];
    if (!(us * (1.0 - 1e-9) < worst_us(it)) || isinf(us))
        return;
    if (!space_is_first_of_equals(pricing->space, choice))
        return;
    us = 0.0;
    for (size_t s = 0; s < segments; s++)
        us += segment_costs_exact(&costs[s], pricing, choice);
    if (us < worst_us(it))
        keep(it, us, choice, pricing->space->leader_count);
}

/* The next choice of an option for each leader; false after the last. */
static bool next_choice(const struct space *space, size_t *choice)
{
    for (size_t i = 0; i < space->leader_count; i++) {
        if (++choice[i] < space->leaders[i].option_count)
            return true;
        choice[i] = 0;
    }
    return false;
}

static void name_hits(struct searching *it, const struct space *space)
{
    for (size_t i = 0; i < it->hit_count; i++)
        if (it->hits[i].candidate.count == 0)
            space_candidate(space, it->hits[i].choice, &it->hits[i].candidate, "");
}

/* ---- the best plan of a grid ---- */

static void name_plan(struct searching *it, const struct space *space, const struct plan *plan)
{
    const struct segment *segments = it->study->program->segments.items;
    candidates_free(&it->plan);
    struct candidate *candidate =
        space_candidate(space, plan->choices[0], &it->plan, "redistributed");
    for (size_t s = 1; s < it->study->program->segments.count; s++)
        if (memcmp(plan->choices[s], plan->choices[s - 1], space->leader_count * sizeof(size_t)) !=
            0)
            space_distribute(space, plan->choices[s], plan->choices[s - 1],
                             redistribute_add(candidate, segments[s].name));
}

static void make_plan(struct searching *it, struct pricing *pricing, struct segment_costs *costs)
{
    struct plan plan;
    const double limit_us = it->hit_count ? fmin(it->plan_us, it->hits[0].us) : it->plan_us;
    plan_make(&plan, pricing, costs, it->repeat, limit_us);
    it->search->plans_left_out |= plan.too_many;
    if (plan.found && plan.us < limit_us * (1.0 - 1e-9)) {
        it->plan_us = plan.us;
        name_plan(it, pricing->space, &plan);
    }
    plan_free(&plan);
}

/* ---- grids ---- */

static int check_size(struct searching *it, const struct pricing *pricing)
{
    const struct program *program = it->study->program;
    double entries = 0.0;
    for (size_t s = 0; s < program->segments.count; s++)
        entries += segment_costs_size(pricing, s);
    if (entries <= entries_most && pricing->space->count <= layouts_most)
        return 0;
    return error_at(it->error, program_place(program, program->search.place),
                    "%.3g layouts on a grid of rank %d, more than are gone through: limit them "
                    "with search: {kinds: [BLOCK, CYCLIC], ranks: 1, arrays: [...]}",
                    pricing->space->count, pricing->space->layout.grid_dimensions);
}

static void search_layouts(struct searching *it, struct pricing *pricing)
{
    const struct program *program = it->study->program;
    size_t choice[LEADERS_MOST] = {0};
    struct segment_costs *costs = memory_new(program->segments.count, sizeof *costs);
    for (size_t s = 0; s < program->segments.count; s++)
        segment_costs_make(&costs[s], pricing, s);
    do
        look(it, pricing, costs, choice);
    while (next_choice(pricing->space, choice));
    name_hits(it, pricing->space);
    if (program->segments.count > 1 && !program->search.fixed)
        make_plan(it, pricing, costs);
    for (size_t s = 0; s < program->segments.count; s++)
        segment_costs_free(&costs[s]);
    free(costs);
}

static int search_grid(struct searching *it, const double *grid, int rank)
{
    struct space space;
    struct study *study = it->study;
    if (space_make(&space, study, grid, rank, it->leaders, it->leader_count, it->error) != 0)
        return -1;
    struct pricing pricing = {.space = &space, .study = study};
    int status = study_derive(study, space.schedule, it->error);
    if (status == 0)
        status = program_repeat(study->program, study->scope, &it->repeat, it->error);
    if (status == 0)
        status = check_size(it, &pricing);
    if (status != 0 || it->checking) {
        space_free(&space);
        return status;
    }
    search_layouts(it, &pricing);
    if (pricing.failures > 0.0 && it->search->failures == 0.0)
        it->first = pricing.first;
    pricing_free(&pricing);
    it->search->failures += pricing.failures;
    it->search->predictions += pricing.predictions;
    it->search->layouts += space.count;
    it->search->grids += 1.0;
    space_free(&space);
    return 0;
}

/* All factorisations of what is left, in factors that do not grow. */
static int search_grids(struct searching *it, double left, double most, double *grid, int rank)
{
    if (left == 1.0 && rank > 0)
        return search_grid(it, grid, rank);
    if (rank == it->ranks)
        return 0;
    for (double factor = fmin(left, most); factor >= 2.0 || factor == left; factor -= 1.0) {
        if (fmod(left, factor) != 0.0)
            continue;
        grid[rank] = factor;
        if (search_grids(it, left / factor, factor, grid, rank + 1) != 0)
            return -1;
    }
    return 0;
}

/* ---- the whole ---- */

static int find_ranks(struct searching *it)
{
    const struct array *arrays = it->study->program->arrays.items;
    const double most = it->study->program->search.ranks;
    it->ranks = 1;
    for (size_t i = 0; i < it->leader_count; i++) {
        const int dimensions = (int)arrays[it->leaders[i]].extent.count;
        it->ranks = dimensions > it->ranks ? dimensions : it->ranks;
    }
    return it->ranks = most < it->ranks ? (int)most : it->ranks;
}

/* What arrays are used is asked of all processors in a row: it does not depend on the grid. */
static int find_arrays(struct searching *it)
{
    struct subject subject;
    const double line[1] = {it->study->processors};
    struct space space;
    if (space_make(&space, it->study, line, 1, NULL, 0, it->error) != 0)
        return -1;
    int status = subject_make(&subject, it->study->program, it->study->scope, it->error);
    space_free(&space);
    if (status != 0)
        return -1;
    status = space_leaders(it->study->program, &subject, it->leaders, &it->leader_count, it->error);
    subject_free(&subject);
    find_ranks(it);
    return status;
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

static void take_hits(struct searching *it)
{
    for (size_t i = 0; i < it->hit_count; i++) {
        struct candidate *candidate = it->hits[i].candidate.items;
        free(candidate->name);
        candidate->name = memory_format("search %zu", i + 1);
        candidates_move(&it->search->found, &it->hits[i].candidate);
    }
    if (it->plan.count && (it->hit_count == 0 || it->plan_us < it->hits[0].us))
        candidates_move(&it->search->found, &it->plan);
    candidates_free(&it->plan);
}

int search_make(struct search *search, struct study *study, struct error *error)
{
    struct searching it = {.search = search, .study = study, .plan_us = INFINITY, .error = error};
    double grid[DIMENSIONS_MOST];
    *search = (struct search){0};
    int status = check_names(&it);
    if (status == 0)
        status = find_arrays(&it);
    for (int pass = 0; pass < 2 && status == 0; pass++) {
        it.checking = pass == 0;
        status = search_grids(&it, study->processors, study->processors, grid, 0);
    }
    scope_cut(study->scope, study->names);
    take_hits(&it);
    if (status != 0)
        search_free(search);
    else if (search->found.count == 0 && search->failures > 0.0) {
        *error = it.first;
        status = 1;
    }
    return status;
}

void search_free(struct search *search)
{
    candidates_free(&search->found);
}

/* ---- as text ---- */

static char *with_list(char *text, const char *before, const struct list *formulas)
{
    const struct formula *items = formulas->items;
    char *longer = memory_format("%s%s[", text, before);
    free(text);
    for (size_t i = 0; i < formulas->count; i++) {
        const bool star = strcmp(items[i].text, "*") == 0;
        char *next =
            memory_format(star ? "%s%s\"%s\"" : "%s%s%s", longer, i ? ", " : "", items[i].text);
        free(longer);
        longer = next;
    }
    char *closed = memory_format("%s]", longer);
    free(longer);
    return closed;
}

static char *with_distribute(char *text, const char *first, const struct list *distributes)
{
    const struct distribute *items = distributes->items;
    for (size_t i = 0; i < distributes->count; i++) {
        char *name = memory_format("%s%s: ", i ? ", " : first, items[i].array);
        text = with_list(text, name, &items[i].dimensions);
        free(name);
    }
    return text;
}

static char *with(char *text, const char *more)
{
    char *longer = memory_format("%s%s", text, more);
    free(text);
    return longer;
}

char *candidate_text(const struct candidate *candidate)
{
    const struct redistribute *changes = candidate->redistribute.items;
    char *text = with_list(memory_copy_text(""), "{grid: ", &candidate->grid);
    text = with_distribute(with(text, ", distribute: {"), "", &candidate->distribute);
    text = with(text, "}");
    for (size_t i = 0; i < candidate->redistribute.count; i++) {
        char *begin = memory_format("%s{before: \"%s\"", i ? ", " : ", redistribute: [",
                                    changes[i].before ? changes[i].before : "");
        text = with(text, begin);
        free(begin);
        text = with(with_distribute(text, ", ", &changes[i].distribute), "}");
    }
    return with(text, candidate->redistribute.count ? "]}" : "}");
}
