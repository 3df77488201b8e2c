#include "model/cost/route.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After so many parts the flow counts as steady, should it still waver. */
enum { PARTS_MOST = 1000 };

static const double steady = 1e-9;

static int node_of(const struct route *route, int relative)
{
    const int rank = (route->root + relative) % route->processors;
    return route->together > 0 ? rank / route->together : 0;
}

static struct arrival later(struct arrival a, struct arrival b)
{
    return a.time_us >= b.time_us ? a : b;
}

static struct arrival message(const struct route *route, int from, int to, struct hop hop,
                              struct arrival start)
{
    if (node_of(route, from) == node_of(route, to)) {
        start.time_us += hop.near_us;
        start.near += 1.0;
    } else {
        start.time_us += hop.far_us;
        start.far += 1.0;
    }
    return start;
}

/* A parent stands before its children in every tree, and each processor does one thing after the
   other, so one pass upwards moves everybody by one part. */
static void pass_part(const struct route *route, struct hop hop, struct arrival *ready)
{
    for (int me = 0; me < route->processors; me++)
        for (int which = 0, child; (child = route->tree->child(me, route->processors, which)) >= 0;
             which++) {
            ready[me] = ready[child] =
                message(route, me, child, hop, later(ready[me], ready[child]));
        }
}

static bool is_steady(const struct arrival *before, const struct arrival *now, int processors)
{
    const double step_us = now[0].time_us - before[0].time_us;
    for (int i = 1; i < processors; i++)
        if (fabs(now[i].time_us - before[i].time_us - step_us) > steady * now[i].time_us)
            return false;
    return true;
}

/* As many parts more as everybody's last one, in one step. */
static void repeat(const struct arrival *before, struct arrival *now, int processors, double parts)
{
    for (int i = 0; i < processors; i++) {
        now[i].time_us += parts * (now[i].time_us - before[i].time_us);
        now[i].near += parts * (now[i].near - before[i].near);
        now[i].far += parts * (now[i].far - before[i].far);
    }
}

static void pass_whole_parts(const struct route *route, double parts, struct hop hop,
                             struct arrival *ready)
{
    const size_t count = (size_t)route->processors;
    struct arrival *before = memory_new(count, sizeof *before);
    for (double done = 0.0; done < parts;) {
        memcpy(before, ready, count * sizeof *before);
        pass_part(route, hop, ready);
        done += 1.0;
        if (done < parts && (done >= PARTS_MOST || is_steady(before, ready, route->processors))) {
            repeat(before, ready, route->processors, parts - done);
            break;
        }
    }
    free(before);
}

static struct arrival last_of(const struct arrival *ready, int processors)
{
    struct arrival last = {0};
    for (int i = 0; i < processors; i++)
        if (ready[i].time_us > last.time_us)
            last = ready[i];
    return last;
}

static struct arrival along_tree(const struct route *route, double whole_parts, struct hop whole,
                                 struct hop last)
{
    struct arrival *ready = memory_new((size_t)route->processors, sizeof *ready);
    pass_whole_parts(route, whole_parts, whole, ready);
    pass_part(route, last, ready);
    const struct arrival latest = last_of(ready, route->processors);
    free(ready);
    return latest;
}

/* ---- from other roots ---- */

static int upwards(const void *a, const void *b)
{
    const struct arrival *x = a, *y = b;
    return (x->time_us > y->time_us) - (x->time_us < y->time_us);
}

/* The roots of the utility broadcast-bc-other, each once. */
static struct arrival from_other_roots(const struct route *route, double whole_parts,
                                       struct hop whole, struct hop last)
{
    const int p = route->processors, roots[] = {1, p / 2, p - 1};
    struct arrival each[sizeof roots / sizeof *roots] = {{0}};
    struct route from = *route;
    size_t count = 0;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (i == 0 || roots[i] > roots[i - 1]) {
            from.root = roots[i];
            each[count++] = along_tree(&from, whole_parts, whole, last);
        }
    qsort(each, count, sizeof *each, upwards);
    return each[count / 2];
}

/* ---- rounds ---- */

/* A message that a processor waits for: from when it starts, and whether it goes far. */
struct wait {
    double end_us;
    int start; /* of the two the one that is ready later */
    bool is_far;
};

static void wait_for(const struct arrival *before, const int *nodes, struct hop hop, int me,
                     int partner, struct wait *longest)
{
    if (partner < 0)
        return;
    const int start = before[me].time_us >= before[partner].time_us ? me : partner;
    const bool is_far = nodes[me] != nodes[partner];
    const double end_us = before[start].time_us + (is_far ? hop.far_us : hop.near_us);
    if (longest->start < 0 || end_us > longest->end_us)
        *longest = (struct wait){end_us, start, is_far};
}

static void pass_round(const struct arrival *before, const int *nodes, struct hop hop, int me,
                       struct partners partners, struct arrival *ready)
{
    struct wait longest = {0.0, -1, false};
    wait_for(before, nodes, hop, me, partners.to, &longest);
    wait_for(before, nodes, hop, me, partners.from, &longest);
    if (longest.start < 0)
        return;
    ready[me] = before[longest.start];
    ready[me].time_us = longest.end_us;
    *(longest.is_far ? &ready[me].far : &ready[me].near) += 1.0;
}

static int *nodes_of(const struct route *route)
{
    int *nodes = memory_new((size_t)route->processors, sizeof *nodes);
    for (int me = 0; me < route->processors; me++)
        nodes[me] = node_of(route, me);
    return nodes;
}

static struct arrival mean_of(const struct arrival *ready, int processors)
{
    struct arrival mean = {0};
    for (int i = 0; i < processors; i++) {
        mean.time_us += ready[i].time_us / processors;
        mean.near += ready[i].near / processors;
        mean.far += ready[i].far / processors;
    }
    return mean;
}

static struct arrival through_rounds(const struct route *route, struct hop hop)
{
    const struct rounds *rounds = route->rounds;
    const struct formation formation = formation_of(route->processors);
    const int p = route->processors, count = rounds->count(&formation);
    struct arrival *ready = memory_new((size_t)p, sizeof *ready);
    struct arrival *before = memory_new((size_t)p, sizeof *before);
    int *nodes = nodes_of(route);
    for (int round = 0; round < count; round++) {
        memcpy(before, ready, (size_t)p * sizeof *before);
        for (int me = 0; me < p; me++)
            pass_round(before, nodes, hop, me, rounds->partners(&formation, me, round), ready);
    }
    const struct arrival end = rounds->is_mean ? mean_of(ready, p) : last_of(ready, p);
    free(nodes);
    free(before);
    free(ready);
    return (struct arrival){.time_us = end.time_us / rounds->uses,
                            .near = end.near / rounds->uses,
                            .far = end.far / rounds->uses};
}

/* ---- all at once ---- */

/* The sender's link carries one message after the other, near ones first, as they are ready first;
   it idles where they are through before the first far one is ready. */
static struct arrival all_at_once(const struct route *route, struct hop hop)
{
    int near = 0;
    for (int other = 1; other < route->processors; other++)
        near += node_of(route, other) == node_of(route, 0);
    const int far = route->processors - 1 - near;
    const struct arrival after = {.time_us = hop.near_us + (near - 1) * hop.near_gap_us +
                                             far * hop.far_gap_us,
                                  .near = 1.0,
                                  .near_gaps = near - 1,
                                  .far_gaps = far};
    const struct arrival idle = {
        .time_us = hop.far_us + (far - 1) * hop.far_gap_us, .far = 1.0, .far_gaps = far - 1};
    return near == 0 || (far > 0 && idle.time_us > after.time_us) ? idle : after;
}

bool route_is_bounded(const struct route *route)
{
    if (!route->rounds)
        return true;
    const struct formation formation = formation_of(route->processors);
    return (double)route->rounds->count(&formation) * route->processors <= ROUTE_MESSAGES_MOST;
}

/* Nobody is farther than another, and the message goes whole: no need to look at each. */
static bool is_counted(const struct route *route, double whole_parts)
{
    return whole_parts == 0.0 && (route->together <= 0 || route->together >= route->processors);
}

struct arrival route_arrival(const struct route *route, double whole_parts, struct hop whole,
                             struct hop last)
{
    if (route->rounds)
        return through_rounds(route, last);
    if (route->tree->sends_at_once)
        return all_at_once(route, last);
    if (is_counted(route, whole_parts)) {
        const int near = route->tree->depth(route->processors);
        return (struct arrival){.time_us = near * last.near_us, .near = near};
    }
    if (route->other_roots)
        return from_other_roots(route, whole_parts, whole, last);
    return along_tree(route, whole_parts, whole, last);
}
