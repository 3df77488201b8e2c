#include "describer/walk/arguments.h"

#include <string.h>

static const struct syntax *call_of(const struct source *source, const struct syntax *syntax,
                                    const struct function *function)
{
    if (syntax->kind == SYNTAX_CALL && function_called(source, syntax) == function)
        return syntax;
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *found =
            syntax->children[i] ? call_of(source, syntax->children[i], function) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const struct function *main_of(const struct source *source)
{
    for (int i = 0; i < source->function_count; i++)
        if (!strcmp(source->functions[i]->name, "main"))
            return source->functions[i];
    return NULL;
}

/* Whole numbers that main begins with, one level deep. */
static void note_beginning(struct describer *describer, const struct syntax *body)
{
    for (int i = 0; i < body->count; i++)
        for (int k = 0; body->children[i]->kind == SYNTAX_DECLARE && k < body->children[i]->count;
             k++) {
            const struct syntax *child = body->children[i]->children[k];
            struct declaration *declaration = child->declaration;
            if (child->kind != SYNTAX_VARIABLE || !declaration->initial ||
                declaration->type->kind != TYPE_INTEGER)
                continue;
            double number;
            struct value value = evaluate_leniently(describer, declaration->initial);
            if (value.kind == VALUE_INDEX && polynomial_is_constant(value.index, &number))
                value = named_number(describer, declaration->name, number, declaration->place);
            describer->bindings[declaration->id].value = value;
        }
}

static void take(struct describer *describer, const struct declaration *parameter,
                 const struct syntax *argument)
{
    const struct symbol *told =
        symbol_find(&describer->symbols, symbol_allowed(describer->arena, parameter->name));
    double number;
    if (parameter->type->kind != TYPE_INTEGER || (told && told->has_value))
        return;
    struct value value = evaluate_leniently(describer, argument);
    if (value.kind != VALUE_INDEX)
        return;
    if (polynomial_is_constant(value.index, &number))
        value = named_number(describer, parameter->name, number, parameter->place);
    describer->bindings[parameter->id].value = value;
}

void arguments_take(struct describer *describer, const struct function *function)
{
    const struct function *caller = main_of(describer->source);
    const struct syntax *call =
        caller && caller != function ? call_of(describer->source, caller->body, function) : NULL;
    if (!call)
        return;
    note_beginning(describer, caller->body);
    for (int i = 0; i < function->parameter_count && i < call->count; i++)
        take(describer, function->parameters[i], call->children[i]);
}
