#include "describer/walk/evaluate.h"

#include "describer/walk/by_rank.h"
#include "describer/walk/colours.h"
#include "describer/walk/jumps.h"
#include "describer/walk/messages.h"

#include "model/base/number.h"

#include <math.h>
#include <string.h>

/* if (x > largest) largest = x: the larger of the two, one operation; else if (x < smallest)
   smallest = x: that, too, for the largest changes seldom. */
static bool is_extreme(struct describer *describer, const struct syntax *syntax, int condition)
{
    const struct syntax *way = syntax->children[1];
    while (way->kind == SYNTAX_BLOCK && way->count == 1)
        way = way->children[0];
    const struct syntax *other = syntax->count > 2 ? syntax->children[2] : NULL;
    while (other && other->kind == SYNTAX_BLOCK && other->count == 1)
        other = other->children[0];
    if ((other && other->kind != SYNTAX_IF) || way->kind != SYNTAX_ASSIGN ||
        way->operation != DO_NOTHING)
        return false;
    const struct node *node = &describer->graph.nodes[condition];
    if (node->kind != NODE_COMPARE)
        return false;
    const int left = node->operands[0], right = node->operands[1];
    const struct value old = evaluate_leniently(describer, way->children[0]);
    const struct value new = evaluate_leniently(describer, way->children[1]);
    if (old.kind != VALUE_NODE || new.kind != VALUE_NODE)
        return false;
    if (!(old.node == left && new.node == right) && !(old.node == right && new.node == left))
        return false;
    assign(describer, way->children[0],
           value_of_node(graph_binary(&describer->graph, describer_part(describer), NODE_EXTREME,
                                      old.node, new.node)),
           false);
    if (other)
        execute(describer, other);
    return true;
}

static bool is_same_value(struct describer *describer, const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == VALUE_INDEX)
        return polynomial_equal(&describer->algebra, a->index, b->index);
    if (a->kind == VALUE_NODE)
        return a->node == b->node;
    return a->kind != VALUE_ELEMENT ||
           (reference_equal(&describer->algebra, &a->reference, &b->reference) &&
            polynomial_equal(&describer->algebra, a->offset, b->offset));
}

/* What a way of a branch computes for a variable is computed there, as a condition is: no statement
   stores it. */
static void keep_in_way(struct describer *describer, int node, int first)
{
    struct node *made = &describer->graph.nodes[node];
    if (node >= first && (node_is_operation(made) || made->kind == NODE_LOAD))
        made->is_live_out = made->is_condition = true;
}

/* A variable behind a branch, whose first node is told: whichever way was taken. */
static struct value merged(struct describer *describer, const struct value *a,
                           const struct value *b, int condition, int first, const struct syntax *at)
{
    if (is_same_value(describer, a, b))
        return *a;
    if (a->kind == VALUE_NONE || b->kind == VALUE_NONE || a->kind == VALUE_UNKNOWN ||
        b->kind == VALUE_UNKNOWN || a->kind == VALUE_ELEMENT || b->kind == VALUE_ELEMENT ||
        a->kind == VALUE_OBJECT || b->kind == VALUE_OBJECT)
        return value_unknown("it depends on a condition");
    struct part *part = describer_part(describer);
    const int left = value_node(describer, *a, at), right = value_node(describer, *b, at);
    keep_in_way(describer, left, first);
    keep_in_way(describer, right, first);
    return value_of_node(graph_add(
        &describer->graph, part,
        (struct node){
            .kind = NODE_SELECT, .operand_count = 3, .operands = {condition, left, right}
    }));
}

/* An array that one way alone has met is its own all the same. */
static bool is_own_array(const struct value *value, int declaration)
{
    const struct array *array = value->kind == VALUE_ELEMENT ? value->reference.array : NULL;
    return array && array->declaration && array->declaration->id == declaration &&
           value->reference.count == 0 && value->offset->count == 0;
}

static void merge(struct describer *describer, const struct snapshot *first, int condition,
                  int first_node, const struct syntax *at)
{
    const int count = describer->source->declaration_count + describer->member_count;
    for (int i = 0; i < count; i++) {
        struct binding *binding = &describer->bindings[i];
        const struct binding *other = snapshot_binding(first, i);
        if (other->assigned.line > binding->assigned.line) {
            binding->assigned = other->assigned;
            binding->home = other->home;
            binding->reduction = other->reduction;
        }
        if (other->value.kind == VALUE_NONE && is_own_array(&binding->value, i))
            continue;
        if (binding->value.kind == VALUE_NONE && is_own_array(&other->value, i))
            binding->value = other->value;
        else
            binding->value =
                merged(describer, &other->value, &binding->value, condition, first_node, at);
    }
}

static const char *complement(struct describer *describer, const char *probability)
{
    char text[NUMBER_TEXT];
    double value;
    return number_parse(probability, &value)
               ? arena_format(describer->arena, "%s", number_print(1 - value, text))
               : arena_format(describer->arena, "1 - (%s)", probability);
}

static void take_way(struct describer *describer, const struct syntax *way, const char *probability)
{
    describer_enter(describer, OUTLINE_WAY)->probability = probability;
    describer->jumping.ways++;
    if (way)
        execute(describer, way);
    describer->jumping.ways--;
    if (describer->jumping.jump == JUMP_CONTINUE)
        describer->jumping.jump = JUMP_NONE; /* nothing follows the branch */
    if (describer->has_returned) {
        describer->has_returned = false;
        describer_fail(describer, way->place,
                       "return under a condition on data: where the program goes is not followed");
    }
    if (!describer_is_stopped(describer))
        describer_leave(describer);
}

/* Both ways, each as often as is told. */
static void take_both(struct describer *describer, const struct syntax *syntax, int condition,
                      const char *probability, const char *others)
{
    describer->graph.nodes[condition].is_live_out = true;
    describer->graph.nodes[condition].is_condition = true;
    describer_enter(describer, OUTLINE_BRANCH);
    struct snapshot *before = snapshot_take(describer);
    const int first_node = describer->graph.count;
    take_way(describer, syntax->children[1], probability);
    struct snapshot *first = snapshot_take(describer);
    for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++)
        describer->bindings[i] = *snapshot_binding(before, i);
    if (!describer_is_stopped(describer) && syntax->count > 2)
        take_way(describer, syntax->children[2], others);
    if (!describer_is_stopped(describer)) {
        describer_leave(describer);
        merge(describer, first, condition, first_node, syntax);
    }
    snapshot_free(first);
    snapshot_free(before);
}

/* v == 3, v != 3, v < 3, 3 > v, v, !v: what a condition asks of a variable. */
static bool asks_variable(const struct syntax *condition, const struct declaration **of,
                          enum operation *operation, double *with)
{
    while (condition->kind == SYNTAX_CAST && condition->count == 1)
        condition = condition->children[0];
    const bool is_not = condition->kind == SYNTAX_UNARY && condition->operation == DO_NOT;
    const struct syntax *name = is_not ? condition->children[0] : condition;
    *operation = is_not ? DO_EQUAL : DO_UNEQUAL;
    *with = 0;
    if (condition->kind == SYNTAX_BINARY && condition->operation >= DO_LESS &&
        condition->operation <= DO_UNEQUAL) {
        const bool is_turned = condition->children[0]->kind == SYNTAX_INTEGER;
        const struct syntax *number = condition->children[is_turned ? 0 : 1];
        name = condition->children[is_turned ? 1 : 0];
        if (number->kind != SYNTAX_INTEGER)
            return false;
        *with = number->number;
        *operation = is_turned ? condition_turned(condition->operation) : condition->operation;
    }
    while (name->kind == SYNTAX_CAST && name->count == 1)
        name = name->children[0];
    *of = name->kind == SYNTAX_NAME ? name->declaration : NULL;
    return *of;
}

static bool holds_of(double value, enum operation operation, double with)
{
    switch (operation) {
    case DO_LESS:
        return value < with;
    case DO_GREATER:
        return value > with;
    case DO_LESS_EQUAL:
        return value <= with;
    case DO_GREATER_EQUAL:
        return value >= with;
    case DO_EQUAL:
        return value == with;
    default:
        return value != with;
    }
}

/* Whether the second of two `if` without `else` asks of a process what it never is where the first
   one holds. */
static bool excludes(struct describer *describer, const struct syntax *first,
                     const struct syntax *second)
{
    const struct declaration *of, *other;
    enum operation operation, its;
    double with, its_with;
    struct assigned_list list = {.count = 0};
    if (second->kind != SYNTAX_IF || first->count != 2 ||
        !asks_variable(first->children[0], &of, &operation, &with) ||
        !asks_variable(second->children[0], &other, &its, &its_with) || of != other)
        return false;
    const struct binding *binding = &describer->bindings[of->id];
    const struct value *value = &binding->value;
    if (value->kind != VALUE_INDEX || value->index->count != 1 ||
        value->index->terms[0].degree != 1 || value->index->terms[0].symbols[0] != describer->rank)
        return false;
    for (int i = -1; i <= 1; i++)
        if ((holds_of(with + i, operation, with) && holds_of(with + i, its, its_with)) ||
            (holds_of(its_with + i, operation, with) && holds_of(its_with + i, its, its_with)))
            return false;
    assigned_in(describer, first->children[1], &list);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].binding == binding)
            return false;
    for (int i = 0; i < describer->directives.count; i++) {
        const struct directive *directive = &describer->directives.items[i];
        if (directive->file == first->file && directive->begin > first->begin &&
            directive->begin < second->begin)
            return false; /* of what it says, both are to be met */
    }
    return true;
}

const struct syntax *branch_with_next(struct describer *describer, const struct syntax *block,
                                      int *at)
{
    const struct syntax *first = block->children[*at];
    if (first->kind != SYNTAX_IF || *at + 1 >= block->count ||
        !excludes(describer, first, block->children[*at + 1]))
        return first;
    struct syntax *both = arena_take(describer->arena, 1, sizeof *both);
    ++*at;
    *both = *first;
    both->count = 3;
    both->children = arena_take(describer->arena, 3, sizeof(struct syntax *));
    both->children[0] = first->children[0];
    both->children[1] = first->children[1];
    both->children[2] = (struct syntax *)branch_with_next(describer, block, at);
    return both;
}

static bool is_call_of(const struct syntax *syntax, const char *name)
{
    return syntax->kind == SYNTAX_CALL && !strcmp(syntax->name, name);
}

/* How surely a statement gives up: 2, it ends the program or returns a negative number; 1, it
   returns; 0, it goes on. */
static int gives_up(const struct syntax *syntax)
{
    if (is_call_of(syntax, "exit") || is_call_of(syntax, "abort") ||
        is_call_of(syntax, "MPI_Abort"))
        return 2;
    int most = 0;
    if (syntax->kind == SYNTAX_RETURN) {
        const struct syntax *value = syntax->count > 0 ? syntax->children[0] : NULL;
        most = value && value->kind == SYNTAX_UNARY && value->operation == DO_MINUS ? 2 : 1;
    }
    for (int i = 0; i < syntax->count; i++) {
        const int its = syntax->children[i] ? gives_up(syntax->children[i]) : 0;
        most = its > most ? its : most;
    }
    return most;
}

int branch_gives_up(const struct syntax *syntax, int way)
{
    return way < syntax->count ? gives_up(syntax->children[way]) : 0;
}

/* Where a parameter decides that nobody gave a value, a program is taken to go on: not into the way
   that tells its user of wrong arguments, or that there is no neighbour. */
int branch_going_on(const struct syntax *syntax, int way)
{
    const int other = 3 - way;
    return branch_gives_up(syntax, other) < branch_gives_up(syntax, way) ? other : way;
}

bool branch_leave_on_data(struct describer *describer, const struct syntax *syntax,
                          const struct value *data)
{
    const int leaving = describer->jumping.is_within ? jump_leaving_way(describer, syntax) : 0;
    const bool leaves = leaving > 0;
    if (leaving == 0)
        return false;
    if (data) {
        struct node *node =
            &describer->graph.nodes[value_node(describer, *data, syntax->children[0])];
        node->is_live_out = node->is_condition = true;
    }
    describer->jumping.breaks_on_data = describer->jumping.breaks_on_data || leaves;
    const bool is_left = leaves && describer->jumping.is_last && describer->jumping.ways == 0;
    const int way = is_left ? leaving : 3 - leaving;
    if (way < syntax->count)
        execute(describer, syntax->children[way]);
    return true;
}

/* Whether a statement ends the program whenever it runs: by itself, or in a function that it calls.
 */
static bool ends_program(struct describer *describer, const struct syntax *syntax, int depth)
{
    enum { DEPTH_MOST = 4 };
    if (is_call_of(syntax, "exit") || is_call_of(syntax, "_exit") || is_call_of(syntax, "abort") ||
        is_call_of(syntax, "MPI_Abort"))
        return true;
    if (syntax->kind == SYNTAX_RETURN && depth == 0)
        return describer->entered == 0 && !strcmp(describer->function->name, "main");
    const struct function *function = syntax->kind == SYNTAX_CALL && depth < DEPTH_MOST
                                          ? function_called(describer->source, syntax)
                                          : NULL;
    if (function && ends_program(describer, function->body, depth + 1))
        return true;
    for (int i = 0; i < syntax->count && syntax->kind == SYNTAX_BLOCK; i++)
        if (ends_program(describer, syntax->children[i], depth))
            return true;
    return false;
}

/* Whether a statement does nothing but output: calls that are no part of the description, with
   arguments that change nothing. */
static bool is_output(struct describer *describer, const struct syntax *syntax)
{
    if (!syntax)
        return true;
    if (syntax->kind == SYNTAX_ASSIGN || syntax->kind == SYNTAX_DECLARE ||
        syntax->kind == SYNTAX_RETURN || syntax->kind == SYNTAX_JUMP ||
        syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT)
        return false;
    if (syntax->kind == SYNTAX_CALL &&
        (function_called(describer->source, syntax) || !call_is_passed(syntax->name)))
        return false;
    const int first = syntax->kind == SYNTAX_FOR ? 3 : 0; /* what a loop's head sets is its own */
    for (int i = first; i < syntax->count; i++)
        if (!is_output(describer, syntax->children[i]))
            return false;
    return true;
}

/* A condition that decides whether the program gives up, or writes something: it runs, and then the
   way that goes on. Returns whether it is one. */
static bool take_usual_way(struct describer *describer, const struct syntax *syntax, int condition)
{
    const struct syntax *first = syntax->children[1];
    const struct syntax *second = syntax->count > 2 ? syntax->children[2] : NULL;
    const bool first_ends = ends_program(describer, first, 0);
    const bool second_ends = second && ends_program(describer, second, 0);
    const bool writes = is_output(describer, first) && is_output(describer, second);
    if (first_ends == second_ends && !writes)
        return false;
    describer->graph.nodes[condition].is_live_out = true;
    describer->graph.nodes[condition].is_condition = true;
    if (first_ends && second)
        execute(describer, second);
    else if (second_ends)
        execute(describer, first);
    return true;
}

/* Whether one of its ways leaves the loop around. */
static bool branch_leaves(struct describer *describer, const struct syntax *syntax)
{
    return describer->jumping.is_within && jump_leaving_way(describer, syntax) > 0;
}

/* A condition on a remainder of indices: it holds for as many iterations as can be counted. Returns
   whether it is one. */
static bool take_colours(struct describer *describer, const struct syntax *syntax)
{
    struct colour *colour = arena_take(describer->arena, 1, sizeof *colour);
    const struct colour *around = describer->colour;
    const struct without *before_without = describer->without;
    bool is_other;
    const enum truth truth = colour_read(describer, syntax->children[0], colour, &is_other);
    if (truth == IS_UNDECIDED || branch_leaves(describer, syntax))
        return false;
    if (truth != IS_DATA) {
        const int way = truth == IS_TRUE ? 1 : 2;
        if (way < syntax->count)
            execute(describer, syntax->children[way]);
        return true;
    }
    struct directive *told = directive_before(&describer->directives, WORD_PROBABILITY, syntax);
    const char *probability = told ? directive_clause(told, "probability") : NULL;
    if (told)
        told->is_used = true;
    colour_remark(describer, colour, syntax->place);
    const char *share = colour_share(describer, colour), *others = complement(describer, share);
    const struct without without = colour_without(describer, colour);
    describer_enter(describer, OUTLINE_BRANCH);
    const int first_node = describer->graph.count;
    struct snapshot *before = snapshot_take(describer), *first = NULL;
    for (int way = 1; way < 3 && !describer_is_stopped(describer); way++) {
        const bool is_colour = (way == 1) != is_other;
        if (way >= syntax->count)
            break;
        /* Of two colours the others are one colour, too. */
        struct colour *other = arena_take(describer->arena, 1, sizeof *other);
        *other = *colour;
        other->value = polynomial_plus(&describer->algebra, colour->value, 1);
        describer->colour = is_colour ? colour : colour->modulus == 2 ? other : NULL;
        describer->without = is_colour ? before_without : &without;
        take_way(describer, syntax->children[way],
                 way == 1 && probability ? probability
                 : probability           ? complement(describer, probability)
                 : is_colour             ? share
                                         : others);
        describer->colour = around;
        describer->without = before_without;
        if (way == 1) {
            first = snapshot_take(describer);
            for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++)
                describer->bindings[i] = *snapshot_binding(before, i);
        }
    }
    if (!describer_is_stopped(describer)) {
        describer_leave(describer);
        merge(describer, first, graph_constant(&describer->graph, describer_part(describer), 1),
              first_node, syntax);
    }
    if (first)
        snapshot_free(first);
    snapshot_free(before);
    return true;
}

/* d->west != MPI_PROC_NULL: which process it is, is no parameter. */
static bool names_mpi(const struct syntax *syntax)
{
    if (syntax->name && !strncmp(syntax->name, "MPI_", 4))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && names_mpi(syntax->children[i]))
            return true;
    return false;
}

/* Whether no more than whether the program goes on, or what it writes, is decided. */
static bool gives_up_or_writes(struct describer *describer, const struct syntax *syntax)
{
    return (branch_gives_up(syntax, 1) > 0) != (branch_gives_up(syntax, 2) > 0) ||
           (is_output(describer, syntax->children[1]) &&
            is_output(describer, syntax->count > 2 ? syntax->children[2] : NULL));
}

/* Who goes which way is found by the processes' own ways, or refused (ranks/settle.c). */
static void take_way_unknown(struct describer *describer, const struct syntax *syntax)
{
    by_rank_take(describer, syntax, &(struct asked){.rank = true, .part = true}, 1);
}

/* Both ways of a condition that asks whose turn an iteration is. false: it is another one. */
static bool take_turn(struct describer *describer, const struct syntax *syntax,
                      const struct asked *asked)
{
    const char *alone, *once = turn_share(describer, asked, &alone);
    struct directive *told = directive_before(&describer->directives, WORD_PROBABILITY, syntax);
    if (told) {
        told->is_used = true;
        once = directive_clause(told, "probability");
        once = asked->meets_where_holds ? once : complement(describer, once);
    }
    if (!once && asked->is_periodic && !describer->is_noting)
        describer_remark(describer, syntax->place,
                         "in how many iterations this condition holds for one process is not "
                         "followed: it is described as if one process did this in all of them: "
                         "#pragma forecost probability(1 / p) says how often");
    if (!once)
        return false;
    const char *others = complement(describer, once);
    const int turn = asked->meets_where_holds ? 1 : 2;
    take_both(describer, syntax, graph_constant(&describer->graph, describer_part(describer), 1),
              turn == 1 ? once : others, turn == 1 ? others : once);
    if (describer_is_stopped(describer))
        return true;
    struct outline *branch = describer->body->children[describer->body->count - 1];
    for (int way = 1; way <= branch->count && !told && branch->kind == OUTLINE_BRANCH; way++) {
        branch->children[way - 1]->turn = syntax;
        branch->children[way - 1]->turn_way = way;
        branch->children[way - 1]->alone = way == turn ? alone : "1";
    }
    return true;
}

void execute_branch(struct describer *describer, const struct syntax *syntax)
{
    struct value data = {0};
    const bool has_messages = messages_reached(describer, syntax, 0);
    if (!has_messages && take_colours(describer, syntax))
        return;
    describer->asked = (struct asked){.may_be_stretch = !has_messages,
                                      .is_long = by_rank_is_long(describer, syntax)};
    struct error kept, *error = describer->error;
    if (has_messages)
        describer->error = &kept;
    const enum truth truth = condition_holds(describer, syntax->children[0], &data);
    describer->error = error;
    if (describer->has_failed && has_messages) {
        describer->has_failed = false;
        take_way_unknown(describer, syntax);
        return;
    }
    if (!gives_up_or_writes(describer, syntax))
        condition_decides(describer);
    if (describer_is_stopped(describer))
        return;
    if (truth == IS_TRUE || truth == IS_FALSE) {
        const struct asked asked = describer->asked;
        const int told = truth == IS_TRUE ? 1 : 2;
        /* a program that gives up with some numbers of processes is described with the others */
        const bool is_open = asked.untold || asked.processors;
        const int way = is_open && !asked.rank ? branch_going_on(syntax, told) : told;
        /* What the program reads decides: somebody has to tell it. */
        if (asked.decides && !asked.rank && branch_gives_up(syntax, 3 - way) == 0 &&
            messages_within(syntax) == 0 && !describer->is_noting &&
            !names_mpi(syntax->children[0]) &&
            !(is_output(describer, syntax->children[1]) &&
              is_output(describer, syntax->count > 2 ? syntax->children[2] : NULL)))
            polynomial_use(asked.decides);
        if (asked.rank && asked.turn_count > 0 && !has_messages &&
            take_turn(describer, syntax, &asked))
            return;
        if (asked.rank && asked.is_periodic && has_messages)
            take_way_unknown(describer, syntax);
        else if (asked.rank)
            by_rank_take(describer, syntax, &asked, way);
        else if (way < syntax->count)
            execute(describer, syntax->children[way]);
        return;
    }
    if (describer->is_found && has_messages && truth == IS_UNDECIDED) {
        take_way_unknown(describer, syntax);
        return;
    }
    if (branch_leave_on_data(describer, syntax, truth == IS_DATA ? &data : NULL))
        return;
    struct directive *told = directive_before(&describer->directives, WORD_PROBABILITY, syntax);
    const char *probability = told ? directive_clause(told, "probability") : NULL;
    const int condition = truth == IS_DATA
                              ? value_node(describer, data, syntax->children[0])
                              : graph_constant(&describer->graph, describer_part(describer), 1);
    if (!probability && truth == IS_DATA && is_extreme(describer, syntax, condition))
        return;
    if (!probability && take_usual_way(describer, syntax, condition))
        return;
    if (!probability && has_messages) {
        take_way_unknown(describer, syntax);
        return;
    }
    if (!probability) {
        describer_fail(describer, syntax->place, "%s",
                       truth == IS_DATA
                           ? "how often does this condition hold? Say so before it: #pragma "
                             "forecost probability(0.5)"
                       : describer->asked.unknown
                           ? arena_format(describer->arena,
                                          "what this condition compares is not known here, for %s: "
                                          "say how often it holds: #pragma forecost "
                                          "probability(0.5)",
                                          describer->asked.unknown)
                           : "a condition on indices at which the loop cannot be split; say how "
                             "often it holds: #pragma forecost probability(0.5)");
        return;
    }
    told->is_used = true;
    take_both(describer, syntax, condition, probability, complement(describer, probability));
}
