#include "describer/walk/loop_head.h"

#include "describer/walk/colours.h"

#include <math.h>
#include <string.h>

static bool failed(struct describer *describer, const struct syntax *at, const char *text)
{
    describer_fail(describer, at->place, "%s", text);
    return false;
}

static const struct syntax *bare(const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return syntax;
}

/* i++, j += 2: each of its own. */
static void split_steps(const struct syntax *steps, struct loop_head *head)
{
    if (steps->kind == SYNTAX_BINARY && steps->operation == DO_COMMA) {
        split_steps(steps->children[0], head);
        split_steps(steps->children[1], head);
    } else if (head->step_count < 8)
        head->steps[head->step_count++] = steps;
}

static bool is_variable(const struct syntax *syntax)
{
    return (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_MEMBER) && syntax->type &&
           syntax->type->kind == TYPE_INTEGER &&
           !(syntax->declaration && syntax->declaration->is_enumerator);
}

/* ---- what says when the loop ends ---- */

/* A comparison of a variable, which the loop changes, with an end. */
struct test {
    const struct syntax *variable, *end; /* end NULL: it is 0 */
    const struct syntax *step;           /* ++ or -- on the variable in the comparison, or NULL */
    const struct syntax *added;          /* what is added to the variable there, or NULL */
    double added_sign;
    enum operation relation; /* variable RELATION end, while the loop goes on */
};

static enum operation turned(enum operation operation)
{
    switch (operation) {
    case DO_LESS:
        return DO_GREATER;
    case DO_GREATER:
        return DO_LESS;
    case DO_LESS_EQUAL:
        return DO_GREATER_EQUAL;
    case DO_GREATER_EQUAL:
        return DO_LESS_EQUAL;
    default:
        return operation;
    }
}

static enum operation inverse(enum operation operation)
{
    switch (operation) {
    case DO_LESS:
        return DO_GREATER_EQUAL;
    case DO_GREATER:
        return DO_LESS_EQUAL;
    case DO_LESS_EQUAL:
        return DO_GREATER;
    case DO_GREATER_EQUAL:
        return DO_LESS;
    case DO_EQUAL:
        return DO_UNEQUAL;
    default:
        return DO_EQUAL;
    }
}

static bool is_step(const struct syntax *syntax)
{
    return syntax->kind == SYNTAX_UNARY && syntax->count == 1 &&
           (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT);
}

/* i, i + 1, i - w, i--: the variable of one side of a comparison. */
static bool read_side(const struct syntax *side, struct test *test)
{
    side = bare(side);
    test->variable = test->step = test->added = NULL;
    test->added_sign = 1;
    if (is_step(side)) {
        test->step = side;
        test->variable = bare(side->children[0]);
    } else if (side->kind == SYNTAX_BINARY &&
               (side->operation == DO_ADD || side->operation == DO_SUBTRACT)) {
        test->variable = bare(side->children[0]);
        test->added = side->children[1];
        test->added_sign = side->operation == DO_SUBTRACT ? -1 : 1;
    } else
        test->variable = side;
    return is_variable(test->variable);
}

static bool is_in(const struct assigned_list *list, const struct binding *binding)
{
    for (int i = 0; binding && i < list->count; i++)
        if (list->items[i].binding == binding)
            return true;
    return false;
}

/* Reads a condition as such a comparison; false: it is none. */
static bool read_test(struct describer *describer, const struct syntax *condition,
                      const struct assigned_list *changed, struct test *test)
{
    bool is_negated = false;
    condition = bare(condition);
    while (condition->kind == SYNTAX_UNARY && condition->operation == DO_NOT) {
        is_negated = !is_negated;
        condition = bare(condition->children[0]);
    }
    const bool is_comparison = condition->kind == SYNTAX_BINARY &&
                               condition->operation >= DO_LESS &&
                               condition->operation <= DO_UNEQUAL;
    for (int side = 0; side < (is_comparison ? 2 : 1); side++) {
        if (!read_side(is_comparison ? condition->children[side] : condition, test) ||
            !is_in(changed, object_binding(describer, test->variable)))
            continue;
        test->end = is_comparison ? condition->children[1 - side] : NULL;
        test->relation = !is_comparison ? DO_UNEQUAL
                         : side == 0    ? condition->operation
                                        : turned(condition->operation);
        if (is_negated)
            test->relation = inverse(test->relation);
        return true;
    }
    return false;
}

static struct syntax *composed(struct describer *describer, const struct syntax *at,
                               enum syntax_kind kind, enum operation operation, int count,
                               const struct syntax *const *parts)
{
    struct syntax *syntax = arena_take(describer->arena, 1, sizeof *syntax);
    *syntax = *at;
    syntax->kind = kind;
    syntax->operation = operation;
    syntax->count = count;
    syntax->children = arena_take(describer->arena, (size_t)count + 1, sizeof(struct syntax *));
    for (int i = 0; i < count; i++) {
        syntax->children[i] = arena_take(describer->arena, 1, sizeof(struct syntax));
        *syntax->children[i] = *parts[i];
    }
    return syntax;
}

/* The end as one that the variable does not reach: j <= m is j < m + 1. */
static const struct syntax *open_end(struct describer *describer, const struct test *test)
{
    const bool is_up = test->relation == DO_LESS_EQUAL;
    if (test->relation == DO_LESS || test->relation == DO_GREATER)
        return test->end;
    struct syntax *one = composed(describer, test->end, SYNTAX_INTEGER, DO_NOTHING, 0, NULL);
    one->number = 1;
    one->name = NULL;
    return composed(describer, test->end, SYNTAX_BINARY, is_up ? DO_ADD : DO_SUBTRACT, 2,
                    (const struct syntax *const[]){test->end, one});
}

/* Two ends of the same variable, j < m && j <= i, are the nearer one of them; false: they are not
   both such. */
static bool join_ends(struct describer *describer, const struct syntax *condition,
                      struct test *test, const struct test *second)
{
    const bool is_up = test->relation == DO_LESS || test->relation == DO_LESS_EQUAL;
    const bool second_is_up = second->relation == DO_LESS || second->relation == DO_LESS_EQUAL;
    const bool is_down = test->relation == DO_GREATER || test->relation == DO_GREATER_EQUAL;
    const bool second_is_down =
        second->relation == DO_GREATER || second->relation == DO_GREATER_EQUAL;
    if (!((is_up && second_is_up) || (is_down && second_is_down)) || !test->end || !second->end ||
        test->step || second->step || test->added || second->added ||
        object_binding(describer, test->variable) != object_binding(describer, second->variable))
        return false;
    const struct syntax *const ends[] = {open_end(describer, test), open_end(describer, second)};
    const struct syntax *nearer =
        composed(describer, condition, SYNTAX_BINARY, is_up ? DO_LESS : DO_GREATER, 2, ends);
    test->end = composed(describer, condition, SYNTAX_CONDITIONAL, DO_NOTHING, 3,
                         (const struct syntax *const[]){nearer, ends[0], ends[1]});
    test->relation = is_up ? DO_LESS : DO_GREATER;
    return true;
}

/* Of conditions joined by &&, the first that counts, or the nearer one of two ends; the others, if
   there are any, are data. */
static bool find_test(struct describer *describer, const struct syntax *condition,
                      const struct assigned_list *changed, struct test *test, bool *has_others)
{
    condition = bare(condition);
    if (condition->kind == SYNTAX_BINARY && condition->operation == DO_AND) {
        struct test second;
        const bool first = find_test(describer, condition->children[0], changed, test, has_others);
        const bool other =
            find_test(describer, condition->children[1], changed, &second, has_others);
        *has_others =
            *has_others || !first || !other || !join_ends(describer, condition, test, &second);
        if (!first)
            *test = second;
        return first || other;
    }
    return read_test(describer, condition, changed, test);
}

/* ---- trips that data decides ---- */

struct symbol *loop_trips(struct describer *describer, const struct syntax *loop, bool is_needed)
{
    const char *base = loop->place.file ? strrchr(loop->place.file, '/') : NULL;
    base = base ? base + 1 : loop->place.file ? loop->place.file : "";
    const char *name = describer->source->file_count > 1
                           ? arena_format(describer->arena, "trips_%.*s_%u",
                                          (int)strcspn(base, "."), base, loop->place.line)
                           : arena_format(describer->arena, "trips_%u", loop->place.line);
    name = symbol_allowed(describer->arena, name);
    struct symbol *symbol = symbol_find(&describer->symbols, name);
    if ((!symbol || (!symbol->has_value && symbol->found != loop)) && !is_needed)
        return NULL;
    return symbol_parameter(&describer->symbols, name, loop->place);
}

/* ---- how far the variable goes ---- */

/* A step of which nothing is known yet goes where the end is. */
static polynomial guessed_stride(struct describer *describer, const struct loop_head *head,
                                 const struct test *test)
{
    struct algebra *algebra = &describer->algebra;
    polynomial sum = polynomial_constant(algebra, 0);
    const struct syntax *parts[10];
    int count = 0;
    for (int i = 0; i < head->step_count; i++)
        parts[count++] = head->steps[i];
    if (head->before)
        parts[count++] = head->before;
    parts[count++] = head->body;
    for (int i = 0; i < count && sum; i++) {
        polynomial part = loop_advance(describer, parts[i], head->variable);
        sum = part ? polynomial_sum(algebra, sum, part, 1) : NULL;
    }
    const bool is_down = test->relation == DO_GREATER || test->relation == DO_GREATER_EQUAL;
    return sum && sum->count > 0 && !polynomial_has_index(sum)
               ? sum
               : polynomial_constant(algebra, is_down ? -1 : 1);
}

static bool read_last(struct describer *describer, const struct syntax *loop,
                      struct loop_head *head);

bool loop_head_advance(struct describer *describer, const struct syntax *loop,
                       struct loop_head *head, polynomial stride, polynomial end_moves)
{
    head->stride = stride;
    head->closing = polynomial_sum(&describer->algebra, stride, end_moves, -1);
    if (!polynomial_is_constant(stride, &head->step))
        head->step = polynomial_value(stride) > 0   ? INFINITY
                     : polynomial_value(stride) < 0 ? -INFINITY
                                                    : 0;
    if (polynomial_value(head->closing) * head->step > 0)
        return read_last(describer, loop, head);
    describer_fail(describer, loop->place,
                   "%s comes no nearer to the end of this loop: it never ends", head->name);
    return false;
}

/* The last value, from the first that is too far. */
static bool read_last(struct describer *describer, const struct syntax *loop,
                      struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    const enum operation relation = head->relation;
    const bool is_up = head->step > 0;
    const bool wants_up = relation == DO_LESS || relation == DO_LESS_EQUAL;
    if (relation == DO_EQUAL)
        return failed(describer, head->counter,
                      "this loop goes on while its index is one value: write if, or < or >");
    if (relation != DO_UNEQUAL && wants_up != is_up)
        return failed(describer, head->counter,
                      is_up ? "a loop that counts up needs < or <="
                            : "a loop that counts down needs > or >=");
    polynomial gap = polynomial_sum(algebra, head->limit, head->first, -1);
    double distance, step;
    if (relation == DO_UNEQUAL && polynomial_is_constant(gap, &distance) &&
        polynomial_is_constant(head->stride, &step) &&
        (fmod(distance, step) != 0 || distance / step < 0))
        return failed(describer, head->counter,
                      "the index of this loop never is the end: write < or >");
    const bool is_open = relation == DO_LESS || relation == DO_GREATER || relation == DO_UNEQUAL;
    head->last = is_open ? polynomial_plus(algebra, head->limit, is_up ? -1 : 1) : head->limit;
    /* do ... while goes through once whatever the condition says. */
    if (head->is_do &&
        (polynomial_value(head->last) - polynomial_value(head->first)) * (is_up ? 1 : -1) < 0)
        head->last = head->first;
    return polynomial_is_affine(head->first) && polynomial_is_affine(head->last)
               ? true
               : failed(describer, loop,
                        "the bounds of this loop are not affine in the indices of loops around it");
}

/* for (j = 1 + i % 2; j < n; j += 2): of j = 1, 2, ... those that differ from where it begins by
   multiples of the step. */
static void read_colour(struct describer *describer, const struct syntax *first,
                        const struct test *test, struct loop_head *head)
{
    struct colour *colour = arena_take(describer->arena, 1, sizeof *colour);
    const struct syntax *initial = NULL;
    double stride;
    while (first->kind == SYNTAX_DECLARE && first->count == 1)
        first = first->children[0];
    if (first->kind == SYNTAX_VARIABLE)
        initial = first->declaration->initial;
    else if (first->kind == SYNTAX_ASSIGN && first->operation == DO_NOTHING)
        initial = first->children[1];
    if (!polynomial_is_constant(guessed_stride(describer, head, test), &stride) ||
        !colour_of_first(describer, initial, &head->first, colour) || colour->modulus != stride)
        return;
    head->colour = colour;
}

/* Whether a value is made of elements of arrays. */
static bool comes_of_data(struct describer *describer, int i)
{
    const struct node *node = &describer->graph.nodes[i];
    if (node->kind >= NODE_LOAD && node->kind <= NODE_FORWARD)
        return true;
    for (int k = 0; k < node->operand_count; k++)
        if (comes_of_data(describer, node->operands[k]))
            return true;
    return false;
}

static bool read_counter(struct describer *describer, const struct syntax *loop,
                         const struct test *test, struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    head->counter = test->variable;
    head->variable = object_binding(describer, test->variable);
    head->name = test->variable->name;
    head->end = test->end;
    head->relation = test->relation;
    const struct value first = evaluate(describer, test->variable);
    if (describer_is_stopped(describer))
        return false;
    if (first.kind != VALUE_INDEX && loop->kind == SYNTAX_FOR && loop->children[0])
        read_colour(describer, loop->children[0], test, head);
    if (first.kind == VALUE_NODE && !head->colour && !comes_of_data(describer, first.node))
        return failed(
            describer, loop->children[0] ? loop->children[0] : loop,
            arena_format(describer->arena,
                         "where this loop begins changes from iteration to iteration of a loop "
                         "around it: compute the first %s from the index of that loop, as in 1 + i "
                         "%% 2",
                         head->name));
    if (first.kind == VALUE_NODE && !head->colour)
        return failed(
            describer, loop->children[0] ? loop->children[0] : loop,
            arena_format(describer->arena,
                         "where this loop begins and ends is data, as in a sparse matrix: with a "
                         "parameter per_row, the mean number of its iterations, it is described "
                         "in a copy: %s from i * per_row to (i + 1) * per_row",
                         head->name));
    if (first.kind != VALUE_INDEX && !head->colour)
        return failed(describer, loop->children[0] ? loop->children[0] : loop,
                      "cannot determine the first value of this loop's index");
    if (!head->colour)
        head->first = first.index;
    /* A step in the condition comes before the body, and after it where that goes first. */
    if (test->step && head->is_do && head->step_count < 8)
        head->steps[head->step_count++] = test->step;
    else if (test->step)
        head->before = test->step;
    head->limit = test->end ? value_index(describer, test->end, "the end of the loop")
                            : polynomial_constant(algebra, 0);
    if (test->added)
        head->limit = polynomial_sum(algebra, head->limit,
                                     value_index(describer, test->added, "the end of the loop"),
                                     -test->added_sign);
    /* --i > 0 asks for the value behind the step, which is one less than the one before it. */
    if (test->step && test->step->is_postfix == head->is_do) {
        const double step = test->step->operation == DO_INCREMENT ? 1 : -1;
        head->limit = polynomial_plus(algebra, head->limit, head->is_do ? step : -step);
    }
    return !describer_is_stopped(describer) &&
           loop_head_advance(describer, loop, head,
                             head->colour ? polynomial_constant(algebra, 1)
                                          : guessed_stride(describer, head, test),
                             polynomial_constant(algebra, 0));
}

/* The parts of the loop, in whatever words it is written. */
static void read_parts(const struct syntax *loop, struct loop_head *head,
                       const struct syntax **condition)
{
    *head = (struct loop_head){.name = "trip", .is_do = loop->kind == SYNTAX_DO};
    if (loop->kind == SYNTAX_FOR) {
        *condition = loop->children[1];
        head->body = loop->children[3];
        if (loop->children[2])
            split_steps(loop->children[2], head);
        return;
    }
    *condition = loop->children[head->is_do ? 1 : 0];
    head->body = loop->children[head->is_do ? 0 : 1];
}

static bool is_always(const struct syntax *condition)
{
    condition = bare(condition);
    return condition->kind == SYNTAX_INTEGER && condition->number != 0;
}

void loop_head_by_trips(struct describer *describer, const struct syntax *loop,
                        struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    const struct syntax *condition;
    read_parts(loop, head, &condition);
    head->condition = condition;
    head->first = polynomial_constant(algebra, 0);
    head->stride = head->closing = polynomial_constant(algebra, 1);
    head->step = 1;
    head->cut =
        polynomial_plus(algebra, polynomial_symbol(algebra, loop_trips(describer, loop, true)), -1);
}

bool loop_head_read(struct describer *describer, const struct syntax *loop, struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    const struct syntax *condition;
    struct assigned_list changed = {.count = 0};
    struct test test;
    read_parts(loop, head, &condition);
    if (!head->body)
        return failed(describer, loop, "a loop without a body is not understood");
    const bool is_in_head = describer->is_in_head;
    describer->is_in_head = true;
    if (loop->kind == SYNTAX_FOR && loop->children[0])
        execute(describer, loop->children[0]);
    describer->is_in_head = is_in_head;
    if (describer_is_stopped(describer))
        return false;
    assigned_in(describer, head->body, &changed);
    for (int i = 0; i < head->step_count; i++)
        assigned_in(describer, head->steps[i], &changed);
    if (condition)
        assigned_in(describer, condition, &changed);
    const bool has_condition = condition && !is_always(condition);
    head->condition = has_condition ? condition : NULL;
    const struct symbol *found = loop_trips(describer, loop, false);
    const bool is_found = found && found->found == loop;
    if (has_condition && !is_found &&
        find_test(describer, condition, &changed, &test, &head->converges)) {
        if (!read_counter(describer, loop, &test, head))
            return false;
    } else {
        head->first = polynomial_constant(algebra, 0);
        head->stride = head->closing = polynomial_constant(algebra, 1);
        head->step = 1;
        head->converges = has_condition;
    }
    const struct symbol *trips = loop_trips(describer, loop, false);
    if (!trips && head->converges && !head->last)
        trips = loop_trips(describer, loop, true);
    if (trips) {
        head->cut = polynomial_plus(
            algebra, polynomial_symbol(algebra, loop_trips(describer, loop, true)), -1);
    } else if (head->converges)
        describer_remark(describer, loop->place,
                         "data may end this loop before its bound, which is taken; -D %s=NUMBER "
                         "says how often it runs",
                         loop_trips(describer, loop, true)->name);
    return true;
}

/* ---- tiles ---- */

/* How a loop's body uses its index: so often in a sum with the index of a loop around that advances
   by as much as this loop goes through, so often otherwise. */
struct uses {
    struct describer *describer;
    const struct loop_head *head;
    double trips;
    int in_tiles, others;
};

static bool is_index(const struct uses *uses, const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return syntax->kind == SYNTAX_NAME &&
           object_binding(uses->describer, syntax) == uses->head->variable;
}

static bool is_sum(const struct syntax *syntax)
{
    return syntax->kind == SYNTAX_BINARY &&
           (syntax->operation == DO_ADD || syntax->operation == DO_SUBTRACT);
}

/* Whether the formula is a product of whole numbers, so that its value can be computed. */
static bool is_plain(const struct syntax *syntax)
{
    bool plain = syntax->type && syntax->type->kind == TYPE_INTEGER &&
                 (syntax->kind == SYNTAX_NAME || syntax->kind == SYNTAX_INTEGER ||
                  syntax->kind == SYNTAX_MEMBER || syntax->kind == SYNTAX_CAST ||
                  (syntax->kind == SYNTAX_BINARY && syntax->operation == DO_MULTIPLY));
    for (int i = 0; i < syntax->count && plain && syntax->kind != SYNTAX_MEMBER; i++)
        plain = syntax->children[i] && is_plain(syntax->children[i]);
    return plain;
}

static bool begins_tiles(const struct uses *uses, const struct syntax *syntax)
{
    const struct value value =
        is_plain(syntax) ? evaluate_leniently(uses->describer, syntax) : (struct value){0};
    for (int i = 0; value.kind == VALUE_INDEX && i < value.index->count; i++) {
        const struct term *term = &value.index->terms[i];
        if (term->degree == 1 && term->symbols[0]->loop && term->factor == uses->trips)
            return true;
    }
    return false;
}

/* Of a sum: whether the index is one of its terms, and the first element of a tile another. */
static void look_at_terms(const struct uses *uses, const struct syntax *syntax, bool *has_index,
                          bool *has_tiles)
{
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *term = syntax->children[i];
        const bool is_added = i == 0 || syntax->operation == DO_ADD;
        if (is_sum(term) && is_added)
            look_at_terms(uses, term, has_index, has_tiles);
        else if (is_index(uses, term) && is_added)
            *has_index = true;
        else if (is_added && begins_tiles(uses, term))
            *has_tiles = true;
    }
}

static void look(struct uses *uses, const struct syntax *syntax)
{
    bool has_index = false, has_tiles = false;
    if (is_sum(syntax))
        look_at_terms(uses, syntax, &has_index, &has_tiles);
    if (has_index && has_tiles) {
        uses->in_tiles++;
        return;
    }
    uses->others += is_index(uses, syntax);
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration->initial)
        look(uses, syntax->declaration->initial);
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            look(uses, syntax->children[i]);
}

bool loop_is_tile(struct describer *describer, const struct loop_head *head, double trips)
{
    struct uses uses = {describer, head, trips, 0, 0};
    struct assigned_list assigned = {.count = 0};
    if (!describer->loop || head->step != 1)
        return false;
    assigned_in(describer, head->body, &assigned);
    if (assigned.count > 0) /* a scalar may go from tile to tile */
        return false;
    look(&uses, head->body);
    return uses.in_tiles > 0 && uses.others == 0;
}
