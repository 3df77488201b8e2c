#include "forecast/search/space.h"

#include "model/base/allocation.h"
#include "model/segment/program/program_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_MOST = 40 };

/* ---- which arrays ---- */

static const struct array *leader_of(const struct program *program, const struct array *array)
{
    while (array->align)
        array = program_array(program, array->align);
    return array;
}

static bool is_of(const struct reference *reference, const struct program *program,
                  const struct array *leader)
{
    return leader_of(program, reference->array) == leader;
}

static bool instance_uses(const struct instance *it, const struct program *program,
                          const struct array *leader)
{
    bool uses = (it->has_writes && is_of(&it->writes, program, leader)) ||
                (it->has_home && is_of(&it->home, program, leader));
    for (size_t k = 0; k < it->read_count; k++)
        uses |= is_of(&it->reads[k], program, leader);
    const struct gather *gathers = it->statement ? it->statement->gathers.items : NULL;
    for (size_t k = 0; gathers && k < it->statement->gathers.count; k++)
        uses |= leader_of(program, program_array(program, gathers[k].array)) == leader;
    return uses;
}

static bool is_used(const struct program *program, const struct subject *subject,
                    const struct array *leader)
{
    for (size_t s = 0; s < program->segments.count; s++) {
        const struct instance *items = subject->instances[s].items;
        for (size_t i = 0; i < subject->instances[s].count; i++)
            if (instance_uses(&items[i], program, leader))
                return true;
    }
    return false;
}

static bool is_wanted(const struct program *program, const struct array *array)
{
    const struct formula *names = program->search.arrays.items;
    for (size_t i = 0; i < program->search.arrays.count; i++)
        if (strcmp(names[i].text, array->name) == 0)
            return true;
    return program->search.arrays.count == 0;
}

void space_leaders(const struct program *program, const struct subject *subject, size_t *numbers,
                   size_t *count, size_t *left_out)
{
    const struct array *arrays = program->arrays.items;
    *count = *left_out = 0;
    for (size_t i = 0; i < program->arrays.count; i++) {
        if (arrays[i].align || !is_wanted(program, &arrays[i]) ||
            !is_used(program, subject, &arrays[i]))
            continue;
        if (*count == LEADERS_MOST)
            ++*left_out;
        else
            numbers[(*count)++] = i;
    }
}

/* ---- the ways to distribute one dimension ---- */

struct kinds {
    size_t count;
    char *texts[KINDS_MOST]; /* "CYCLIC(4)@1"; owned */
};

static void add_kind(struct kinds *kinds, const char *kind, int g)
{
    if (kinds->count < KINDS_MOST)
        kinds->texts[kinds->count++] = memory_format("%s@%d", kind, g);
}

/* With blocks of every power of two that leaves more than one round. */
static void add_sizes(struct kinds *kinds, const char *kind, double share, int g)
{
    for (double b = 2.0; b < share; b *= 2.0) {
        char *sized = memory_format("%s(%.0f)", kind, b);
        add_kind(kinds, sized, g);
        free(sized);
    }
}

/* As told, or every kind, and blocks of all sizes. */
static void make_kinds(struct kinds *kinds, const struct space *space, double elements, int g)
{
    const struct search_limits *limits = &space->program->search;
    const struct formula *told = limits->kinds.items;
    const double processors = space->layout.grid[g];
    *kinds = (struct kinds){0};
    if (processors == 1.0) /* all of them are not to be distributed */
        return;
    const size_t simple = (size_t)space->level + 1;
    for (size_t i = 0; i < limits->kinds.count && (space->level == KINDS_ALL || i < simple); i++)
        add_kind(kinds, told[i].text, g);
    if (limits->kinds.count > 0)
        return;
    for (size_t i = 0; distribution_kind(i) && (i == 0 || space->level >= KINDS_SIMPLE); i++)
        add_kind(kinds, distribution_kind(i), g);
    for (size_t i = 0; distribution_kind(i) && space->level == KINDS_ALL; i++)
        if (distribution_sizes_are_tried(i))
            add_sizes(kinds, distribution_kind(i), elements / processors, g);
}

static void free_kinds(struct kinds *kinds)
{
    for (size_t i = 0; i < kinds->count; i++)
        free(kinds->texts[i]);
}

/* ---- the ways to distribute an array ---- */

struct filling {
    struct space *space;
    struct study *study;
    struct leader *leader;
    const struct array_layout *whole; /* the leader's, replicated */
    const char *texts[DIMENSIONS_MOST];
    bool used[DIMENSIONS_MOST]; /* grid dimensions */
};

static void free_option(struct option *option)
{
    for (int d = 0; d < DIMENSIONS_MOST; d++)
        free(option->texts[d]);
    free(option->lies);
}

static bool is_known(const struct leader *leader, const struct array_layout *lies)
{
    for (size_t i = 0; i < leader->option_count; i++)
        if (array_layout_same(&leader->options[i].lies[0], lies))
            return true;
    return false;
}

static void keep(struct filling *with, const struct layout *layout)
{
    struct leader *leader = with->leader;
    if (is_known(leader, &layout->arrays[leader->members[0]]))
        return;
    leader->options =
        memory_grow(leader->options, leader->option_count + 1, sizeof *leader->options);
    struct option *option = &leader->options[leader->option_count++];
    *option = (struct option){.lies = memory_new(leader->member_count, sizeof *option->lies)};
    for (size_t m = 0; m < leader->member_count; m++)
        option->lies[m] = layout->arrays[leader->members[m]];
    for (int d = 0; d < with->whole->dimensions; d++)
        option->texts[d] = memory_copy_text(with->texts[d]);
}

static void add_grid(struct candidate *candidate, const struct layout *layout)
{
    for (int g = 0; g < layout->grid_dimensions; g++) {
        char text[32];
        snprintf(text, sizeof text, "%.0f", layout->grid[g]);
        formulas_add(&candidate->grid, text);
    }
}

/* What does not fit (told blocks that do not hold the array) is no option. */
static void try_option(struct filling *with)
{
    struct list one = {0};
    struct layout layout;
    struct error ignored;
    struct candidate *candidate = candidates_add(&one, "search");
    add_grid(candidate, &with->space->layout);
    struct list *dimensions = distribute_add(&candidate->distribute, with->leader->array->name);
    for (int d = 0; d < with->whole->dimensions; d++)
        distributions_add(dimensions, with->texts[d]);
    if (layout_make(&layout, with->space->program, candidate, with->study->scope, &ignored) == 0) {
        keep(with, &layout);
        layout_free(&layout);
    }
    candidates_free(&one);
}

static void fill(struct filling *with, int d);

static void fill_along(struct filling *with, int d, int g)
{
    struct kinds kinds;
    make_kinds(&kinds, with->space, with->whole->extent[d], g);
    with->used[g] = true;
    for (size_t i = 0; i < kinds.count; i++) {
        with->texts[d] = kinds.texts[i];
        fill(with, d + 1);
    }
    with->used[g] = false;
    free_kinds(&kinds);
}

/* All ways for dimensions from d on, as long as there is room; nothing distributed comes first. */
static void fill(struct filling *with, int d)
{
    if (with->leader->option_count == OPTIONS_MOST)
        return;
    if (d == with->whole->dimensions) {
        try_option(with);
        return;
    }
    with->texts[d] = "*";
    fill(with, d + 1);
    for (int g = 0; g < with->space->layout.grid_dimensions; g++)
        if (!with->used[g])
            fill_along(with, d, g);
}

/* How many there are from d on, though some may be the same. */
static double count_ways(const struct filling *with, int d, bool used[DIMENSIONS_MOST])
{
    if (d == with->whole->dimensions)
        return 1.0;
    double ways = count_ways(with, d + 1, used);
    for (int g = 0; g < with->space->layout.grid_dimensions; g++) {
        struct kinds kinds;
        if (used[g])
            continue;
        make_kinds(&kinds, with->space, with->whole->extent[d], g);
        const double count = (double)kinds.count;
        free_kinds(&kinds);
        used[g] = true;
        ways += count * count_ways(with, d + 1, used);
        used[g] = false;
    }
    return ways;
}

static void add_leader(struct space *space, struct study *study, size_t number)
{
    const struct array *arrays = space->program->arrays.items;
    struct leader *leader = &space->leaders[space->leader_count++];
    *leader = (struct leader){.array = &arrays[number]};
    leader->members = memory_new(space->program->arrays.count, sizeof *leader->members);
    leader->members[leader->member_count++] = number;
    for (size_t i = 0; i < space->program->arrays.count; i++)
        if (i != number && leader_of(space->program, &arrays[i]) == leader->array)
            leader->members[leader->member_count++] = i;
    struct filling with = {
        .space = space, .study = study, .leader = leader, .whole = &space->layout.arrays[number]};
    fill(&with, 0);
    bool used[DIMENSIONS_MOST] = {false};
    leader->ways = leader->option_count == OPTIONS_MOST ? count_ways(&with, 0, used)
                                                        : (double)leader->option_count;
}

/* ---- the whole ---- */

static int lay_whole(const struct program *program, struct study *study, const double *grid,
                     int grid_dimensions, struct layout *layout, struct error *error)
{
    struct list one = {0};
    struct candidate *candidate = candidates_add(&one, "search");
    struct layout sized = {.grid_dimensions = grid_dimensions};
    memcpy(sized.grid, grid, (size_t)grid_dimensions * sizeof *grid);
    add_grid(candidate, &sized);
    scope_cut(study->scope, study->names);
    const int status = layout_make(layout, program, candidate, study->scope, error);
    candidates_free(&one);
    return status;
}

int space_make(struct space *space, struct study *study, const double *grid, int grid_dimensions,
               const size_t *leaders, size_t leader_count, enum kinds_level level,
               struct error *error)
{
    *space = (struct space){.program = study->program, .level = level, .count = 1.0, .ways = 1.0};
    if (lay_whole(space->program, study, grid, grid_dimensions, &space->layout, error) != 0)
        return -1;
    const size_t segments = study->program->segments.count;
    space->schedule = memory_new(segments, sizeof *space->schedule);
    for (size_t s = 0; s < segments; s++)
        space->schedule[s] = space->layout; /* the arrays are those of the layout itself */
    for (size_t i = 0; i < leader_count; i++) {
        add_leader(space, study, leaders[i]);
        space->count *= (double)space->leaders[i].option_count;
        space->ways *= space->leaders[i].ways;
    }
    return 0;
}

int space_enter(const struct space *space, struct study *study, struct error *error)
{
    struct layout layout;
    if (lay_whole(space->program, study, space->layout.grid, space->layout.grid_dimensions, &layout,
                  error) != 0)
        return -1;
    layout_free(&layout);
    return 0;
}

void space_free(struct space *space)
{
    for (size_t i = 0; i < space->leader_count; i++) {
        struct leader *leader = &space->leaders[i];
        for (size_t k = 0; k < leader->option_count; k++)
            free_option(&leader->options[k]);
        free(leader->options);
        free(leader->members);
    }
    free(space->schedule);
    layout_free(&space->layout);
}

void space_choose(struct space *space, size_t leader, size_t option)
{
    const struct leader *it = &space->leaders[leader];
    for (size_t m = 0; m < it->member_count; m++)
        space->layout.arrays[it->members[m]] = it->options[option].lies[m];
}

size_t space_leader(const struct space *space, const struct array *array)
{
    const struct array *leader = leader_of(space->program, array);
    size_t i = 0;
    while (i < space->leader_count && space->leaders[i].array != leader)
        i++;
    return i;
}

/* Notes which grid dimensions a leader uses. False: one before its equal. */
static bool use_in_order(const struct space *space, const struct array_layout *lies, bool *used)
{
    for (int d = 0; d < lies->dimensions; d++) {
        const int g = lies->along[d].grid_dimension;
        if (g < 0)
            continue;
        used[g] = true;
        if (g > 0 && space->layout.grid[g] == space->layout.grid[g - 1] && !used[g - 1])
            return false;
    }
    return true;
}

bool space_may_be_first_of_equals(const struct space *space, const size_t *choice,
                                  const bool *chosen)
{
    bool used[DIMENSIONS_MOST] = {false};
    for (size_t i = 0; i < space->leader_count && (!chosen || chosen[i]); i++)
        if (!use_in_order(space, &space->leaders[i].options[choice[i]].lies[0], used))
            return false;
    return true;
}

/* ---- as candidates ---- */

void space_distribute(const struct space *space, const size_t *choice, const size_t *before,
                      struct list *distributes)
{
    for (size_t i = 0; i < space->leader_count; i++) {
        const struct leader *leader = &space->leaders[i];
        if (before && before[i] == choice[i])
            continue;
        struct list *dimensions = distribute_add(distributes, leader->array->name);
        for (int d = 0; d < leader->options[0].lies[0].dimensions; d++)
            distributions_add(dimensions, leader->options[choice[i]].texts[d]);
    }
}

struct candidate *space_candidate(const struct space *space, const size_t *choice,
                                  struct list *candidates, const char *name)
{
    struct candidate *candidate = candidates_add(candidates, name);
    add_grid(candidate, &space->layout);
    space_distribute(space, choice, NULL, &candidate->distribute);
    return candidate;
}
