#include "model/segment/program/program_usage.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

struct using
{
    const struct program *program;
    struct program_usage *usage;
};

/* ---- names in formulas ---- */

static bool is_same(const void *name, const char *other)
{
    return strcmp(name, other) == 0;
}

static void use_parameters(const struct formula *formula, const struct list *parameters, bool *used)
{
    const struct parameter *items = parameters->items;
    for (size_t i = 0; i < parameters->count; i++)
        used[i] |= formula_any_name(formula, is_same, items[i].name);
}

static void use_formula(const struct using *it, const struct formula *formula)
{
    use_parameters(formula, &it->program->parameters, it->usage->parameters);
    use_parameters(formula, &it->program->let, it->usage->let);
}

static void use_formulas(const struct using *it, const struct list *formulas)
{
    const struct formula *items = formulas->items;
    for (size_t i = 0; i < formulas->count; i++)
        use_formula(it, &items[i]);
}

/* "u", or "u[i-1][j]" */
static void use_array(const struct using *it, const char *text)
{
    const struct array *arrays = it->program->arrays.items;
    const size_t length = text ? strcspn(text, "[") : 0;
    for (size_t i = 0; text && i < it->program->arrays.count; i++)
        if (strlen(arrays[i].name) == length && memcmp(arrays[i].name, text, length) == 0)
            it->usage->arrays[i] = true;
}

static void use_reference(const struct using *it, const struct formula *reference)
{
    use_array(it, reference->text);
    use_formula(it, reference);
}

/* ---- bodies ---- */

static void use_statement(const struct using *it, const struct statement *statement)
{
    const struct formula *reads = statement->reads.items;
    for (size_t i = 0; i < statement->reads.count; i++)
        use_reference(it, &reads[i]);
    use_reference(it, &statement->writes);
    use_reference(it, &statement->home);
    const struct gather *gathers = statement->gathers.items;
    for (size_t i = 0; i < statement->gathers.count; i++) {
        use_array(it, gathers[i].array);
        use_formula(it, &gathers[i].reach);
        use_formula(it, &gathers[i].loads);
    }
    use_formula(it, &statement->strip);
    use_formula(it, &statement->recurrence.cycles);
}

static void use_body(const struct using *it, const struct list *body);

static void use_step(const struct using *it, const struct step *step)
{
    const struct branch *branches = step->branches.items;
    if (step->loop) {
        use_formula(it, &step->loop->first);
        use_formula(it, &step->loop->last);
        use_body(it, &step->loop->body);
    }
    if (step->statement)
        use_statement(it, step->statement);
    if (step->call) {
        use_formulas(it, &step->call->grid);
        use_formulas(it, &step->call->faces);
        use_formula(it, &step->call->pipeline);
        use_formula(it, &step->call->bytes);
        use_formula(it, &step->call->processors);
        use_formula(it, &step->call->groups);
        use_formula(it, &step->call->apart);
    }
    for (size_t i = 0; i < step->branches.count; i++) {
        use_formula(it, &branches[i].probability);
        use_body(it, &branches[i].body);
    }
}

static void use_body(const struct using *it, const struct list *body)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++)
        use_step(it, &steps[i]);
}

/* ---- what is beside them ---- */

static void use_distribute(const struct using *it, const struct list *distribute)
{
    const struct distribute *items = distribute->items;
    for (size_t i = 0; i < distribute->count; i++)
        use_formulas(it, &items[i].dimensions);
}

static void use_candidates(const struct using *it)
{
    const struct candidate *candidates = it->program->candidates.items;
    for (size_t i = 0; i < it->program->candidates.count; i++) {
        const struct redistribute *changes = candidates[i].redistribute.items;
        use_formulas(it, &candidates[i].grid);
        use_distribute(it, &candidates[i].distribute);
        use_distribute(it, &candidates[i].halo);
        for (size_t k = 0; k < candidates[i].redistribute.count; k++)
            use_distribute(it, &changes[k].distribute);
    }
}

static void use_names(const struct using *it)
{
    const struct parameter *parameters = it->program->parameters.items;
    const struct parameter *let = it->program->let.items;
    const struct array *arrays = it->program->arrays.items;
    for (size_t i = 0; i < it->program->parameters.count; i++)
        use_formula(it, &parameters[i].value);
    for (size_t i = 0; i < it->program->let.count; i++)
        use_formula(it, &let[i].value);
    for (size_t i = 0; i < it->program->arrays.count; i++) {
        use_formulas(it, &arrays[i].extent);
        use_formulas(it, &arrays[i].align_map);
        use_formulas(it, &arrays[i].align_offset);
    }
    use_formula(it, &it->program->repeat);
    use_formulas(it, &it->program->search.kinds);
}

static void use_aligned(const struct using *it)
{
    const struct array *arrays = it->program->arrays.items;
    for (size_t i = 0; i < it->program->arrays.count; i++)
        for (const struct array *at = &arrays[i]; it->usage->arrays[i] && at->align;) {
            at = program_array(it->program, at->align);
            it->usage->arrays[at - arrays] = true;
        }
}

struct program_usage program_usage_of(const struct program *program)
{
    struct program_usage usage = {
        .parameters = memory_new(program->parameters.count, sizeof *usage.parameters),
        .let = memory_new(program->let.count, sizeof *usage.let),
        .arrays = memory_new(program->arrays.count, sizeof *usage.arrays)};
    const struct using it = {program, &usage};
    const struct segment *segments = program->segments.items;
    use_names(&it);
    use_candidates(&it);
    for (size_t i = 0; i < program->segments.count; i++) {
        use_formula(&it, &segments[i].repeat);
        use_formula(&it, &segments[i].drain);
        use_formula(&it, &segments[i].only);
        use_formula(&it, &segments[i].time.us);
        use_body(&it, &segments[i].body);
    }
    use_aligned(&it);
    return usage;
}

void program_usage_free(struct program_usage *usage)
{
    free(usage->parameters);
    free(usage->let);
    free(usage->arrays);
}
