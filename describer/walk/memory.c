/* memset, memcpy and memmove: loops that set or copy elements. */
#include "describer/walk/evaluate.h"

#include <string.h>

static const struct {
    const char *name;
    int to, from, bytes; /* numbers of arguments; from -1: what is set is the same everywhere */
} functions[] = {
    {"memset",  0, -1, 2},
    {"bzero",   0, -1, 1},
    {"memcpy",  0, 1,  2},
    {"memmove", 0, 1,  2},
    {"bcopy",   1, 0,  2},
};

static bool is_number(const struct type *type)
{
    return type && (type->kind == TYPE_INTEGER || type->kind == TYPE_FLOATING);
}

/* A loop over the next dimension of what is set, which has so many elements; *at and *of (or NULL)
   are one subscript further in it. */
static struct loop *begin_loop(struct describer *describer, polynomial count,
                               const struct syntax *call)
{
    struct algebra *algebra = &describer->algebra;
    struct loop *loop = arena_take(describer->arena, 1, sizeof *loop);
    loop->index = symbol_index(&describer->symbols, "k", describer->loop);
    loop->index->loop = loop;
    loop->first = polynomial_constant(algebra, 0);
    loop->last = polynomial_plus(algebra, count, -1);
    loop->index->value = polynomial_value(loop->last) / 2;
    loop->up = describer->loop;
    loop->depth = describer->loop ? describer->loop->depth + 1 : 0;
    loop->place = call->place;
    loop->syntax = call;
    loop->function =
        describer->entered ? describer->entering[describer->entered - 1] : describer->function;
    describer->here = call->place;
    describer_enter(describer, OUTLINE_LOOP)->loop = loop;
    describer->loop = loop;
    return loop;
}

static void end_loop(struct describer *describer, const struct loop *loop)
{
    describer_leave(describer);
    describer->loop = loop->up;
}

/* How many elements of the remaining dimensions one more subscript has; NULL: not known. */
static polynomial elements_in_row(struct describer *describer, const struct value *value)
{
    const struct reference *reference = &value->reference;
    polynomial count = polynomial_constant(&describer->algebra, 1);
    for (int d = reference->count + 1; d < reference->array->rank && count; d++)
        count = reference->array->extents[d]
                    ? polynomial_product(&describer->algebra, count, reference->array->extents[d])
                    : NULL;
    return count;
}

/* Sets `count` rows from where the pointers point, each with all of its elements. */
static void set_rows(struct describer *describer, struct value to, const struct value *from,
                     polynomial count, const struct syntax *call)
{
    struct loop *loop = begin_loop(describer, count, call);
    polynomial index = polynomial_symbol(&describer->algebra, loop->index);
    struct value read = {0};
    to = place_subscripted(describer, to, index, call);
    if (from)
        read = place_subscripted(describer, *from, index, call);
    if (!describer_is_stopped(describer) && !to.is_place) {
        polynomial inner = to.reference.array->extents[to.reference.count];
        set_rows(describer, to, from ? &read : NULL, inner, call);
    } else if (!describer_is_stopped(describer)) {
        const struct value zero = value_of_index(polynomial_constant(&describer->algebra, 0));
        assign_to_place(describer, &to, from ? place_load(describer, read, call) : zero, call);
    }
    if (!describer_is_stopped(describer))
        end_loop(describer, loop);
}

static bool refuse(struct describer *describer, const struct syntax *call, const char *why)
{
    describer_fail(describer, call->place,
                   "%s: %s; write it as a loop over elements, or `ignore` it", call->name, why);
    return true;
}

bool memory_call(struct describer *describer, const struct syntax *call)
{
    struct algebra *algebra = &describer->algebra;
    size_t i = 0;
    while (i < sizeof functions / sizeof *functions && strcmp(call->name, functions[i].name) != 0)
        i++;
    if (i == sizeof functions / sizeof *functions || call->count <= functions[i].bytes)
        return false;
    if (describer->is_noting)
        return true;
    if (describer->unrolled) {
        describer->is_too_long = true;
        return true;
    }
    const struct syntax *argument = call->children[functions[i].to];
    while (argument->kind == SYNTAX_CAST && argument->count == 1)
        argument = argument->children[0];
    const struct value to = evaluate(describer, argument);
    struct value from = {0};
    if (functions[i].from >= 0)
        from = evaluate(describer, call->children[functions[i].from]);
    const struct value bytes = evaluate(describer, call->children[functions[i].bytes]);
    if (describer_is_stopped(describer))
        return true;
    if (to.kind == VALUE_OBJECT || to.kind == VALUE_ADDRESS) {
        forget_addressed(describer, call);
        return true;
    }
    const bool is_copy = functions[i].from >= 0;
    if (to.kind != VALUE_ELEMENT || to.is_place || to.is_within || bytes.kind != VALUE_INDEX ||
        (is_copy && (from.kind != VALUE_ELEMENT || from.is_place || from.is_within)))
        return refuse(describer, call, "which elements it sets is not known");
    const struct type *element = to.type;
    while (element && (element->kind == TYPE_ARRAY || element->kind == TYPE_POINTER))
        element = element->of;
    polynomial row = elements_in_row(describer, &to), count, rest;
    if (!is_number(element) || !row)
        return refuse(describer, call, "what it sets are not the numbers of an array");
    polynomial_divide(algebra, bytes.index,
                      polynomial_scaled(algebra, row, to.reference.array->element_bytes), &count,
                      &rest);
    double number;
    const bool is_whole = argument->kind == SYNTAX_NAME &&
                          argument->declaration->type->kind == TYPE_ARRAY &&
                          polynomial_is_constant(bytes.index, &number) &&
                          number == argument->declaration->type->bytes;
    if (is_whole && to.reference.array->extents[0])
        count = to.reference.array->extents[0];
    else if (rest->count > 0 || count->count == 0)
        return refuse(describer, call, "how many elements it sets is not known");
    if (is_copy && from.reference.array->rank - from.reference.count !=
                       to.reference.array->rank - to.reference.count)
        return refuse(describer, call, "it copies between arrays of different shapes");
    set_rows(describer, to, is_copy ? &from : NULL, count, call);
    return true;
}
