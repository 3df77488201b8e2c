#include "describer/walk/outside.h"

#include "describer/walk/arguments.h"
#include "describer/walk/loop_head.h"
#include "describer/walk/messages.h"
#include "describer/walk/segments.h"

#include <string.h>

/* What a loop assigns is not known in it, but for pointers, which keep their shape. */
static void forget_assigned(struct describer *describer, const struct syntax *syntax)
{
    struct assigned_list list = {.count = 0};
    assigned_in(describer, syntax, &list);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].binding->value.kind != VALUE_ELEMENT)
            list.items[i].binding->value = (struct value){0};
}

/* How often a loop around a segment runs, as a text; NULL: not known. */
static const char *trips_text(struct describer *describer, const struct syntax *loop)
{
    struct error kept, *error = describer->error;
    struct loop_head head;
    if (loop->kind != SYNTAX_FOR)
        return NULL;
    describer->error = &kept;
    const bool is_read = loop_head_read(describer, loop, &head);
    describer->error = error;
    describer->has_failed = false;
    describer->split.loop = NULL;
    if (!is_read || (head.step != 1 && head.step != -1))
        return NULL;
    const bool is_up = head.step > 0;
    polynomial trips =
        polynomial_plus(&describer->algebra,
                        polynomial_sum(&describer->algebra, is_up ? head.last : head.first,
                                       is_up ? head.first : head.last, -1),
                        1);
    if (polynomial_has_index(trips))
        return NULL;
    polynomial_use(trips);
    return polynomial_text(&describer->algebra, trips, " ");
}

/* Pointers that turns of a loop exchange are behind it as they were: which of them is which, no
   description could say. */
static void keep_pointers(struct describer *describer, const struct snapshot *before)
{
    for (int i = 0; i < describer->source->declaration_count; i++)
        if (snapshot_binding(before, i)->value.kind == VALUE_ELEMENT)
            describer->bindings[i] = *snapshot_binding(before, i);
}

static void go_around(struct describer *describer, const struct syntax *loop)
{
    const char *around = describer->around, *trips = trips_text(describer, loop);
    struct snapshot *before = snapshot_take(describer);
    forget_assigned(describer, loop);
    if (trips)
        describer->around =
            around ? arena_format(describer->arena, "(%s) * (%s)", around, trips) : trips;
    for (int i = 0; i < loop->count; i++)
        if (loop->children[i] && (loop->kind != SYNTAX_FOR || i == 3))
            execute(describer, loop->children[i]);
    describer->around = around;
    keep_pointers(describer, before);
    snapshot_free(before);
}

/* A whole number that a directive gives a value is that parameter, whatever the source makes of it;
   one of which nothing is known is a parameter that needs one. */
static void set_told(struct describer *describer, const struct syntax *syntax)
{
    const bool is_assigned = syntax->kind == SYNTAX_ASSIGN && syntax->children[0]->declaration;
    const struct declaration *declaration =
        is_assigned ? syntax->children[0]->declaration : syntax->declaration;
    if (!declaration || declaration->type->kind != TYPE_INTEGER)
        return;
    struct symbol *symbol =
        symbol_find(&describer->symbols, symbol_allowed(describer->arena, declaration->name));
    struct value *value = &describer->bindings[declaration->id].value;
    if (symbol && symbol->is_told)
        *value = value_of_index(polynomial_symbol(&describer->algebra, symbol));
    else if (value->kind == VALUE_UNKNOWN || value->kind == VALUE_NODE)
        *value = (struct value){0};
}

/* What is worth knowing of a statement that is not described. */
static void take_note(struct describer *describer, const struct syntax *syntax)
{
    struct error kept, *error = describer->error;
    describer->error = &kept;
    describer->is_recording = true;
    if (syntax->kind == SYNTAX_VARIABLE || syntax->kind == SYNTAX_ASSIGN ||
        syntax->kind == SYNTAX_CALL)
        execute(describer, syntax);
    describer->is_recording = false;
    if (describer->has_failed || describer->split.loop) {
        describer->has_failed = false;
        describer->split.loop = NULL;
        forget_assigned(describer, syntax);
    }
    describer->error = error;
    describer->entered = 0;
    describer->has_returned = false;
    set_told(describer, syntax);
}

static void outside_children(struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            execute(describer, syntax->children[i]);
}

static bool calls_segment(struct describer *describer, const struct syntax *syntax)
{
    if (syntax->kind != SYNTAX_CALL)
        return false;
    const struct function *function = function_called(describer->source, syntax);
    return function && segment_in_function(describer, function) &&
           describer->entered < ENTERED_MOST;
}

static void go_into(struct describer *describer, const struct syntax *syntax)
{
    if (!segment_within(describer, syntax)) {
        forget_assigned(describer, syntax);
        return;
    }
    if (syntax->kind == SYNTAX_IF)
        outside_children(describer, syntax);
    else
        go_around(describer, syntax);
}

bool outside_execute(struct describer *describer, const struct syntax *syntax)
{
    segment_calls(describer, syntax);
    struct directive *directive = directive_before(&describer->directives, WORD_SEGMENT, syntax);
    if (directive && syntax->kind != SYNTAX_DECLARE && !directive->is_used)
        segment_begin(describer, directive, syntax);
    if (directive || segment_in_region(describer, syntax))
        return true;
    switch (syntax->kind) {
    case SYNTAX_BLOCK:
    case SYNTAX_DECLARE:
        outside_children(describer, syntax);
        return true;
    case SYNTAX_FOR:
    case SYNTAX_WHILE:
    case SYNTAX_DO:
    case SYNTAX_IF:
        go_into(describer, syntax);
        return true;
    case SYNTAX_CALL:
        if (calls_segment(describer, syntax))
            return false;
        take_note(describer, syntax);
        return true;
    case SYNTAX_VARIABLE:
    case SYNTAX_ASSIGN:
        take_note(describer, syntax);
        return true;
    default:
        return true;
    }
}

static bool calls(const struct source *source, const struct syntax *syntax,
                  const struct function *function)
{
    if (syntax->kind == SYNTAX_CALL && function_called(source, syntax) == function)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && calls(source, syntax->children[i], function))
            return true;
    return false;
}

static bool has_loop(const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && has_loop(syntax->children[i]))
            return true;
    return false;
}

/* Messages, even without loops, are a part of what a program takes. */
static bool does_something(const struct syntax *body)
{
    return has_loop(body) || messages_within(body) > 0;
}

static bool is_main(const struct function *function)
{
    return !strcmp(function->name, "main");
}

/* Whether the function is gone through from its beginning, and not from where it is called. */
static bool is_begun(struct describer *describer, const struct function *function, bool is_marked)
{
    const struct source *source = describer->source;
    if (function->file < 0 ||
        (is_marked ? !segment_in_function(describer, function) : !does_something(function->body)))
        return false;
    for (int i = 0; i < source->function_count; i++) {
        const struct function *other = source->functions[i];
        const bool counts =
            is_marked ? segment_in_function(describer, other) && other->file >= 0 : !is_main(other);
        if (other != function && counts && calls(source, other->body, function))
            return false;
    }
    return true;
}

static void begin_function(struct describer *describer, const struct function *function,
                           bool is_marked)
{
    struct directive *directive = segment_directive_of(describer, function);
    describer->function = function;
    describer->around = NULL;
    arguments_take(describer, function);
    if (directive || !is_marked)
        segment_of_function(describer, function, directive);
    else
        execute(describer, function->body);
    describer->has_returned = false;
}

static void run_functions(struct describer *describer, bool is_marked)
{
    const struct source *source = describer->source;
    int count = 0;
    for (int i = 0; i < source->function_count && !describer->has_failed; i++) {
        const struct function *function = source->functions[i];
        const bool is_last = is_main(function) && !is_marked;
        if (!is_begun(describer, function, is_marked) || is_last)
            continue;
        begin_function(describer, function, is_marked);
        count++;
    }
    for (int i = 0; i < source->function_count && !is_marked && count == 0; i++)
        if (is_main(source->functions[i]))
            begin_function(describer, source->functions[i], false);
}

void outside_run(struct describer *describer)
{
    bool is_marked = false;
    struct outline nowhere = {0};
    describer->body = &nowhere;
    for (int i = 0; i < describer->directives.count; i++) {
        const enum word word = describer->directives.items[i].word;
        is_marked = is_marked || word == WORD_SEGMENT || word == WORD_SCOP;
    }
    run_functions(describer, is_marked);
    for (int i = 0; i < describer->directives.count && !describer->has_failed; i++) {
        struct directive *directive = &describer->directives.items[i];
        if (directive->word == WORD_CALL && !directive->is_used)
            segment_call(describer, directive);
    }
}
