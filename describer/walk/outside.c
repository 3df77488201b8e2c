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
    for (int i = 0; i < list.count; i++) {
        const struct assigned *item = &list.items[i];
        if (item->binding->value.kind != VALUE_ELEMENT)
            *item->binding = (struct binding){.origin = origin_text(describer, item->from),
                                              .place = item->from->place};
    }
    forget_addressed(describer, syntax);
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
    const struct syntax *to = syntax->kind == SYNTAX_ASSIGN ? syntax->children[0] : NULL;
    const struct declaration *declaration = to ? to->declaration : syntax->declaration;
    const struct type *type = to ? to->type : declaration ? declaration->type : NULL;
    const bool is_variable =
        to ? to->kind == SYNTAX_NAME || to->kind == SYNTAX_MEMBER : syntax->kind == SYNTAX_VARIABLE;
    if (!is_variable || !type || type->kind != TYPE_INTEGER)
        return;
    struct binding *binding =
        to ? object_binding(describer, to) : &describer->bindings[declaration->id];
    if (!binding)
        return;
    struct symbol *symbol = symbol_find(
        &describer->symbols, symbol_allowed(describer->arena, to ? to->name : declaration->name));
    struct value *value = &binding->value;
    const bool is_unknown = value->kind == VALUE_UNKNOWN || value->kind == VALUE_NODE;
    const bool is_plain = value->kind == VALUE_INDEX && value->index->count <= 1 &&
                          (value->index->count == 0 || value->index->terms[0].degree <= 1);
    if (symbol && symbol->is_defined && (is_unknown || is_plain || value->kind == VALUE_NONE))
        symbol->is_met = true;
    if (symbol && (symbol->is_told || (symbol->is_defined && symbol->is_met)))
        *value = value_of_index(polynomial_symbol(&describer->algebra, symbol));
    else if (is_unknown)
        *value = (struct value){0};
}

/* What is worth knowing of a statement that is not described. */
static void take_note(struct describer *describer, const struct syntax *syntax)
{
    struct error kept, *error = describer->error;
    const struct position position = describer_position(describer);
    describer->error = &kept;
    describer->is_recording = describer->is_noting = true;
    execute(describer, syntax);
    describer_go_back(describer, &position);
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

/* Whether the condition of a statement that is not described holds; asked says of what. */
static enum truth outside_truth(struct describer *describer, const struct syntax *condition)
{
    struct error kept, *error = describer->error;
    const struct position position = describer_position(describer);
    struct value data = {0};
    describer->error = &kept;
    describer->is_recording = describer->is_noting = true;
    describer->asked = (struct asked){0};
    const enum truth truth = condition_holds(describer, condition, &data);
    describer_go_back(describer, &position);
    const bool is_lost = describer->has_failed || describer->split.loop;
    describer->has_failed = false;
    describer->split.loop = NULL;
    describer->error = error;
    return is_lost || describer->asked.rank ? IS_UNDECIDED : truth;
}

/* A branch that is not described: the way that is known to be taken, or that goes on where the
   other one gives up; else nothing is known of what either sets. */
static void pass_branch(struct describer *describer, const struct syntax *syntax)
{
    const enum truth truth = outside_truth(describer, syntax->children[0]);
    const bool is_decided = truth == IS_TRUE || truth == IS_FALSE;
    int way = truth == IS_TRUE ? 1 : 2;
    if (!is_decided || describer->asked.untold)
        way = branch_going_on(syntax, way);
    const bool gives_up = branch_gives_up(syntax, 3 - way);
    if ((!is_decided || (describer->asked.untold && !describer->asked.arguments)) && !gives_up) {
        forget_assigned(describer, syntax);
        return;
    }
    if (way < syntax->count)
        execute(describer, syntax->children[way]);
}

/* A loop that is not described: one that never runs sets nothing. */
static void pass_loop(struct describer *describer, const struct syntax *syntax)
{
    const bool is_for = syntax->kind == SYNTAX_FOR;
    const struct syntax *condition = syntax->children[syntax->kind == SYNTAX_WHILE ? 0 : 1];
    if (is_for && syntax->children[0])
        execute(describer, syntax->children[0]);
    if (syntax->kind != SYNTAX_DO && condition && outside_truth(describer, condition) == IS_FALSE &&
        (!describer->asked.untold || describer->asked.arguments))
        return;
    forget_assigned(describer, syntax);
}

static void go_into(struct describer *describer, const struct syntax *syntax)
{
    const bool is_within = !describer->is_passing && segment_within(describer, syntax);
    if (syntax->kind == SYNTAX_IF && is_within)
        outside_children(describer, syntax);
    else if (syntax->kind == SYNTAX_IF)
        pass_branch(describer, syntax);
    else if (is_within)
        go_around(describer, syntax);
    else
        pass_loop(describer, syntax);
}

static bool stands_in(const struct syntax *syntax, const struct syntax *call)
{
    if (syntax == call)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && stands_in(syntax->children[i], call))
            return true;
    return false;
}

/* Returns whether the call is reached. */
static bool walk_until(struct describer *describer, const struct syntax *syntax,
                       const struct syntax *call)
{
    if (!stands_in(syntax, call)) {
        execute(describer, syntax);
        return false;
    }
    const bool is_loop =
        syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO;
    if (is_loop)
        forget_assigned(describer, syntax);
    if (is_loop || syntax->kind == SYNTAX_IF || syntax->kind == SYNTAX_BLOCK)
        for (int i = 0; i < syntax->count; i++) {
            const struct syntax *child = syntax->children[i];
            const bool is_passed =
                child && (syntax->kind == SYNTAX_BLOCK || stands_in(child, call));
            if (is_passed && walk_until(describer, child, call))
                return true;
        }
    return true;
}

void outside_walk_until(struct describer *describer, const struct syntax *body,
                        const struct syntax *call)
{
    const int arrays = describer->arrays.count;
    struct known_object *objects = describer->objects;
    describer->is_passing = true;
    walk_until(describer, body, call);
    describer->is_passing = false;
    describer->has_returned = false;
    describer->part = NULL;
    for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++) {
        const struct value *value = &describer->bindings[i].value;
        for (int k = arrays; k < describer->arrays.count && value->kind == VALUE_ELEMENT; k++)
            if (value->reference.array == describer->arrays.items[k])
                describer->bindings[i] = (struct binding){0};
    }
    describer->arrays.count = arrays;
    describer->objects = objects;
}

bool outside_execute(struct describer *describer, const struct syntax *syntax)
{
    struct directive *directive = NULL;
    if (!describer->is_passing) {
        segment_calls(describer, syntax);
        directive = directive_before(&describer->directives, WORD_SEGMENT, syntax);
    }
    if (directive && syntax->kind != SYNTAX_DECLARE && !directive->is_used)
        segment_begin(describer, directive, syntax);
    if (directive || (!describer->is_passing && segment_in_region(describer, syntax)))
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
        if (!describer->is_passing && calls_segment(describer, syntax))
            return false;
        take_note(describer, syntax);
        return true;
    case SYNTAX_VARIABLE:
    case SYNTAX_ASSIGN:
    case SYNTAX_UNARY:
    case SYNTAX_BINARY:
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
