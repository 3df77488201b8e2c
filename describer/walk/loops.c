#include "describer/walk/evaluate.h"

#include "describer/walk/capture.h"
#include "describer/walk/carried.h"
#include "describer/walk/loop_head.h"

#include <math.h>

/* Iterations up to which a loop within another is straight-line code, and all such loops within one
   another together. */
enum { SHORT_MOST = 16, UNROLLED_MOST = 256, PIECES_MOST = 12 };

static void step_others(struct describer *describer, const struct loop_head *head)
{
    struct binding *binding;
    polynomial amount;
    for (int i = 0; i < head->step_count && !describer_is_stopped(describer); i++) {
        if (!advances(describer, head->steps[i], &binding, &amount)) {
            execute(describer, head->steps[i]);
            continue;
        }
        if (binding != head->variable && binding->value.kind != VALUE_NONE)
            binding->value = value_arithmetic(describer, DO_ADD, binding->value,
                                              value_of_index(amount), head->steps[i]);
    }
}

static bool is_short(const struct loop_head *head, double *first, double *last)
{
    return polynomial_is_constant(head->first, first) && polynomial_is_constant(head->last, last) &&
           fabs(*last - *first) / fabs(head->step) < SHORT_MOST;
}

static double trips_of(double first, double last, double step)
{
    return (last - first) / step < 0 ? 0 : floor((last - first) / step) + 1;
}

/* As straight-line code; false: a loop within is too long for that, and nothing has happened. */
static bool execute_unrolled(struct describer *describer, const struct loop_head *head,
                             double first, double last)
{
    const int trips = (int)trips_of(first, last, head->step), around = describer->unrolled;
    struct snapshot *before = snapshot_take(describer);
    describer->unrolled = (around ? around : 1) * (trips ? trips : 1);
    describer->is_too_long = describer->unrolled > UNROLLED_MOST;
    for (int i = 0; i < trips && !describer_is_stopped(describer); i++) {
        head->variable->value =
            value_of_index(polynomial_constant(&describer->algebra, first + i * head->step));
        execute(describer, head->body);
        step_others(describer, head);
    }
    describer->unrolled = around;
    const bool is_too_long = describer->is_too_long && around == 0;
    if (is_too_long) {
        snapshot_restore(describer, before);
        describer->is_too_long = false;
    } else
        head->variable->value =
            value_of_index(polynomial_constant(&describer->algebra, first + trips * head->step));
    snapshot_free(before);
    return !is_too_long;
}

/* Trips - 1 of a loop whose step is not 1; NULL where that depends on other indices. */
static polynomial span_of(struct describer *describer, const struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    const bool is_up = head->step > 0;
    polynomial span = polynomial_sum(algebra, is_up ? head->last : head->first,
                                     is_up ? head->first : head->last, -1);
    polynomial stride = polynomial_scaled(algebra, head->stride, is_up ? 1 : -1);
    span = polynomial_without_rank(algebra, span);
    const struct value value = value_divided(describer, span, stride, false);
    return value.kind == VALUE_INDEX ? value.index : NULL;
}

/* One stretch of a loop: index from first to last; value = base + stride * index. */
struct stretch {
    const struct syntax *syntax;
    const struct loop_head *head;
    polynomial base;
    polynomial stride;
    int pieces;
};

static void execute_stretch(struct describer *describer, struct stretch stretch, polynomial first,
                            polynomial last);

static struct loop *new_loop(struct describer *describer, const struct stretch *stretch,
                             polynomial first, polynomial last)
{
    struct loop *loop = arena_take(describer->arena, 1, sizeof *loop);
    loop->index = symbol_index(&describer->symbols, stretch->head->name, describer->loop);
    loop->index->loop = loop;
    loop->index->value = floor((polynomial_value(first) + polynomial_value(last)) / 2);
    loop->first = first;
    loop->last = last;
    loop->up = describer->loop;
    loop->depth = describer->loop ? describer->loop->depth + 1 : 0;
    loop->place = stretch->syntax->place;
    loop->syntax = stretch->syntax;
    loop->function =
        describer->entered ? describer->entering[describer->entered - 1] : describer->function;
    return loop;
}

static void execute_body(struct describer *describer, const struct stretch *stretch,
                         struct loop *loop)
{
    struct algebra *algebra = &describer->algebra;
    struct carried carried;
    polynomial index = polynomial_symbol(algebra, loop->index);
    polynomial trip = polynomial_sum(algebra, index, loop->first, -1);
    describer->here = loop->place;
    describer_enter(describer, OUTLINE_LOOP)->loop = loop;
    describer->loop = loop;
    carried_begin(describer, stretch->head, loop, trip, &carried);
    stretch->head->variable->value = value_of_index(polynomial_sum(
        algebra, stretch->base, polynomial_product(algebra, stretch->stride, index), 1));
    execute(describer, stretch->head->body);
    step_others(describer, stretch->head);
    if (describer_is_stopped(describer))
        return;
    carried_end(describer, stretch->syntax, loop, &carried);
    describer_leave(describer);
    describer->loop = loop->up;
}

/* The loop in two, where its body differs on the two sides of an index. */
static void execute_split(struct describer *describer, struct stretch stretch, polynomial first,
                          polynomial last, polynomial at)
{
    struct algebra *algebra = &describer->algebra;
    if (++stretch.pieces > PIECES_MOST) {
        describer_fail(describer, stretch.syntax->place,
                       "the conditions on this loop's index split it too often; split the loop, or "
                       "say how often they hold: #pragma forecost probability(0.5)");
        return;
    }
    execute_stretch(describer, stretch, first, polynomial_plus(algebra, at, -1));
    execute_stretch(describer, stretch, at, last);
}

static bool is_empty(struct describer *describer, polynomial first, polynomial last)
{
    polynomial trips = polynomial_sum(&describer->algebra, last, first, -1);
    return polynomial_value(extreme_of(describer, trips, true)) < 0;
}

static void execute_stretch(struct describer *describer, struct stretch stretch, polynomial first,
                            polynomial last)
{
    if (describer_is_stopped(describer) || (stretch.pieces > 0 && is_empty(describer, first, last)))
        return;
    struct snapshot *before = snapshot_take(describer);
    struct loop *loop = new_loop(describer, &stretch, first, last);
    execute_body(describer, &stretch, loop);
    if (describer->captures_loops && !describer_is_stopped(describer))
        loop->capture = capture_loop(describer, loop, before);
    if (describer->split.loop == loop && !describer->has_failed) {
        polynomial at = describer->split.at;
        describer->split.loop = NULL;
        snapshot_restore(describer, before);
        execute_split(describer, stretch, first, last, at);
    }
    snapshot_free(before);
}

static void execute_real(struct describer *describer, const struct syntax *loop,
                         const struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    struct stretch stretch = {.syntax = loop, .head = head};
    stretch.stride = polynomial_constant(algebra, 1);
    stretch.base = polynomial_constant(algebra, 0);
    polynomial first = head->first, last = head->last;
    if (head->step != 1 || polynomial_has_rank(first) || polynomial_has_rank(last)) {
        stretch.base = head->first;
        stretch.stride = head->stride;
        first = polynomial_constant(algebra, 0);
        last = span_of(describer, head);
    }
    if (!last) {
        describer_fail(
            describer, loop->place,
            "the bounds of this loop, whose step is not 1, depend on another index; write "
            "it with steps of 1");
        return;
    }
    execute_stretch(describer, stretch, first, last);
    if (!describer_is_stopped(describer))
        head->variable->value =
            value_of_index(polynomial_plus(algebra, head->last, head->step > 0 ? 1 : -1));
}

void execute_loop(struct describer *describer, const struct syntax *loop)
{
    struct loop_head head;
    double first, last;
    if (!loop_head_read(describer, loop, &head))
        return;
    const bool is_within = describer->loop || describer->unrolled;
    if (is_within && is_short(&head, &first, &last)) {
        if (execute_unrolled(describer, &head, first, last) || describer_is_stopped(describer))
            return;
    } else if (describer->unrolled) {
        describer->is_too_long = true;
        return;
    }
    execute_real(describer, loop, &head);
}
