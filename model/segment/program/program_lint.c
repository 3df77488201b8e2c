#include "model/segment/program/program_lint.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/cost/pattern.h"
#include "model/segment/program/program_usage.h"

#include <stdlib.h>
#include <string.h>

struct lint {
    const struct program *program;
    program_remark *remark;
    void *state;
    size_t count;
};

#define REMARK(lint, at, ...)                                                                      \
    do {                                                                                           \
        struct error remark_;                                                                      \
        error_fill(&remark_, program_place((lint)->program, (at)), __VA_ARGS__);                   \
        (lint)->remark((lint)->state, &remark_);                                                   \
        (lint)->count++;                                                                           \
    } while (0)

/* ---- bodies ---- */

typedef void look(struct lint *lint, const struct list *body);

static void look_at_body(struct lint *lint, const struct list *body, look *look_at)
{
    const struct step *steps = body->items;
    look_at(lint, body);
    for (size_t i = 0; i < body->count; i++) {
        const struct branch *branches = steps[i].branches.items;
        if (steps[i].loop)
            look_at_body(lint, &steps[i].loop->body, look_at);
        for (size_t k = 0; k < steps[i].branches.count; k++)
            look_at_body(lint, &branches[k].body, look_at);
    }
}

static void look_at_bodies(struct lint *lint, look *look_at)
{
    const struct segment *segments = lint->program->segments.items;
    for (size_t i = 0; i < lint->program->segments.count; i++)
        look_at_body(lint, &segments[i].body, look_at);
}

static bool has_operations(const struct statement *it)
{
    return !operations_absent(&it->operations) || !operations_absent(&it->recurrence.chain) ||
           it->recurrence.cycles.text;
}

/* Those of several statements may stand with one of them. */
static void look_for_operations(struct lint *lint, const struct list *body)
{
    const struct step *steps = body->items;
    const struct statement *first = NULL;
    bool has = false;
    for (size_t i = 0; i < body->count; i++) {
        first = first ? first : steps[i].statement;
        has = has || (steps[i].statement && has_operations(steps[i].statement));
    }
    if (first && !has)
        REMARK(lint, first->place,
               "statement %.60s has no operations: its computation costs nothing",
               first->name ? first->name : "without a name");
}

static void without_operations(struct lint *lint)
{
    look_at_bodies(lint, look_for_operations);
}

/* What the trainer measures, and what calls may be composed of. */
static const char *nearest_utility(const char *name)
{
    const char **names = memory_new(patterns_count + 1, sizeof *names);
    for (size_t i = 0; i < patterns_count; i++)
        names[i] = patterns[i]->name;
    const char *nearest = nearest_name(name, names);
    free(names);
    return nearest;
}

static void look_for_utilities(struct lint *lint, const struct list *body)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++) {
        const char *name = steps[i].call ? steps[i].call->utility : NULL; /* NULL: another call */
        const char *near = name ? nearest_utility(name) : NULL;
        if (near && strcmp(near, name) != 0)
            REMARK(lint, steps[i].call->place,
                   "utility '%.60s' is none that trainer measures: did you mean '%s'?", name, near);
    }
}

static void misspelt_utilities(struct lint *lint)
{
    look_at_bodies(lint, look_for_utilities);
}

/* ---- segments ---- */

static bool does_something(const struct list *body)
{
    const struct step *steps = body->items;
    bool does = false;
    for (size_t i = 0; i < body->count && !does; i++) {
        const struct branch *branches = steps[i].branches.items;
        does = steps[i].statement || steps[i].call ||
               (steps[i].loop && does_something(&steps[i].loop->body));
        for (size_t k = 0; k < steps[i].branches.count; k++)
            does = does || does_something(&branches[k].body);
    }
    return does;
}

static void without_statements(struct lint *lint)
{
    const struct segment *segments = lint->program->segments.items;
    for (size_t i = 0; i < lint->program->segments.count; i++)
        if (!does_something(&segments[i].body) && !segments[i].time.us.text)
            REMARK(lint, segments[i].place,
                   "segment %.60s has neither statements nor calls: it takes no time",
                   segments[i].name);
}

/* Whether it is told, and is 1 unless somebody sets a parameter. */
static bool is_told_once(const struct lint *lint, const struct formula *repeat, struct scope *scope)
{
    double times;
    return repeat->text && scope &&
           program_value(lint->program, repeat, false, scope, &times, NULL) == 0 && times == 1.0;
}

static void told_once(struct lint *lint)
{
    static const char cold[] = "repeat is 1: a first time is predicted, with cold caches; programs "
                               "are mostly timed over several";
    const struct program *program = lint->program;
    const struct segment *segments = program->segments.items;
    struct scope *scope = program_scope(program, NULL, 0, 4.0, NULL);
    if (is_told_once(lint, &program->repeat, scope))
        REMARK(lint, program->repeat.place, "%s", cold);
    for (size_t i = 0; i < program->segments.count; i++)
        if (is_told_once(lint, &segments[i].repeat, scope))
            REMARK(lint, segments[i].repeat.place, "%s", cold);
    scope_free(scope);
}

/* ---- names ---- */

static void unused_of(struct lint *lint, const struct list *list, const bool *used)
{
    const struct parameter *parameters = list->items;
    for (size_t i = 0; i < list->count; i++)
        if (!used[i])
            REMARK(lint, parameters[i].value.place, "%.60s is never used", parameters[i].name);
}

static void unused_names(struct lint *lint)
{
    const struct array *arrays = lint->program->arrays.items;
    struct program_usage usage = program_usage_of(lint->program);
    unused_of(lint, &lint->program->parameters, usage.parameters);
    unused_of(lint, &lint->program->let, usage.let);
    for (size_t i = 0; i < lint->program->arrays.count; i++)
        if (!usage.arrays[i])
            REMARK(lint, arrays[i].place, "array %.60s is in no statement", arrays[i].name);
    program_usage_free(&usage);
}

/* ---- candidates ---- */

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_formulas(const struct list *a, const struct list *b)
{
    const struct formula *x = a->items, *y = b->items;
    int order = (a->count > b->count) - (a->count < b->count);
    for (size_t i = 0; i < a->count && order == 0; i++)
        order = compare_texts(x[i].text, y[i].text);
    return order;
}

static int compare_distributes(const struct list *a, const struct list *b)
{
    const struct distribute *x = a->items, *y = b->items;
    int order = (a->count > b->count) - (a->count < b->count);
    for (size_t i = 0; i < a->count && order == 0; i++) {
        order = strcmp(x[i].array, y[i].array);
        if (order == 0)
            order = compare_formulas(&x[i].dimensions, &y[i].dimensions);
    }
    return order;
}

static int compare_redistributes(const struct list *a, const struct list *b)
{
    const struct redistribute *x = a->items, *y = b->items;
    int order = (a->count > b->count) - (a->count < b->count);
    for (size_t i = 0; i < a->count && order == 0; i++) {
        order = compare_texts(x[i].before, y[i].before);
        if (order == 0)
            order = compare_texts(x[i].after, y[i].after);
        if (order == 0)
            order = compare_distributes(&x[i].distribute, &y[i].distribute);
    }
    return order;
}

static int compare_candidates(const struct candidate *a, const struct candidate *b)
{
    int order = compare_formulas(&a->grid, &b->grid);
    if (order == 0)
        order = compare_distributes(&a->distribute, &b->distribute);
    if (order == 0)
        order = compare_redistributes(&a->redistribute, &b->redistribute);
    if (order == 0)
        order = compare_distributes(&a->halo, &b->halo);
    return order == 0 ? a->fill - b->fill : order;
}

/* Of equals the one that is first in the file. */
static int by_text(const void *a, const void *b)
{
    const struct candidate *const *x = a, *const *y = b;
    const int order = compare_candidates(*x, *y);
    return order != 0 ? order : (*x > *y) - (*x < *y);
}

static void same_candidates(struct lint *lint)
{
    const struct candidate *candidates = lint->program->candidates.items;
    const size_t count = lint->program->candidates.count;
    const struct candidate **sorted = memory_new(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &candidates[i];
    qsort(sorted, count, sizeof *sorted, by_text);
    for (size_t i = 1, first = 0; i < count; i++) {
        if (compare_candidates(sorted[first], sorted[i]) != 0)
            first = i;
        else
            REMARK(lint, sorted[i]->place, "candidate %.60s is the same as %.60s", sorted[i]->name,
                   sorted[first]->name);
    }
    free(sorted);
}

static void (*const rules[])(struct lint *lint) = {
    without_operations, without_statements, told_once,
    misspelt_utilities, unused_names,       same_candidates,
};

size_t program_lint(const struct program *program, program_remark *remark, void *state)
{
    struct lint lint = {program, remark, state, 0};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        rules[i](&lint);
    return lint.count;
}
