#include "describer/walk/evaluate.h"

#include <string.h>

enum { DEPTH_MOST = 8 };

static bool is_name(const struct syntax *syntax)
{
    return syntax->kind == SYNTAX_NAME ||
           (syntax->kind == SYNTAX_MEMBER && syntax->type && syntax->type->kind != TYPE_ARRAY);
}

static void note(struct describer *describer, const struct syntax *to, const struct syntax *from,
                 struct assigned_list *list)
{
    to = variable_meant(describer, to);
    const char *name = to->name;
    struct binding *binding =
        is_name(to) ? object_binding(describer, to) : element_binding(describer, to, &name);
    const int most = (int)(sizeof list->items / sizeof *list->items);
    int i = 0;
    while (i < list->count && list->items[i].binding != binding)
        i++;
    if (!binding || i == most)
        return;
    if (i == list->count)
        list->items[list->count++] =
            (struct assigned){.binding = binding, .type = to->type, .name = name, .to = to};
    list->items[i].from = from;
    list->items[i].times++;
}

/* What is declared within begins anew in every iteration. */
static void forget(struct describer *describer, const struct declaration *declaration,
                   struct assigned_list *list)
{
    for (int i = 0; i < list->count && !declaration->is_global; i++)
        if (list->items[i].binding == &describer->bindings[declaration->id] ||
            element_is_of(describer, list->items[i].binding, declaration))
            list->items[i--] = list->items[--list->count];
}

/* Whether the function may set what the pointer points at, or hands the pointer on. */
static bool sets_behind(const struct syntax *syntax, const struct declaration *pointer)
{
    const struct syntax *to = syntax->count > 0 ? syntax->children[0] : NULL;
    while (to && to->kind == SYNTAX_CAST && to->count == 1)
        to = to->children[0];
    const bool is_change = syntax->kind == SYNTAX_ASSIGN ||
                           (syntax->kind == SYNTAX_UNARY && (syntax->operation == DO_INCREMENT ||
                                                             syntax->operation == DO_DECREMENT));
    if (is_change && to && to->kind != SYNTAX_NAME) {
        while (to->count > 0)
            to = to->children[0];
        if (to->declaration == pointer)
            return true;
    }
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *child = syntax->children[i];
        while (child && child->kind == SYNTAX_CAST && child->count == 1)
            child = child->children[0];
        if (child && ((syntax->kind == SYNTAX_CALL && child->declaration == pointer) ||
                      sets_behind(child, pointer)))
            return true;
    }
    return false;
}

/* Variables whose addresses a call hands to a function that sets them. */
static void note_addressed(struct describer *describer, const struct syntax *call,
                           const struct function *function, struct assigned_list *list)
{
    for (int i = 0; i < call->count && i < function->parameter_count; i++) {
        const struct syntax *argument = call->children[i];
        while (argument->kind == SYNTAX_CAST && argument->count == 1)
            argument = argument->children[0];
        if (argument->kind == SYNTAX_UNARY && argument->operation == DO_ADDRESS &&
            sets_behind(function->body, function->parameters[i]))
            note(describer, argument->children[0], call, list);
    }
}

enum { RECORDS_MOST = 16 };

static bool points_at_record(const struct declaration *parameter)
{
    const struct type *type = parameter->type;
    return type->kind == TYPE_POINTER && type->of && type->of->kind == TYPE_RECORD;
}

/* What a function assigns through a pointer to a record are the members of the record that it is
   called with. */
static void give_records(struct describer *describer, const struct syntax *call,
                         const struct function *function, struct binding kept[RECORDS_MOST])
{
    for (int i = 0; i < function->parameter_count && i < RECORDS_MOST; i++) {
        struct binding *binding = &describer->bindings[function->parameters[i]->id];
        kept[i] = *binding;
        if (i >= call->count || !points_at_record(function->parameters[i]))
            continue;
        const struct syntax *argument = call->children[i];
        while (argument->kind == SYNTAX_CAST && argument->count == 1)
            argument = argument->children[0];
        const bool is_plain = argument->kind == SYNTAX_NAME || argument->kind == SYNTAX_MEMBER ||
                              (argument->kind == SYNTAX_UNARY && argument->operation == DO_ADDRESS);
        const struct value value =
            is_plain ? evaluate_leniently(describer, argument) : (struct value){0};
        if (value.kind == VALUE_OBJECT)
            *binding = (struct binding){.value = value};
    }
}

static void take_records_back(struct describer *describer, const struct function *function,
                              const struct binding kept[RECORDS_MOST])
{
    for (int i = 0; i < function->parameter_count && i < RECORDS_MOST; i++)
        describer->bindings[function->parameters[i]->id] = kept[i];
}

static void visit(struct describer *describer, const struct syntax *syntax, int depth,
                  struct assigned_list *list)
{
    const bool is_step = syntax->kind == SYNTAX_UNARY &&
                         (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT);
    if ((syntax->kind == SYNTAX_ASSIGN || is_step) && syntax->count > 0)
        note(describer, syntax->children[0],
             syntax->kind == SYNTAX_ASSIGN ? syntax->children[1] : syntax, list);
    if (syntax->kind == SYNTAX_CALL && depth < DEPTH_MOST) {
        const struct function *function;
        for (int k = 0; (function = function_maybe_called(describer->source, syntax, k)); k++) {
            struct binding kept[RECORDS_MOST];
            give_records(describer, syntax, function, kept);
            visit(describer, function->body, depth + 1, list);
            take_records_back(describer, function, kept);
            note_addressed(describer, syntax, function, list);
            for (int i = 0; i < function->parameter_count; i++)
                forget(describer, function->parameters[i], list);
        }
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            visit(describer, syntax->children[i], depth, list);
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && syntax->children[i]->kind == SYNTAX_VARIABLE &&
            syntax->kind == SYNTAX_DECLARE)
            forget(describer, syntax->children[i]->declaration, list);
}

/* Variables declared anywhere within, found after all assignments are noted. */
static void forget_declared(struct describer *describer, const struct syntax *syntax, int depth,
                            struct assigned_list *list)
{
    if (syntax->kind == SYNTAX_VARIABLE)
        forget(describer, syntax->declaration, list);
    if (syntax->kind == SYNTAX_CALL && depth < DEPTH_MOST) {
        const struct function *function;
        for (int k = 0; (function = function_maybe_called(describer->source, syntax, k)); k++)
            forget_declared(describer, function->body, depth + 1, list);
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            forget_declared(describer, syntax->children[i], depth, list);
}

void assigned_in(struct describer *describer, const struct syntax *syntax,
                 struct assigned_list *list)
{
    if (!syntax)
        return;
    visit(describer, syntax, 0, list);
    forget_declared(describer, syntax, 0, list);
}

static bool is_same_variable(struct describer *describer, const struct syntax *syntax,
                             const struct binding *binding)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return is_name(syntax) && object_binding(describer, syntax) == binding;
}

/* i = i + n, i = n + i, i = i - n. */
static const struct syntax *amount_of(struct describer *describer, const struct syntax *value,
                                      const struct binding *binding, double *sign)
{
    if (value->kind != SYNTAX_BINARY)
        return NULL;
    *sign = value->operation == DO_SUBTRACT ? -1 : 1;
    if (value->operation != DO_ADD && value->operation != DO_SUBTRACT)
        return NULL;
    if (is_same_variable(describer, value->children[0], binding))
        return value->children[1];
    if (value->operation == DO_ADD && is_same_variable(describer, value->children[1], binding))
        return value->children[0];
    return NULL;
}

/* Whether evaluating it assigns something. */
static bool has_effects(const struct syntax *syntax)
{
    bool has = syntax->kind == SYNTAX_ASSIGN ||
               (syntax->kind == SYNTAX_UNARY &&
                (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT));
    for (int i = 0; i < syntax->count && !has; i++)
        has = syntax->children[i] && has_effects(syntax->children[i]);
    return has;
}

bool advances(struct describer *describer, const struct syntax *syntax, struct binding **binding,
              polynomial *amount)
{
    const struct syntax *by = NULL;
    double sign = 1;
    if ((syntax->kind != SYNTAX_UNARY && syntax->kind != SYNTAX_ASSIGN) || syntax->count < 1 ||
        !is_name(syntax->children[0]))
        return false;
    *binding = object_binding(describer, syntax->children[0]);
    if (!*binding)
        return false;
    if (syntax->kind == SYNTAX_UNARY &&
        (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT)) {
        *amount =
            polynomial_constant(&describer->algebra, syntax->operation == DO_INCREMENT ? 1 : -1);
        return true;
    }
    if (syntax->kind != SYNTAX_ASSIGN)
        return false;
    if (syntax->operation == DO_ADD || syntax->operation == DO_SUBTRACT) {
        by = syntax->children[1];
        sign = syntax->operation == DO_SUBTRACT ? -1 : 1;
    } else if (syntax->operation == DO_NOTHING)
        by = amount_of(describer, syntax->children[1], *binding, &sign);
    const struct value value =
        by && !has_effects(by) ? evaluate_leniently(describer, by) : (struct value){0};
    if (value.kind != VALUE_INDEX)
        return false;
    *amount = polynomial_scaled(&describer->algebra, value.index, sign);
    return true;
}

void forget_addressed(struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            forget_addressed(describer, syntax->children[i]);
    if (syntax->kind != SYNTAX_CALL)
        return;
    const char *origin =
        arena_format(describer->arena, "is set by %s()", *syntax->name ? syntax->name : "a call");
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *argument = syntax->children[i];
        while (argument->kind == SYNTAX_CAST && argument->count == 1)
            argument = argument->children[0];
        const bool is_address = argument->kind == SYNTAX_UNARY && argument->operation == DO_ADDRESS;
        const bool is_pointer =
            (argument->kind == SYNTAX_NAME || argument->kind == SYNTAX_MEMBER) && argument->type &&
            argument->type->kind == TYPE_POINTER;
        if (!is_address && !is_pointer)
            continue;
        const struct value value = evaluate_leniently(describer, argument);
        if (value.kind == VALUE_OBJECT)
            record_forget(describer, value.text, origin, syntax->place);
        struct binding *binding =
            value.kind == VALUE_ADDRESS ? object_binding(describer, value.of) : NULL;
        if (binding)
            *binding = (struct binding){.origin = origin, .place = syntax->place};
    }
}

polynomial assigned_memory(struct algebra *algebra, const struct assigned_list *list)
{
    polynomial memory = NULL;
    for (int i = 0; i < list->count; i++) {
        const struct assigned *item = &list->items[i];
        polynomial own = item->binding->value.kind == VALUE_NONE ? item->binding->bytes : NULL;
        if (!own)
            continue;
        if (item->from->kind != SYNTAX_NAME || (memory && !polynomial_equal(algebra, memory, own)))
            return NULL;
        memory = own;
    }
    return memory;
}

void assigned_forget(struct describer *describer, const struct assigned *assigned,
                     polynomial memory)
{
    struct binding *binding = assigned->binding;
    *binding = (struct binding){.origin = origin_text(describer, assigned->from),
                                .place = assigned->from->place,
                                .bytes = binding->bytes ? memory : NULL};
}
