#include "recording/phases.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* constant: messages and calls of a recording, with loops written out: 30 million
   a limit of memory, 2 GB; iterations of a program that are all alike may be recorded in part. */
static const size_t messages_most = 30000000;

/* ---- places ---- */

size_t recorded_class(const struct places *places, size_t place)
{
    while (places->parents[place] != place)
        place = places->parents[place];
    return place;
}

/* The first of both stands for all. */
static void join(struct places *places, size_t a, size_t b)
{
    size_t first = recorded_class(places, a), other = recorded_class(places, b);
    if (first > other) {
        const size_t swapped = first;
        first = other;
        other = swapped;
    }
    places->parents[other] = first;
    places->parents[a] = places->parents[b] = first;
}

static size_t place_number(struct places *places, const char *name)
{
    size_t i = 0;
    while (i < places->count && strcmp(places->names[i], name) != 0)
        i++;
    if (i < places->count)
        return i;
    places->count++;
    places->names = memory_grow(places->names, places->count, sizeof *places->names);
    places->parents = memory_grow(places->parents, places->count, sizeof *places->parents);
    places->names[i] = memory_copy_text(name);
    places->parents[i] = i;
    return i;
}

void recorded_places_free(struct places *places)
{
    for (size_t i = 0; i < places->count; i++)
        free(places->names[i]);
    free(places->names);
    free(places->parents);
    *places = (struct places){0};
}

/* ---- phases ---- */

struct finding {
    struct phases *phases;
    struct places *places;
    const struct recorded_process *process;
    struct process_phases *to;
    size_t *left;     /* of messages_most */
    bool is_open;     /* the last phase of messages goes on */
    bool has_started; /* by a nonblocking call */
    size_t open;      /* its number */
    size_t collectives_since;
};

static struct phase *add_phase(struct process_phases *to)
{
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 64;
        to->items = memory_grow(to->items, to->room, sizeof *to->items);
    }
    struct phase *phase = &to->items[to->count++];
    *phase = (struct phase){.first = to->message_count};
    return phase;
}

static void add_message(struct finding *it, const struct recorded_kind *kind, bool is_send)
{
    struct process_phases *to = it->to;
    if (to->message_count == to->message_room) {
        to->message_room = to->message_room ? 2 * to->message_room : 64;
        to->messages = memory_grow(to->messages, to->message_room, sizeof *to->messages);
    }
    const size_t place = it->phases->place_of[kind->site];
    if (!it->is_open) {
        struct phase *made = add_phase(to);
        made->place = place;
        made->blocks = !it->has_started;
        it->open = to->count - 1;
        it->is_open = true;
    }
    struct phase *phase = &to->items[it->open];
    join(it->places, phase->place, place);
    phase->count++;
    to->messages[to->message_count++] = (struct message){
        kind->partner, kind->tag,  is_send, &it->process->communicators[kind->communicator],
        place,         kind->bytes};
}

/* Messages that are under way while a collective call is made are a phase that ends before it: what
   follows is another one. */
static int take(void *with, const struct recorded_kind *kind)
{
    struct finding *it = with;
    if ((*it->left)-- == 0)
        return -1;
    if (kind->operation >= RECORDED_COLLECTIVE) {
        struct phase *phase = add_phase(it->to);
        phase->call = kind;
        phase->comm = &it->process->communicators[kind->communicator];
        phase->place = it->phases->place_of[kind->site];
        it->is_open = false;
        return 0;
    }
    switch (kind->operation) {
    case RECORDED_DONE:
        it->is_open = it->has_started = false;
        return 0;
    case RECORDED_START_SEND:
    case RECORDED_START_RECEIVE:
        it->has_started = true;
        break;
    case RECORDED_PROBE:
        return 0;
    default:
        break;
    }
    if (kind->partner != RECORDING_NOBODY)
        add_message(it, kind,
                    kind->operation == RECORDED_SEND || kind->operation == RECORDED_START_SEND);
    if (!it->has_started)
        it->is_open = false;
    return 0;
}

/* ---- what is handed on ---- */

static bool is_alone(const struct process_phases *of, size_t number, bool is_send)
{
    const struct phase *phase = &of->items[number];
    return !phase->call && phase->blocks && phase->count == 1 &&
           of->messages[phase->first].is_send == is_send;
}

/* Where most receives at a place are followed at once by a send at another one, these belong
   together: processes hand on what they got. */
static void join_handed_on(struct places *places, const struct process_phases *of)
{
    double *received = memory_new(places->count, sizeof *received);
    double *followed = memory_new(places->count, sizeof *followed);
    size_t *by = memory_new(places->count, sizeof *by);
    for (size_t i = 0; i < of->count; i++) {
        const size_t place = of->items[i].place;
        if (!is_alone(of, i, false))
            continue;
        received[place]++;
        if (i + 1 == of->count || !is_alone(of, i + 1, true))
            continue;
        const size_t next = of->items[i + 1].place;
        if (followed[place] == 0.0)
            by[place] = next;
        followed[place] += by[place] == next;
    }
    for (size_t place = 0; place < places->count; place++)
        if (followed[place] > 0.0 && 2.0 * followed[place] >= received[place])
            join(places, place, by[place]);
    free(received);
    free(followed);
    free(by);
}

/* ---- who receives what ---- */

/* An end of a message, in order of its channel. */
struct end {
    int from, to, tag;
    size_t group, order;
    struct message *message;
};

static int compare(const void *left, const void *right)
{
    const struct end *a = left, *b = right;
    const long long differ[] = {
        a->from - b->from, a->to - b->to, (long long)a->group - (long long)b->group,
        (long long)a->tag - b->tag, (long long)a->order - (long long)b->order};
    for (size_t i = 0; i < sizeof differ / sizeof *differ; i++)
        if (differ[i] != 0)
            return differ[i] < 0 ? -1 : 1;
    return 0;
}

static bool same_channel(const struct end *a, const struct end *b)
{
    return a->from == b->from && a->to == b->to && a->group == b->group && a->tag == b->tag;
}

/* Those that one process receives of another with the same tag come in the order of sending. */
static void match(struct phases *phases, struct places *places)
{
    struct end *ends[2] = {NULL, NULL};
    size_t counts[2] = {0, 0}, all = 0, s = 0;
    for (int r = 0; r < phases->recording->processes; r++)
        all += phases->each[r].message_count;
    for (int k = 0; k < 2; k++)
        ends[k] = memory_new(all, sizeof *ends[k]);
    for (int r = 0; r < phases->recording->processes; r++)
        for (size_t i = 0; i < phases->each[r].message_count; i++) {
            struct message *m = &phases->each[r].messages[i];
            if (m->partner == RECORDING_ANYBODY || (!m->is_send && m->tag == RECORDING_ANY_TAG))
                continue;
            ends[m->is_send][counts[m->is_send]++] = (struct end){m->is_send ? r : m->partner,
                                                                  m->is_send ? m->partner : r,
                                                                  m->tag,
                                                                  m->comm->group,
                                                                  i,
                                                                  m};
        }
    qsort(ends[0], counts[0], sizeof *ends[0], compare);
    qsort(ends[1], counts[1], sizeof *ends[1], compare);
    for (size_t i = 0, behind = 0; i < counts[0]; i++) {
        struct end *received = &ends[0][i];
        received->order = 0;
        while (s < counts[1] && !same_channel(&ends[1][s], received) &&
               (ends[1][s].order = 0, compare(&ends[1][s], received) < 0))
            s++, behind++;
        if (s < counts[1] && same_channel(&ends[1][s], received)) {
            received->message->bytes = ends[1][s].message->bytes;
            join(places, received->message->place, ends[1][s].message->place);
            s++;
        } else {
            phases->unmatched++;
        }
    }
    free(ends[0]);
    free(ends[1]);
}

struct phases *recorded_phases_find(const struct recording *recording, struct places *places,
                                    struct error *error)
{
    struct phases *phases = memory_new(1, sizeof *phases);
    size_t left = messages_most;
    int status = 0;
    phases->recording = recording;
    phases->place_of = memory_new(recording->site_count, sizeof *phases->place_of);
    phases->each = memory_new((size_t)recording->processes, sizeof *phases->each);
    for (size_t i = 0; i < recording->site_count; i++)
        phases->place_of[i] = place_number(places, recording->sites[i]);
    for (int r = 0; r < recording->processes && status == 0; r++) {
        struct finding it = {.phases = phases,
                             .places = places,
                             .process = &recording->each[r],
                             .to = &phases->each[r],
                             .left = &left};
        status = recording_walk(it.process, take, &it);
        join_handed_on(places, it.to);
    }
    if (status == 0) {
        match(phases, places);
        return phases;
    }
    recorded_phases_free(phases);
    error_fill(error, place_at(recording->path, 0, 0),
               "more than %zu messages and calls: record fewer iterations", messages_most);
    return NULL;
}

void recorded_phases_free(struct phases *phases)
{
    for (int r = 0; r < phases->recording->processes; r++) {
        free(phases->each[r].messages);
        free(phases->each[r].items);
    }
    free(phases->each);
    free(phases->place_of);
    free(phases);
}
