/* How far a variable advances in a statement, as its text tells: what is gone through in every
   iteration adds up. */
#include "describer/walk/loop_head.h"

enum { CALLS_MOST = 8 };

static polynomial advance(struct describer *describer, const struct syntax *syntax,
                          const struct binding *variable, int calls);

/* What a loop within advances it by: as often as that runs. */
static polynomial advance_in_loop(struct describer *describer, const struct syntax *loop,
                                  const struct binding *variable, int calls)
{
    struct algebra *algebra = &describer->algebra;
    struct loop_head head;
    struct error kept, *error = describer->error;
    struct snapshot *before = snapshot_take(describer);
    polynomial found = NULL;
    describer->error = &kept;
    if (loop_head_read(describer, loop, &head) && (head.step == 1 || head.step == -1) &&
        head.variable != variable && head.last) {
        found = advance(describer, head.body, variable, calls);
        polynomial trips = polynomial_plus(
            algebra,
            polynomial_scaled(algebra, polynomial_sum(algebra, head.last, head.first, -1),
                              head.step),
            1);
        found = found ? polynomial_product(algebra, found, trips) : NULL;
    }
    describer->error = error;
    describer->has_failed = false;
    describer->split.loop = NULL;
    snapshot_restore(describer, before);
    snapshot_free(before);
    return found;
}

static bool is_assigned_in(struct describer *describer, const struct syntax *syntax,
                           const struct binding *variable)
{
    struct assigned_list list = {.count = 0};
    assigned_in(describer, syntax, &list);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].binding == variable)
            return true;
    return false;
}

static polynomial advance(struct describer *describer, const struct syntax *syntax,
                          const struct binding *variable, int calls)
{
    struct algebra *algebra = &describer->algebra;
    struct binding *binding;
    polynomial amount, sum = polynomial_constant(algebra, 0);
    if (!is_assigned_in(describer, syntax, variable))
        return sum;
    if (advances(describer, syntax, &binding, &amount) && binding == variable)
        return amount;
    switch (syntax->kind) {
    case SYNTAX_FOR:
    case SYNTAX_WHILE:
    case SYNTAX_DO:
        return advance_in_loop(describer, syntax, variable, calls);
    case SYNTAX_IF:
    case SYNTAX_CONDITIONAL: /* the condition is asked in any case */
        for (int way = 1; way < syntax->count; way++)
            if (is_assigned_in(describer, syntax->children[way], variable))
                return NULL;
        return advance(describer, syntax->children[0], variable, calls);
    case SYNTAX_BINARY:
        if ((syntax->operation == DO_AND || syntax->operation == DO_OR) &&
            is_assigned_in(describer, syntax->children[1], variable))
            return NULL;
        break;
    case SYNTAX_ASSIGN:
        if (object_binding(describer, syntax->children[0]) == variable)
            return NULL;
        break;
    case SYNTAX_CALL: {
        const struct function *function = function_called(describer->source, syntax);
        if (!function || calls == CALLS_MOST)
            return NULL;
        for (int i = 0; i < syntax->count; i++) { /* what is done behind its address */
            const struct syntax *argument = syntax->children[i];
            if (argument->kind == SYNTAX_UNARY && argument->operation == DO_ADDRESS &&
                object_binding(describer, argument->children[0]) == variable)
                return NULL;
        }
        sum = advance(describer, function->body, variable, calls + 1);
        break;
    }
    default:
        break;
    }
    for (int i = 0; i < syntax->count && sum; i++) {
        polynomial part = syntax->children[i]
                              ? advance(describer, syntax->children[i], variable, calls)
                              : polynomial_constant(algebra, 0);
        sum = part ? polynomial_sum(algebra, sum, part, 1) : NULL;
    }
    return sum;
}

polynomial loop_advance(struct describer *describer, const struct syntax *syntax,
                        const struct binding *variable)
{
    return advance(describer, syntax, variable, 0);
}
