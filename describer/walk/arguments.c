#include "describer/walk/arguments.h"

#include "model/base/number.h"

#include "describer/walk/outside.h"

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

void arguments_note_told(struct describer *describer, struct symbol *told, polynomial given,
                         struct place place)
{
    char first[NUMBER_TEXT], here[NUMBER_TEXT], text[NUMBER_TEXT];
    double number;
    if (!polynomial_is_constant(given, &number))
        return;
    if (told->is_instead && told->instead_of != number)
        describer_remark(describer, place,
                         "%s is %s at one place and %s here: %s, which is told, stands for both",
                         told->name, number_print(told->instead_of, first),
                         number_print(number, here), number_print(told->value, text));
    told->is_instead = true;
    told->instead_of = number;
}

static void take(struct describer *describer, const struct declaration *parameter,
                 const struct syntax *argument)
{
    struct symbol *told =
        symbol_find(&describer->symbols, symbol_allowed(describer->arena, parameter->name));
    const struct type *type = parameter->type;
    double number;
    const bool is_address = argument->kind == SYNTAX_UNARY && argument->operation == DO_ADDRESS;
    if (argument->kind == SYNTAX_FUNCTION)
        describer->bindings[parameter->id].value = evaluate_leniently(describer, argument);
    if (type->kind == TYPE_POINTER && !is_address && (!type->of || type->of->kind != TYPE_RECORD))
        return;
    struct value value = evaluate_leniently(describer, argument);
    if (value.kind == VALUE_OBJECT && (type->kind == TYPE_POINTER || type->kind == TYPE_RECORD))
        describer->bindings[parameter->id].value = value;
    if (value.kind == VALUE_ADDRESS && type->kind == TYPE_POINTER &&
        evaluate_leniently(describer, value.of).kind == VALUE_INDEX)
        describer->bindings[parameter->id].value = value;
    if (type->kind != TYPE_INTEGER || value.kind != VALUE_INDEX)
        return;
    if (told && told->has_value && (told->is_told || told->is_defined)) {
        arguments_note_told(describer, told, value.index, argument->place);
        return;
    }
    if (polynomial_is_constant(value.index, &number))
        value = named_number(describer, parameter->name, number, parameter->place);
    describer->bindings[parameter->id].value = value;
}

/* An argument that points into the array of an earlier one: the parameter is that one, as far on.
 */
static void bind_alias(struct describer *describer, const struct function *function, int i,
                       const struct value *given)
{
    struct algebra *algebra = &describer->algebra;
    for (int k = 0; k < i; k++) {
        if (given[k].kind != VALUE_ELEMENT || given[i].kind != VALUE_ELEMENT || given[k].is_place ||
            given[i].is_place || given[k].is_within || given[i].is_within ||
            !reference_equal(algebra, &given[k].reference, &given[i].reference))
            continue;
        polynomial apart = polynomial_sum(algebra, given[i].offset, given[k].offset, -1);
        struct value first =
            variable_value(describer, function->parameters[k], function->parameters[k]->place);
        if (polynomial_has_index(apart) || first.kind != VALUE_ELEMENT)
            continue;
        first.offset = polynomial_sum(algebra, first.offset, apart, 1);
        describer->bindings[function->parameters[i]->id].value = first;
        return;
    }
}

static int levels_of(const struct type *type)
{
    int levels = 0;
    for (; type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY); type = type->of)
        levels++;
    return levels;
}

static bool is_whole_array(const struct value *value, const struct declaration *parameter)
{
    return value->kind == VALUE_ELEMENT && !value->is_place && !value->is_within &&
           value->reference.count == 0 && levels_of(parameter->type) > 0 &&
           levels_of(value->type) == levels_of(parameter->type->of);
}

/* Where directives name arrays of main, they are the arrays of the functions that it calls, too. */
static void bind_arrays(struct describer *describer, const struct function *function, int count,
                        const struct value *given)
{
    bool are_told = false;
    for (int i = 0; i < count; i++)
        if (is_whole_array(&given[i], function->parameters[i])) {
            const struct array *array = given[i].reference.array;
            are_told = are_told || directives_place(&describer->directives,
                                                    array->of_main ? array->of_main : array->name);
        }
    for (int i = 0; i < count && are_told; i++)
        if (is_whole_array(&given[i], function->parameters[i]))
            describer->bindings[function->parameters[i]->id].value = given[i];
}

void arguments_bind(struct describer *describer, const struct function *function,
                    const struct syntax *call)
{
    struct value given[32];
    const int count = function->parameter_count < 32 ? function->parameter_count : 32;
    for (int i = 0; i < count; i++)
        given[i] =
            i < call->count ? evaluate_leniently(describer, call->children[i]) : (struct value){0};
    for (int i = 0; i < count; i++)
        describer->bindings[function->parameters[i]->id] = (struct binding){0};
    for (int i = 0; i < count && i < call->count; i++) {
        take(describer, function->parameters[i], call->children[i]);
        if (given[i].kind == VALUE_FUNCTION)
            describer->bindings[function->parameters[i]->id].value = given[i];
        bind_alias(describer, function, i, given);
    }
    bind_arrays(describer, function, count, given);
}

static bool names(const struct syntax *syntax, const struct declaration *declaration)
{
    if (!syntax)
        return false;
    if (syntax->declaration == declaration)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (names(syntax->children[i], declaration))
            return true;
    return false;
}

void arguments_fix_extents(struct describer *describer, const struct function *function)
{
    struct assigned_list list = {.count = 0};
    assigned_in(describer, function->body, &list);
    for (int i = 0; i < function->parameter_count; i++) {
        struct declaration *array = function->parameters[i];
        for (int k = 0; k < function->parameter_count; k++)
            for (int j = 0; j < list.count; j++)
                for (int e = 0; e < array->extent_count; e++)
                    if (list.items[j].binding ==
                            &describer->bindings[function->parameters[k]->id] &&
                        names(array->extents[e], function->parameters[k]))
                        variable_value(describer, array, array->place);
    }
}

void arguments_take(struct describer *describer, const struct function *function)
{
    const struct function *caller = main_of(describer->source);
    const struct syntax *call =
        caller && caller != function ? call_of(describer->source, caller->body, function) : NULL;
    if (!call)
        return;
    describer->function = caller;
    outside_walk_until(describer, caller->body, call);
    describer->function = function;
    for (int i = 0; i < function->parameter_count && i < call->count; i++)
        take(describer, function->parameters[i], call->children[i]);
}
