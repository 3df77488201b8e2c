#include "describer/walk/colours.h"

#include <math.h>

static bool is_integer(const struct syntax *at)
{
    return !at->type || at->type->kind == TYPE_INTEGER || at->type->kind == TYPE_OTHER ||
           at->type->kind == TYPE_VOID;
}

static struct value pointer_moved(struct describer *describer, enum operation operation,
                                  struct value a, struct value b, const struct syntax *at)
{
    if (a.kind != VALUE_ELEMENT) {
        const struct value turned = a;
        a = b;
        b = turned;
    }
    if (b.kind == VALUE_UNKNOWN)
        return b;
    const bool moves = operation == DO_ADD || operation == DO_SUBTRACT;
    if (b.kind != VALUE_INDEX || !moves || a.is_place) {
        describer_fail(describer, at->place,
                       "arithmetic with two pointers, or with a distance that is not affine; "
                       "write subscripts of arrays instead");
        return value_unknown(NULL);
    }
    a.offset =
        polynomial_sum(&describer->algebra, a.offset, b.index, operation == DO_SUBTRACT ? -1 : 1);
    return a;
}

/* Whether every term can be divided by the number. */
static bool is_multiple(polynomial a, double divisor)
{
    for (int i = 0; i < a->count; i++)
        if (fmod(a->terms[i].factor, divisor) != 0)
            return false;
    return true;
}

/* Sums and products in parentheses. */
static const char *operand(struct describer *describer, polynomial a, const char *text)
{
    const bool is_simple = a->count == 1 && (a->terms[0].degree == 0 ||
                                             (a->terms[0].degree == 1 && a->terms[0].factor == 1));
    return is_simple ? text : arena_format(describer->arena, "(%s)", text);
}

/* What a processor divides by which it is: rank * n / p is rank times what n / p is. A quotient of
   anything else that depends on the processor gets a name of its own. */
static struct value rank_divided(struct describer *describer, polynomial a, polynomial b,
                                 bool is_rest)
{
    struct algebra *algebra = &describer->algebra;
    polynomial factor = polynomial_coefficient(algebra, a, describer->rank);
    polynomial rest = polynomial_rest(algebra, a, describer->rank);
    double each_rank, divisor;
    /* rank / (p / 2) is 0 of many processes, but not of all. */
    const bool is_rounded =
        polynomial_is_constant(factor, &each_rank) &&
        (polynomial_is_constant(b, &divisor)
             ? !is_multiple(factor, divisor)
             : fabs(each_rank) <= 1 || fabs(each_rank) < fabs(polynomial_value(b)));
    if (is_rest || is_rounded || polynomial_has_rank(b) || polynomial_has_rank(factor) ||
        polynomial_has_rank(rest)) {
        struct symbol *symbol = symbol_derived(
            &describer->symbols, "of_rank",
            arena_format(describer->arena, "%s %c %s", polynomial_text(algebra, a, ""),
                         is_rest ? '%' : '/', polynomial_text(algebra, b, "")),
            1);
        symbol->kind = SYMBOL_RANK;
        symbol->dividend = a;
        symbol->divisor = b;
        symbol->is_quotient = !is_rest;
        return value_of_index(polynomial_symbol(algebra, symbol));
    }
    const struct value each = value_divided(describer, factor, b, false);
    const struct value base = value_divided(describer, rest, b, false);
    if (each.kind != VALUE_INDEX || base.kind != VALUE_INDEX)
        return each.kind == VALUE_INDEX ? base : each;
    polynomial part =
        polynomial_product(algebra, each.index, polynomial_symbol(algebra, describer->rank));
    return value_of_index(polynomial_sum(algebra, part, base.index, 1));
}

/* (i + 1) % n, where the index leaves one period at most once: there the loop is split. */
struct value value_split(struct describer *describer, polynomial a, polynomial b, bool is_rest)
{
    struct algebra *algebra = &describer->algebra;
    const struct value unknown = turn_value(describer, a, is_rest ? NULL : b, is_rest ? b : NULL);
    if (!polynomial_has_index(a))
        return value_divided(describer, a, b, is_rest);
    if (polynomial_has_index(b) || !polynomial_is_affine(a) || polynomial_has_rank(a) ||
        polynomial_has_rank(b))
        return value_unknown(unknown.text);
    const double period = polynomial_value(b);
    if (polynomial_value(extreme_of(describer, a, false)) <= -period)
        return unknown;
    /* with fewer processes it may leave more than one */
    const int of_processors = describer->asked.of_processors_count;
    describer->asked.of_processors_count = 0;
    const enum truth is_once = condition_compare(describer, DO_LESS, extreme_of(describer, a, true),
                                                 polynomial_scaled(algebra, b, 2));
    condition_decides(describer);
    describer->asked.of_processors_count = of_processors;
    if (is_once != IS_TRUE)
        return unknown;
    describer->asked.of_processors_count = 0;
    const enum truth is_first = condition_compare(describer, DO_LESS, a, b);
    condition_decides(describer);
    describer->asked.of_processors_count = of_processors;
    if (is_first != IS_TRUE && is_first != IS_FALSE)
        return value_unknown(unknown.text);
    const double periods = is_first == IS_TRUE ? 0 : 1;
    return value_of_index(is_rest ? polynomial_sum(algebra, a, b, -periods)
                                  : polynomial_constant(algebra, periods));
}

/* A part of which the number of processes says how long it is stays whole as long as it can. */
static struct value index_divided(struct describer *describer, polynomial a, polynomial b,
                                  bool is_rest)
{
    struct algebra *algebra = &describer->algebra;
    double beyond;
    if (!condition_is_of_processors(describer, b) || polynomial_has_index(b) ||
        !polynomial_is_affine(a) || polynomial_has_rank(b))
        return value_split(describer, a, b, is_rest);
    if (polynomial_has_rank(a))
        return turn_value(describer, a, is_rest ? NULL : b, is_rest ? b : NULL);
    polynomial over = polynomial_sum(algebra, extreme_of(describer, a, true), b, -1);
    if (polynomial_is_constant(over, &beyond) && beyond < 0)
        return value_split(describer, a, b, is_rest);
    return turn_value(describer, a, is_rest ? NULL : b, is_rest ? b : NULL);
}

struct value value_divided(struct describer *describer, polynomial a, polynomial b, bool is_rest)
{
    struct algebra *algebra = &describer->algebra;
    double dividend, divisor;
    if (a->count == 0)
        return value_of_index(a);
    if (polynomial_is_constant(b, &divisor) && divisor != 0) {
        if (polynomial_is_constant(a, &dividend))
            return value_of_index(polynomial_constant(
                algebra, is_rest ? fmod(dividend, divisor) : trunc(dividend / divisor)));
        if (is_multiple(a, divisor))
            return value_of_index(is_rest ? polynomial_constant(algebra, 0)
                                          : polynomial_scaled(algebra, a, 1 / divisor));
    }
    if (is_rest && (polynomial_has_rank(a) || polynomial_has_rank(b)))
        return rank_divided(describer, a, b, true);
    if (polynomial_has_index(a) || polynomial_has_index(b))
        return index_divided(describer, a, b, is_rest);
    if (polynomial_has_rank(a) || polynomial_has_rank(b))
        return rank_divided(describer, a, b, is_rest);
    const double x = polynomial_value(a), y = polynomial_value(b);
    const char *left = polynomial_text(algebra, a, " "), *right = polynomial_text(algebra, b, " ");
    const char *definition =
        is_rest ? arena_format(describer->arena, "mod(%s, %s)", left, right)
                : arena_format(describer->arena, "floor(%s / %s)", operand(describer, a, left),
                               operand(describer, b, right));
    polynomial_use(a);
    polynomial_use(b);
    return value_of_index(
        polynomial_symbol(algebra, symbol_derived(&describer->symbols, NULL, definition,
                                                  y == 0    ? 0
                                                  : is_rest ? fmod(x, y)
                                                            : floor(x / y))));
}

/* x << k, x >> k: products with, and quotients by, 2^k. */
static struct value shifted(struct describer *describer, enum operation operation, polynomial a,
                            polynomial b)
{
    double places;
    if (!polynomial_is_constant(b, &places) || places < 0 || places > 40)
        return value_unknown("it is shifted by a number of places that is not constant");
    const double factor = exp2(places);
    if (operation == DO_SHIFT_LEFT)
        return value_of_index(polynomial_scaled(&describer->algebra, a, factor));
    return value_divided(describer, a, polynomial_constant(&describer->algebra, factor), false);
}

static struct value whole_arithmetic(struct describer *describer, enum operation operation,
                                     polynomial a, polynomial b, const struct syntax *at)
{
    struct algebra *algebra = &describer->algebra;
    double x, y;
    switch (operation) {
    case DO_ADD:
        return value_of_index(polynomial_sum(algebra, a, b, 1));
    case DO_SUBTRACT:
        return value_of_index(polynomial_sum(algebra, a, b, -1));
    case DO_MULTIPLY:
        return value_of_index(polynomial_product(algebra, a, b));
    case DO_DIVIDE:
    case DO_REMAINDER:
        return value_divided(describer, a, b, operation == DO_REMAINDER);
    case DO_SHIFT_LEFT:
    case DO_SHIFT_RIGHT:
        return shifted(describer, operation, a, b);
    case DO_BITS_AND:
    case DO_BITS_OR:
    case DO_BITS_XOR:
        if (!polynomial_is_constant(a, &x) || !polynomial_is_constant(b, &y))
            return value_unknown("a bit operation");
        return value_of_index(polynomial_constant(
            algebra, (double)(operation == DO_BITS_AND  ? (long long)x & (long long)y
                              : operation == DO_BITS_OR ? (long long)x | (long long)y
                                                        : (long long)x ^ (long long)y)));
    default:
        (void)at;
        return value_unknown("it is made of comparisons");
    }
}

/* Operations on data, and what they are as nodes. */
static const struct {
    enum operation operation;
    enum node_kind kind;
} on_data[] = {
    {DO_ADD,           NODE_ADD     },
    {DO_SUBTRACT,      NODE_SUBTRACT},
    {DO_MULTIPLY,      NODE_MULTIPLY},
    {DO_DIVIDE,        NODE_DIVIDE  },
    {DO_LESS,          NODE_COMPARE },
    {DO_GREATER,       NODE_COMPARE },
    {DO_LESS_EQUAL,    NODE_COMPARE },
    {DO_GREATER_EQUAL, NODE_COMPARE },
    {DO_EQUAL,         NODE_COMPARE },
    {DO_UNEQUAL,       NODE_COMPARE },
};

static struct value data_arithmetic(struct describer *describer, enum operation operation,
                                    struct value a, struct value b, const struct syntax *at)
{
    struct part *part = describer_part(describer);
    for (size_t i = 0; i < sizeof on_data / sizeof *on_data; i++)
        if (on_data[i].operation == operation) {
            const int left = value_node(describer, a, at), right = value_node(describer, b, at);
            return value_of_node(
                graph_binary(&describer->graph, part, on_data[i].kind, left, right));
        }
    if (operation == DO_AND || operation == DO_OR) { /* the left one, or the right one if it asks */
        if (a.kind != VALUE_NODE || b.kind != VALUE_NODE)
            return a.kind == VALUE_NODE ? a : b;
        return value_of_node(graph_add(
            &describer->graph, part,
            (struct node){
                .kind = NODE_SELECT, .operand_count = 3, .operands = {a.node, b.node, a.node}
        }));
    }
    describer_fail(describer, at->place,
                   "%s on what is computed is not counted: "
                   "`ignore` the statement, or call a function with a `cost`",
                   operation == DO_REMAINDER ? "a remainder" : "a bit operation");
    return value_unknown(NULL);
}

bool value_is_of_scalars(const struct describer *describer, const struct value *value)
{
    const struct node *node =
        value->kind == VALUE_NODE ? &describer->graph.nodes[value->node] : NULL;
    return node ? node->kind == NODE_CONSTANT || node->kind == NODE_SAME || node->kind == NODE_CARRY
                : value->kind == VALUE_INDEX || value->kind == VALUE_UNKNOWN;
}

struct value value_arithmetic(struct describer *describer, enum operation operation, struct value a,
                              struct value b, const struct syntax *at)
{
    if (operation == DO_REMAINDER && a.kind == VALUE_UNKNOWN && a.turn && a.turn->width &&
        !a.turn->period && b.kind == VALUE_INDEX)
        return turn_value(describer, a.turn->dividend, a.turn->width, b.index);
    a = turn_settled(describer, a);
    b = turn_settled(describer, b);
    if (describer_is_stopped(describer))
        return value_unknown(NULL);
    if (a.kind == VALUE_ELEMENT || b.kind == VALUE_ELEMENT)
        return pointer_moved(describer, operation, a, b, at);
    if (a.kind == VALUE_INDEX && b.kind == VALUE_INDEX && is_integer(at))
        return whole_arithmetic(describer, operation, a.index, b.index, at);
    /* The walk through the program of each process finds such values, a partner for example
       (ranks/). */
    if (describer->is_found && is_integer(at) && value_is_of_scalars(describer, &a) &&
        value_is_of_scalars(describer, &b))
        return value_unknown("it changes in a loop of which nobody knows how often it runs");
    const bool is_unknown = a.kind == VALUE_UNKNOWN || b.kind == VALUE_UNKNOWN;
    /* what is read of elements is read whatever the other one is */
    if (is_unknown && is_integer(at) && value_is_of_scalars(describer, &a) &&
        value_is_of_scalars(describer, &b))
        return a.kind == VALUE_UNKNOWN ? a : b;
    return data_arithmetic(describer, operation, a, b, at);
}

struct value value_negated(struct describer *describer, struct value value, const struct syntax *at)
{
    if (value.kind == VALUE_INDEX)
        return value_of_index(polynomial_scaled(&describer->algebra, value.index, -1));
    if (value.kind == VALUE_UNKNOWN && is_integer(at))
        return value;
    return value_of_node(graph_unary(&describer->graph, describer_part(describer), NODE_NEGATE,
                                     value_node(describer, value, at)));
}
