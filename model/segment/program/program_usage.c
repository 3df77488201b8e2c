#include "model/segment/program/program_usage.h"

#include "model/base/allocation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct using
{
    const struct program *program;
    struct program_usage *usage;
};

/* ---- texts ---- */

static void use_name(const struct list *parameters, bool *used, const char *word, size_t length)
{
    const struct parameter *items = parameters->items;
    for (size_t i = 0; i < parameters->count; i++)
        if (strlen(items[i].name) == length && memcmp(items[i].name, word, length) == 0)
            used[i] = true;
}

static void use_text(const struct using *it, const char *text)
{
    while (text && *text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        use_name(&it->program->parameters, it->usage->parameters, text, length);
        use_name(&it->program->let, it->usage->let, text, length);
        text += length > 0 ? length : 1;
    }
}

static void use_texts(const struct using *it, const struct list *formulas)
{
    const struct formula *items = formulas->items;
    for (size_t i = 0; i < formulas->count; i++)
        use_text(it, items[i].text);
}

/* "u[i-1][j]" */
static void use_reference(const struct using *it, const char *text)
{
    const struct array *arrays = it->program->arrays.items;
    const size_t length = text ? strcspn(text, "[") : 0;
    if (!text)
        return;
    for (size_t i = 0; i < it->program->arrays.count; i++)
        if (strlen(arrays[i].name) == length && memcmp(arrays[i].name, text, length) == 0)
            it->usage->arrays[i] = true;
    use_text(it, text + length);
}

/* ---- bodies ---- */

static void use_statement(const struct using *it, const struct statement *statement)
{
    const struct formula *reads = statement->reads.items;
    for (size_t i = 0; i < statement->reads.count; i++)
        use_reference(it, reads[i].text);
    use_reference(it, statement->writes.text);
    use_reference(it, statement->home.text);
    const struct gather *gathers = statement->gathers.items;
    for (size_t i = 0; i < statement->gathers.count; i++) {
        use_reference(it, gathers[i].array);
        use_text(it, gathers[i].reach.text);
        use_text(it, gathers[i].loads.text);
    }
    use_text(it, statement->strip.text);
    use_text(it, statement->recurrence.cycles.text);
}

static void use_body(const struct using *it, const struct list *body);

static void use_step(const struct using *it, const struct step *step)
{
    const struct branch *branches = step->branches.items;
    if (step->loop) {
        use_text(it, step->loop->first.text);
        use_text(it, step->loop->last.text);
        use_body(it, &step->loop->body);
    }
    if (step->statement)
        use_statement(it, step->statement);
    if (step->call) {
        use_text(it, step->call->bytes.text);
        use_text(it, step->call->processors.text);
        use_text(it, step->call->groups.text);
        use_text(it, step->call->apart.text);
    }
    for (size_t i = 0; i < step->branches.count; i++) {
        use_text(it, branches[i].probability.text);
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
        use_texts(it, &items[i].dimensions);
}

static void use_candidates(const struct using *it)
{
    const struct candidate *candidates = it->program->candidates.items;
    for (size_t i = 0; i < it->program->candidates.count; i++) {
        const struct redistribute *changes = candidates[i].redistribute.items;
        use_texts(it, &candidates[i].grid);
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
        use_text(it, parameters[i].value.text);
    for (size_t i = 0; i < it->program->let.count; i++)
        use_text(it, let[i].value.text);
    for (size_t i = 0; i < it->program->arrays.count; i++) {
        use_texts(it, &arrays[i].extent);
        use_texts(it, &arrays[i].align_map);
        use_texts(it, &arrays[i].align_offset);
    }
    use_text(it, it->program->repeat.text);
    use_texts(it, &it->program->search.kinds);
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
        use_text(&it, segments[i].repeat.text);
        use_text(&it, segments[i].drain.text);
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
