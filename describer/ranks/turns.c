#include "describer/ranks/slices.h"

#include <math.h>
#include <string.h>

/* Processes that go on through a slice, each until it waits for another one. */
struct queue {
    const struct slice *slice;
    const struct syntax *turn;
    int way;
    int *at, *work;   /* event and work that a process comes to */
    double *now;      /* turns before that, one after the other */
    double **reached; /* the same when it has come to an event of the slice */
};

static bool is_before(const struct moment *one, const struct moment *other)
{
    return one->clock < other->clock;
}

/* Whether it comes to that `if`, within the slice. */
static bool is_taken(const struct slice *slice, int r, const struct work *work,
                     const struct syntax *turn)
{
    return work->turn->file == turn->file && work->turn->begin == turn->begin &&
           is_before(&slice->begin[r], &work->at) && is_before(&work->at, &slice->end[r]);
}

/* Takes the turns of a process up to an event. */
static void take_turns(struct queue *it, int r, int event)
{
    const struct rank *rank = &it->slice->run->processes[r];
    for (; it->work[r] < rank->work_count; it->work[r]++) {
        const struct work *work = &rank->works[it->work[r]];
        if (work->at.event > event)
            return;
        it->now[r] += work->way == it->way && is_taken(it->slice, r, work, it->turn);
    }
}

/* Whether what is received has been sent; then the process goes on no sooner. */
static bool has_come(struct queue *it, int r, const struct event *receive)
{
    const struct slice *slice = it->slice;
    const int partner = receive->partner, other = receive->other;
    if (receive->kind != EVENT_RECEIVE || other < 0 || other < slice->begin[partner].event ||
        other >= slice->end[partner].event)
        return true;
    if (it->at[partner] <= other)
        return false;
    it->now[r] = fmax(it->now[r], it->reached[partner][other - slice->begin[partner].event]);
    return true;
}

static bool is_at(const struct queue *it, int r, int group)
{
    const struct event *event = &it->slice->run->processes[r].events[it->at[r]];
    return it->at[r] < it->slice->end[r].event && event->kind == EVENT_COLLECTIVE &&
           event->group == group;
}

/* A collective operation that all members have come to: all wait for all, for the root, or the root
   for all. */
static bool meet(struct queue *it, const struct event *event)
{
    const struct communicator *group = &it->slice->run->groups[event->group];
    const bool is_from_root =
        !strcmp(event->call->name, "MPI_Bcast") || !strncmp(event->call->name, "MPI_Scatter", 11);
    double latest = 0;
    for (int i = 0; i < group->count; i++) {
        const int r = group->members[i];
        if (!is_at(it, r, event->group))
            return false;
        take_turns(it, r, it->at[r]);
        if (event->root < 0 || !is_from_root || r == event->root)
            latest = fmax(latest, it->now[r]);
    }
    for (int i = 0; i < group->count; i++) {
        const int r = group->members[i];
        if (event->root < 0 || is_from_root || r == event->root)
            it->now[r] = fmax(it->now[r], latest);
        it->at[r]++;
    }
    return true;
}

/* One event of a process; false: it has to wait. */
static bool go_on(struct queue *it, int r)
{
    const struct slice *slice = it->slice;
    const int at = it->at[r];
    if (at >= slice->end[r].event)
        return false;
    const struct event *events = slice->run->processes[r].events, *event = &events[at];
    take_turns(it, r, at);
    if (event->kind == EVENT_COLLECTIVE)
        return meet(it, event);
    if ((event->kind == EVENT_RECEIVE && !event->is_later && !has_come(it, r, event)) ||
        (event->kind == EVENT_WAIT && event->request >= slice->begin[r].event &&
         !has_come(it, r, &events[event->request])))
        return false;
    it->reached[r][at - slice->begin[r].event] = it->now[r];
    it->at[r]++;
    return true;
}

struct turns slice_turns(const struct slice *slice, const struct syntax *turn, int way)
{
    const int p = slice->run->p;
    struct arena *arena = slice->run->describer->arena;
    struct queue it = {.slice = slice, .turn = turn, .way = way};
    struct turns turns = {0};
    it.at = arena_take(arena, (size_t)p * 2, sizeof(int));
    it.work = it.at + p;
    it.now = arena_take(arena, (size_t)p, sizeof(double));
    it.reached = arena_take(arena, (size_t)p, sizeof(double *));
    for (int r = 0; r < p; r++) {
        const struct rank *rank = &slice->run->processes[r];
        const int count = slice->end[r].event - slice->begin[r].event;
        double own = 0, asked = 0;
        it.at[r] = slice->begin[r].event;
        it.reached[r] = arena_take(arena, (size_t)count + 1, sizeof(double));
        for (int i = 0; i < rank->work_count; i++)
            if (is_taken(slice, r, &rank->works[i], turn)) {
                own += rank->works[i].way == way;
                asked++;
            }
        turns.all += own;
        turns.asked = fmax(turns.asked, asked);
        turns.busiest = fmax(turns.busiest, own);
    }
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int r = 0; r < p; r++)
            while (go_on(&it, r))
                goes_on = true;
    }
    for (int r = 0; r < p; r++) {
        take_turns(&it, r, slice->end[r].event);
        turns.longest = fmax(turns.longest, it.now[r]);
    }
    return turns;
}
