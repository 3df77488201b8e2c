#include "describer/walk/relays.h"

#include "describer/walk/messages.h"

#include <string.h>

enum { OPEN_MOST = 64 };

/* What was sent or is to be received, until its other end is met. */
struct open {
    struct outline *at;
    struct outline *waits; /* where a processor goes on only when it has received, or NULL */
};

struct relays {
    struct describer *describer;
    struct open open[OPEN_MOST];
    struct relay found[RELAYS_MOST];
    int open_count, count;
};

static bool is_opposite(struct relays *relays, const struct end *a, const struct end *b)
{
    return ends_are_opposite(relays->describer, a, b);
}

static const struct syntax *partner_of(const struct end *end)
{
    return end->call->children[ARGUMENT_PARTNER];
}

/* Whether what one processor does at the one end, its neighbour may do at the other. */
static bool may_meet(struct relays *relays, const struct end *a, const struct end *b)
{
    return a->partner == PARTNER_UNKNOWN || b->partner == PARTNER_UNKNOWN ||
           is_opposite(relays, a, b);
}

/* Whether what was received is sent on, and not back. */
static bool is_sent_on(struct relays *relays, const struct end *receive, const struct end *send)
{
    if (receive->partner == PARTNER_AWAY && send->partner == PARTNER_AWAY)
        return is_opposite(relays, receive, send);
    return !are_alike(relays->describer, partner_of(receive), partner_of(send));
}

static void close_one(struct relays *relays, int at)
{
    relays->open_count--;
    memmove(&relays->open[at], &relays->open[at + 1],
            (size_t)(relays->open_count - at) * sizeof *relays->open);
}

static void open_one(struct relays *relays, struct outline *at)
{
    if (relays->open_count == OPEN_MOST)
        close_one(relays, 0);
    relays->open[relays->open_count++] =
        (struct open){.at = at, .waits = at->end->kind == END_RECEIVE ? at : NULL};
}

/* Whether another relay of the same direction is under way. */
static bool is_filled(struct relays *relays, const struct end *receive)
{
    for (int i = 0; i < relays->count; i++) {
        const struct relay *other = &relays->found[i];
        if (other->is_under_way && other->receive->partner == PARTNER_AWAY &&
            receive->partner == PARTNER_AWAY &&
            polynomial_equal(&relays->describer->algebra, other->receive->away, receive->away))
            return true;
    }
    return false;
}

/* What goes back ends what went there; all that is under way ends where all meet (NULL). */
static void end_relays(struct relays *relays, const struct end *back)
{
    for (int i = 0; i < relays->count; i++)
        if (!back || is_opposite(relays, relays->found[i].receive, back))
            relays->found[i].is_under_way = false;
}

/* The message is one, which the receive is already. */
static void drop_message(const struct end *receive, const struct end *send)
{
    if (!send->message || !receive->message)
        return;
    struct outline *up = send->message->up;
    for (int i = 0; i < up->count; i++)
        if (up->children[i] == send->message) {
            up->count--;
            memmove(&up->children[i], &up->children[i + 1],
                    (size_t)(up->count - i) * sizeof *up->children);
        }
}

static void add_relay(struct relays *relays, const struct open *open, struct outline *sends)
{
    const struct end *receive = open->at->end;
    drop_message(receive, sends->end);
    end_relays(relays, receive);
    if (!is_filled(relays, receive) && relays->count < RELAYS_MOST)
        relays->found[relays->count++] = (struct relay){.receive = receive,
                                                        .send = sends->end,
                                                        .first = open->waits,
                                                        .last = sends,
                                                        .is_under_way = true};
}

static void meet_send(struct relays *relays, struct outline *at)
{
    for (int i = 0; i < relays->open_count; i++) {
        const struct open open = relays->open[i];
        const struct end *receive = open.at->end;
        if (receive->kind == END_SEND || !may_meet(relays, receive, at->end))
            continue;
        if (open.waits && !is_sent_on(relays, receive, at->end))
            continue;
        close_one(relays, i);
        if (open.waits)
            add_relay(relays, &open, at);
        return;
    }
    open_one(relays, at);
}

static void meet_receive(struct relays *relays, struct outline *at)
{
    for (int i = 0; i < relays->open_count; i++)
        if (relays->open[i].at->end->kind == END_SEND &&
            may_meet(relays, at->end, relays->open[i].at->end)) {
            close_one(relays, i);
            return;
        }
    open_one(relays, at);
}

/* Whether it waits for that receive: all do but the one that names another request. */
static bool waits_for(struct relays *relays, const struct end *wait, const struct end *receive)
{
    enum { REQUEST = 6 }; /* argument of MPI_Irecv; MPI_Wait's first one */
    return strcmp(wait->call->name, "MPI_Wait") != 0 || receive->call->count <= REQUEST ||
           are_alike(relays->describer, wait->call->children[0], receive->call->children[REQUEST]);
}

static void meet_wait(struct relays *relays, struct outline *at)
{
    for (int i = 0; i < relays->open_count; i++) {
        struct open *open = &relays->open[i];
        if (open->at->end->kind == END_RECEIVE_LATER && !open->waits &&
            waits_for(relays, at->end, open->at->end))
            open->waits = at;
    }
}

/* What was received before all met is sent on by none who waits for it. */
static void meet_all(struct relays *relays)
{
    for (int i = relays->open_count - 1; i >= 0; i--)
        if (relays->open[i].waits)
            close_one(relays, i);
}

static void visit_end(struct relays *relays, struct outline *at)
{
    const struct end *end = at->end;
    if (end_is_closing(end))
        end_relays(relays, NULL);
    if (end->kind == END_OF_ALL)
        meet_all(relays);
    else if (end->kind == END_WAIT)
        meet_wait(relays, at);
    else if (!end_has_partner(end) || end->is_few || end->partner == PARTNER_FIXED)
        return;
    else if (end->kind == END_SEND)
        meet_send(relays, at);
    else
        meet_receive(relays, at);
}

/* Ways by data are left out: who goes them is not known. */
static void visit(struct relays *relays, struct outline *outline, int first)
{
    if (outline->loop && outline_closes(outline))
        end_relays(relays, NULL);
    for (int i = first; i < outline->count; i++) {
        struct outline *child = outline->children[i];
        if (child->kind == OUTLINE_END)
            visit_end(relays, child);
        else if (child->kind == OUTLINE_LOOP)
            visit(relays, child, 0);
    }
}

void relays_find(struct describer *describer, struct outline *root, int first)
{
    struct relays relays = {.describer = describer};
    visit(&relays, root, first);
    if (relays.count > 0)
        relays_fill(describer, relays.found, relays.count);
}
