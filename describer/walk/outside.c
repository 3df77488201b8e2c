#include "describer/walk/outside.h"

#include "describer/walk/arguments.h"
#include "describer/walk/by_rank.h"
#include "describer/walk/carried.h"
#include "describer/walk/colours.h"
#include "describer/walk/jumps.h"
#include "describer/walk/loop_head.h"
#include "describer/walk/messages.h"
#include "describer/walk/segments.h"

#include <string.h>

/* What a loop assigns is not known in it, but for pointers, which keep their shape. */
static void forget_assigned(struct describer *describer, const struct syntax *syntax)
{
    struct assigned_list list = {.count = 0};
    assigned_in(describer, syntax, &list);
    polynomial memory = assigned_memory(&describer->algebra, &list);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].binding->value.kind != VALUE_ELEMENT)
            assigned_forget(describer, &list.items[i], memory);
    forget_addressed(describer, syntax);
}

/* Pointers that turns of a loop exchange are behind it as they were: which of them is which, no
   description could say. */
static void keep_pointers(struct describer *describer, const struct snapshot *before)
{
    for (int i = 0; i < describer->source->declaration_count; i++)
        if (snapshot_binding(before, i)->value.kind == VALUE_ELEMENT)
            describer->bindings[i] = *snapshot_binding(before, i);
}

/* A loop around segments that say themselves how often they run. */
static void go_around(struct describer *describer, const struct syntax *loop)
{
    struct snapshot *before = snapshot_take(describer);
    struct error kept, *error = describer->error;
    struct assigned_list assigned = {.count = 0};
    struct loop_head head;
    /* What they say may name the parameters of the loop's end. */
    describer->error = &kept;
    if (loop_head_read(describer, loop, &head) && head.last && !polynomial_has_index(head.last))
        polynomial_use(polynomial_sum(&describer->algebra, head.last, head.first, -1));
    describer->error = error;
    describer->has_failed = false;
    describer->split.loop = NULL;
    assigned_in(describer, loop, &assigned);
    const int count = assigned.count;
    struct binding *begun = arena_take(describer->arena, (size_t)count, sizeof *begun);
    bool *is_read = arena_take(describer->arena, (size_t)count, sizeof *is_read);
    for (int i = 0; i < count; i++)
        begun[i] = *assigned.items[i].binding;
    forget_assigned(describer, loop);
    for (int i = 0; i < count; i++)
        assigned.items[i].binding->is_read = &is_read[i];
    const int body = loop->kind == SYNTAX_FOR ? 3 : loop->kind == SYNTAX_WHILE ? 1 : 0;
    execute(describer, loop->children[body]);
    describer->has_returned = false;
    describer->jumping.jump = JUMP_NONE;
    for (int i = 0; i < count; i++) {
        if (is_read[i])
            exchange_note(describer, assigned.items[i].binding, &begun[i], assigned.items[i].to,
                          loop->place);
        assigned.items[i].binding->is_read = begun[i].is_read;
    }
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
    const bool is_instead = symbol && (symbol->is_told || (symbol->is_defined && symbol->is_met));
    if (is_instead && value->kind == VALUE_INDEX)
        arguments_note_told(describer, symbol, value->index, syntax->place);
    if (is_instead)
        *value = value_of_index(polynomial_symbol(&describer->algebra, symbol));
    else if (is_unknown)
        *value = (struct value){0};
}

/* What is worth knowing of a statement that is not described. */
static void take_note(struct describer *describer, const struct syntax *syntax)
{
    struct error kept, *error = describer->error;
    const struct position position = describer_position(describer);
    jumping_enter(describer, false);
    describer->loop = describer->function_loop = NULL;
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
    describer->has_returned = false;
    describer->part = NULL;
    set_told(describer, syntax);
}

static void outside_children(struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            execute(describer, syntax->children[i]);
}

/* ---- what is described, and from where ---- */

enum { CALLS_DEEP = 8 };

static bool does_something(const struct describer *describer, const struct syntax *body, int deep);

/* Whether the function has a segment; without directives, whether it does something. */
static bool has_segment(struct describer *describer, const struct function *function)
{
    if (function->file < 0)
        return false;
    return describer->is_marked ? segment_in_function(describer, function)
                                : strcmp(function->name, "main") != 0 &&
                                      does_something(describer, function->body, 0);
}

/* The function that a call enters for what is described in it, or in what it calls; NULL: none. */
static const struct function *described_function(struct describer *describer,
                                                 const struct syntax *call, int deep);

static bool describes(struct describer *describer, const struct syntax *syntax, int deep)
{
    if (syntax->kind == SYNTAX_CALL && described_function(describer, syntax, deep))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && describes(describer, syntax->children[i], deep))
            return true;
    return false;
}

static const struct function *described_function(struct describer *describer,
                                                 const struct syntax *call, int deep)
{
    const struct function *function;
    if (call->kind != SYNTAX_CALL || deep == CALLS_DEEP ||
        (!describer->is_marked && !describer->is_driving))
        return NULL;
    for (int i = 0; (function = function_maybe_called(describer->source, call, i)); i++)
        if (has_segment(describer, function) ||
            (describer->is_marked && describes(describer, function->body, deep + 1)))
            return function;
    return NULL;
}

/* Whether something within is described. */
static bool is_within(struct describer *describer, const struct syntax *syntax)
{
    return !describer->is_passing &&
           (segment_within(describer, syntax) || describes(describer, syntax, 0));
}

/* Whether it matters how often the loops around what is described within run. */
static bool needs_count(struct describer *describer, const struct syntax *syntax)
{
    for (int i = 0; i < describer->directives.count; i++)
        if (describer->directives.items[i].word == WORD_PROGRAM)
            return false;
    return describes(describer, syntax, 0) || segment_needs_repeat(describer, syntax);
}

static void note_reached(struct describer *describer, const struct function *function)
{
    for (int i = 0; i < describer->reached_count; i++)
        if (describer->reached[i] == function)
            return;
    describer->reached[describer->reached_count++] = function;
}

/* All that is called in a statement is described with it. */
static void note_all_reached(struct describer *describer, const struct syntax *syntax, int deep)
{
    const struct function *function;
    for (int i = 0; syntax->kind == SYNTAX_CALL && deep < CALLS_DEEP &&
                    (function = function_maybe_called(describer->source, syntax, i));
         i++) {
        note_reached(describer, function);
        note_all_reached(describer, function->body, deep + 1);
    }
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration->initial)
        note_all_reached(describer, syntax->declaration->initial, deep);
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            note_all_reached(describer, syntax->children[i], deep);
}

/* A function that main calls is described with arrays of its own, by the names that it gives them:
   which of main's arrays they are changes from call to call. The same array twice is one. */
static void describe_call(struct describer *describer, const struct function *function,
                          const struct syntax *call)
{
    struct snapshot *before = snapshot_take(describer);
    const struct function *caller = describer->function;
    const struct loop *function_loop = describer->function_loop;
    const bool is_driving = describer->is_driving;
    if (describer->entered == ENTERED_MOST)
        describer_fail(describer, call->place, "calls more than %d deep", ENTERED_MOST);
    if (describer->has_failed) {
        snapshot_free(before);
        return;
    }
    const struct jumping outside = jumping_enter(describer, false);
    note_reached(describer, function);
    segment_forget_indices(describer);
    arguments_bind(describer, function, call);
    arguments_fix_extents(describer, function);
    describer->function = function;
    describer->function_loop = describer->loop;
    describer->calls[describer->entered] = call;
    describer->entering[describer->entered++] = function;
    describer->is_driving = false;
    if (describer->is_marked && !segment_directive_of(describer, function))
        execute(describer, function->body);
    else
        segment_of_function(describer, function, segment_directive_of(describer, function));
    describer->is_driving = is_driving;
    describer->entered--;
    describer->has_returned = false;
    jumping_leave(describer, &outside);
    describer->function_loop = function_loop;
    describer->function = caller;
    segment_remember_indices(describer, before, function->body);
    for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++) {
        struct binding *binding = &describer->bindings[i];
        const enum value_kind kind = binding->value.kind;
        if (kind == VALUE_NODE || kind == VALUE_UNKNOWN)
            *binding = (struct binding){
                .origin = arena_format(describer->arena, "is set by %s()", function->name),
                .place = call->place};
    }
    snapshot_free(before);
}

/* Goes through the calls in a statement that are described; returns whether there are any. */
bool outside_calls(struct describer *describer, const struct syntax *syntax)
{
    bool found = false;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            found = outside_calls(describer, syntax->children[i]) || found;
    const struct function *function = described_function(describer, syntax, 0);
    if (!function || describer_is_stopped(describer))
        return found;
    if (syntax->pointer) {
        const struct syntax *direct = call_followed(describer, syntax);
        if (direct)
            return outside_calls(describer, direct) || found;
        describer_fail(describer, syntax->place,
                       "which function is called here is not known, %s() perhaps, which is to be "
                       "described: call it by its name, or `ignore` the statement",
                       function->name);
        return true;
    }
    if (describer->is_driving && has_segment(describer, function))
        describe_call(describer, function, syntax);
    else {
        note_reached(describer, function);
        call_value(describer, syntax);
    }
    return true;
}

/* ---- loops and branches around ---- */

static bool reads_element(const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_SUBSCRIPT)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && reads_element(syntax->children[i]))
            return true;
    return false;
}

/* Whether a statement of main computes, or sends, beside the functions that it calls. */
static bool has_own_work(struct describer *describer, const struct syntax *syntax, bool is_in_loop)
{
    const bool is_loop =
        syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE || syntax->kind == SYNTAX_DO;
    if (described_function(describer, syntax, 0))
        return false;
    if (syntax->kind == SYNTAX_CALL && messages_within(syntax) > 0)
        return true;
    if (syntax->kind == SYNTAX_ASSIGN && is_in_loop) {
        const struct syntax *to = syntax->children[0];
        if (to->kind == SYNTAX_SUBSCRIPT ||
            (to->kind == SYNTAX_UNARY && to->operation == DO_FOLLOW))
            return true;
        /* A norm, or the largest change. */
        if (to->type && to->type->kind == TYPE_FLOATING && reads_element(syntax->children[1]))
            return true;
    }
    is_in_loop = is_in_loop || (is_loop && !is_within(describer, syntax));
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && has_own_work(describer, syntax->children[i], is_in_loop))
            return true;
    return false;
}

/* Whether main sends or receives beside the functions that it calls; a barrier moves no data. */
static bool has_own_messages(struct describer *describer, const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_CALL && syntax->pointer && messages_reached(describer, syntax, 0))
        return true;
    if (described_function(describer, syntax, 0))
        return false;
    if (syntax->kind == SYNTAX_CALL && messages_within(syntax) > 0 &&
        strcmp(syntax->name, "MPI_Barrier") != 0)
        return true;
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration->initial &&
        has_own_messages(describer, syntax->declaration->initial))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && has_own_messages(describer, syntax->children[i]))
            return true;
    return false;
}

static bool names_one_of(struct describer *describer, const struct syntax *syntax,
                         const struct assigned_list *list)
{
    if (syntax->kind == SYNTAX_NAME && syntax->type && syntax->type->kind == TYPE_INTEGER)
        for (int i = 0; i < list->count; i++)
            if (syntax->declaration &&
                list->items[i].binding == &describer->bindings[syntax->declaration->id])
                return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && names_one_of(describer, syntax->children[i], list))
            return true;
    return false;
}

/* Whether a described call gets a number that the loop changes: its index, say. */
static bool hands_over(struct describer *describer, const struct syntax *syntax,
                       const struct assigned_list *changed)
{
    if (described_function(describer, syntax, 0))
        for (int i = 0; i < syntax->count; i++)
            if (names_one_of(describer, syntax->children[i], changed))
                return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && hands_over(describer, syntax->children[i], changed))
            return true;
    return false;
}

/* A loop of main that is described as a whole, with all that it calls. */
static bool describe_whole(struct describer *describer, const struct syntax *loop)
{
    struct assigned_list changed = {.count = 0};
    if (describer->is_marked || !describer->is_driving)
        return false;
    assigned_in(describer, loop, &changed);
    for (int i = 0; i < loop->count; i++)
        if (loop->children[i])
            assigned_in(describer, loop->children[i], &changed);
    if (!has_own_work(describer, loop, false) && !hands_over(describer, loop, &changed))
        return false;
    note_all_reached(describer, loop, 0);
    segment_of_statement(describer, loop);
    forget_assigned(describer, loop);
    return true;
}

/* Whether the condition of a statement that is not described holds; asked says of what. */
static enum truth outside_truth(struct describer *describer, const struct syntax *condition,
                                bool can_split)
{
    struct error kept, *error = describer->error;
    const struct position position = describer_position(describer);
    struct value data = {0};
    describer->error = &kept;
    describer->is_recording = describer->is_noting = true;
    describer->asked = (struct asked){.may_be_stretch = true, .is_long = true};
    const enum truth truth = condition_holds(describer, condition, &data);
    describer_go_back(describer, &position);
    describer->part = NULL;
    const bool is_lost = describer->has_failed || describer->split.loop;
    if (describer->has_failed || !can_split)
        describer->split.loop = NULL;
    describer->has_failed = false;
    describer->error = error;
    return is_lost || describer->asked.rank ? IS_UNDECIDED : truth;
}

/* A branch that is not described: the way that is known to be taken, or that goes on where the
   other one gives up; else nothing is known of what either sets. */
static void pass_branch(struct describer *describer, const struct syntax *syntax)
{
    const enum truth truth = outside_truth(describer, syntax->children[0], false);
    const bool is_decided = truth == IS_TRUE || truth == IS_FALSE;
    int way = truth == IS_TRUE ? 1 : 2;
    if (!is_decided || describer->asked.untold || describer->asked.processors)
        way = branch_going_on(syntax, way);
    const bool gives_up = branch_gives_up(syntax, 3 - way);
    if (is_decided && !gives_up)
        condition_decides(describer);
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
    if (syntax->kind != SYNTAX_DO && condition &&
        outside_truth(describer, condition, false) == IS_FALSE &&
        (!describer->asked.untold || describer->asked.arguments))
        return;
    if (describer->is_driving && !describer->is_marked && describer->entered == 0 &&
        has_own_work(describer, syntax, false))
        describer_remark(describer, syntax->place,
                         "this loop of main is taken for set-up or output, and is no part of the "
                         "description: put #pragma forecost segment NAME before it, and before "
                         "what else is to be described");
    forget_assigned(describer, syntax);
}

/* Both ways, the second only if the first has not left. */
static void take_both_ways(struct describer *describer, const struct syntax *syntax)
{
    for (int way = 1; way < syntax->count; way++) {
        execute(describer, syntax->children[way]);
        describer->has_returned = false;
        if (describer->jumping.jump == JUMP_CONTINUE || describer->jumping.jump == JUMP_BREAK)
            describer->jumping.jump = JUMP_NONE;
    }
}

static void take_way(struct describer *describer, const struct syntax *way, const char *probability)
{
    const char *before = describer->probability;
    describer->probability =
        before ? arena_format(describer->arena, "(%s) * (%s)", before, probability) : probability;
    describer->jumping.ways++;
    execute(describer, way);
    describer->jumping.ways--;
    if (describer->jumping.jump == JUMP_CONTINUE)
        describer->jumping.jump = JUMP_NONE;
    describer->probability = before;
}

/* Whether a branch of main by which process this is calls one function or another that sends: what
   the one sends the other receives. Statements that follow it and have been made a part of it
   (branch_with_next) are none of its ways. */
static bool describes_both_ways(struct describer *describer, const struct syntax *branch)
{
    if (describer->is_marked || !describer->is_driving || branch->count < 3 ||
        branch->children[2]->end > branch->end)
        return false;
    for (int way = 1; way < 3; way++)
        if (!describes(describer, branch->children[way], 0) ||
            !messages_reached(describer, branch->children[way], 0))
            return false;
    return true;
}

/* A branch that asks whose turn an iteration is: nobody waits, for a loop of main that sends is
   described as a whole. false: it asks something else. */
static bool take_turn(struct describer *describer, const struct syntax *syntax,
                      const struct asked *asked)
{
    const char *alone, *share = turn_share(describer, asked, &alone);
    if (!share)
        return false;
    const char *others = arena_format(describer->arena, "1 - (%s)", share);
    for (int way = 1; way < syntax->count && !describer_is_stopped(describer); way++)
        take_way(describer, syntax->children[way],
                 (way == 1) == asked->meets_where_holds ? share : others);
    return true;
}

/* How often a way calls that function; of ways within it, which different processes go, the one
   that calls it most. -1: it calls another one that is described, it does so in a loop or with
   arguments, or what is described is no function. */
static int calls_of(struct describer *describer, const struct syntax *way,
                    const struct function **only)
{
    if (!is_within(describer, way))
        return 0;
    int most = 0, all = 0;
    if (way->kind == SYNTAX_CALL) {
        const struct function *function = described_function(describer, way, 0);
        if (!function || function->parameter_count > 0 || (*only && *only != function))
            return -1;
        *only = function;
        return 1;
    }
    if (way->kind != SYNTAX_BLOCK && way->kind != SYNTAX_IF)
        return -1;
    for (int i = way->kind == SYNTAX_IF; i < way->count; i++) {
        const int its = calls_of(describer, way->children[i], only);
        if (its < 0)
            return -1;
        most = its > most ? its : most;
        all += its;
    }
    return way->kind == SYNTAX_IF ? most : all;
}

/* Both ways of a branch by which process this is: at the same time where nothing is sent. Of calls
   of one function those count that are more. */
static void take_ways_of_processes(struct describer *describer, const struct syntax *branch)
{
    const struct function *only = NULL;
    int calls[3] = {0};
    bool is_apart = branch->count == 3 && !describer->is_marked &&
                    describer->jumping.jump == JUMP_NONE && !jump_within(branch);
    for (int way = 1; way < 3 && is_apart; way++)
        is_apart = is_within(describer, branch->children[way]) &&
                   !messages_reached(describer, branch->children[way], 0);
    for (int way = 1; way < 3 && is_apart; way++)
        calls[way] = calls_of(describer, branch->children[way], &only);
    if (is_apart && calls[1] > 0 && calls[2] > 0) {
        execute(describer, branch->children[calls[2] > calls[1] ? 2 : 1]);
        return;
    }
    if (is_apart && !describer->is_noting && by_rank_computes(describer, branch->children[1]) &&
        by_rank_computes(describer, branch->children[2]))
        describer_remark(describer, branch->place,
                         "some processes compute one way of this branch while others compute the "
                         "other one: they are counted as if one process did both");
    take_both_ways(describer, branch);
}

/* A branch around segments. A condition on the index of a loop around splits that. */
static void branch_around(struct describer *describer, const struct syntax *syntax)
{
    struct colour colour;
    bool is_other;
    const bool is_counted =
        describer->loop && (describer->jumping.is_within || needs_count(describer, syntax));
    outside_calls(describer, syntax->children[0]);
    const enum truth colours = colour_read(describer, syntax->children[0], &colour, &is_other);
    if (colours == IS_DATA && !jump_leaving_way(describer, syntax)) {
        const char *share = colour_share(describer, &colour);
        const char *others = arena_format(describer->arena, "1 - (%s)", share);
        const struct without *before = describer->without;
        const struct without without = colour_without(describer, &colour);
        for (int way = 1; way < syntax->count && !describer_is_stopped(describer); way++) {
            const bool has_colour = (way == 1) != is_other;
            describer->without = has_colour ? before : &without;
            take_way(describer, syntax->children[way], has_colour ? share : others);
        }
        describer->without = before;
        return;
    }
    const enum truth truth = outside_truth(describer, syntax->children[0], is_counted);
    if (describer_is_stopped(describer))
        return;
    const struct asked asked = describer->asked;
    struct directive *told = directive_before(&describer->directives, WORD_PROBABILITY, syntax);
    if (asked.rank && describes_both_ways(describer, syntax)) {
        note_all_reached(describer, syntax, 0);
        segment_of_statement(describer, syntax);
        return;
    }
    if (asked.rank && take_turn(describer, syntax, &asked))
        return;
    if (asked.rank) {
        take_ways_of_processes(describer, syntax);
        return;
    }
    if ((truth == IS_TRUE || truth == IS_FALSE) && (!asked.untold || asked.arguments)) {
        const int way = truth == IS_TRUE ? 1 : 2;
        condition_decides(describer);
        if (3 - way < syntax->count)
            segment_pass(describer, syntax->children[3 - way]);
        if (way < syntax->count)
            execute(describer, syntax->children[way]);
        return;
    }
    if (branch_leave_on_data(describer, syntax, NULL))
        return;
    if (told && directive_clause(told, "probability")) {
        const char *probability = directive_clause(told, "probability");
        told->is_used = true;
        take_way(describer, syntax->children[1], probability);
        if (syntax->count > 2 && !describer_is_stopped(describer))
            take_way(describer, syntax->children[2],
                     arena_format(describer->arena, "1 - (%s)", probability));
        return;
    }
    if (!is_counted) {
        take_both_ways(describer, syntax);
        return;
    }
    describer_fail(describer, syntax->place,
                   "how often does this condition hold? What is described stands under it: say so "
                   "before it: #pragma forecost probability(0.5)");
}

static void go_into(struct describer *describer, const struct syntax *syntax)
{
    const bool is_described = is_within(describer, syntax);
    if (syntax->kind == SYNTAX_IF &&
        (is_described || (describer->jumping.is_within && jump_within(syntax))))
        branch_around(describer, syntax);
    else if (syntax->kind == SYNTAX_IF)
        pass_branch(describer, syntax);
    else if (is_described && !describe_whole(describer, syntax)) {
        if (needs_count(describer, syntax))
            execute_loop(describer, syntax);
        else
            go_around(describer, syntax);
    } else if (!is_described)
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

/* break and continue of loops around segments, goto. Returns whether that is all. */
static bool jump_outside(struct describer *describer, const struct syntax *syntax)
{
    if (strcmp(syntax->name, "goto") != 0)
        return !describer->jumping.is_within;
    if (describer->is_driving || describer->entered > 0 || describer->loop)
        describer_fail(describer, syntax->place,
                       "goto beside what is described: how often that runs is not known; write a "
                       "loop, or `ignore` the statement");
    return true;
}

bool outside_execute(struct describer *describer, const struct syntax *syntax)
{
    struct directive *directive = NULL;
    if (!describer->is_passing) {
        segment_calls(describer, syntax);
        directive = directive_before(&describer->directives, WORD_SEGMENT, syntax);
    }
    if (directive && syntax->kind != SYNTAX_DECLARE)
        segment_begin(describer, directive, syntax);
    if (directive || (!describer->is_passing && segment_in_region(describer, syntax)))
        return true;
    switch (syntax->kind) {
    case SYNTAX_BLOCK:
        return false;
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
    case SYNTAX_VARIABLE:
    case SYNTAX_ASSIGN:
    case SYNTAX_UNARY:
    case SYNTAX_BINARY:
    case SYNTAX_CAST: {
        const struct syntax *whole =
            syntax->kind == SYNTAX_VARIABLE ? syntax->declaration->initial : syntax;
        if (whole && !describer->is_passing && outside_calls(describer, whole)) {
            struct binding *set = NULL;
            if (syntax->kind == SYNTAX_VARIABLE)
                set = &describer->bindings[syntax->declaration->id];
            else if (syntax->kind == SYNTAX_ASSIGN)
                set = object_binding(describer, syntax->children[0]);
            if (set)
                *set = (struct binding){.origin = origin_text(describer, whole),
                                        .place = whole->place};
            set_told(describer, syntax);
        } else if (syntax->kind != SYNTAX_CAST)
            take_note(describer, syntax);
        return true;
    }
    case SYNTAX_JUMP:
        if (describer->is_passing || !strcmp(syntax->name, "switch")) {
            if (is_within(describer, syntax))
                describer_fail(describer, syntax->place,
                               "switch around what is described: how often each case runs is not "
                               "known; write it with if");
            return true;
        }
        return jump_outside(describer, syntax);
    case SYNTAX_RETURN:
        if (syntax->count > 0 && !describer->is_passing)
            outside_calls(describer, syntax->children[0]);
        if (describer->entered > 0 || describer->is_driving)
            describer->has_returned = !describer->has_failed && !describer->is_passing;
        return true;
    default:
        return true;
    }
}

static bool calls(const struct source *source, const struct syntax *syntax,
                  const struct function *function)
{
    const struct function *called;
    for (int i = 0;
         syntax->kind == SYNTAX_CALL && (called = function_maybe_called(source, syntax, i)); i++)
        if (called == function)
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
static bool does_something(const struct describer *describer, const struct syntax *body, int deep)
{
    if (has_loop(body) || messages_within(body) > 0)
        return true;
    const struct function *function;
    for (int i = 0; body->kind == SYNTAX_CALL && deep < CALLS_DEEP &&
                    (function = function_maybe_called(describer->source, body, i));
         i++)
        if (function->file >= 0 && does_something(describer, function->body, deep + 1))
            return true;
    for (int i = 0; i < body->count; i++)
        if (body->children[i] && does_something(describer, body->children[i], deep))
            return true;
    return false;
}

static bool is_main(const struct function *function)
{
    return !strcmp(function->name, "main");
}

/* Whether the function is gone through from its beginning, and not from where it is called. */
static bool is_begun(struct describer *describer, const struct function *function, bool is_marked)
{
    const struct source *source = describer->source;
    if (function->file < 0 || (is_marked ? !segment_in_function(describer, function)
                                         : !does_something(describer, function->body, 0)))
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
    describer->function = describer->origin = function;
    arguments_take(describer, function);
    arguments_fix_extents(describer, function);
    if (directive || !is_marked)
        segment_of_function(describer, function, directive);
    else
        execute(describer, function->body);
    describer->has_returned = false;
}

static const struct function *main_of(const struct source *source)
{
    for (int i = 0; i < source->function_count; i++)
        if (is_main(source->functions[i]) && source->functions[i]->file >= 0)
            return source->functions[i];
    return NULL;
}

/* Goes through main, which has no segment of its own, for what it calls, and how often. */
static void drive_main(struct describer *describer, const struct function *function)
{
    describer->function = describer->origin = function;
    describer->is_driving = true;
    const bool is_whole = !describer->is_marked && has_own_messages(describer, function->body);
    if (!is_whole && describes(describer, function->body, 0))
        execute(describer, function->body);
    describer->is_driving = false;
    if (is_whole) {
        note_reached(describer, function);
        note_all_reached(describer, function->body, 0);
        begin_function(describer, function, false);
    }
    describer->has_returned = false;
    describer->part = NULL;
    for (int i = 0; i < describer->arrays.count; i++) {
        struct array *array = describer->arrays.items[i];
        if (array->of_main)
            array_rename(&describer->arrays, array, array->of_main);
    }
}

static bool is_reached(const struct describer *describer, const struct function *function)
{
    for (int i = 0; i < describer->reached_count; i++)
        if (describer->reached[i] == function)
            return true;
    return false;
}

static void run_functions(struct describer *describer, bool is_marked)
{
    const struct source *source = describer->source;
    const struct function *driver = main_of(source);
    describer->is_marked = is_marked;
    describer->reached = arena_take(describer->arena, (size_t)source->function_count + 1,
                                    sizeof *describer->reached);
    if (driver && !(is_marked && segment_in_function(describer, driver)))
        drive_main(describer, driver);
    const int driven = describer->reached_count;
    int count = driven;
    if (driver && !is_marked && driven == 0 && !describer->has_failed &&
        has_own_work(describer, driver->body, false)) {
        note_reached(describer, driver); /* it calls nothing that is described */
        begin_function(describer, driver, false);
        count = describer->reached_count;
    }
    for (int i = 0; i < source->function_count && !describer->has_failed; i++) {
        const struct function *function = source->functions[i];
        const bool is_last = is_main(function) && !is_marked;
        if (is_reached(describer, function) || !is_begun(describer, function, is_marked) || is_last)
            continue;
        const bool is_pointed = driver && !is_marked && function_is_pointed(source, function);
        if (is_pointed && count == 0)
            describer_fail(describer, function->place,
                           "%s is handed on by its address, and how often it is called is not "
                           "known: say so: put #pragma forecost segment NAME repeat(N) before "
                           "what it does",
                           function->name);
        if ((driven > 0 || (driver && is_reached(describer, driver))) && !is_marked) {
            describer_remark(describer, function->place,
                             is_pointed ? "%s is handed on by its address, and no call of it is "
                                          "found: it is left out of the description"
                                        : "main does not call %s: it is left out of the "
                                          "description",
                             function->name);
            continue;
        }
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
