/* Names in a segment description: which there are where, and which expressions depend on the
   processor count. */
#include "model/segment/program/program_check.h"

#include <stdio.h>
#include <string.h>

/* ---- what depends on the processor count ---- */

/* p, p0, p1, ... */
static bool is_of_processors(const char *name)
{
    return name[0] == 'p' && name[1 + strspn(name + 1, "0123456789")] == '\0';
}

/* The last of them counts: a derived name may hide a parameter. */
static bool list_varies(const struct list *parameters, const char *name, bool *found)
{
    const struct parameter *items = parameters->items;
    for (size_t i = parameters->count; i-- > 0;)
        if (strcmp(items[i].name, name) == 0) {
            *found = true;
            return items[i].varies;
        }
    return false;
}

static bool name_varies(const void *of_program, const char *name)
{
    const struct program *program = of_program;
    bool found = false;
    if (is_of_processors(name) || list_varies(&program->let, name, &found))
        return true;
    return !found && list_varies(&program->parameters, name, &found);
}

static bool any_name(const struct expression *expression, name_test *is, const void *with)
{
    for (size_t i = 0; expression && i < expression->name_count; i++)
        if (is(with, expression->names[i]))
            return true;
    return false;
}

bool program_varies(const struct program *program, const struct expression *expression)
{
    return any_name(expression, name_varies, program);
}

bool formula_any_name(const struct formula *formula, name_test *is, const void *with)
{
    const struct spelling *spelling = formula->distribution;
    bool any = any_name(formula->value, is, with);
    for (size_t d = 0; formula->subscripts && formula->subscripts[d] && !any; d++)
        any = any_name(formula->subscripts[d], is, with);
    return any || (spelling && (any_name(spelling->block, is, with) ||
                                any_name(spelling->dimension, is, with)));
}

int program_wrong_value(const struct program *program, const struct formula *formula,
                        struct error *error)
{
    return formula_any_name(formula, name_varies, program) ? error_particular(error) : -1;
}

int program_value(const struct program *program, const struct formula *formula, bool whole,
                  const struct scope *scope, double *value, struct error *error)
{
    const struct place place = program_place(program, formula->place);
    const int status = whole ? expression_whole(formula->value, scope, place, value, error)
                             : expression_value(formula->value, scope, place, value, error);
    return status == 0 ? 0 : program_wrong_value(program, formula, error);
}

/* ---- whether every name is one ---- */

struct naming {
    struct program *program;
    struct scope *scope; /* what may be named here; the values mean nothing */
    struct error *error;
};

static int check_formula(const struct naming *it, const struct formula *formula)
{
    return formula->value ? expression_check(formula->value, it->scope,
                                             program_place(it->program, formula->place), it->error)
                          : 0;
}

static int check_formulas(const struct naming *it, const struct list *formulas)
{
    const struct formula *items = formulas->items;
    for (size_t i = 0; i < formulas->count; i++)
        if (check_formula(it, &items[i]) != 0)
            return -1;
    return 0;
}

static int add_name(const struct naming *it, const char *name, struct place place)
{
    return scope_set(it->scope, name, 1.0, program_place(it->program, place), it->error);
}

/* Each may name those before it. Parameters may be without a value: then a definition has it. */
static int name_parameters(const struct naming *it, const struct list *list)
{
    struct parameter *parameters = list->items;
    for (size_t i = 0; i < list->count; i++) {
        if (check_formula(it, &parameters[i].value) != 0 ||
            add_name(it, parameters[i].name, parameters[i].value.place) != 0)
            return -1;
        parameters[i].varies = program_varies(it->program, parameters[i].value.value);
    }
    return 0;
}

static int name_grid(const struct naming *it, size_t dimension)
{
    char text[32];
    snprintf(text, sizeof text, "p%zu", dimension);
    return add_name(it, text, place_at(NULL, 1, 1));
}

/* ---- arrays and candidates ---- */

static int check_array(const struct naming *it, const struct array *array)
{
    if (check_formulas(it, &array->extent) != 0 || check_formulas(it, &array->align_offset) != 0)
        return -1;
    return check_formulas(it, &array->align_map);
}

static int check_distributions(const struct naming *it, const struct list *distributions)
{
    const struct formula *items = distributions->items;
    for (size_t i = 0; i < distributions->count; i++)
        if (spelling_check(items[i].distribution, it->scope,
                           program_place(it->program, items[i].place), it->error) != 0)
            return -1;
    return 0;
}

static int check_distribute(const struct naming *it, const struct list *distribute)
{
    const struct distribute *items = distribute->items;
    for (size_t i = 0; i < distribute->count; i++)
        if (check_distributions(it, &items[i].dimensions) != 0)
            return -1;
    return 0;
}

static int check_halo(const struct naming *it, const struct list *halo)
{
    const struct distribute *items = halo->items;
    for (size_t i = 0; i < halo->count; i++)
        if (check_formulas(it, &items[i].dimensions) != 0)
            return -1;
    return 0;
}

static int check_grid(const struct naming *it, const struct list *grid)
{
    const struct formula *sizes = grid->items;
    for (size_t i = 0; i < grid->count; i++)
        if (check_formula(it, &sizes[i]) != 0 || name_grid(it, i) != 0)
            return -1;
    return 0;
}

static int check_candidate(const struct naming *it, const struct candidate *candidate)
{
    const struct redistribute *changes = candidate->redistribute.items;
    if (check_grid(it, &candidate->grid) != 0 ||
        check_distribute(it, &candidate->distribute) != 0 || check_halo(it, &candidate->halo) != 0)
        return -1;
    for (size_t i = 0; i < candidate->redistribute.count; i++)
        if (check_distribute(it, &changes[i].distribute) != 0)
            return -1;
    return 0;
}

/* Returns how many dimensions the grids have at most, or -1. */
static int check_candidates(const struct naming *it)
{
    const struct candidate *candidates = it->program->candidates.items;
    const size_t names = scope_count(it->scope);
    size_t most = 0;
    for (size_t i = 0; i < it->program->candidates.count; i++) {
        if (check_candidate(it, &candidates[i]) != 0)
            return -1;
        scope_cut(it->scope, names);
        most = candidates[i].grid.count > most ? candidates[i].grid.count : most;
    }
    return (int)most;
}

/* ---- bodies ---- */

static int check_body(const struct naming *it, const struct list *body);

/* An index that is the name of something else is left to nest.h, which knows where it stands. */
static int check_loop(const struct naming *it, const struct loop *loop)
{
    const size_t names = scope_count(it->scope);
    if (check_formula(it, &loop->first) != 0 || check_formula(it, &loop->last) != 0 ||
        add_name(it, loop->index, loop->first.place) != 0 || check_body(it, &loop->body) != 0)
        return -1;
    scope_cut(it->scope, names);
    return 0;
}

static int check_branches(const struct naming *it, const struct list *branches)
{
    const struct branch *items = branches->items;
    for (size_t i = 0; i < branches->count; i++)
        if (check_formula(it, &items[i].probability) != 0 || check_body(it, &items[i].body) != 0)
            return -1;
    return 0;
}

static int check_gathers(const struct naming *it, const struct list *gathers)
{
    const struct gather *items = gathers->items;
    for (size_t i = 0; i < gathers->count; i++) {
        if (!program_array(it->program, items[i].array))
            return error_at(it->error, program_place(it->program, items[i].place),
                            "'%.60s' is no array", items[i].array);
        if (check_formula(it, &items[i].reach) != 0 || check_formula(it, &items[i].loads) != 0)
            return -1;
    }
    return 0;
}

static int check_step(const struct naming *it, const struct step *step)
{
    const struct statement *statement = step->statement;
    const struct call *call = step->call;
    if (step->loop)
        return check_loop(it, step->loop);
    if (statement)
        return check_formula(it, &statement->strip) != 0 ||
                       check_gathers(it, &statement->gathers) != 0
                   ? -1
                   : check_formula(it, &statement->recurrence.cycles);
    if (call)
        return check_formulas(it, &call->grid) != 0 || check_formulas(it, &call->faces) != 0 ||
                       check_formula(it, &call->pipeline) != 0 ||
                       check_formula(it, &call->bytes) != 0 ||
                       check_formula(it, &call->processors) != 0 ||
                       check_formula(it, &call->groups) != 0
                   ? -1
                   : check_formula(it, &call->apart);
    return check_branches(it, &step->branches);
}

static int check_body(const struct naming *it, const struct list *body)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++)
        if (check_step(it, &steps[i]) != 0)
            return -1;
    return 0;
}

static int check_segments(const struct naming *it)
{
    const struct segment *segments = it->program->segments.items;
    for (size_t i = 0; i < it->program->segments.count; i++)
        if (check_formula(it, &segments[i].repeat) != 0 ||
            check_formula(it, &segments[i].drain) != 0 ||
            check_formula(it, &segments[i].time.us) != 0 ||
            check_formula(it, &segments[i].only) != 0 || check_halo(it, &segments[i].known) != 0 ||
            check_body(it, &segments[i].body) != 0)
            return -1;
    return 0;
}

/* ---- all of it ---- */

/* What is not a candidate may name the sizes of any candidate's grid. */
static int check_rest(const struct naming *it, int grid_dimensions)
{
    const struct array *arrays = it->program->arrays.items;
    for (int i = 0; i < grid_dimensions; i++)
        if (name_grid(it, (size_t)i) != 0)
            return -1;
    for (size_t i = 0; i < it->program->arrays.count; i++)
        if (check_array(it, &arrays[i]) != 0)
            return -1;
    return check_formula(it, &it->program->repeat) != 0 ? -1 : check_segments(it);
}

static int check_all(const struct naming *it)
{
    if (add_name(it, "p", place_at(NULL, 1, 1)) != 0 ||
        name_parameters(it, &it->program->parameters) != 0 ||
        name_parameters(it, &it->program->let) != 0 ||
        check_distributions(it, &it->program->search.kinds) != 0)
        return -1;
    const int grid_dimensions = check_candidates(it);
    return grid_dimensions < 0 ? -1 : check_rest(it, grid_dimensions);
}

int program_check_names(struct program *program, struct error *error)
{
    const struct naming it = {program, scope_new(), error};
    const int status = check_all(&it);
    scope_free(it.scope);
    return status;
}
