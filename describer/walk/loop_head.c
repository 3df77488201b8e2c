#include "describer/walk/loop_head.h"

#include <math.h>

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
    return syntax->kind == SYNTAX_NAME && syntax->type && syntax->type->kind == TYPE_INTEGER;
}

/* i, i + 1, i - w: the variable, and what is added to it. */
static const struct syntax *variable_in(struct describer *describer, const struct syntax *side,
                                        polynomial *added)
{
    side = bare(side);
    *added = polynomial_constant(&describer->algebra, 0);
    if (is_variable(side))
        return side;
    const bool is_sum = side->kind == SYNTAX_BINARY &&
                        (side->operation == DO_ADD || side->operation == DO_SUBTRACT);
    if (!is_sum || !is_variable(bare(side->children[0])))
        return NULL;
    *added = value_index(describer, side->children[1], "the end of the loop");
    if (side->operation == DO_SUBTRACT)
        *added = polynomial_scaled(&describer->algebra, *added, -1);
    return bare(side->children[0]);
}

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

static bool steps_variable(struct describer *describer, const struct loop_head *head,
                           const struct binding *variable, polynomial *amount)
{
    struct binding *binding;
    for (int i = 0; i < head->step_count; i++)
        if (advances(describer, head->steps[i], &binding, amount) && binding == variable)
            return true;
    return false;
}

/* The variable of a comparison is on the left, or on the right (n > i) if that one advances. */
static const struct syntax *find_variable(struct describer *describer,
                                          const struct syntax *condition,
                                          const struct loop_head *head, polynomial *added,
                                          const struct syntax **end, enum operation *relation)
{
    for (int side = 0; side < 2; side++) {
        polynomial amount;
        const struct syntax *variable = variable_in(describer, condition->children[side], added);
        if (!variable ||
            (side == 0 &&
             !steps_variable(describer, head, object_binding(describer, variable), &amount)))
            continue;
        *end = condition->children[1 - side];
        *relation = side == 0 ? condition->operation : turned(condition->operation);
        return variable;
    }
    return NULL;
}

static bool read_step(struct describer *describer, const struct syntax *loop,
                      struct loop_head *head)
{
    polynomial amount;
    if (steps_variable(describer, head, head->variable, &amount) && !polynomial_has_index(amount) &&
        polynomial_value(amount) != 0) {
        head->stride = amount;
        if (!polynomial_is_constant(amount, &head->step))
            head->step = polynomial_value(amount) > 0 ? INFINITY : -INFINITY;
        return true;
    }
    if (describer->has_failed)
        return false;
    return failed(describer, loop->children[2] ? loop->children[2] : loop,
                  "the index of this loop does not advance by a constant; write i++, i += 2, or a "
                  "loop over its steps");
}

static bool read_last(struct describer *describer, const struct syntax *condition,
                      enum operation relation, polynomial end, struct loop_head *head)
{
    const bool is_up = relation == DO_LESS || relation == DO_LESS_EQUAL;
    if (relation == DO_UNEQUAL)
        return failed(describer, condition,
                      "a loop that ends with !=: write <, or > where it counts down");
    if (relation == DO_EQUAL || is_up != (head->step > 0))
        return failed(describer, condition,
                      head->step > 0 ? "a loop that counts up needs < or <="
                                     : "a loop that counts down needs > or >=");
    head->last = end;
    if (relation == DO_LESS || relation == DO_GREATER)
        head->last = polynomial_plus(&describer->algebra, end, is_up ? -1 : 1);
    return polynomial_is_affine(head->first) && polynomial_is_affine(head->last)
               ? true
               : failed(describer, condition,
                        "the bounds of this loop are not affine in the indices of loops around it");
}

bool loop_head_read(struct describer *describer, const struct syntax *loop, struct loop_head *head)
{
    const struct syntax *condition = loop->children[1], *end = NULL;
    enum operation relation = DO_OTHER;
    *head = (struct loop_head){.body = loop->children[3]};
    if (!condition || !loop->children[2] || !head->body || condition->kind != SYNTAX_BINARY ||
        condition->operation < DO_LESS || condition->operation > DO_UNEQUAL)
        return failed(describer, condition ? condition : loop,
                      "when this loop ends is not known: write for (i = FIRST; i < END; i++)");
    split_steps(loop->children[2], head);
    polynomial added;
    const bool is_in_head = describer->is_in_head;
    describer->is_in_head = true;
    if (loop->children[0])
        execute(describer, loop->children[0]);
    describer->is_in_head = is_in_head;
    const struct syntax *variable =
        find_variable(describer, condition, head, &added, &end, &relation);
    if (describer_is_stopped(describer))
        return false;
    if (!variable)
        return failed(describer, condition,
                      "the end of this loop is not INDEX < END for an INDEX that advances by a "
                      "constant");
    head->variable = object_binding(describer, variable);
    head->name = variable->name;
    const struct value first = variable_value(describer, variable->declaration, variable->place);
    if (first.kind != VALUE_INDEX)
        return failed(describer, loop->children[0] ? loop->children[0] : loop,
                      "the first value of this loop's index is not affine in the indices of loops");
    head->first = first.index;
    polynomial limit = value_index(describer, end, "the end of the loop");
    limit = polynomial_sum(&describer->algebra, limit, added, -1);
    return !describer_is_stopped(describer) && read_step(describer, loop, head) &&
           read_last(describer, condition, relation, limit, head);
}
