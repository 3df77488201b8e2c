#include "describer/walk/messages.h"
#include "describer/walk/relays.h"

#include <string.h>

/* What happens before the last processor has the first message, one processor after the other: it
   stands before what every processor does itself. The first processor computes, and receives no
   message. */
struct fill {
    struct outline *messages, *computing; /* loops over processors */
    struct outline *before;               /* what they stand before */
};

/* Through how many processors a message goes, and how many compute; NULL: that is not known. */
struct length {
    polynomial messages, computing;
};

static bool is_above(const struct outline *above, const struct outline *outline)
{
    while (outline && outline != above)
        outline = outline->up;
    return outline != NULL;
}

static struct outline *common_of(struct outline *a, const struct outline *b)
{
    a = a->up;
    while (!is_above(a, b))
        a = a->up;
    return a;
}

static struct outline *child_towards(const struct outline *above, struct outline *outline)
{
    while (outline->up != above)
        outline = outline->up;
    return outline;
}

static int index_of(const struct outline *child)
{
    int i = 0;
    while (child->up->children[i] != child)
        i++;
    return i;
}

static struct length length_of(struct describer *describer, const struct relay *relay)
{
    struct algebra *algebra = &describer->algebra;
    const struct end *receive = relay->receive, *send = relay->send;
    if (receive->partner != PARTNER_AWAY || send->partner != PARTNER_AWAY || receive->is_partial ||
        send->is_partial || polynomial_has_rank(send->away) || polynomial_has_index(send->away))
        return (struct length){0};
    double stride = 0;
    const bool is_up = polynomial_value(send->away) > 0;
    polynomial away = polynomial_scaled(algebra, send->away, is_up ? 1 : -1);
    polynomial all = polynomial_symbol(algebra, describer->processors);
    polynomial others = polynomial_plus(algebra, all, -1);
    if (polynomial_is_constant(away, &stride) && stride == 1)
        return send->is_cyclic && receive->is_answered ? (struct length){all, others}
                                                       : (struct length){others, all};
    const struct value hops = value_divided(describer, others, away, false);
    if (send->is_cyclic || stride < 0 || hops.kind != VALUE_INDEX)
        return (struct length){0};
    return (struct length){hops.index, polynomial_plus(algebra, hops.index, 1)};
}

static struct outline *new_loop(struct describer *describer, const struct loop *around,
                                struct symbol *index, polynomial first, polynomial last,
                                struct place place)
{
    struct loop *loop = arena_take(describer->arena, 1, sizeof *loop);
    *loop =
        (struct loop){.index = index, .first = first, .last = last, .up = around, .place = place};
    struct outline *outline = arena_take(describer->arena, 1, sizeof *outline);
    *outline = (struct outline){.kind = OUTLINE_LOOP, .loop = loop, .place = place};
    return outline;
}

/* The loops from `top` down to `body`, each with its first iteration alone, within `into`; where
   the innermost one's body goes. */
static struct outline *first_iterations(struct describer *describer, struct outline *into,
                                        const struct outline *top, const struct outline *body)
{
    if (!is_above(top, body))
        return into;
    if (top != body)
        into = first_iterations(describer, into, top, body->up);
    const struct loop *loop = body->loop;
    struct outline *once =
        new_loop(describer, loop->up, loop->index, loop->first, loop->first, body->place);
    outline_insert(describer->arena, into, into->count, once);
    return once;
}

/* Whether each iteration of the loop begins only when the relay of the one before has ended. */
static bool is_closed(struct describer *describer, const struct outline *loop,
                      const struct relay *relay, const struct relay *relays, int count)
{
    for (int i = 0; i < count; i++)
        if (is_above(loop, relays[i].first) &&
            ends_are_opposite(describer, relays[i].receive, relay->receive))
            return true;
    return outline_closes(loop);
}

/* The outermost loop around through which a relay goes on; NULL: there is none. */
static struct outline *pipelined_loop(struct describer *describer, struct outline *body,
                                      const struct relay *relay, const struct relay *relays,
                                      int count)
{
    struct outline *top = NULL;
    while (body->loop && !is_closed(describer, body, relay, relays, count)) {
        top = body;
        body = body->up;
    }
    return top;
}

/* A loop over the processors that a relay goes through. */
static struct outline *new_hops(struct describer *describer, const struct relay *relay,
                                const struct outline *before, polynomial length)
{
    const struct loop *around = before->up->loop;
    const struct place place = relay->receive->call->place;
    const char *file = strrchr(place.file, '/');
    struct outline *hops =
        new_loop(describer, around, symbol_index(&describer->symbols, "hop", around),
                 polynomial_constant(&describer->algebra, 2), length, place);
    hops->remark =
        arena_format(describer->arena,
                     "%s:%u: %s: one processor after the other, each sends on what it has received",
                     file ? file + 1 : place.file, place.line, relay->receive->call->name);
    return hops;
}

/* The message that is handed on. Where it stands in a loop of its own, that goes with what is
   computed. */
static void add_message(struct describer *describer, const struct relay *relay,
                        const struct outline *body, struct outline *into)
{
    const struct outline *own =
        relay->receive->message ? relay->receive->message : relay->send->message;
    if (own && own->up != body)
        return;
    struct outline *before = describer->body;
    describer->body = into;
    messages_add_one(describer, relay->send->size)->place = relay->receive->call->place;
    describer->body = before;
}

/* Adds what lies between once more: calls but for the relay's own, or all else. */
static void add_between(struct describer *describer, const struct relay *relay,
                        const struct outline *body, struct outline *into, bool is_calls)
{
    const int last = index_of(child_towards(body, relay->last));
    for (int i = index_of(child_towards(body, relay->first)); i <= last; i++) {
        const struct outline *child = body->children[i];
        const bool is_own = child == relay->receive->message || child == relay->send->message;
        if (child->kind != OUTLINE_END && !is_own && (child->kind == OUTLINE_CALL) == is_calls)
            outline_add(describer->arena, into, OUTLINE_AGAIN)->again = child;
    }
}

/* Whether a processor computes before it sends on what it has received. */
static bool computes_between(const struct relay *relay)
{
    const struct outline *body = common_of(relay->first, relay->last);
    const int last = index_of(child_towards(body, relay->last));
    for (int i = index_of(child_towards(body, relay->first)); i <= last; i++) {
        const struct outline *child = body->children[i];
        const bool is_empty = child->kind == OUTLINE_PART && child->part->statement_count == 0;
        if (child->kind != OUTLINE_CALL && child->kind != OUTLINE_END && !is_empty)
            return true;
    }
    return false;
}

static struct fill fill_of(struct describer *describer, const struct relay *relay,
                           const struct relay *relays, int count)
{
    const struct length length = length_of(describer, relay);
    if (!length.messages && describer->is_by_rank && !computes_between(relay))
        return (struct fill){
            0}; /* its messages are found by the processes' ways (ranks/settle.c) */
    if (!length.messages) {
        describer_fail(describer, relay->receive->call->place,
                       "%s: what it receives is sent on: through how many processors, one after "
                       "the other, is not known here; `ignore` both calls, and say it: #pragma "
                       "forecost call point-to-point bytes(E) repeat(p - 1)",
                       relay->receive->call->name);
        return (struct fill){0};
    }
    struct outline *body = common_of(relay->first, relay->last);
    struct outline *top = pipelined_loop(describer, body, relay, relays, count);
    struct fill fill = {.before = top ? top : child_towards(body, relay->first)};
    fill.messages = new_hops(describer, relay, fill.before, length.messages);
    struct outline *into = first_iterations(describer, fill.messages, top, body);
    add_message(describer, relay, body, into);
    add_between(describer, relay, body, into, true);
    fill.computing = new_hops(describer, relay, fill.before, length.computing);
    into = first_iterations(describer, fill.computing, top, body);
    add_between(describer, relay, body, into, false);
    return fill;
}

void relays_fill(struct describer *describer, const struct relay *relays, int count)
{
    struct fill fills[RELAYS_MOST];
    for (int i = 0; i < count; i++)
        fills[i] = fill_of(describer, &relays[i], relays, count);
    for (int i = 0; i < count && !describer->has_failed; i++) {
        struct outline *before = fills[i].before;
        if (!before)
            continue;
        outline_insert(describer->arena, before->up, index_of(before), fills[i].messages);
        outline_insert(describer->arena, before->up, index_of(before), fills[i].computing);
    }
}
