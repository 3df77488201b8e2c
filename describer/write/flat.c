/* Subscripts of flat arrays are divided by the strides that they have, with the remainder in its
   row: V. Maslov, Delinearization: an Efficient Way to Break Multiloop Dependence Equations,
   PLDI 1992; here strides are products of parameters, and that rows are kept is taken for granted
   where the loops do not show it. */
#include "describer/write/references.h"

#include "describer/walk/evaluate.h"

#include <stdlib.h>
#include <string.h>

/* Strides of an array, the largest first; the last is 1. */
struct strides {
    struct term terms[RANK_MOST];
    int count;
};

/* The parameters with which a term multiplies an index; false: it has no index. */
static bool stride_of(const struct term *term, struct term *stride)
{
    bool has_index = false;
    *stride = (struct term){.factor = 1};
    for (int i = 0; i < term->degree; i++) {
        if (term->symbols[i]->kind == SYMBOL_INDEX)
            has_index = true;
        else
            stride->symbols[stride->degree++] = term->symbols[i];
    }
    return has_index;
}

static void note_stride(struct strides *strides, const struct term *stride)
{
    int at = 0;
    for (int i = 0; i < strides->count; i++)
        if (term_same_symbols(&strides->terms[i], stride))
            return;
    if (strides->count == RANK_MOST)
        return;
    while (at < strides->count && strides->terms[at].degree >= stride->degree)
        at++;
    memmove(&strides->terms[at + 1], &strides->terms[at],
            (size_t)(strides->count - at) * sizeof *stride);
    strides->terms[at] = *stride;
    strides->count++;
}

static void find_strides(const struct references *references, struct strides *strides)
{
    struct term stride;
    for (int i = 0; i < references->count; i++) {
        polynomial subscript = references->items[i]->subscripts[0];
        for (int t = 0; t < subscript->count; t++)
            if (stride_of(&subscript->terms[t], &stride))
                note_stride(strides, &stride);
    }
    if (strides->count > 0 && strides->count < RANK_MOST) {
        stride = (struct term){.factor = 1};
        note_stride(strides, &stride);
    }
}

/* The extents that the strides mean; false: they are no rows within one another. */
static bool extents_of(struct algebra *algebra, const struct strides *strides, polynomial *extents)
{
    extents[0] = NULL;
    for (int i = 0; i + 1 < strides->count; i++) {
        struct term rest;
        if (!term_divided(&strides->terms[i], &strides->terms[i + 1], &rest))
            return false;
        rest.factor = 1;
        extents[i + 1] = polynomial_term(algebra, rest);
    }
    return true;
}

/* Each term goes with the largest stride that it can be divided by. */
static void divide(struct algebra *algebra, const struct strides *strides,
                   struct reference *reference)
{
    polynomial whole = reference->subscripts[0];
    reference->count = strides->count;
    for (int d = 0; d < strides->count; d++)
        reference->subscripts[d] = polynomial_constant(algebra, 0);
    for (int t = 0; t < whole->count; t++)
        for (int d = 0; d < strides->count; d++) {
            struct term rest;
            if (!term_divided(&whole->terms[t], &strides->terms[d], &rest))
                continue;
            reference->subscripts[d] = polynomial_sum(algebra, reference->subscripts[d],
                                                      polynomial_term(algebra, rest), 1);
            break;
        }
}

/* A subscript that is outside its row is in the one beside it. */
static void carry(struct describer *describer, struct reference *reference,
                  const polynomial *extents)
{
    struct algebra *algebra = &describer->algebra;
    for (int d = reference->count - 1; d > 0; d--) {
        polynomial subscript = reference->subscripts[d];
        const double least = polynomial_value(extreme_of(describer, subscript, false));
        const double most = polynomial_value(extreme_of(describer, subscript, true));
        const double extent = polynomial_value(extents[d]);
        const int rows = least < 0 && most < 0 ? -1 : least >= extent ? 1 : 0;
        if (rows == 0)
            continue;
        reference->subscripts[d] = polynomial_sum(algebra, subscript, extents[d], -rows);
        reference->subscripts[d - 1] = polynomial_plus(algebra, reference->subscripts[d - 1], rows);
    }
}

/* Whether each subscript of the reference stays within its row. */
static bool is_within(struct describer *describer, const struct reference *reference,
                      const polynomial *extents)
{
    for (int d = 1; d < reference->count; d++) {
        polynomial subscript = reference->subscripts[d];
        if (polynomial_value(extreme_of(describer, subscript, false)) < 0 ||
            polynomial_value(extreme_of(describer, subscript, true)) >=
                polynomial_value(extents[d]))
            return false;
    }
    return true;
}

/* An array one of whose references leaves its row stays flat. */
static void unfold(struct describer *describer, struct array *array,
                   const struct references *references)
{
    struct strides strides = {.count = 0};
    polynomial extents[RANK_MOST];
    bool is_good = true;
    find_strides(references, &strides);
    if (strides.count < 2 || !extents_of(&describer->algebra, &strides, extents))
        return;
    struct reference *before =
        arena_take(describer->arena, (size_t)references->count, sizeof *before);
    for (int i = 0; i < references->count; i++) {
        before[i] = *references->items[i];
        divide(&describer->algebra, &strides, references->items[i]);
        carry(describer, references->items[i], extents);
        is_good = is_good && is_within(describer, references->items[i], extents);
    }
    for (int i = 0; i < references->count && !is_good; i++)
        *references->items[i] = before[i];
    if (!is_good)
        return;
    array->rank = strides.count;
    memcpy(array->extents, extents, (size_t)strides.count * sizeof *extents);
}

void flat_unfold(struct describer *describer)
{
    for (int i = 0; i < describer->arrays.count; i++) {
        struct array *array = describer->arrays.items[i];
        if (array->rank != 1 || array->is_scalar || array->is_member)
            continue;
        struct references references;
        references_find(describer, array, &references);
        unfold(describer, array, &references);
        free(references.items);
    }
}
