/* Bounds of a program's parts on one processor. */
#include "forecast/bound/bound.h"

#include "libforecost/call.h"
#include "libforecost/handles.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

struct forecost_bounds {
    size_t count;
    struct forecost_bound *rows; /* owned */
};

struct bounding {
    const struct forecost_machine *machine;
    const struct forecost_program *program;
    unsigned rules;
    const char *const *definitions;
    struct forecost_bounds *bounds; /* what comes out */
};

static struct forecost_bound sum_of(const struct part *part, const struct node *node)
{
    const double mflops = part->flops / part->bound_us;
    return (struct forecost_bound){.flops = NAN,
                                   .memory_cycles = NAN,
                                   .dependence_cycles = NAN,
                                   .bound_cycles = NAN,
                                   .cpf = node->clock_mhz / mflops,
                                   .mflops = mflops};
}

static struct forecost_bound row_of(const struct part *part, const struct node *node)
{
    const struct bound *bound = &part->bound;
    struct forecost_bound row = {.flops = bound->flops,
                                 .memory_cycles = bound->memory_cycles,
                                 .dependence_cycles = bound->dependence_cycles,
                                 .bound_cycles = bound->cycles,
                                 .cpf = bound->cpf,
                                 .mflops = bound->mflops};
    if (part->is_sum)
        row = sum_of(part, node);
    row.segment = memory_copy_text(part->name);
    row.limit = memory_copy_text(bound->limit);
    row.iterations = part->iterations;
    row.repetitions = part->repetitions;
    row.bound_us = part->bound_us;
    return row;
}

static struct forecost_bounds *bounds_of(const struct program_bound *made, const struct node *node)
{
    const struct part *parts = made->parts.items;
    struct forecost_bounds *it = memory_new(1, sizeof *it);
    it->count = made->parts.count;
    it->rows = memory_new(it->count, sizeof *it->rows);
    for (size_t i = 0; i < it->count; i++)
        it->rows[i] = row_of(&parts[i], node);
    return it;
}

static struct bound_rules rules_of(unsigned rules)
{
    return (struct bound_rules){rules & FORECOST_BOUND_TABLE ? CONVENTION_TABLE : CONVENTION_TEXT,
                                rules & FORECOST_BOUND_STRICT ? REDUCTIONS_STRICT
                                                              : REDUCTIONS_FREE};
}

static int bound(void *state, struct error *error)
{
    struct bounding *it = state;
    struct program_view view;
    struct program_bound made;
    program_view_begin(&view, it->program);
    if (call_check_definitions(it->definitions, error) != 0)
        return -1;
    struct scope *scope =
        program_scope(&view.program, it->definitions, call_count(it->definitions), 1.0, error);
    if (!scope)
        return -1;
    const int status = program_bound_make(&made, &it->machine->table, &view.program, scope,
                                          rules_of(it->rules), error);
    scope_free(scope);
    if (status != 0)
        return -1;
    it->bounds = bounds_of(&made, it->machine->table.node);
    program_bound_free(&made);
    return 0;
}

enum forecost_status forecost_bound(struct forecost_bounds **bounds,
                                    const struct forecost_machine *machine,
                                    const struct forecost_program *program, unsigned rules,
                                    const char *const *definitions, struct forecost_error *error)
{
    struct bounding it = {
        .machine = machine, .program = program, .rules = rules, .definitions = definitions};
    const enum forecost_status status = call_body_of(bound, &it, error);
    *bounds = status == FORECOST_DONE ? it.bounds : NULL;
    return status;
}

void forecost_bounds_free(struct forecost_bounds *bounds)
{
    if (!bounds)
        return;
    for (size_t i = 0; i < bounds->count; i++) {
        free((char *)bounds->rows[i].segment);
        free((char *)bounds->rows[i].limit);
    }
    free(bounds->rows);
    free(bounds);
}

const struct forecost_bound *forecost_bounds_row(const struct forecost_bounds *bounds,
                                                 size_t number)
{
    return number < bounds->count ? &bounds->rows[number] : NULL;
}
