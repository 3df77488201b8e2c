#include "describer/walk/evaluate.h"

#include <math.h>
#include <string.h>

/* The index among those in it whose loop is the innermost. */
static struct symbol *innermost_index(polynomial a)
{
    struct symbol *found = NULL;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < a->terms[i].degree; j++) {
            struct symbol *symbol = a->terms[i].symbols[j];
            if (symbol->kind == SYMBOL_INDEX && symbol->loop &&
                (!found || symbol->loop->depth > found->loop->depth))
                found = symbol;
        }
    return found;
}

polynomial extreme_of(struct describer *describer, polynomial a, bool is_largest)
{
    struct algebra *algebra = &describer->algebra;
    for (int i = 0; i < 32; i++) {
        const struct symbol *index = innermost_index(a);
        if (!index)
            return a;
        polynomial speed = polynomial_coefficient(algebra, a, index);
        const bool at_last = (polynomial_value(speed) > 0) == is_largest;
        polynomial there = at_last ? index->loop->last : index->loop->first;
        a = polynomial_sum(algebra, polynomial_rest(algebra, a, index),
                           polynomial_product(algebra, speed, there), 1);
    }
    return a;
}

/* floor(a / b) for whole b > 0, as an index. */
static polynomial floor_divided(struct describer *describer, polynomial a, polynomial b)
{
    const struct value value = value_divided(describer, a, b, false);
    return value.kind == VALUE_INDEX ? value.index : NULL;
}

static enum truth is_positive(struct describer *describer, polynomial a);

/* Wants the loop of the innermost index of a split where the sign of a changes. Where that lies
   outside the loop for some iterations of the loops around it, one of these is split first. */
static enum truth want_split(struct describer *describer, polynomial a)
{
    struct algebra *algebra = &describer->algebra;
    const struct symbol *index = innermost_index(a);
    /* by how much an iteration changes it: a number, or a parameter such as a block's size */
    polynomial by = index ? polynomial_coefficient(algebra, a, index) : NULL;
    const double speed = by && !polynomial_has_index(by) ? polynomial_value(by) : 0;
    if (speed == 0 || speed != floor(speed))
        return IS_UNDECIDED;
    polynomial rest = polynomial_rest(algebra, a, index);
    if (speed < 0) /* holds up to rest / -speed */
        rest = floor_divided(describer, rest, polynomial_scaled(algebra, by, -1));
    else /* holds from ceil(-rest / speed) on */
        rest = floor_divided(describer, rest, by);
    if (!rest)
        return IS_UNDECIDED;
    const struct loop *loop = index->loop;
    polynomial at =
        speed < 0 ? polynomial_plus(algebra, rest, 1) : polynomial_scaled(algebra, rest, -1);
    const enum truth begins = is_positive(describer, polynomial_sum(algebra, at, loop->first, -1));
    if (begins != IS_TRUE)
        return begins == IS_UNDECIDED ? IS_UNDECIDED : speed > 0 ? IS_TRUE : IS_FALSE;
    const enum truth ends = is_positive(
        describer, polynomial_plus(algebra, polynomial_sum(algebra, loop->last, at, -1), 1));
    if (ends != IS_TRUE)
        return ends == IS_UNDECIDED ? IS_UNDECIDED : speed > 0 ? IS_FALSE : IS_TRUE;
    describer->split.loop = loop;
    describer->split.at = at;
    return IS_UNDECIDED;
}

/* Whether a >= 0 for all iterations, for none, or for some. */
static enum truth is_positive(struct describer *describer, polynomial a)
{
    if (!polynomial_is_affine(a))
        return IS_UNDECIDED;
    if (polynomial_value(extreme_of(describer, a, false)) >= 0)
        return IS_TRUE;
    if (polynomial_value(extreme_of(describer, a, true)) < 0)
        return IS_FALSE;
    return want_split(describer, a);
}

static enum truth negated(enum truth truth)
{
    return truth == IS_TRUE ? IS_FALSE : truth == IS_FALSE ? IS_TRUE : truth;
}

static void note_asked(struct describer *describer, enum operation operation, polynomial gap)
{
    struct asked *asked = &describer->asked;
    double divisor;
    asked->rank = true;
    asked->order = asked->order || (operation != DO_EQUAL && operation != DO_UNEQUAL);
    for (int i = 0; i < gap->count; i++)
        for (int j = 0; j < gap->terms[i].degree; j++) {
            const struct symbol *symbol = gap->terms[i].symbols[j];
            if (symbol->kind != SYMBOL_RANK)
                continue;
            if (symbol->divisor && polynomial_is_constant(symbol->divisor, &divisor) &&
                divisor == 2)
                asked->alternates = true;
            else if (symbol != describer->rank || gap->terms[i].degree > 1 ||
                     fabs(gap->terms[i].factor) != 1)
                asked->part = asked->part || !symbol->is_shift;
        }
}

/* Parameters that nothing gives a value: what is taken for one decides. */
static void note_untold(struct asked *asked, polynomial gap, bool is_equality)
{
    bool counts = false, others = asked->untold && !asked->arguments;
    for (int i = 0; i < gap->count; i++)
        for (int j = 0; j < gap->terms[i].degree; j++) {
            const struct symbol *symbol = gap->terms[i].symbols[j];
            if (symbol->kind != SYMBOL_PARAMETER || symbol->has_value)
                continue;
            counts = counts || symbol->counts_arguments;
            if (symbol->origin || (is_equality && !symbol->counts_arguments))
                asked->decides = gap;
            others = others || !symbol->counts_arguments;
        }
    asked->untold = asked->untold || counts || others;
    asked->arguments = asked->untold && !others;
}

enum truth condition_compare(struct describer *describer, enum operation operation, polynomial a,
                             polynomial b)
{
    struct algebra *algebra = &describer->algebra;
    polynomial gap = polynomial_sum(algebra, a, b, -1);
    note_untold(&describer->asked, gap, operation == DO_EQUAL || operation == DO_UNEQUAL);
    describer->asked.processors =
        describer->asked.processors || polynomial_has(gap, describer->processors);
    if (polynomial_has_rank(gap)) {
        note_asked(describer, operation, gap);
        if (operation == DO_EQUAL || operation == DO_UNEQUAL)
            return operation == DO_UNEQUAL ? IS_TRUE : IS_FALSE;
    }
    switch (operation) {
    case DO_GREATER_EQUAL:
        return is_positive(describer, gap);
    case DO_GREATER:
        return is_positive(describer, polynomial_plus(algebra, gap, -1));
    case DO_LESS:
        return negated(is_positive(describer, gap));
    case DO_LESS_EQUAL:
        return negated(is_positive(describer, polynomial_plus(algebra, gap, -1)));
    default:
        break;
    }
    enum truth truth = is_positive(describer, gap);
    if (truth == IS_TRUE)
        truth = is_positive(describer, polynomial_scaled(algebra, gap, -1));
    return operation == DO_EQUAL ? truth : negated(truth);
}

/* a && b, a || b: decided where one of them decides; data where that is left. */
static enum truth both(struct describer *describer, const struct syntax *condition,
                       struct value *data)
{
    const enum truth deciding = condition->operation == DO_AND ? IS_FALSE : IS_TRUE;
    const enum truth first = condition_holds(describer, condition->children[0], data);
    if (first == deciding || (first == IS_UNDECIDED && describer_is_stopped(describer)))
        return first;
    struct value other = {0};
    const enum truth second = condition_holds(describer, condition->children[1], &other);
    if (second == deciding || first == negated(deciding))
        *data = other;
    if (second == deciding || first == negated(deciding))
        return second;
    if (second == negated(deciding))
        return first;
    return first == IS_DATA && second == IS_DATA ? IS_DATA : IS_UNDECIDED;
}

static enum truth compared(struct describer *describer, const struct syntax *condition,
                           struct value *data)
{
    const struct value a = evaluate(describer, condition->children[0]);
    const struct value b = evaluate(describer, condition->children[1]);
    if (describer_is_stopped(describer))
        return IS_UNDECIDED;
    if (a.kind == VALUE_INDEX && b.kind == VALUE_INDEX)
        return condition_compare(describer, condition->operation, a.index, b.index);
    if (a.kind == VALUE_UNKNOWN || b.kind == VALUE_UNKNOWN) {
        const char *why = a.kind == VALUE_UNKNOWN ? a.text : b.text;
        describer->asked.unknown = why ? why : "it is not followed";
        return IS_UNDECIDED;
    }
    if (a.kind == VALUE_ELEMENT || a.kind == VALUE_OBJECT || b.kind == VALUE_ELEMENT ||
        b.kind == VALUE_OBJECT)
        return condition->operation == DO_UNEQUAL ? IS_TRUE : IS_FALSE; /* with NULL */
    *data = value_arithmetic(describer, condition->operation, a, b, condition);
    return IS_DATA;
}

/* A value as a condition: whether it is not 0. */
static enum truth tested(struct describer *describer, const struct syntax *condition,
                         struct value *data)
{
    *data = evaluate(describer, condition);
    if (describer_is_stopped(describer) || data->kind == VALUE_UNKNOWN)
        return IS_UNDECIDED;
    if (data->kind == VALUE_INDEX)
        return condition_compare(describer, DO_UNEQUAL, data->index,
                                 polynomial_constant(&describer->algebra, 0));
    return data->kind == VALUE_ELEMENT || data->kind == VALUE_OBJECT ? IS_TRUE : IS_DATA;
}

enum truth condition_holds(struct describer *describer, const struct syntax *condition,
                           struct value *data)
{
    if (condition->kind == SYNTAX_UNARY && condition->operation == DO_NOT)
        return negated(condition_holds(describer, condition->children[0], data));
    if (condition->kind != SYNTAX_BINARY)
        return tested(describer, condition, data);
    if (condition->operation == DO_AND || condition->operation == DO_OR)
        return both(describer, condition, data);
    return condition->operation >= DO_LESS && condition->operation <= DO_UNEQUAL
               ? compared(describer, condition, data)
               : tested(describer, condition, data);
}
