#include "describer/walk/evaluate.h"

#include "describer/walk/by_rank.h"
#include "describer/walk/capture.h"
#include "describer/walk/carried.h"
#include "describer/walk/colours.h"
#include "describer/walk/jumps.h"
#include "describer/walk/loop_head.h"
#include "describer/walk/messages.h"
#include "describer/walk/outside.h"

#include <math.h>

/* Iterations up to which a loop within another is straight-line code, and all such loops within one
   another together. */
enum { SHORT_MOST = 16, UNROLLED_MOST = 256, PIECES_MOST = 12 };

/* What is done after each iteration. */
static void execute_steps(struct describer *describer, const struct loop_head *head)
{
    struct binding *binding;
    polynomial amount;
    for (int i = 0; i < head->step_count && !describer_is_stopped(describer); i++) {
        if (!advances(describer, head->steps[i], &binding, &amount))
            execute(describer, head->steps[i]);
        else if (binding->value.kind != VALUE_NONE)
            binding->value = value_arithmetic(describer, DO_ADD, binding->value,
                                              value_of_index(amount), head->steps[i]);
    }
}

static bool is_short(const struct loop_head *head, double *first, double *last)
{
    return head->variable && head->last && !head->cut && !head->colour &&
           polynomial_is_constant(head->first, first) && polynomial_is_constant(head->last, last) &&
           fabs(*last - *first) / fabs(head->step) < SHORT_MOST;
}

static double trips_of(double first, double last, double step)
{
    return (last - first) / step < 0 ? 0 : floor((last - first) / step) + 1;
}

static bool is_at(const struct loop_head *head, double expected)
{
    double value;
    return head->variable->value.kind == VALUE_INDEX &&
           polynomial_is_constant(head->variable->value.index, &value) && value == expected;
}

/* The end as it is now; NULL: it is no longer one that is known. */
static polynomial end_now(struct describer *describer, const struct loop_head *head)
{
    const struct value value = evaluate_leniently(describer, head->end);
    return value.kind == VALUE_INDEX ? value.index : NULL;
}

/* As straight-line code; false: a loop within is too long for that, or the body changes the loop's
   index or end, and nothing has happened. */
static bool execute_unrolled(struct describer *describer, const struct loop_head *head,
                             double first, double last)
{
    const int trips = (int)trips_of(first, last, head->step), around = describer->unrolled;
    struct snapshot *before = snapshot_take(describer);
    const struct jumping outside = jumping_enter(describer, true);
    polynomial end = head->end ? end_now(describer, head) : NULL;
    bool is_even = true;
    describer->unrolled = (around ? around : 1) * (trips ? trips : 1);
    describer->is_too_long = describer->unrolled > UNROLLED_MOST;
    for (int i = 0; i < trips && is_even && !describer_is_stopped(describer); i++) {
        head->variable->value =
            value_of_index(polynomial_constant(&describer->algebra, first + i * head->step));
        if (head->before)
            execute(describer, head->before);
        execute(describer, head->body);
        if (jumping_behind_body(describer))
            break;
        execute_steps(describer, head);
        polynomial now = end ? end_now(describer, head) : NULL;
        is_even = describer_is_stopped(describer) ||
                  (is_at(head, first + (i + 1) * head->step) &&
                   (!end || (now && polynomial_equal(&describer->algebra, now, end))));
    }
    describer->unrolled = around;
    const bool is_too_long = (describer->is_too_long && around == 0) || !is_even;
    if (describer->jumping.breaks_on_data && !is_too_long)
        head->variable->value = value_unknown("it depends on when the loop ends");
    jumping_leave(describer, &outside);
    if (is_too_long) {
        snapshot_restore(describer, before);
        describer->is_too_long = describer->is_too_long && around > 0;
    } else if (trips == 0)
        head->variable->value = value_of_index(polynomial_constant(&describer->algebra, first));
    snapshot_free(before);
    return !is_too_long;
}

/* How far the process goes that goes farthest, of those that come here. A difference of less than
   an iteration is none. */
static polynomial longest_of(struct describer *describer, struct place place, polynomial span,
                             double stride, bool is_counted)
{
    /* A loop whose time differs by this share needs no remark: predictions are meant to be within
       it. */
    static const double little = 0.1;
    if (!polynomial_has_rank(span))
        return span;
    struct algebra *algebra = &describer->algebra;
    polynomial of_first = extreme_of_rank(describer, span, false);
    polynomial of_last = extreme_of_rank(describer, span, true);
    const double first = polynomial_value(of_first), last = polynomial_value(of_last);
    if (fabs(last - first) < fabs(stride))
        return of_first;
    const bool is_last = last > first;
    if (is_counted && fabs(last - first) > little * fmax(first, last))
        by_rank_count(
            describer,
            extreme_of_rank(describer, polynomial_symbol(algebra, describer->rank), is_last),
            place);
    return is_last ? of_last : of_first;
}

/* Trips - 1 of a loop whose step is not 1; NULL where that depends on other indices. */
static polynomial span_of(struct describer *describer, const struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    const bool is_up = head->step > 0;
    polynomial span = polynomial_sum(algebra, is_up ? head->last : head->first,
                                     is_up ? head->first : head->last, -1);
    polynomial stride = polynomial_scaled(algebra, head->closing, is_up ? 1 : -1);
    span = longest_of(describer, head->counter ? head->counter->place : describer->here, span,
                      polynomial_value(stride), true);
    const struct value value = value_divided(describer, span, stride, false);
    return value.kind == VALUE_INDEX ? value.index : NULL;
}

/* The last iteration of a loop of which nobody knows yet when it ends. */
static polynomial endless(struct describer *describer)
{
    const double FAR = 1e15; /* farther than any loop goes */
    struct symbol *symbol =
        symbol_parameter(&describer->symbols, "endless loop", (struct place){0});
    symbol->value = FAR;
    return polynomial_symbol(&describer->algebra, symbol);
}

/* One stretch of a loop: index from first to last; value = base + stride * index. */
struct stretch {
    const struct syntax *syntax;
    const struct loop_head *head;
    polynomial base;
    polynomial stride;
    int pieces;
    int copies;   /* of the body in an iteration */
    bool is_rest; /* the iterations that are left: pointers stand for any of those they are */
    bool is_last; /* its iterations end the loop where a condition on data does */
};

/* How a stretch went. */
enum outcome {
    WENT_THROUGH,
    WENT_OUT,      /* its iteration leaves the loop */
    WENT_WRONG,    /* an error, or something that concerns the loops around */
    WENT_TURNING,  /* pointers have changed their places */
    WENT_ASTRAY,   /* the index or the end changes in a way that is not followed, around segments */
    WENT_OTHERWISE /* the index advances otherwise than the head says, or the end moves (turned) */
};

/* What the loop has turned out to do. */
struct turned {
    polynomial stride, end_moves;
    bool breaks_on_data;
    int copies;
};

static enum outcome execute_stretch(struct describer *describer, struct stretch stretch,
                                    polynomial first, polynomial last, struct turned *turned);

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

/* Where the text changes the index of a loop otherwise than its head says. */
static const struct syntax *changing(struct describer *describer, const struct syntax *syntax,
                                     const struct binding *variable)
{
    struct assigned_list list = {.count = 0};
    struct binding *binding;
    polynomial amount;
    bool is_assigned = false;
    assigned_in(describer, syntax, &list);
    for (int i = 0; i < list.count; i++)
        is_assigned = is_assigned || list.items[i].binding == variable;
    if (!is_assigned || advances(describer, syntax, &binding, &amount))
        return is_assigned && binding == variable && polynomial_has_index(amount) ? syntax : NULL;
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *found =
            syntax->children[i] ? changing(describer, syntax->children[i], variable) : NULL;
        if (found)
            return found;
    }
    return syntax;
}

/* x *= 2, x = x / 2, x <<= 1: the index grows or shrinks by a factor. */
static const struct syntax *factor_within(struct describer *describer, const struct syntax *syntax,
                                          const struct binding *variable)
{
    const bool assigns = syntax->kind == SYNTAX_ASSIGN &&
                         syntax->children[0]->kind == SYNTAX_NAME &&
                         object_binding(describer, syntax->children[0]) == variable;
    const struct syntax *by = assigns ? syntax->children[1] : NULL;
    while (by && by->kind == SYNTAX_CAST && by->count == 1)
        by = by->children[0];
    const enum operation operation = !assigns                          ? DO_NOTHING
                                     : syntax->operation != DO_NOTHING ? syntax->operation
                                     : by->kind == SYNTAX_BINARY       ? by->operation
                                                                       : DO_NOTHING;
    if (operation == DO_MULTIPLY || operation == DO_DIVIDE || operation == DO_SHIFT_LEFT ||
        operation == DO_SHIFT_RIGHT)
        return syntax;
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *found =
            syntax->children[i] ? factor_within(describer, syntax->children[i], variable) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* Refuses a loop whose index grows or shrinks by a factor; false: it is none. */
static bool refuse_factor(struct describer *describer, const struct stretch *stretch)
{
    const struct loop_head *head = stretch->head;
    const struct syntax *at = factor_within(describer, head->body, head->variable);
    for (int i = 0; i < head->step_count && !at; i++)
        at = factor_within(describer, head->steps[i], head->variable);
    if (at)
        describer_fail(describer, at->place,
                       "%s changes by a factor in each iteration of the loop at line %u, which no "
                       "sum of indices and parameters describes: describe one iteration, with %s "
                       "as a parameter of a middling value, and how many there are: #pragma "
                       "forecost segment NAME repeat(log2(n)) inside the loop",
                       head->name, stretch->syntax->place.line, head->name);
    return at != NULL;
}

static void refuse_index(struct describer *describer, const struct stretch *stretch)
{
    const struct loop_head *head = stretch->head;
    const struct syntax *at = changing(describer, head->body, head->variable);
    for (int i = 0; i < head->step_count && !at; i++)
        at = changing(describer, head->steps[i], head->variable);
    describer_fail(describer, at ? at->place : stretch->syntax->place,
                   "%s, the index of the loop at line %u, does not advance by a constant: use "
                   "another variable here, or give the loop's iterations another index",
                   head->name, stretch->syntax->place.line);
}

/* Compares how far the index and the end have moved in an iteration with what the head says. */
static enum outcome check_advance(struct describer *describer, const struct stretch *stretch,
                                  const struct loop *loop, polynomial begin, struct turned *turned)
{
    struct algebra *algebra = &describer->algebra;
    const struct loop_head *head = stretch->head;
    if (!head->variable)
        return WENT_THROUGH;
    const struct value *now = &head->variable->value;
    polynomial advance =
        now->kind == VALUE_INDEX ? polynomial_sum(algebra, now->index, begin, -1) : NULL;
    if (advance)
        advance = polynomial_scaled(algebra, advance, 1.0 / stretch->copies);
    double by_colour;
    if (head->colour && advance && polynomial_is_constant(advance, &by_colour) &&
        by_colour == head->colour->modulus)
        advance = head->stride; /* the iterations between are those of other colours */
    if (!advance || polynomial_has(advance, loop->index)) {
        if (!describer->is_recording)
            return WENT_ASTRAY;
        refuse_index(describer, stretch);
        return WENT_WRONG;
    }
    turned->stride = advance;
    turned->end_moves = polynomial_sum(algebra, head->stride, head->closing, -1);
    if (head->end && !head->cut) {
        /* The end moves by as much in each iteration: behind iteration t it has moved t + 1 times.
         */
        polynomial end = end_now(describer, head), before = head->end_before;
        polynomial moved = end && before ? polynomial_sum(algebra, end, before, -1) : NULL;
        polynomial by = moved ? polynomial_coefficient(algebra, moved, loop->index) : NULL;

        polynomial trips = polynomial_plus(
            algebra,
            polynomial_sum(algebra, polynomial_symbol(algebra, loop->index), loop->first, -1), 1);
        if (!moved || polynomial_has(by, loop->index) ||
            (moved->count > 0 &&
             !polynomial_equal(algebra, moved, polynomial_product(algebra, by, trips)))) {
            if (!describer->is_recording)
                return WENT_ASTRAY;
            describer_fail(
                describer, head->end->place,
                "the end of this loop changes in its body in a way that is not followed: "
                "copy it into another variable before the loop, or say how often the "
                "loop runs: -D %s=NUMBER",
                loop_trips(describer, stretch->syntax, true)->name);
            return WENT_WRONG;
        }
        turned->end_moves = polynomial_scaled(algebra, by, 1.0 / stretch->copies);
    }
    polynomial closing = polynomial_sum(algebra, turned->stride, turned->end_moves, -1);
    return polynomial_equal(algebra, advance, head->stride) &&
                   polynomial_equal(algebra, closing, head->closing)
               ? WENT_THROUGH
               : WENT_OTHERWISE;
}

/* Behind the iteration that leaves the loop its index is a number. */
static void settle_index(struct describer *describer, const struct loop *loop)
{
    struct algebra *algebra = &describer->algebra;
    for (int i = 0; i < describer->source->declaration_count + describer->member_count; i++) {
        struct value *value = &describer->bindings[i].value;
        polynomial *index = value->kind == VALUE_INDEX     ? &value->index
                            : value->kind == VALUE_ELEMENT ? &value->offset
                                                           : NULL;
        if (index && *index && polynomial_has(*index, loop->index))
            *index = polynomial_sum(
                algebra, polynomial_rest(algebra, *index, loop->index),
                polynomial_product(algebra, polynomial_coefficient(algebra, *index, loop->index),
                                   loop->first),
                1);
    }
}

/* The body, for the iterations of the colour that the loop has. */
static void execute_coloured(struct describer *describer, const struct loop_head *head,
                             polynomial at)
{
    const struct colour *around = describer->colour;
    struct colour *colour = arena_take(describer->arena, 1, sizeof *colour);
    colour->modulus = head->colour->modulus;
    colour->value = polynomial_sum(&describer->algebra, at, head->colour->value, -1);
    colour_remark(describer, colour, head->body->place);
    describer_enter(describer, OUTLINE_BRANCH);
    describer_enter(describer, OUTLINE_WAY)->probability = colour_share(describer, colour);
    describer->colour = colour;
    execute(describer, head->body);
    describer->colour = around;
    if (describer->has_failed || describer->split.loop || describer->is_too_long)
        return;
    describer_leave(describer);
    describer_leave(describer);
}

static enum outcome execute_body(struct describer *describer, const struct stretch *stretch,
                                 struct loop *loop, struct turned *turned)
{
    struct algebra *algebra = &describer->algebra;
    const struct loop_head *head = stretch->head;
    struct carried carried;
    if (head->variable && describer->is_recording && refuse_factor(describer, stretch))
        return WENT_WRONG;
    polynomial index = polynomial_symbol(algebra, loop->index);
    polynomial trip = polynomial_sum(algebra, index, loop->first, -1);
    polynomial begin = polynomial_sum(algebra, stretch->base,
                                      polynomial_product(algebra, stretch->stride, index), 1);
    enum outcome outcome = WENT_THROUGH;
    const struct jumping outside = jumping_enter(describer, true);
    describer->jumping.is_last = stretch->is_last;
    describer->here = loop->place;
    describer_enter(describer, OUTLINE_LOOP)->loop = loop;
    describer->loop = loop;
    carried_begin(describer, head, loop, polynomial_scaled(algebra, trip, stretch->copies),
                  &carried);
    if (head->variable)
        head->variable->value = value_of_index(begin);
    bool has_returned = false;
    for (int copy = 0; copy < stretch->copies && outcome == WENT_THROUGH; copy++) {
        if (head->before)
            execute(describer, head->before);
        if (head->condition && !describer->is_recording)
            outside_calls(describer, head->condition);
        if (head->colour)
            execute_coloured(describer, head, begin);
        else
            execute(describer, head->body);
        if (jumping_behind_body(describer))
            outcome = WENT_OUT;
        has_returned = describer->has_returned;
        describer->has_returned = false;
        if (outcome == WENT_THROUGH)
            execute_steps(describer, head);
        describer->part = NULL;
    }
    turned->breaks_on_data = turned->breaks_on_data || describer->jumping.breaks_on_data;
    jumping_leave(describer, &outside);
    if (describer_is_stopped(describer))
        return WENT_WRONG;
    if (outcome == WENT_THROUGH)
        outcome = check_advance(describer, stretch, loop, begin, turned);
    if (outcome == WENT_OUT) {
        carried_leave(describer, stretch->syntax, loop, &carried, has_returned);
        settle_index(describer, loop);
    } else if (outcome == WENT_THROUGH) {
        carried.copies = stretch->copies;
        carried_end(describer, stretch->syntax, loop, &carried);
        turned->copies = carried.turns;
        if (carried.turns > 1 && stretch->copies == 1 && !stretch->is_rest &&
            describer->is_recording)
            outcome = WENT_TURNING;
    }
    if (describer->has_failed)
        return WENT_WRONG;
    describer_leave(describer);
    describer->loop = loop->up;
    describer->has_returned = has_returned;
    return outcome;
}

/* The loop in two, where its body differs on the two sides of an index. */
static enum outcome execute_split(struct describer *describer, struct stretch stretch,
                                  polynomial first, polynomial last, polynomial at,
                                  struct turned *turned)
{
    struct algebra *algebra = &describer->algebra;
    if (++stretch.pieces > PIECES_MOST) {
        describer_fail(describer, stretch.syntax->place,
                       "the conditions on this loop's index split it too often; split the loop, or "
                       "say how often they hold: #pragma forecost probability(0.5)");
        return WENT_WRONG;
    }
    const enum outcome outcome =
        execute_stretch(describer, stretch, first, polynomial_plus(algebra, at, -1), turned);
    if (polynomial_has_rank(at)) { /* the index counts from where a process begins */
        stretch.base = polynomial_sum(algebra, stretch.base,
                                      polynomial_product(algebra, stretch.stride, at), 1);
        last = polynomial_sum(algebra, last, at, -1);
        at = polynomial_constant(algebra, 0);
    }
    return outcome == WENT_THROUGH ? execute_stretch(describer, stretch, at, last, turned)
                                   : outcome;
}

static bool is_empty(struct describer *describer, polynomial first, polynomial last)
{
    polynomial trips = polynomial_sum(&describer->algebra, last, first, -1);
    return polynomial_value(extreme_of(describer, trips, true)) < 0;
}

static enum outcome execute_stretch(struct describer *describer, struct stretch stretch,
                                    polynomial first, polynomial last, struct turned *turned)
{
    if (describer_is_stopped(describer))
        return WENT_WRONG;
    if (stretch.pieces > 0 && is_empty(describer, first, last))
        return WENT_THROUGH;
    struct snapshot *before = snapshot_take(describer);
    struct loop *loop = new_loop(describer, &stretch, first, last);
    enum outcome outcome = execute_body(describer, &stretch, loop, turned);
    if (outcome == WENT_OUT && !polynomial_equal(&describer->algebra, first, last)) {
        /* The first iteration leaves the loop: there is no second one. */
        const bool is_empty_at_all = is_empty(describer, first, last);
        describer->has_returned = false;
        snapshot_restore(describer, before);
        outcome = is_empty_at_all ? WENT_THROUGH
                                  : execute_stretch(describer, stretch, first, first, turned);
    } else if (describer->captures_loops && describer->is_recording && outcome != WENT_WRONG &&
               outcome != WENT_OTHERWISE)
        loop->capture = capture_loop(describer, loop, before);
    if (outcome == WENT_THROUGH) {
        const struct outline *body = describer->body; /* empty where the loop never runs */
        const bool does_something = body->count > 0 && body->children[body->count - 1]->count > 0;
        polynomial span = polynomial_sum(&describer->algebra, last, first, -1);
        span = longest_of(describer, loop->place, span, 1, does_something);
        loop->last = polynomial_sum(&describer->algebra, first, span, 1);
    }
    if (describer->split.loop == loop && !describer->has_failed) {
        polynomial at = describer->split.at;
        describer->split.loop = NULL;
        snapshot_restore(describer, before);
        outcome = execute_split(describer, stretch, first, last, at, turned);
    }
    snapshot_free(before);
    return outcome;
}

/* A loop whose iterations 0 to last let pointers change their places: as many at once as bring them
   back, so that what one iteration writes the next one reads; then those that are left. */
static enum outcome execute_turning(struct describer *describer, struct stretch stretch,
                                    polynomial last, bool is_left, struct turned *turned)
{
    struct algebra *algebra = &describer->algebra;
    const struct loop_head *head = stretch.head;
    polynomial stride = stretch.stride, zero = polynomial_constant(algebra, 0);
    polynomial trips = is_left ? last : polynomial_plus(algebra, last, 1);
    const struct value rounds =
        value_divided(describer, trips, polynomial_constant(algebra, head->copies), false);
    if (rounds.kind != VALUE_INDEX) {
        describer_fail(
            describer, stretch.syntax->place,
            "pointers change their places in this loop, whose number of iterations "
            "depends on another index: describe the loop inside as a segment of its own");
        return WENT_WRONG;
    }
    polynomial done = polynomial_scaled(algebra, rounds.index, head->copies);
    stretch.pieces = 1;
    stretch.copies = head->copies;
    stretch.stride = polynomial_scaled(algebra, stride, head->copies);
    enum outcome outcome = execute_stretch(describer, stretch, zero,
                                           polynomial_plus(algebra, rounds.index, -1), turned);
    stretch.copies = 1;
    stretch.is_rest = true;
    stretch.stride = stride;
    stretch.base =
        polynomial_sum(algebra, head->first, polynomial_product(algebra, stride, done), 1);
    polynomial rest = polynomial_plus(algebra, polynomial_sum(algebra, trips, done, -1), -1);
    if (outcome == WENT_THROUGH)
        outcome = execute_stretch(describer, stretch, zero, rest, turned);
    if (outcome == WENT_THROUGH && is_left) {
        if (!is_empty(describer, zero, rest))
            describer_remark(describer, stretch.syntax->place,
                             "the last iteration of this loop, which data ends, is described with "
                             "pointers as before the loop: by then they have changed their places");
        stretch.is_last = true;
        stretch.base =
            polynomial_sum(algebra, head->first, polynomial_product(algebra, stride, last), 1);
        outcome = execute_stretch(describer, stretch, zero, zero, turned);
    }
    return outcome;
}

/* Goes through the loop as its head says. */
static enum outcome execute_as_said(struct describer *describer, const struct syntax *loop,
                                    const struct loop_head *head, bool is_left,
                                    struct turned *turned)
{
    struct algebra *algebra = &describer->algebra;
    struct stretch stretch = {.syntax = loop, .head = head, .copies = 1};
    stretch.stride = polynomial_constant(algebra, 1);
    stretch.base = polynomial_constant(algebra, 0);
    polynomial first = head->first, last = head->last;
    double closing;
    const bool is_plain = head->step == 1 && polynomial_is_constant(head->closing, &closing) &&
                          closing == 1 && !polynomial_has_rank(first) && last &&
                          !polynomial_has_rank(last) && head->variable && head->copies <= 1;
    if (head->cut && is_plain)
        last = polynomial_sum(algebra, first, head->cut, 1);
    else if (head->cut || !is_plain) {
        stretch.base = head->first;
        stretch.stride = head->stride;
        first = polynomial_constant(algebra, 0);
        last = head->cut ? head->cut : head->last ? span_of(describer, head) : endless(describer);
    }
    if (!last) {
        describer_fail(describer, loop->place,
                       "the bounds of this loop, whose step is not 1, depend on another index; "
                       "write it with steps of 1");
        return WENT_WRONG;
    }
    struct snapshot *before = snapshot_take(describer);
    enum outcome outcome = WENT_THROUGH;
    if (head->copies > 1)
        outcome = execute_turning(describer, stretch, last, is_left, turned);
    else if (is_left) { /* by a condition on data in the last iteration */
        stretch.pieces = 1;
        outcome =
            execute_stretch(describer, stretch, first, polynomial_plus(algebra, last, -1), turned);
        stretch.is_last = true;
        if (outcome == WENT_THROUGH)
            outcome = execute_stretch(describer, stretch, last, last, turned);
    } else
        outcome = execute_stretch(describer, stretch, first, last, turned);
    if (outcome == WENT_OTHERWISE || outcome == WENT_TURNING)
        snapshot_restore(describer, before);
    else if (outcome == WENT_THROUGH && head->variable && !describer->has_failed)
        head->variable->value = value_of_index(polynomial_sum(
            algebra, stretch.base,
            polynomial_product(algebra, stretch.stride, polynomial_plus(algebra, last, 1)), 1));
    snapshot_free(before);
    return outcome;
}

/* A condition on data ends the loop: how often it runs then is a parameter, or at most its bound.
 */
static bool converge(struct describer *describer, const struct syntax *loop, struct loop_head *head)
{
    struct symbol *trips = loop_trips(describer, loop, true);
    if (head->last) {
        describer_remark(describer, loop->place,
                         "data may end this loop before its bound, which is taken; -D %s=NUMBER "
                         "says how often it runs",
                         trips->name);
        return false;
    }
    head->cut =
        polynomial_plus(&describer->algebra, polynomial_symbol(&describer->algebra, trips), -1);
    return true;
}

/* A for loop whose body changes its index or its end is no usual one: what was understood is said.
 */
static void remark_unusual(struct describer *describer, const struct syntax *loop,
                           const struct loop_head *head)
{
    struct algebra *algebra = &describer->algebra;
    polynomial by_head = polynomial_constant(algebra, 0);
    for (int i = 0; i < head->step_count && by_head; i++) {
        polynomial part = loop_advance(describer, head->steps[i], head->variable);
        by_head = part ? polynomial_sum(algebra, by_head, part, 1) : NULL;
    }
    if (!by_head || !polynomial_equal(algebra, by_head, head->stride))
        describer_remark(describer, loop->place,
                         "the body changes %s, the index of this loop: it advances by %s in each "
                         "iteration",
                         head->name, polynomial_text(algebra, head->stride, " "));
    if (!polynomial_equal(algebra, head->stride, head->closing))
        describer_remark(describer, loop->place,
                         "the body changes the end of this loop: by %s in each iteration",
                         polynomial_text(algebra,
                                         polynomial_sum(algebra, head->stride, head->closing, -1),
                                         " "));
}

static void execute_real(struct describer *describer, const struct syntax *loop,
                         struct loop_head *head)
{
    enum { ROUNDS_MOST = 5 };
    struct snapshot *before = snapshot_take(describer);
    bool is_left = false;
    if (head->end)
        head->end_before = end_now(describer, head);
    for (int round = 0; round < ROUNDS_MOST; round++) {
        struct turned turned = {0};
        const enum outcome outcome = execute_as_said(describer, loop, head, is_left, &turned);
        if (outcome == WENT_WRONG)
            break;
        if (outcome == WENT_ASTRAY) {
            snapshot_restore(describer, before);
            loop_head_by_trips(describer, loop, head);
            continue;
        }
        if (outcome == WENT_TURNING) {
            head->copies = turned.copies;
            continue;
        }
        if (outcome == WENT_OTHERWISE) {
            if (round + 1 == ROUNDS_MOST)
                refuse_index(describer, &(struct stretch){.syntax = loop, .head = head});
            else if (!loop_head_advance(describer, loop, head, turned.stride, turned.end_moves))
                break;
            continue;
        }
        if (loop->kind == SYNTAX_FOR && head->variable && !head->before && !head->colour &&
            !describer->has_failed)
            remark_unusual(describer, loop, head);
        if (turned.breaks_on_data && !is_left && (head->cut || converge(describer, loop, head))) {
            snapshot_restore(describer, before);
            is_left = true;
            continue;
        }
        if (!head->last && !head->cut && outcome == WENT_THROUGH) {
            describer_fail(describer, loop->place,
                           "when this loop ends is not known: say how often it runs: -D %s=NUMBER",
                           loop_trips(describer, loop, true)->name);
            break;
        }
        if (head->variable && (turned.breaks_on_data || (head->converges && !head->cut)))
            head->variable->value = value_unknown("it depends on when the loop ends");
        break;
    }
    snapshot_free(before);
}

/* Around segments, a head that is not understood leaves the number of trips to a parameter. */
static void read_leniently(struct describer *describer, const struct syntax *loop,
                           struct loop_head *head)
{
    struct error kept, *error = describer->error;
    describer->error = &kept;
    const bool is_read = loop_head_read(describer, loop, head);
    describer->error = error;
    describer->has_failed = false;
    describer->split.loop = NULL;
    if (!is_read)
        loop_head_by_trips(describer, loop, head);
}

static void execute_as_written(struct describer *describer, const struct syntax *loop)
{
    struct loop_head head;
    double first, last;
    if (!describer->is_recording)
        read_leniently(describer, loop, &head);
    else if (!loop_head_read(describer, loop, &head))
        return;
    const bool is_within = (describer->loop || describer->unrolled) && describer->is_recording;
    if (is_within && is_short(&head, &first, &last) &&
        !loop_is_tile(describer, &head, trips_of(first, last, head.step))) {
        if (execute_unrolled(describer, &head, first, last) || describer_is_stopped(describer))
            return;
    } else if (describer->unrolled) {
        describer->is_too_long = true;
        return;
    }
    execute_real(describer, loop, &head);
}

static bool is_by_factor(enum operation operation)
{
    return operation == DO_MULTIPLY || operation == DO_DIVIDE || operation == DO_SHIFT_LEFT ||
           operation == DO_SHIFT_RIGHT;
}

/* Whether the statement sets no more than whole numbers; notes products and quotients in it. */
static bool sets_numbers(const struct syntax *syntax, bool *has_factor)
{
    switch (syntax->kind) {
    case SYNTAX_BLOCK:
    case SYNTAX_NAME:
    case SYNTAX_INTEGER:
    case SYNTAX_CAST:
        break;
    case SYNTAX_ASSIGN:
        if (syntax->children[0]->kind != SYNTAX_NAME)
            return false;
        *has_factor = *has_factor || is_by_factor(syntax->operation);
        break;
    case SYNTAX_UNARY:
    case SYNTAX_BINARY:
        if (syntax->operation == DO_FOLLOW || syntax->operation == DO_ADDRESS)
            return false;
        *has_factor = *has_factor || is_by_factor(syntax->operation);
        break;
    default:
        return false;
    }
    if (syntax->type && syntax->type->kind != TYPE_INTEGER && syntax->type->kind != TYPE_VOID &&
        syntax->kind != SYNTAX_BLOCK)
        return false;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && !sets_numbers(syntax->children[i], has_factor))
            return false;
    return true;
}

/* while (2 * q <= p) q *= 2; such a loop, which no sum of indices describes, ends where the number
   of processes says: it is run with the one of which conditions are asked. false: it is another
   one, and nothing has happened. */
static bool run_to_its_end(struct describer *describer, const struct syntax *loop)
{
    enum { MOST = 1000 };
    const bool is_for = loop->kind == SYNTAX_FOR;
    const struct syntax *condition = loop->kind == SYNTAX_DO ? NULL : loop->children[is_for];
    const struct syntax *parts[] = {loop->children[is_for ? 3 : 1],
                                    is_for ? loop->children[2] : NULL};
    bool has_factor = false, is_over = false, is_run = true;
    if (!condition || !sets_numbers(condition, &has_factor) || describer_is_stopped(describer))
        return false;
    for (int i = 0; i < 2; i++)
        if (parts[i] && !sets_numbers(parts[i], &has_factor))
            return false;
    if (!has_factor)
        return false;
    struct error kept, *error = describer->error;
    struct snapshot *before = snapshot_take(describer);
    const struct position position = describer_position(describer);
    const int decisions = describer->decision_count;
    describer->error = &kept;
    describer->here = loop->place;
    if (is_for && loop->children[0])
        execute(describer, loop->children[0]);
    for (int trip = 0; trip < MOST && is_run && !is_over; trip++) {
        struct value data = {0};
        describer->asked = (struct asked){0};
        const enum truth truth = condition_holds(describer, condition, &data);
        is_run = !describer_is_stopped(describer) && (truth == IS_TRUE || truth == IS_FALSE) &&
                 describer->asked.of_processors_count > 0 && !describer->asked.rank;
        if (is_run)
            condition_decides(describer);
        is_over = truth == IS_FALSE;
        for (int i = 0; i < 2 && is_run && !is_over; i++)
            if (parts[i])
                execute(describer, parts[i]);
    }
    is_run = is_run && is_over && !describer_is_stopped(describer);
    describer->error = error;
    if (!is_run) {
        describer->has_failed = false;
        describer->split.loop = NULL;
        describer_go_back(describer, &position);
        snapshot_restore(describer, before);
        describer->decision_count = decisions;
    }
    snapshot_free(before);
    return is_run;
}

/* A loop that sends and receives, and whose index takes no steps that are followed: how often it
   runs is found by the processes' own ways (ranks/settle.c). */
void execute_loop(struct describer *describer, const struct syntax *loop)
{
    if (run_to_its_end(describer, loop))
        return;
    if (!describer->is_recording || describer->unrolled || !messages_reached(describer, loop, 0)) {
        execute_as_written(describer, loop);
        return;
    }
    struct snapshot *before = snapshot_take(describer);
    const int entered = describer->entered, message_count = describer->message_count;
    execute_as_written(describer, loop);
    struct symbol *trips = describer->has_failed ? loop_trips(describer, loop, true) : NULL;
    if (trips && !trips->found && !trips->has_value) {
        struct error kept, *error = describer->error;
        trips->found = loop;
        describer->has_failed = describer->has_returned = describer->is_too_long = false;
        describer->split.loop = NULL;
        describer->entered = entered;
        snapshot_restore(describer, before);
        if (message_count < describer->message_count)
            describer->message_count = message_count;
        const bool is_found = describer->is_found;
        describer->error = &kept;
        describer->is_found = true;
        execute_as_written(describer, loop);
        describer->is_found = is_found;
        describer->error = error;
        describer->is_by_rank = true;
    }
    snapshot_free(before);
}
