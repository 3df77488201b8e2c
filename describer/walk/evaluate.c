#include "describer/walk/evaluate.h"

#include "describer/state/source_text.h"
#include "describer/walk/by_rank.h"
#include "describer/walk/colours.h"
#include "describer/walk/messages.h"

#include <math.h>
#include <string.h>

struct value value_of_index(polynomial index)
{
    return (struct value){.kind = VALUE_INDEX, .index = index};
}

struct value value_of_node(int node)
{
    return (struct value){.kind = VALUE_NODE, .node = node};
}

struct value value_unknown(const char *why)
{
    return (struct value){.kind = VALUE_UNKNOWN, .text = why};
}

int value_node(struct describer *describer, struct value value, const struct syntax *at)
{
    struct part *part = describer_part(describer);
    double number;
    switch (value.kind) {
    case VALUE_NODE:
        return value.node;
    case VALUE_INDEX:
        if (polynomial_is_constant(value.index, &number))
            return graph_constant(&describer->graph, part, number);
        return graph_add(&describer->graph, part,
                         (struct node){.kind = NODE_SAME, .index = value.index});
    case VALUE_NONE:
    case VALUE_UNKNOWN:
        return graph_add(&describer->graph, part,
                         (struct node){.kind = NODE_SAME, .name = value.text ? value.text : "?"});
    default:
        describer_fail(describer, at->place, "a number was expected here, not a pointer or record");
        return graph_constant(&describer->graph, part, 0);
    }
}

/* Whether no loop that is gone through changes the value. */
static bool is_fixed(const struct graph *graph, int node)
{
    const struct node *at = &graph->nodes[node];
    if (at->kind == NODE_CARRY || at->kind == NODE_GATHER ||
        (at->kind == NODE_SAME && at->index && polynomial_has_index(at->index)))
        return false;
    for (int i = 0; i < at->reference.count && at->kind == NODE_LOAD; i++)
        if (polynomial_has_index(at->reference.subscripts[i]))
            return false;
    for (int i = 0; i < at->operand_count; i++)
        if (!is_fixed(graph, at->operands[i]))
            return false;
    return true;
}

/* A variable that the program computes from its data, and no loop changes, is a parameter whose
   value somebody has to tell; NULL: it is none. */
static polynomial parameter_of(struct describer *describer, const struct syntax *syntax,
                               const struct value *value)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    const bool is_variable = (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_MEMBER) &&
                             syntax->type && syntax->type->kind == TYPE_INTEGER;
    struct binding *binding = is_variable ? object_binding(describer, syntax) : NULL;
    const bool is_told =
        value->kind == VALUE_NODE ? is_fixed(&describer->graph, value->node) : !describer->loop;
    if (!binding || !is_told || describer->has_failed)
        return NULL;
    if (!binding->origin) {
        binding->origin = "is computed while the program runs";
        binding->place = syntax->place;
    }
    binding->value = unknown_parameter(describer, syntax->name, binding, syntax->place);
    return binding->value.index;
}

polynomial value_index(struct describer *describer, const struct syntax *syntax, const char *what)
{
    const struct value value = evaluate(describer, syntax);
    if (value.kind == VALUE_INDEX)
        return value.index;
    if (describer->split.loop)
        return polynomial_constant(&describer->algebra, 0);
    const char *why = value.kind == VALUE_UNKNOWN && value.text
                          ? value.text
                          : "it is an element of an array, or computed in floating point";
    polynomial parameter = parameter_of(describer, syntax, &value);
    if (parameter)
        return parameter;
    describer_fail(describer, syntax->place,
                   "cannot determine %s: %s; write it as sums of loop indices and products "
                   "with parameters",
                   what, why);
    return polynomial_constant(&describer->algebra, 0);
}

struct value evaluate_leniently(struct describer *describer, const struct syntax *syntax)
{
    struct error kept, *error = describer->error;
    if (describer->has_failed)
        return (struct value){0};
    const struct position position = describer_position(describer);
    describer->error = &kept;
    struct value value = evaluate(describer, syntax);
    describer->error = error;
    if (describer->has_failed || describer->split.loop) {
        value = (struct value){0};
        describer_go_back(describer, &position);
    }
    describer->has_failed = false;
    describer->split.loop = NULL;
    return value;
}

static struct value evaluate_number(struct describer *describer, const struct syntax *syntax)
{
    if (syntax->kind == SYNTAX_FLOATING)
        return value_of_node(
            graph_constant(&describer->graph, describer_part(describer), syntax->number));
    polynomial bytes = datatype_named(describer, syntax->name);
    if (bytes)
        return value_of_index(bytes);
    if (syntax->name)
        return named_number(describer, syntax->name, syntax->number, syntax->place);
    return value_of_index(polynomial_constant(&describer->algebra, syntax->number));
}

/* ++ and -- within an expression: the variable's value before or after. */
static struct value evaluate_step(struct describer *describer, const struct syntax *syntax)
{
    const struct syntax *operand = syntax->children[0];
    const struct value before = evaluate(describer, operand);
    const double step = syntax->operation == DO_INCREMENT ? 1 : -1;
    const struct value after =
        value_arithmetic(describer, DO_ADD, before,
                         value_of_index(polynomial_constant(&describer->algebra, step)), syntax);
    if (!describer->has_failed)
        assign(describer, operand, after, false);
    return syntax->is_postfix ? before : after;
}

/* A pointer to numbers, or to rows of them. */
static bool is_array_pointer(const struct type *type)
{
    if (type->kind != TYPE_POINTER || !type->of)
        return false;
    for (type = type->of; type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;)
        type = type->of ? type->of : type;
    return type->kind == TYPE_FLOATING || type->kind == TYPE_INTEGER;
}

static struct value evaluate_address(struct describer *describer, const struct syntax *syntax)
{
    const struct syntax *of = syntax->children[0];
    while (of->kind == SYNTAX_CAST && of->count == 1)
        of = of->children[0];
    if (of->kind == SYNTAX_FUNCTION)
        return evaluate(describer, of);
    const bool is_number =
        of->type && (of->type->kind == TYPE_INTEGER || of->type->kind == TYPE_FLOATING ||
                     is_array_pointer(of->type));
    if (is_number && of->kind == SYNTAX_UNARY && of->operation == DO_FOLLOW)
        return evaluate(describer, of->children[0]);
    if (is_number && (of->kind == SYNTAX_NAME || of->kind == SYNTAX_MEMBER) &&
        object_binding(describer, of))
        return (struct value){.kind = VALUE_ADDRESS, .of = of};
    struct value value = place_of(describer, of);
    if (describer->has_failed || value.kind == VALUE_OBJECT)
        return value;
    if (value.kind != VALUE_ELEMENT || value.reference.count == 0) {
        describer_fail(describer, syntax->place,
                       "the address of a scalar: who changes it is not followed; return the value "
                       "instead, or use an array of one element");
        return value_unknown(NULL);
    }
    value.offset = value.reference.subscripts[--value.reference.count];
    value.type = syntax->type && syntax->type->of ? syntax->type->of : value.type;
    value.is_place = false;
    return value;
}

const struct syntax *variable_meant(struct describer *describer, const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    const struct syntax *of = pointed_variable(describer, syntax);
    return of ? of : syntax;
}

const struct syntax *pointed_variable(struct describer *describer, const struct syntax *syntax)
{
    const bool is_first = syntax->kind == SYNTAX_SUBSCRIPT &&
                          syntax->children[1]->kind == SYNTAX_INTEGER &&
                          syntax->children[1]->number == 0;
    if (!is_first && (syntax->kind != SYNTAX_UNARY || syntax->operation != DO_FOLLOW))
        return NULL;
    const struct syntax *pointer = variable_meant(describer, syntax->children[0]);
    if (pointer->kind == SYNTAX_UNARY && pointer->operation == DO_ADDRESS)
        return pointer->children[0];
    const struct binding *binding = pointer->kind == SYNTAX_NAME || pointer->kind == SYNTAX_MEMBER
                                        ? object_binding(describer, pointer)
                                        : NULL;
    return binding && binding->value.kind == VALUE_ADDRESS ? binding->value.of : NULL;
}

/* An element that is a scalar. */
static struct value element_value(struct describer *describer, const struct syntax *syntax)
{
    const char *name;
    struct binding *binding = element_binding(describer, syntax, &name);
    if (binding->value.kind == VALUE_NONE)
        binding->value = value_of_node(graph_add(&describer->graph, describer_part(describer),
                                                 (struct node){.kind = NODE_SAME, .name = name}));
    return binding->value;
}

/* A comparison as a number: 1 or 0, where no index is in it. */
static struct value comparison_value(struct describer *describer, enum operation operation,
                                     polynomial a, polynomial b)
{
    if (polynomial_has_index(a) || polynomial_has_index(b))
        return value_unknown("it is a comparison of indices");
    const int of_processors = describer->asked.of_processors_count;
    describer->asked.of_processors_count = 0;
    const enum truth truth = condition_compare(describer, operation, a, b);
    condition_decides(describer);
    describer->asked.of_processors_count = of_processors;
    return value_of_index(polynomial_constant(&describer->algebra, truth == IS_TRUE));
}

static struct value evaluate_unary(struct describer *describer, const struct syntax *syntax)
{
    struct value pointed;
    const struct syntax *of;
    switch (syntax->operation) {
    case DO_INCREMENT:
    case DO_DECREMENT:
        return evaluate_step(describer, syntax);
    case DO_ADDRESS:
        return evaluate_address(describer, syntax);
    case DO_FOLLOW:
        if (element_binding(describer, syntax, NULL))
            return element_value(describer, syntax);
        if (pointed_number(describer, syntax, &pointed))
            return pointed;
        of = pointed_variable(describer, syntax);
        return of ? evaluate(describer, of)
                  : place_load(describer, place_of(describer, syntax), syntax);
    case DO_PLUS:
        return evaluate(describer, syntax->children[0]);
    case DO_MINUS:
        return value_negated(describer, evaluate(describer, syntax->children[0]), syntax);
    case DO_NOT: {
        const struct value value = evaluate(describer, syntax->children[0]);
        return value.kind == VALUE_INDEX
                   ? comparison_value(describer, DO_EQUAL, value.index,
                                      polynomial_constant(&describer->algebra, 0))
                   : value;
    }
    default:
        describer_fail(describer, syntax->place,
                       "this operator is not counted; write it with + - * /, or `ignore` it");
        return value_unknown(NULL);
    }
}

static bool is_comparison(enum operation operation)
{
    return operation >= DO_LESS && operation <= DO_UNEQUAL;
}

static struct value evaluate_binary(struct describer *describer, const struct syntax *syntax)
{
    const struct value a = evaluate_turn(describer, syntax->children[0]);
    const struct value b = evaluate(describer, syntax->children[1]);
    if (syntax->operation == DO_COMMA || describer->has_failed)
        return b;
    if (is_comparison(syntax->operation) && a.kind == VALUE_INDEX && b.kind == VALUE_INDEX)
        return comparison_value(describer, syntax->operation, a.index, b.index);
    return value_arithmetic(describer, syntax->operation, a, b, syntax);
}

/* The larger or smaller of the two that are compared needs one operation, not two. */
static bool is_extreme(const struct describer *describer, int condition, int a, int b)
{
    const struct node *node = &describer->graph.nodes[condition];
    return node->kind == NODE_COMPARE && ((node->operands[0] == a && node->operands[1] == b) ||
                                          (node->operands[0] == b && node->operands[1] == a));
}

static struct value evaluate_choice(struct describer *describer, const struct syntax *syntax)
{
    struct value data = {0};
    const bool asked_rank = describer->asked.rank;
    const int of_processors = describer->asked.of_processors_count;
    const polynomial asked_decides = describer->asked.decides;
    describer->asked.rank = false;
    describer->asked.decides = NULL;
    describer->asked.comparisons = describer->asked.of_processors_count = 0;
    const enum truth truth = condition_holds(describer, syntax->children[0], &data);
    const bool is_by_rank = describer->asked.rank;
    const struct asked asked = describer->asked;
    condition_decides(describer);
    describer->asked.rank = asked_rank || is_by_rank;
    describer->asked.of_processors_count = of_processors;
    describer->asked.decides = asked_decides;
    if (truth == IS_TRUE || truth == IS_FALSE) {
        /* What the program reads decides: somebody has to tell it. */
        if (asked.decides && !is_by_rank && !describer->is_noting)
            polynomial_use(asked.decides);
        const int way = truth == IS_TRUE ? 1 : 2;
        const struct value told = evaluate(describer, syntax->children[way]);
        if (told.kind == VALUE_FUNCTION && is_by_rank)
            return value_unknown("which function it is depends on the process");
        return is_by_rank && told.kind == VALUE_INDEX && !describer_is_stopped(describer)
                   ? by_rank_larger(
                         describer, evaluate_leniently(describer, syntax->children[3 - way]),
                         way == 1 ? &asked.fails : &asked.holds, told, NULL, syntax->place)
                   : told;
    }
    if (describer_is_stopped(describer))
        return value_unknown(NULL);
    const struct value a = evaluate(describer, syntax->children[1]);
    const struct value b = evaluate(describer, syntax->children[2]);
    if (a.kind == VALUE_INDEX && b.kind == VALUE_INDEX &&
        polynomial_equal(&describer->algebra, a.index, b.index))
        return a;
    if (a.kind == VALUE_ELEMENT || b.kind == VALUE_ELEMENT || a.kind == VALUE_ADDRESS ||
        b.kind == VALUE_ADDRESS)
        return value_unknown("which array or variable is meant depends on a condition: write the "
                             "statements once for each of them, in the branches of an if, or "
                             "exchange pointers at the end of each iteration");
    const bool is_of_scalars =
        value_is_of_scalars(describer, &a) && value_is_of_scalars(describer, &b);
    if (a.kind == VALUE_FUNCTION || b.kind == VALUE_FUNCTION ||
        (truth == IS_UNDECIDED && is_of_scalars))
        return value_unknown("it depends on a condition");
    if (truth == IS_UNDECIDED && !describer->is_noting)
        describer_remark(describer, syntax->place,
                         "which of the two values is taken is not known here: both are counted");
    struct part *part = describer_part(describer);
    const int left = value_node(describer, a, syntax), right = value_node(describer, b, syntax);
    const int condition = truth == IS_UNDECIDED ? graph_constant(&describer->graph, part, 1)
                                                : value_node(describer, data, syntax);
    if (is_extreme(describer, condition, left, right))
        return value_of_node(graph_binary(&describer->graph, part, NODE_EXTREME, left, right));
    return value_of_node(graph_add(
        &describer->graph, part,
        (struct node){
            .kind = NODE_SELECT, .operand_count = 3, .operands = {condition, left, right}
    }));
}

/* A cast that gives a pointer another shape: the array is seen anew. */
static struct value evaluate_cast(struct describer *describer, const struct syntax *syntax)
{
    const struct type *type = syntax->type;
    if (syntax->children[0]->kind == SYNTAX_LIST && type && type->kind == TYPE_RECORD) {
        const char *literal =
            arena_format(describer->arena, "literal#%zu", arena_bytes(describer->arena));
        record_initialize(describer, literal, syntax->children[0]);
        return (struct value){.kind = VALUE_OBJECT, .text = literal, .type = type};
    }
    if (type && type->kind == TYPE_INTEGER) {
        const struct value whole = value_whole(describer, syntax->children[0]);
        if (whole.kind == VALUE_INDEX)
            return whole;
    }
    struct value value = evaluate_turn(describer, syntax->children[0]);
    double number;
    if (value.kind == VALUE_NODE && type && type->kind == TYPE_INTEGER &&
        describer->graph.nodes[value.node].kind == NODE_CONSTANT) {
        number = trunc(describer->graph.nodes[value.node].constant);
        return syntax->children[0]->kind == SYNTAX_FLOATING && syntax->children[0]->name
                   ? named_number(describer, syntax->children[0]->name, number, syntax->place)
                   : value_of_index(polynomial_constant(&describer->algebra, number));
    }
    if (value.kind != VALUE_ELEMENT || value.is_place || !type || type->kind != TYPE_POINTER ||
        !type->of || type->of->kind != TYPE_ARRAY || value.reference.count > 0 ||
        (value.type && value.type->kind == TYPE_ARRAY))
        return value;
    const char *path =
        arena_format(describer->arena, "%s as %s", value.reference.array->name, type->name);
    return object_value(describer, path, value.reference.array->name, type, NULL, syntax->place);
}

static struct value evaluate_assignment(struct describer *describer, const struct syntax *syntax)
{
    execute(describer, syntax);
    return describer->has_failed ? value_unknown(NULL) : evaluate(describer, syntax->children[0]);
}

const char *origin_text(struct describer *describer, const struct syntax *value)
{
    enum { ORIGIN_MOST = 60 };
    const char *text = "";
    if (value->file >= 0)
        text = source_text(describer, value->file, value->begin, value->end);
    const size_t length = strcspn(text, "\n");
    return *text ? arena_format(describer->arena, "is %.*s%s",
                                (int)(length > ORIGIN_MOST ? ORIGIN_MOST : length), text,
                                length > ORIGIN_MOST || text[length] ? " ..." : "")
                 : "is computed";
}

static struct value not_understood(struct describer *describer, const struct syntax *syntax)
{
    if (syntax->name && !strcmp(syntax->name, "StringLiteral"))
        return (struct value){0};
    describer_fail(describer, syntax->place,
                   "%s is not understood; write it with numbers, arrays and calls, or `ignore` it",
                   syntax->name && *syntax->name ? syntax->name : "this");
    return value_unknown(NULL);
}

struct value evaluate_turn(struct describer *describer, const struct syntax *syntax)
{
    const struct syntax *of;
    if (describer_is_stopped(describer))
        return value_unknown(NULL);
    switch (syntax->kind) {
    case SYNTAX_INTEGER:
    case SYNTAX_FLOATING:
        return evaluate_number(describer, syntax);
    case SYNTAX_NAME: {
        const struct value value = variable_value(describer, syntax->declaration, syntax->place);
        return value.kind == VALUE_FUNCTION ? function_of_variable(describer, syntax, value)
                                            : value;
    }
    case SYNTAX_MEMBER:
    case SYNTAX_SUBSCRIPT:
        if (element_binding(describer, syntax, NULL))
            return element_value(describer, syntax);
        of = pointed_variable(describer, syntax);
        return of ? evaluate(describer, of)
                  : place_load(describer, place_of(describer, syntax), syntax);
    case SYNTAX_UNARY:
        return evaluate_unary(describer, syntax);
    case SYNTAX_BINARY:
        return evaluate_binary(describer, syntax);
    case SYNTAX_ASSIGN:
        return evaluate_assignment(describer, syntax);
    case SYNTAX_CONDITIONAL:
        return syntax->count == 3 ? evaluate_choice(describer, syntax)
                                  : not_understood(describer, syntax);
    case SYNTAX_FUNCTION:
        return (struct value){.kind = VALUE_FUNCTION, .text = syntax->name};
    case SYNTAX_CALL:
        return call_value(describer, syntax);
    case SYNTAX_CAST:
        return syntax->count == 1 ? evaluate_cast(describer, syntax)
                                  : not_understood(describer, syntax);
    default:
        return not_understood(describer, syntax);
    }
}

struct value evaluate(struct describer *describer, const struct syntax *syntax)
{
    return turn_settled(describer, evaluate_turn(describer, syntax));
}
