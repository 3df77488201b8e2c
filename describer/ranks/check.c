#include "describer/ranks/check.h"

#include "describer/walk/messages.h"

#include <math.h>
#include <string.h>

/* What differs by no more than this share is the same: laws are rounded, and means taken. */
static const double little = 0.02;
/* Sizes that are much alike are all as large as the largest (settle.c). */
static const double largest = 0.34;

/* What takes the time of messages: how many there are, and their bytes. */
struct amount {
    double messages, bytes, collectives;
    bool is_open; /* something is described as often as a directive says */
};

/* ---- what is described ---- */

static double trips_of(const struct loop *loop)
{
    return fmax(0, polynomial_value(loop->last) - polynomial_value(loop->first) + 1);
}

static bool is_collective(const struct outline *call)
{
    return strcmp(call->utility, messages_utility("MPI_Send", false, true)) != 0 &&
           strcmp(call->utility, messages_utility("MPI_Sendrecv", false, true)) != 0 &&
           strcmp(call->utility, messages_utility("MPI_Sendrecv", false, false)) != 0;
}

static void add_described(const struct outline *outline, double times, struct amount *amount)
{
    if (outline->kind == OUTLINE_AGAIN) {
        add_described(outline->again, times, amount);
        return;
    }
    if (outline->kind == OUTLINE_CALL) {
        amount->is_open = amount->is_open || !outline->is_message || !outline->size;
        if (outline->is_message && is_collective(outline))
            amount->collectives += times;
        else if (outline->is_message) {
            amount->messages += times;
            amount->bytes += outline->size ? times * polynomial_value(outline->size) : 0;
        }
    }
    struct symbol *index = outline->loop ? outline->loop->index : NULL;
    const double before = index ? index->value : 0;
    if (outline->loop) {
        times *= trips_of(outline->loop);
        index->value =
            (polynomial_value(outline->loop->first) + polynomial_value(outline->loop->last)) / 2;
    }
    const double messages = amount->messages + amount->collectives;
    for (int i = 0; i < outline->count; i++)
        add_described(outline->children[i], times, amount);
    if (outline->kind == OUTLINE_WAY && amount->messages + amount->collectives > messages)
        amount->is_open = true;
    if (index)
        index->value = before;
}

static void describe_amount(struct describer *describer, struct amount *amount)
{
    *amount = (struct amount){0};
    for (int i = 0; i < describer->segment_count; i++) {
        const struct segment *segment = describer->segments[i];
        amount->is_open = amount->is_open || segment->repeat || segment->directive ||
                          segment->probability || !segment->count;
        if (!amount->is_open)
            add_described(&segment->root, polynomial_value(segment->count), amount);
    }
    for (int i = 0; i < describer->directives.count; i++)
        amount->is_open = amount->is_open || describer->directives.items[i].word != WORD_PARAMETERS;
}

/* ---- what is sent ---- */

/* What the process sends to others or receives, whichever is more, that does so most; all together;
   and what processes send to themselves. */
static void sent_amount(const struct run *run, struct amount *most, struct amount *all,
                        struct amount *own)
{
    *most = *all = *own = (struct amount){0};
    for (int r = 0; r < run->p; r++) {
        struct amount sent = {0}, received = {0};
        const struct rank *rank = &run->processes[r];
        for (int i = 0; i < rank->event_count; i++) {
            const struct event *event = &rank->events[i];
            const bool is_own = event->partner == r;
            struct amount *amount = event->kind != EVENT_SEND ? &received : is_own ? own : &sent;
            if (event->kind == EVENT_COLLECTIVE)
                sent.collectives++;
            if (event->kind == EVENT_SEND) {
                all->messages++;
                all->bytes += event->bytes;
            }
            if (event->other >= 0 && (event->kind == EVENT_SEND || !is_own)) {
                amount->messages++;
                amount->bytes += event->bytes;
            }
        }
        most->messages = fmax(most->messages, fmax(sent.messages, received.messages));
        most->bytes = fmax(most->bytes, fmax(sent.bytes, received.bytes));
        most->collectives = fmax(most->collectives, sent.collectives);
    }
}

/* Where fewer are described than one process sends, or more than all of them do, some are lost, or
   made up. */
static bool is_same(const struct amount *described, const struct amount *most,
                    const struct amount *all)
{
    return described->messages >= (1 - little) * most->messages &&
           described->bytes >= (1 - little) * most->bytes &&
           described->messages <= (1 + little) * all->messages &&
           described->bytes <= (1 + largest) * all->bytes &&
           described->collectives >= (1 - little) * most->collectives;
}

void ranks_check(struct describer *describer, const struct run *run)
{
    struct amount described, most, all, own;
    const double before = describer->processors->value;
    if (run->ending != ENDED || run->is_shortened)
        return;
    condition_set_processors(describer, run->p);
    describe_amount(describer, &described);
    condition_set_processors(describer, before);
    sent_amount(run, &most, &all, &own);
    if (own.messages > 0)
        describer_remark(describer, describer->segments[0]->place,
                         run->p == 1 ? "the process sends %.0f messages of %.0f bytes in all to "
                                       "itself: what copying them takes is not counted"
                                     : "processes send %.0f messages of %.0f bytes in all to "
                                       "themselves: they are described as if they went to others",
                         own.messages, own.bytes);
    if (described.is_open || is_same(&described, &most, &all))
        return;
    describer->is_lawless = true;
    describer_fail(
        describer, describer->segments[0]->place,
        "with %d processes a process sends or receives up to %.0f messages of %.0f bytes "
        "in all, and takes part in %.0f collective operations, but %.0f messages of %.0f "
        "bytes and %.0f operations were found in the loops of the source: %s`ignore` the "
        "statements, and say what is sent: #pragma forecost call point-to-point "
        "bytes(E) repeat(N)",
        run->p, most.messages, most.bytes, most.collectives, described.messages, described.bytes,
        described.collectives, describer->is_of_one ? "" : "give one number, -p P, or ");
}
