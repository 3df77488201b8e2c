#include "describer/ranks/slices.h"

#include "describer/walk/messages.h"

#include <math.h>
#include <string.h>

/* Bytes that take as long as beginning a message: of 1,000 to 10,000 on the clusters of machines/.
   It decides only which of two chains of messages is the longer one. */
static const double bytes_of_beginning = 2000;

static double duration(double bytes)
{
    return 1 + bytes / bytes_of_beginning;
}

static struct slice slice_new(const struct run *run)
{
    struct arena *arena = run->describer->arena;
    return (struct slice){
        .run = run,
        .begin = arena_take(arena, (size_t)run->p, sizeof(struct moment)),
        .end = arena_take(arena, (size_t)run->p, sizeof(struct moment)),
    };
}

struct slice slice_of_run(const struct run *run)
{
    struct slice slice = slice_new(run);
    for (int r = 0; r < run->p; r++) {
        slice.begin[r] = (struct moment){0, -1};
        slice.end[r] = (struct moment){run->processes[r].event_count, run->processes[r].clock + 1};
    }
    return slice;
}

bool slice_of_segment(const struct run *run, const struct syntax *syntax, const unsigned *way,
                      int k, struct slice *slice)
{
    bool is_found = false;
    *slice = slice_new(run);
    for (int r = 0; r < run->p; r++) {
        const struct rank *rank = &run->processes[r];
        int count = 0;
        slice->begin[r] = slice->end[r] = (struct moment){0, -1};
        for (int i = 0; i < rank->instance_count; i++) {
            const struct instance *instance = &rank->instances[i];
            if (instance->syntax != syntax || (way && instance->way != *way) || count++ != k)
                continue;
            slice->begin[r] = instance->begin;
            slice->end[r] = instance->end;
            is_found = true;
            break;
        }
    }
    return is_found;
}

bool slice_is_of_all(const struct slice *slice)
{
    for (int r = 0; r < slice->run->p; r++)
        if (slice->begin[r].clock < 0)
            return false;
    return true;
}

bool slice_is_same(const struct slice *one, const struct slice *other)
{
    for (int r = 0; r < one->run->p; r++) {
        const struct event *events = one->run->processes[r].events;
        const int count = one->end[r].event - one->begin[r].event;
        if (other->end[r].event - other->begin[r].event != count)
            return false;
        for (int i = 0; i < count; i++) {
            const struct event *a = &events[one->begin[r].event + i];
            const struct event *b = &events[other->begin[r].event + i];
            if (a->kind != b->kind || a->call != b->call || a->bytes != b->bytes ||
                a->group != b->group || (a->kind != EVENT_WAIT && a->partner != b->partner))
                return false;
        }
    }
    return true;
}

bool slice_instances(const struct slice *slice, const struct syntax *syntax, int *instances)
{
    for (int r = 0; r < slice->run->p; r++) {
        const struct rank *rank = &slice->run->processes[r];
        int count = 0;
        for (int i = 0; i < rank->instance_count; i++) {
            const struct instance *instance = &rank->instances[i];
            if (instance->syntax != syntax || instance->begin.clock <= slice->begin[r].clock ||
                instance->end.clock >= slice->end[r].clock)
                continue;
            if (count++ == 0)
                instances[r] = i;
        }
        if (count != 1)
            return false;
    }
    return true;
}

struct slice slice_of_instances(const struct slice *slice, const int *instances)
{
    struct slice within = slice_new(slice->run);
    for (int r = 0; r < slice->run->p; r++) {
        const struct instance *instance = &slice->run->processes[r].instances[instances[r]];
        within.begin[r] = instance->begin;
        within.end[r] = instance->end;
    }
    return within;
}

int slice_iterations(const struct slice *slice, const int *instances)
{
    const struct rank *processes = slice->run->processes;
    const int count = processes[0].instances[instances[0]].iteration_count;
    for (int r = 1; r < slice->run->p; r++)
        if (processes[r].instances[instances[r]].iteration_count != count)
            return -1;
    return count;
}

int slice_most_iterations(const struct slice *slice, const struct syntax *syntax)
{
    int most = 0;
    for (int r = 0; r < slice->run->p; r++) {
        const struct rank *rank = &slice->run->processes[r];
        int count = 0;
        for (int i = 0; i < rank->instance_count; i++) {
            const struct instance *instance = &rank->instances[i];
            if (instance->syntax != syntax || instance->begin.clock <= slice->begin[r].clock ||
                instance->end.clock >= slice->end[r].clock)
                continue;
            if (count++ > 0 || instance->is_shortened)
                return -1;
            most = instance->iteration_count > most ? instance->iteration_count : most;
        }
    }
    return most;
}

bool slice_is_left(const struct slice *slice, const int *instances)
{
    for (int r = 0; r < slice->run->p; r++)
        if (slice->run->processes[r].instances[instances[r]].is_left)
            return true;
    return false;
}

bool slice_has_left(const struct slice *slice)
{
    for (int r = 0; r < slice->run->p; r++) {
        const struct rank *rank = &slice->run->processes[r];
        for (int i = 0; i < rank->instance_count; i++)
            if (rank->instances[i].is_left &&
                rank->instances[i].begin.clock > slice->begin[r].clock &&
                rank->instances[i].end.clock < slice->end[r].clock)
                return true;
    }
    return false;
}

struct slice slice_iteration(const struct slice *slice, const int *instances, int i)
{
    struct slice within = slice_new(slice->run);
    for (int r = 0; r < slice->run->p; r++) {
        const struct instance *instance = &slice->run->processes[r].instances[instances[r]];
        within.begin[r] = instance->iterations[i];
        within.end[r] =
            i + 1 < instance->iteration_count ? instance->iterations[i + 1] : instance->end;
    }
    return within;
}

static bool has(const struct slice *slice, int r, int event)
{
    return event >= slice->begin[r].event && event < slice->end[r].event;
}

bool slice_has_parts(const struct slice *slice)
{
    for (int r = 0; r < slice->run->p; r++)
        for (int i = slice->begin[r].event; i < slice->end[r].event; i++)
            if (slice->run->processes[r].events[i].mean > 0)
                return true;
    return false;
}

bool slice_is_closed(const struct slice *slice, const struct event **open)
{
    for (int r = 0; r < slice->run->p; r++)
        for (int i = slice->begin[r].event; i < slice->end[r].event; i++) {
            const struct event *event = &slice->run->processes[r].events[i];
            const bool is_end = event->kind == EVENT_SEND || event->kind == EVENT_RECEIVE;
            if (event->kind == EVENT_SEND && event->other < 0)
                continue; /* nobody ever receives it */
            if (!is_end || (event->other >= 0 && has(slice, event->partner, event->other)))
                continue;
            *open = event;
            return false;
        }
    return true;
}

/* ---- groups ---- */

/* Loops around an event, within the slice, that were left early: how often they really run. */
static void note_loops(const struct slice *slice, int r, const struct event *event,
                       struct group *group, struct algebra *algebra)
{
    const struct rank *rank = &slice->run->processes[r];
    polynomial loops[4];
    int count = 0;
    for (int at = event->instance; at >= 0; at = rank->instances[at].up) {
        const struct instance *instance = &rank->instances[at];
        if (instance->begin.clock <= slice->begin[r].clock)
            break;
        if (!instance->is_shortened)
            continue;
        if (count == 4 || !instance->trips) {
            group->is_odd = true;
            return;
        }
        loops[count++] = instance->trips;
    }
    if (group->count == 0) {
        memcpy(group->loops, loops, sizeof loops);
        group->loop_count = count;
        return;
    }
    bool is_same = group->loop_count == count;
    for (int i = 0; i < count && is_same; i++)
        is_same = polynomial_equal(algebra, group->loops[i], loops[i]);
    group->is_odd = group->is_odd || !is_same;
}

static void tally_add(const struct slice *slice, int r, const struct event *event,
                      const char *utility, double count, double members, struct tally *tally)
{
    struct algebra *algebra = &slice->run->describer->algebra;
    const bool is_message = event->kind != EVENT_COLLECTIVE;
    int i = 0;
    for (; i < tally->count; i++) {
        const struct group *group = &tally->groups[i];
        const bool is_as_large = event->form && group->form
                                     ? polynomial_equal(algebra, event->form, group->form)
                                     : !event->form && !group->form && event->bytes == group->bytes;
        if (is_as_large && !strcmp(group->utility, utility) && group->is_message == is_message &&
            group->members == members)
            break;
    }
    if (i == TALLY_MOST) {
        tally->is_full = true;
        return;
    }
    struct group *group = &tally->groups[i];
    if (i == tally->count) {
        tally->count++;
        *group = (struct group){.utility = utility,
                                .form = event->form,
                                .bytes = event->bytes,
                                .is_message = is_message,
                                .members = members,
                                .is_part = !is_message && members != slice->run->p,
                                .call = event->call};
    }
    note_loops(slice, r, event, group, algebra);
    group->count += count;
}

double tally_time(const struct tally *tally)
{
    double time = 0;
    for (int i = 0; i < tally->count; i++)
        if (tally->groups[i].is_message)
            time += tally->groups[i].count * duration(tally->groups[i].bytes);
    return time;
}

double tally_calls(const struct tally *tally, bool are_messages)
{
    double count = 0;
    for (int i = 0; i < tally->count; i++)
        if (tally->groups[i].is_message == are_messages)
            count += tally->groups[i].count;
    return count;
}

bool tally_is_same(const struct tally *one, const struct tally *other)
{
    bool is_same = one->count == other->count && !one->is_full && !other->is_full;
    for (int i = 0; i < one->count && is_same; i++) {
        const struct group *group = &one->groups[i];
        bool is_found = false;
        for (int k = 0; k < other->count && !is_found; k++) {
            const struct group *its = &other->groups[k];
            is_found = !strcmp(group->utility, its->utility) && group->bytes == its->bytes &&
                       group->count == its->count && group->is_message == its->is_message &&
                       group->members == its->members;
        }
        is_same = is_found;
    }
    return is_same;
}

/* ---- the busiest process ---- */

static bool is_left_out(const struct slice *without, int count, int r, int event)
{
    for (int i = 0; i < count; i++)
        if (has(&without[i], r, event))
            return true;
    return false;
}

/* What one process sends by one call, and what it receives from that call of others. */
struct pair {
    const struct syntax *call;
    unsigned way;
    double sends, receives;
    const struct event *first;
    int rank;
    double partners_sent, partners_received; /* sums: whether they are the same processes */
    int own_send, own_receive;               /* the last events of the process; -1: none */
    bool is_at_once; /* what it receives comes while what it sends is on its way */
};

enum { PAIRS_MOST = 256 };

static const struct event *sent(const struct slice *slice, int r, const struct event *event)
{
    (void)r;
    if (event->kind == EVENT_SEND)
        return event;
    return event->other >= 0 ? &slice->run->processes[event->partner].events[event->other] : NULL;
}

/* Whether one of a send and a receive goes on while the process comes to the other one. */
static bool overlap(const struct rank *rank, int send, int receive)
{
    const int first = send < receive ? send : receive, second = send < receive ? receive : send;
    if (first < 0 || !rank->events[first].is_later)
        return false;
    if (rank->events[first].is_both) /* no longer than the call */
        return second == first + 1 && rank->events[second].is_both;
    for (int i = first + 1; i < second; i++) {
        const struct event *event = &rank->events[i];
        if (event->kind == EVENT_COLLECTIVE ||
            (event->kind == EVENT_WAIT && event->request == (first == send ? -1 : first)))
            return false;
    }
    return true;
}

static bool is_of_call(const struct slice *slice, int r, int event, const struct syntax *call)
{
    const struct event *send = sent(slice, r, &slice->run->processes[r].events[event]);
    return send && send->call == call;
}

/* Whether a process sends, and then receives for the first time what another one has sent by the
   same call before that receives by it: the messages cross. */
static bool cross(const struct slice *slice, int r, int send, int receive)
{
    const struct event *events = slice->run->processes[r].events, *own = &events[receive];
    if (send < 0 || events[send].is_later || own->other < 0)
        return false;
    for (int i = send + 1; i < receive; i++)
        if (events[i].kind == EVENT_COLLECTIVE)
            return false;
    for (int i = slice->begin[own->partner].event; i < own->other; i++) {
        const enum event_kind kind = slice->run->processes[own->partner].events[i].kind;
        if (kind == EVENT_COLLECTIVE || ((kind == EVENT_SEND || kind == EVENT_RECEIVE) &&
                                         is_of_call(slice, own->partner, i, events[send].call)))
            return false;
    }
    return own->partner != events[send].partner || own->other < events[send].other;
}

/* What is sent by one call and received from another one at once is one exchange. */
static void join_pairs(const struct slice *slice, int r, struct pair *pairs, int count)
{
    struct algebra *algebra = &slice->run->describer->algebra;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            struct pair *out = &pairs[i], *in = &pairs[k];
            const double many = fmin(out->sends - out->receives, in->receives - in->sends);
            const bool is_as_large =
                out->first->form && in->first->form
                    ? polynomial_equal(algebra, out->first->form, in->first->form)
                    : out->first->bytes == in->first->bytes;
            if (many <= 0 || !is_as_large || !in->first->is_later || in->sends > 0 ||
                (out->receives > 0 && !out->is_at_once) ||
                !overlap(&slice->run->processes[r], out->own_send, in->own_receive))
                continue;
            out->receives += many;
            in->receives -= many;
            out->is_at_once = true;
            if (in->receives == 0)
                out->partners_received += in->partners_received;
        }
}

static int pairs_of(const struct slice *slice, const struct slice *without, int without_count,
                    int r, struct pair *pairs)
{
    struct algebra *algebra = &slice->run->describer->algebra;
    const struct rank *rank = &slice->run->processes[r];
    int count = 0;
    for (int i = slice->begin[r].event; i < slice->end[r].event; i++) {
        const struct event *event = &rank->events[i];
        if ((event->kind != EVENT_SEND && event->kind != EVENT_RECEIVE) ||
            is_left_out(without, without_count, r, i))
            continue;
        const struct event *send = sent(slice, r, event);
        if (!send)
            continue;
        int k = 0;
        for (; k < count; k++)
            if (pairs[k].call == send->call && pairs[k].way == send->way &&
                (pairs[k].first->form && send->form
                     ? polynomial_equal(algebra, pairs[k].first->form, send->form)
                     : pairs[k].first->bytes == send->bytes))
                break;
        if (k == PAIRS_MOST)
            return count;
        if (k == count)
            pairs[count++] = (struct pair){.call = send->call,
                                           .way = send->way,
                                           .first = send,
                                           .rank = r,
                                           .own_send = -1,
                                           .own_receive = -1};
        if (event->kind == EVENT_SEND) {
            pairs[k].own_send = i;
            pairs[k].sends++;
            pairs[k].partners_sent += event->partner;
            pairs[k].first = send;
        } else {
            pairs[k].own_receive = i;
            pairs[k].is_at_once = pairs[k].is_at_once ||
                                  (pairs[k].receives == 0 && cross(slice, r, pairs[k].own_send, i));
            pairs[k].receives++;
            pairs[k].partners_received += event->partner;
        }
    }
    for (int k = 0; k < count; k++)
        pairs[k].is_at_once = pairs[k].is_at_once || pairs[k].first->is_later ||
                              overlap(rank, pairs[k].own_send, pairs[k].own_receive);
    join_pairs(slice, r, pairs, count);
    return count;
}

static const char *utility_of(const struct pair *pair)
{
    const bool is_alike = pair->partners_sent == pair->partners_received;
    if (pair->sends == 0 || pair->receives == 0 || !pair->is_at_once)
        return messages_utility("MPI_Send", false, true);
    return pair->first->is_both ? messages_utility("MPI_Sendrecv", false, is_alike)
                                : messages_utility("MPI_Sendrecv", false, true);
}

static void busiest(const struct slice *slice, const struct slice *without, int without_count,
                    struct tally *tally)
{
    struct pair pairs[PAIRS_MOST];
    double most = -1;
    int who = 0;
    for (int r = 0; r < slice->run->p; r++) {
        const int count = pairs_of(slice, without, without_count, r, pairs);
        double time = 0;
        for (int k = 0; k < count; k++)
            time += fmax(pairs[k].sends, pairs[k].receives) * duration(pairs[k].first->bytes);
        /* not the first one where others have as much: it may have neighbours on one side only */
        if (time > most || (time == most && r <= slice->run->p / 2)) {
            most = time;
            who = r;
        }
    }
    const int count = pairs_of(slice, without, without_count, who, pairs);
    for (int k = 0; k < count; k++) {
        if (pairs[k].sends == 0 && pairs[k].receives == 0)
            continue;
        /* the loops are those of the process that sends: another one where this one only receives
         */
        int r = who;
        for (int q = 0; q < slice->run->p && pairs[k].sends == 0; q++)
            if (pairs[k].first >= slice->run->processes[q].events &&
                pairs[k].first <
                    slice->run->processes[q].events + slice->run->processes[q].event_count)
                r = q;
        tally_add(slice, r, pairs[k].first, utility_of(&pairs[k]),
                  fmax(pairs[k].sends, pairs[k].receives), 0, tally);
    }
}

/* ---- messages that wait for one another ---- */

struct stop {
    double end;
    int rank, event; /* what it waited for; -1: nothing */
    bool is_done, takes_time;
};

/* When a process's way in is taken by messages that have come: no two come at the same time. */
enum { INLET_MOST = 64 };

struct taken {
    double begin, end;
    int event;
};

struct inlet {
    struct taken taken[INLET_MOST];
    int count, next;
};

struct clocks {
    const struct slice *slice;
    const struct slice *without;
    int without_count;
    struct stop **stops; /* by process and event of it, from where the slice begins */
    int *at;             /* event that a process comes to */
    double *now;         /* when it does */
    int *last;           /* event that says when; -1: none */
    double *out;         /* until when its way out is taken */
    int *out_event;
    struct inlet *inlets;
};

static struct stop *stop_of(const struct clocks *it, int r, int event)
{
    return &it->stops[r][event - it->slice->begin[r].event];
}

/* What a message that comes in is waited for: it has come, and what came before it is read. */
static bool receive(struct clocks *it, int r, int event)
{
    const struct event *receive = &it->slice->run->processes[r].events[event];
    struct stop *stop = stop_of(it, r, event);
    if (stop->is_done)
        return true;
    if (receive->other < 0 || !has(it->slice, receive->partner, receive->other) ||
        is_left_out(it->without, it->without_count, receive->partner, receive->other)) {
        *stop = (struct stop){.end = it->now[r], .rank = -1, .event = -1, .is_done = true};
        return true;
    }
    const struct stop *send = stop_of(it, receive->partner, receive->other);
    if (!send->is_done)
        return false;
    *stop = (struct stop){
        .end = send->end, .rank = receive->partner, .event = receive->other, .is_done = true};
    const double takes = duration(receive->bytes);
    struct inlet *inlet = &it->inlets[r];
    for (int i = 0; i < inlet->count; i++)
        if (stop->end - takes < inlet->taken[i].end - 1e-9 &&
            stop->end > inlet->taken[i].begin + 1e-9) {
            *stop = (struct stop){.end = inlet->taken[i].end + takes,
                                  .rank = r,
                                  .event = inlet->taken[i].event,
                                  .is_done = true,
                                  .takes_time = true};
            i = -1;
        }
    const int at = inlet->count < INLET_MOST ? inlet->count++ : inlet->next++ % INLET_MOST;
    inlet->taken[at] = (struct taken){stop->end - takes, stop->end, event};
    return true;
}

static void go_to(struct clocks *it, int r, int event, double when)
{
    if (when > it->now[r]) {
        it->now[r] = when;
        it->last[r] = event;
    }
}

static bool all_meet(struct clocks *it, int group)
{
    const struct run *run = it->slice->run;
    for (int i = 0; i < run->groups[group].count; i++) {
        const int r = run->groups[group].members[i];
        if (it->at[r] >= it->slice->end[r].event)
            return false;
        const struct event *event = &run->processes[r].events[it->at[r]];
        if (event->kind != EVENT_COLLECTIVE || event->group != group)
            return false;
    }
    return true;
}

static void meet_now(struct clocks *it, int group)
{
    const struct run *run = it->slice->run;
    int latest = run->groups[group].members[0];
    for (int i = 0; i < run->groups[group].count; i++) {
        const int r = run->groups[group].members[i];
        if (it->now[r] > it->now[latest])
            latest = r;
    }
    for (int i = 0; i < run->groups[group].count; i++) {
        const int r = run->groups[group].members[i], event = it->at[r]++;
        *stop_of(it, r, event) = (struct stop){.end = it->now[latest],
                                               .rank = it->last[latest] >= 0 ? latest : -1,
                                               .event = it->last[latest],
                                               .is_done = true};
        go_to(it, r, event, it->now[latest]);
    }
}

/* One event of a process; false: it has to wait. */
static bool advance(struct clocks *it, int r)
{
    const struct rank *rank = &it->slice->run->processes[r];
    const int at = it->at[r];
    if (at >= it->slice->end[r].event)
        return false;
    const struct event *event = &rank->events[at];
    struct stop *stop = stop_of(it, r, at);
    if (is_left_out(it->without, it->without_count, r, at)) {
        *stop = (struct stop){.end = it->now[r], .rank = -1, .event = -1, .is_done = true};
        it->at[r]++;
        return true;
    }
    switch (event->kind) {
    case EVENT_SEND: {
        const bool is_held_up = it->out[r] > it->now[r];
        const int before = is_held_up ? it->out_event[r] : it->last[r];
        *stop = (struct stop){.end = fmax(it->now[r], it->out[r]) + duration(event->bytes),
                              .rank = before >= 0 ? r : -1,
                              .event = before,
                              .is_done = true,
                              .takes_time = true};
        it->out[r] = stop->end;
        it->out_event[r] = at;
        if (!event->is_later)
            go_to(it, r, at, stop->end);
        break;
    }
    case EVENT_RECEIVE:
        if (event->is_later)
            break;
        if (!receive(it, r, at))
            return false;
        go_to(it, r, at, stop->end);
        break;
    case EVENT_WAIT:
        if (event->request >= it->slice->begin[r].event && event->request < at) {
            if (!receive(it, r, event->request))
                return false;
            go_to(it, r, event->request, stop_of(it, r, event->request)->end);
        }
        if (event->request < 0 && it->out[r] > it->now[r])
            go_to(it, r, it->out_event[r], it->out[r]);
        stop->is_done = true;
        break;
    case EVENT_COLLECTIVE:
        if (!all_meet(it, event->group))
            return false;
        meet_now(it, event->group);
        return true;
    }
    it->at[r]++;
    return true;
}

static void chained(const struct slice *slice, const struct slice *without, int without_count,
                    struct tally *tally)
{
    const int p = slice->run->p;
    struct arena *arena = slice->run->describer->arena;
    struct clocks it = {.slice = slice, .without = without, .without_count = without_count};
    it.stops = arena_take(arena, (size_t)p, sizeof(struct stop *));
    it.at = arena_take(arena, (size_t)p * 3, sizeof(int));
    it.last = it.at + p;
    it.out_event = it.last + p;
    it.inlets = arena_take(arena, (size_t)p, sizeof *it.inlets);
    it.now = arena_take(arena, (size_t)p * 2, sizeof(double));
    it.out = it.now + p;
    for (int r = 0; r < p; r++) {
        const int count = slice->end[r].event - slice->begin[r].event;
        it.stops[r] = arena_take(arena, (size_t)count + 1, sizeof(struct stop));
        it.at[r] = slice->begin[r].event;
        it.last[r] = it.out_event[r] = -1;
    }
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int r = 0; r < p; r++)
            while (advance(&it, r))
                goes_on = true;
    }
    int r = -1, event = -1;
    double end = 0;
    for (int q = 0; q < p; q++)
        for (int i = slice->begin[q].event; i < slice->end[q].event; i++)
            if (stop_of(&it, q, i)->end > end) {
                end = stop_of(&it, q, i)->end;
                r = q;
                event = i;
            }
    for (int steps = 0; r >= 0 && event >= 0 && steps < 1000000; steps++) {
        const struct stop *stop = stop_of(&it, r, event);
        const struct event *own = &slice->run->processes[r].events[event];
        if (stop->takes_time) {
            const bool is_both = own->is_both && own->kind == EVENT_SEND;
            const struct event *back = is_both && event + 1 < slice->end[r].event ? own + 1 : NULL;
            const bool is_alike = back && back->kind == EVENT_RECEIVE && back->is_both &&
                                  back->partner == own->partner;
            tally_add(slice, r, own,
                      messages_utility(is_both ? "MPI_Sendrecv" : "MPI_Send", false, is_alike), 1,
                      0, tally);
        }
        r = stop->rank;
        event = stop->event;
    }
}

/* ---- collective operations ---- */

static void collective(const struct slice *slice, const struct slice *without, int without_count,
                       struct tally *tally)
{
    int who = 0;
    double most = -1, most_bytes = 0;
    for (int r = 0; r < slice->run->p; r++) {
        double count = 0, bytes = 0;
        for (int i = slice->begin[r].event; i < slice->end[r].event; i++)
            if (slice->run->processes[r].events[i].kind == EVENT_COLLECTIVE &&
                !is_left_out(without, without_count, r, i)) {
                count++;
                bytes += slice->run->processes[r].events[i].bytes;
            }
        /* of those who come to as many, one who gives most: a root may give nothing */
        if (count > most || (count == most && bytes > most_bytes)) {
            most = count;
            most_bytes = bytes;
            who = r;
        }
    }
    for (int i = slice->begin[who].event; i < slice->end[who].event; i++) {
        const struct event *event = &slice->run->processes[who].events[i];
        if (event->kind != EVENT_COLLECTIVE || is_left_out(without, without_count, who, i))
            continue;
        struct event one = *event;
        if (event->mean > 0) {
            one.bytes = event->mean;
            one.form = event->mean_form;
        }
        const bool is_in_place =
            event->call->count > 0 && is_constant(event->call->children[0], "MPI_IN_PLACE");
        tally_add(slice, who, &one, messages_utility(event->call->name, is_in_place, true), 1,
                  slice->run->groups[event->group].count, tally);
    }
}

void slice_chain(const struct slice *slice, const struct slice *without, int without_count,
                 struct tally *tally)
{
    *tally = (struct tally){0};
    chained(slice, without, without_count, tally);
    collective(slice, without, without_count, tally);
}

void slice_tally(const struct slice *slice, const struct slice *without, int without_count,
                 struct tally *tally)
{
    struct tally *chain = arena_take(slice->run->describer->arena, 1, sizeof *chain);
    *tally = (struct tally){0};
    busiest(slice, without, without_count, tally);
    chained(slice, without, without_count, chain);
    if (tally_time(chain) > tally_time(tally) * 1.000001)
        *tally = *chain;
    collective(slice, without, without_count, tally);
}
