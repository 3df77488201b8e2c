#include "describer/walk/colours.h"
#include "describer/walk/messages.h"

#include "model/base/expression.h"

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

/* What it is where the symbol has that value; NULL: where that is 0. */
static polynomial with_value(struct algebra *algebra, polynomial a, const struct symbol *symbol,
                             polynomial value)
{
    while (polynomial_has(a, symbol)) {
        polynomial times = polynomial_coefficient(algebra, a, symbol);
        a = polynomial_rest(algebra, a, symbol);
        if (value)
            a = polynomial_sum(algebra, a, polynomial_product(algebra, times, value), 1);
    }
    return a;
}

/* The largest remainder or quotient that a process has; NULL: not known. */
static polynomial largest_part(struct describer *describer, const struct symbol *symbol)
{
    if (!symbol->divisor || polynomial_has_rank(symbol->divisor))
        return NULL;
    if (!symbol->is_quotient)
        return polynomial_plus(&describer->algebra, symbol->divisor, -1);
    const struct value most = value_divided(
        describer, extreme_of_rank(describer, symbol->dividend, true), symbol->divisor, false);
    return most.kind == VALUE_INDEX ? most.index : NULL;
}

polynomial extreme_of_rank(struct describer *describer, polynomial a, bool is_last)
{
    struct algebra *algebra = &describer->algebra;
    const struct processes *processes = &describer->way.processes;
    polynomial last =
        polynomial_plus(algebra, polynomial_symbol(algebra, describer->processors), -1);
    if (processes->last)
        last = processes->last;
    for (int i = 0; polynomial_has_rank(a) && i < a->count; i++)
        for (int j = 0; j < a->terms[i].degree; j++) {
            const struct symbol *symbol = a->terms[i].symbols[j];
            if (symbol->kind != SYMBOL_RANK)
                continue;
            a = with_value(algebra, a, symbol,
                           symbol != describer->rank
                               ? (is_last ? largest_part(describer, symbol) : NULL)
                           : is_last ? last
                                     : processes->first);
            i = -1;
            break;
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
            if (symbol->divisor && !symbol->is_quotient &&
                polynomial_is_constant(symbol->divisor, &divisor) && divisor == 2)
                asked->alternates = true;
            else if (symbol != describer->rank || gap->terms[i].degree > 1 ||
                     fabs(gap->terms[i].factor) != 1)
                asked->part = asked->part || !symbol->is_shift;
        }
}

/* Of which processes rank OPERATION at holds. */
static struct processes processes_that(struct describer *describer, enum operation operation,
                                       polynomial at)
{
    struct algebra *algebra = &describer->algebra;
    polynomial after =
        polynomial_sum(algebra, polynomial_symbol(algebra, describer->processors), at, -1);
    double first, left;
    switch (operation) {
    case DO_EQUAL:
        return (struct processes){at, at};
    case DO_LESS:
        return (struct processes){NULL, polynomial_plus(algebra, at, -1)};
    case DO_LESS_EQUAL:
        return (struct processes){NULL, at};
    case DO_GREATER:
        return (struct processes){polynomial_plus(algebra, at, 1), NULL};
    case DO_GREATER_EQUAL:
        return (struct processes){at, NULL};
    default:
        if (polynomial_is_constant(at, &first) && first == 0)
            return (struct processes){polynomial_constant(algebra, 1), NULL};
        if (polynomial_is_constant(after, &left) && left == 1)
            return (struct processes){NULL, polynomial_plus(algebra, at, -1)};
        return (struct processes){0};
    }
}

enum operation condition_turned(enum operation operation)
{
    static const enum operation turned[] = {[DO_LESS] = DO_GREATER,
                                            [DO_GREATER] = DO_LESS,
                                            [DO_LESS_EQUAL] = DO_GREATER_EQUAL,
                                            [DO_GREATER_EQUAL] = DO_LESS_EQUAL,
                                            [DO_EQUAL] = DO_EQUAL,
                                            [DO_UNEQUAL] = DO_UNEQUAL};
    return turned[operation];
}

/* rank - at OPERATION 0, or at - rank OPERATION 0. */
static void note_processes(struct describer *describer, enum operation operation, polynomial gap)
{
    static const enum operation inverse[] = {
        [DO_LESS] = DO_GREATER_EQUAL, [DO_GREATER] = DO_LESS_EQUAL, [DO_LESS_EQUAL] = DO_GREATER,
        [DO_GREATER_EQUAL] = DO_LESS, [DO_EQUAL] = DO_UNEQUAL,      [DO_UNEQUAL] = DO_EQUAL};
    struct algebra *algebra = &describer->algebra;
    struct asked *asked = &describer->asked;
    polynomial rest = polynomial_rest(algebra, gap, describer->rank);
    double times;
    asked->holds = asked->fails = (struct processes){0};
    if (asked->comparisons++ > 0 || polynomial_has_rank(rest) ||
        !polynomial_is_constant(polynomial_coefficient(algebra, gap, describer->rank), &times) ||
        fabs(times) != 1)
        return;
    const struct symbol *index = innermost_index(rest);
    if (index) {
        const bool is_one =
            polynomial_is_constant(polynomial_coefficient(algebra, rest, index), &times) &&
            fabs(times) == 1;
        if (is_one && (operation == DO_EQUAL || operation == DO_UNEQUAL))
            turn_note(asked, turn_value(describer, rest, NULL, NULL).turn, operation == DO_EQUAL);
        return;
    }
    if (times < 0)
        operation = condition_turned(operation);
    polynomial at = polynomial_scaled(algebra, rest, -times);
    asked->holds = processes_that(describer, operation, at);
    asked->fails = processes_that(describer, inverse[operation], at);
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

/* ---- what the number of processes decides ---- */

/* Whether the number of processes is in it, by itself or in what is derived from it. */
bool condition_is_of_processors(const struct describer *describer, polynomial a)
{
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < a->terms[i].degree; j++) {
            const struct symbol *symbol = a->terms[i].symbols[j];
            if (symbol == describer->processors ||
                (symbol->kind == SYMBOL_DERIVED && symbol->is_of_processors))
                return true;
        }
    return false;
}

/* Whether GAP OPERATION 0 holds in all iterations (1), in none (0), or in some (-1). */
static int holds_now(struct describer *describer, enum operation operation, polynomial gap)
{
    const double least = polynomial_value(extreme_of(describer, gap, false));
    const double most = polynomial_value(extreme_of(describer, gap, true));
    switch (operation) {
    case DO_LESS:
        return most < 0 ? 1 : least >= 0 ? 0 : -1;
    case DO_LESS_EQUAL:
        return most <= 0 ? 1 : least > 0 ? 0 : -1;
    case DO_GREATER:
        return least > 0 ? 1 : most <= 0 ? 0 : -1;
    case DO_GREATER_EQUAL:
        return least >= 0 ? 1 : most < 0 ? 0 : -1;
    default: {
        const int is_equal = least == 0 && most == 0 ? 1 : least > 0 || most < 0 ? 0 : -1;
        return is_equal < 0 || operation == DO_EQUAL ? is_equal : !is_equal;
    }
    }
}

static void note_comparison(struct asked *asked, struct describer *describer,
                            enum operation operation, polynomial gap)
{
    if (asked->of_processors_count < COMPARISONS_MOST && !polynomial_has_rank(gap) &&
        polynomial_is_affine(gap))
        asked->of_processors[asked->of_processors_count++] = (struct comparison){
            operation, gap, holds_now(describer, operation, gap), describer->here};
}

void condition_decides(struct describer *describer)
{
    const struct asked *asked = &describer->asked;
    for (int i = 0; i < asked->of_processors_count; i++) {
        const struct comparison *comparison = &asked->of_processors[i];
        bool is_known = false;
        for (int k = 0; k < describer->decision_count && !is_known; k++) {
            const struct comparison *other = &describer->decisions[k];
            is_known = other->operation == comparison->operation &&
                       other->place.line == comparison->place.line &&
                       polynomial_equal(&describer->algebra, other->gap, comparison->gap);
        }
        if (is_known)
            continue;
        describer->decisions =
            arena_more(describer->arena, describer->decisions, (size_t)describer->decision_count,
                       sizeof *describer->decisions);
        describer->decisions[describer->decision_count++] = *comparison;
    }
}

void condition_set_processors(struct describer *describer, double processors)
{
    const struct symbols *symbols = &describer->symbols;
    struct scope *scope = scope_new();
    struct error error;
    describer->processors->value = processors;
    for (int i = 0; i < symbols->count; i++) {
        struct symbol *symbol = symbols->items[i];
        if (symbol->kind == SYMBOL_DERIVED && symbol->is_of_processors) {
            struct expression *expression =
                expression_read(symbol->definition, symbol->place, &error);
            double value;
            if (expression &&
                expression_value(expression, scope, symbol->place, &value, &error) == 0)
                symbol->value = value;
            expression_free(expression);
        }
        if (symbol->kind != SYMBOL_INDEX && symbol->kind != SYMBOL_RANK)
            scope_set(scope, symbol->name, symbol->value, symbol->place, &error);
    }
    scope_free(scope);
}

static bool differs_now(struct describer *describer, const struct comparison *decision)
{
    return holds_now(describer, decision->operation, decision->gap) != decision->holds;
}

bool condition_differs(struct describer *describer, int processors)
{
    const double now = describer->processors->value;
    bool differs = describer->domain && !describer->domain(processors);
    if (processors == now)
        return false;
    condition_set_processors(describer, processors);
    for (int i = 0; i < describer->decision_count && !differs; i++)
        differs = differs_now(describer, &describer->decisions[i]);
    condition_set_processors(describer, now);
    return differs;
}

enum { PROCESSES_MOST = 1024 };

/* "1 to 6", "32 and more", "1, 3, 5 and so on". */
static const char *numbers_text(struct arena *arena, const bool *has)
{
    enum { PARTS_MOST = 3 };
    const char *text = "";
    int parts = 0;
    for (int p = 1; p <= PROCESSES_MOST; p++) {
        int last = p;
        if (!has[p])
            continue;
        if (parts++ == PARTS_MOST)
            return arena_format(arena, "%s and so on", text);
        while (last < PROCESSES_MOST && has[last + 1])
            last++;
        const char *part = last == PROCESSES_MOST ? arena_format(arena, "%d and more", p)
                           : last > p             ? arena_format(arena, "%d to %d", p, last)
                                                  : arena_format(arena, "%d", p);
        text = arena_format(arena, "%s%s%s", text, *text ? ", " : "", part);
        p = last;
    }
    return text;
}

/* One for all decisions of a line: a loop that ends where one says so makes some. */
void condition_remark(struct describer *describer)
{
    const double now = describer->processors->value;
    const int count = describer->decision_count;
    bool *differs =
        arena_take(describer->arena, (size_t)(count + 1) * (PROCESSES_MOST + 1), sizeof *differs);
    for (int p = 1; p <= PROCESSES_MOST && count > 0; p++) {
        condition_set_processors(describer, p);
        for (int i = 0; i < count; i++) {
            int first = 0;
            while (describer->decisions[first].place.line != describer->decisions[i].place.line)
                first++;
            differs[first * (PROCESSES_MOST + 1) + p] |=
                differs_now(describer, &describer->decisions[i]);
        }
    }
    condition_set_processors(describer, now);
    for (int i = 0; i < count; i++) {
        const char *numbers = numbers_text(describer->arena, &differs[i * (PROCESSES_MOST + 1)]);
        if (*numbers)
            describer_remark(describer, describer->decisions[i].place,
                             "this condition is taken as with %g processes: with %s it is "
                             "otherwise: %s",
                             now, numbers,
                             describer->wanted > 0
                                 ? "for the number that is asked for it cannot be described"
                                 : "-p P describes the program as it is with P");
    }
}

enum truth condition_compare(struct describer *describer, enum operation operation, polynomial a,
                             polynomial b)
{
    struct algebra *algebra = &describer->algebra;
    polynomial gap = polynomial_sum(algebra, a, b, -1);
    note_untold(&describer->asked, gap, operation == DO_EQUAL || operation == DO_UNEQUAL);
    if (condition_is_of_processors(describer, gap)) {
        describer->asked.processors = true;
        note_comparison(&describer->asked, describer, operation, gap);
    }
    if (polynomial_has_rank(gap)) {
        note_asked(describer, operation, gap);
        note_processes(describer, operation, gap);
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

/* What is not asked where the one before it decides for the process that is looked at: others may
   come to it. */
static enum truth aside(struct describer *describer, const struct syntax *condition)
{
    struct error kept, *error = describer->error;
    struct value data = {0};
    const struct position position = describer_position(describer);
    describer->error = &kept;
    enum truth truth = condition_holds(describer, condition, &data);
    describer->error = error;
    if (describer->has_failed || describer->split.loop) {
        describer_go_back(describer, &position);
        truth = IS_UNDECIDED;
    }
    describer->has_failed = false;
    describer->split.loop = NULL;
    return truth;
}

/* What is 0 or more where the comparison holds; NULL: it is none of order, or not of indices. */
static polynomial surplus_of(struct describer *describer, const struct syntax *condition)
{
    struct algebra *algebra = &describer->algebra;
    const enum operation operation = condition->operation;
    if (condition->kind != SYNTAX_BINARY || operation < DO_LESS || operation > DO_GREATER_EQUAL)
        return NULL;
    const struct value a = evaluate_leniently(describer, condition->children[0]);
    const struct value b = evaluate_leniently(describer, condition->children[1]);
    if (a.kind != VALUE_INDEX || b.kind != VALUE_INDEX)
        return NULL;
    polynomial gap = polynomial_sum(algebra, a.index, b.index, -1);
    if (operation == DO_LESS || operation == DO_LESS_EQUAL)
        gap = polynomial_scaled(algebra, gap, -1);
    const bool is_open = operation == DO_LESS || operation == DO_GREATER;
    return polynomial_plus(algebra, gap, is_open ? -1 : 0);
}

/* first <= k && k < last, where both are the process's own: each process has a stretch of the
   iterations. */
static bool is_stretch(struct describer *describer, const struct syntax *condition)
{
    struct algebra *algebra = &describer->algebra;
    polynomial one = surplus_of(describer, condition->children[0]);
    polynomial other = surplus_of(describer, condition->children[1]);
    if (condition->operation != DO_AND || !one || !other || !polynomial_has_rank(one) ||
        !polynomial_has_rank(other))
        return false;
    polynomial width = polynomial_plus(algebra, polynomial_sum(algebra, one, other, 1), 1);
    const struct symbol *index = innermost_index(one);
    if (!index || polynomial_has_index(width))
        return false;
    /* where nobody waits, and little is done, the loop is split instead */
    if (!describer->asked.is_long && !messages_reached(describer, index->loop->syntax, 0))
        return false;
    polynomial least = extreme_of_rank(describer, width, false);
    polynomial most = extreme_of_rank(describer, width, true);
    width = polynomial_value(most) > polynomial_value(least) ? most : least;
    if (polynomial_has_rank(width))
        return false;
    polynomial position = polynomial_symbol(algebra, (struct symbol *)index);
    describer->asked.comparisons++;
    describer->asked.is_periodic = true;
    turn_note(&describer->asked, turn_value(describer, position, width, NULL).turn, true);
    return true;
}

/* a && b, a || b: decided where one of them decides; data where that is left. */
static enum truth both(struct describer *describer, const struct syntax *condition,
                       struct value *data)
{
    const enum truth deciding = condition->operation == DO_AND ? IS_FALSE : IS_TRUE;
    if (describer->asked.may_be_stretch && is_stretch(describer, condition))
        return IS_FALSE;
    const enum truth first = condition_holds(describer, condition->children[0], data);
    if (first == deciding && describer->asked.rank) {
        describer->asked.rank = false;
        const int turns = describer->asked.turn_count;
        const enum truth second = aside(describer, condition->children[1]);
        if (second != deciding && describer->asked.turn_count > turns)
            describer->asked.turn_count = 0; /* of the other processes */
        if (second != deciding || describer->asked.rank)
            describer->asked.rank = true;
        else /* whichever process it is */
            describer->asked.order = describer->asked.part = describer->asked.alternates = false;
        return first;
    }
    if (first == deciding || (first == IS_UNDECIDED && describer_is_stopped(describer)))
        return first;
    struct value other = {0};
    const enum truth second = condition_holds(describer, condition->children[1], &other);
    if (second == deciding && describer->asked.turn_count > 0 && first != negated(deciding)) {
        describer->asked.turn_count = 0; /* how often the first one holds nobody knows */
        describer->asked.rank = false;
        return first;
    }
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
    enum truth truth;
    struct value a = evaluate_turn(describer, condition->children[0]);
    struct value b = evaluate_turn(describer, condition->children[1]);
    if (describer_is_stopped(describer))
        return IS_UNDECIDED;
    if (turn_compared(describer, condition->operation, &a, &b, &truth))
        return truth;
    a = turn_settled(describer, a);
    b = turn_settled(describer, b);
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

bool condition_is_one(const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return (syntax->kind == SYNTAX_UNARY && syntax->operation == DO_NOT) ||
           (syntax->kind == SYNTAX_BINARY &&
            (syntax->operation == DO_AND || syntax->operation == DO_OR ||
             (syntax->operation >= DO_LESS && syntax->operation <= DO_UNEQUAL)));
}

bool condition_names_another(struct describer *describer, const struct syntax *syntax)
{
    bool names = false;
    if (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_MEMBER) {
        const struct binding *binding = object_binding(describer, syntax);
        return binding && binding->is_by_process;
    }
    for (int i = 0; i < syntax->count && !names; i++)
        names = syntax->children[i] && condition_names_another(describer, syntax->children[i]);
    return names;
}

/* A value as a condition: whether it is not 0. */
static enum truth tested(struct describer *describer, const struct syntax *condition,
                         struct value *data)
{
    *data = evaluate(describer, condition);
    if (describer_is_stopped(describer))
        return IS_UNDECIDED;
    while (condition->kind == SYNTAX_CAST && condition->count == 1)
        condition = condition->children[0];
    const bool is_named = condition->kind == SYNTAX_NAME || condition->kind == SYNTAX_MEMBER;
    struct binding *binding = is_named ? object_binding(describer, condition) : NULL;
    if (binding && binding->is_by_process) {
        /* The condition says which processes it holds for. One that names its own variable cannot
           be asked: what that was before is gone. */
        const struct syntax *set = binding->condition;
        const struct asked asked = describer->asked;
        struct value data_set = {0};
        binding->condition = NULL;
        const enum truth truth = set ? condition_holds(describer, set, &data_set) : IS_UNDECIDED;
        binding->condition = set;
        if (set && describer->asked.rank && !describer->asked.unknown) {
            *data = data_set;
            return truth;
        }
        describer->asked = asked;
        describer->asked.unknown = "it differs from process to process, and was set elsewhere";
        return IS_UNDECIDED;
    }
    if (data->kind == VALUE_UNKNOWN) {
        describer->asked.unknown = data->text ? data->text : "it is not followed";
        return IS_UNDECIDED;
    }
    if (data->kind == VALUE_INDEX)
        return condition_compare(describer, DO_UNEQUAL, data->index,
                                 polynomial_constant(&describer->algebra, 0));
    return data->kind == VALUE_ELEMENT || data->kind == VALUE_OBJECT ? IS_TRUE : IS_DATA;
}

enum truth condition_holds(struct describer *describer, const struct syntax *condition,
                           struct value *data)
{
    if (condition->kind == SYNTAX_UNARY && condition->operation == DO_NOT) {
        const enum truth truth = condition_holds(describer, condition->children[0], data);
        struct asked *asked = &describer->asked;
        const struct processes holds = asked->holds;
        asked->holds = asked->fails;
        asked->fails = holds;
        asked->meets_where_holds = !asked->meets_where_holds;
        return negated(truth);
    }
    if (condition->kind != SYNTAX_BINARY)
        return tested(describer, condition, data);
    if (condition->operation == DO_AND || condition->operation == DO_OR)
        return both(describer, condition, data);
    return condition->operation >= DO_LESS && condition->operation <= DO_UNEQUAL
               ? compared(describer, condition, data)
               : tested(describer, condition, data);
}
