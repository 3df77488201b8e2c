#include "model/machine/route.h"

#include "model/base/memory.h"

#include <math.h>
#include <stdbool.h>
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

/* Both are ready when the message between the later one and the other has arrived. */
static void exchange(const struct route *route, struct hop hop, struct arrival *ready, int a, int b)
{
    const struct arrival later = ready[a].time_us >= ready[b].time_us ? ready[a] : ready[b];
    ready[a] = ready[b] = message(route, a, b, hop, later);
}

/* tree_exchanges: the first `extra` even ranks stand aside between the first message and the last.
 */
static void pass_exchanges(const struct route *route, struct hop hop, struct arrival *ready)
{
    int doubled = 1;
    while (doubled <= route->processors / 2)
        doubled *= 2;
    const int extra = route->processors - doubled;
    for (int i = 0; i < extra; i++)
        exchange(route, hop, ready, 2 * i, 2 * i + 1);
    for (int bit = 1; bit < doubled; bit *= 2)
        for (int i = 0; i < doubled; i++) {
            const int other = i ^ bit;
            if (i < other)
                exchange(route, hop, ready, i < extra ? 2 * i + 1 : i + extra,
                         other < extra ? 2 * other + 1 : other + extra);
        }
    for (int i = 0; i < extra; i++)
        exchange(route, hop, ready, 2 * i + 1, 2 * i);
}

/* A parent stands before its children in every tree, and each processor does one thing after the
   other, so one pass upwards moves everybody by one part. */
static void pass_part(const struct route *route, struct hop hop, struct arrival *ready)
{
    if (route->tree->exchanges) {
        pass_exchanges(route, hop, ready);
        return;
    }
    for (int me = 0; me < route->processors; me++)
        for (int which = 0, child; (child = route->tree->child(me, route->processors, which)) >= 0;
             which++) {
            const struct arrival later =
                ready[me].time_us >= ready[child].time_us ? ready[me] : ready[child];
            ready[me] = ready[child] = message(route, me, child, hop, later);
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

struct arrival route_arrival(const struct route *route, double whole_parts, struct hop whole,
                             struct hop last)
{
    struct arrival latest = {0.0, 0.0, 0.0};
    struct arrival *ready = memory_new((size_t)route->processors, sizeof *ready);
    pass_whole_parts(route, whole_parts, whole, ready);
    pass_part(route, last, ready);
    for (int i = 0; i < route->processors; i++)
        if (ready[i].time_us > latest.time_us)
            latest = ready[i];
    free(ready);
    return latest;
}
