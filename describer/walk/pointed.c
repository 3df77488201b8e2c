/* A number that a function is told by its address, as Fortran hands all arguments over: `int *n`,
   of which only `*n` is read. */
#include "describer/walk/evaluate.h"

/* The variable that the expression is *NAME of; NULL: it is none. */
static const struct declaration *followed(const struct syntax *syntax)
{
    if (syntax->kind != SYNTAX_UNARY || syntax->operation != DO_FOLLOW || syntax->count != 1)
        return NULL;
    const struct syntax *pointer = syntax->children[0];
    while (pointer->kind == SYNTAX_CAST && pointer->count == 1)
        pointer = pointer->children[0];
    return pointer->kind == SYNTAX_NAME ? pointer->declaration : NULL;
}

static bool assigns(const struct syntax *syntax)
{
    return syntax->kind == SYNTAX_ASSIGN ||
           (syntax->kind == SYNTAX_UNARY &&
            (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT ||
             syntax->operation == DO_ADDRESS));
}

/* Whether nothing is done with the pointer but to read what it points at. */
static bool is_only_read(const struct syntax *syntax, const struct declaration *pointer)
{
    if (syntax->kind == SYNTAX_NAME)
        return syntax->declaration != pointer;
    if (followed(syntax) == pointer)
        return true;
    if (assigns(syntax) && syntax->count > 0 && followed(syntax->children[0]) == pointer)
        return false;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && !is_only_read(syntax->children[i], pointer))
            return false;
    return true;
}

static const struct function *function_of(const struct source *source,
                                          const struct declaration *parameter)
{
    for (int i = 0; i < source->function_count; i++)
        for (int k = 0; k < source->functions[i]->parameter_count; k++)
            if (source->functions[i]->parameters[k] == parameter)
                return source->functions[i];
    return NULL;
}

bool pointed_number(struct describer *describer, const struct syntax *syntax, struct value *value)
{
    const struct declaration *pointer = followed(syntax);
    if (!pointer || pointer->type->kind != TYPE_POINTER || !pointer->type->of ||
        pointer->type->of->kind != TYPE_INTEGER ||
        describer->bindings[pointer->id].value.kind != VALUE_NONE)
        return false;
    const struct function *function = function_of(describer->source, pointer);
    if (!function || !function->body || !is_only_read(function->body, pointer))
        return false;
    struct symbol *symbol = symbol_parameter(&describer->symbols, pointer->name, pointer->place);
    *value = value_of_index(polynomial_symbol(&describer->algebra, symbol));
    return true;
}
