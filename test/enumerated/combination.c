#include "test/enumerated/combination.h"

#include "model/base/allocation.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Within how many loops what the statement writes is read later. */
static int depth_of_reads(const struct trace *trace, const struct statement *statement)
{
    int deepest = 0;
    for (size_t i = 0; i < trace->count; i++)
        for (int k = 0; k < trace->events[i].read_count; k++) {
            const int writer = trace->events[i].writers[k];
            const struct loop *carrier;
            if (writer < 0 || trace->events[writer].statement != statement)
                continue;
            const int depth = depth_between(&trace->events[i], &trace->events[writer], &carrier);
            deepest = depth > deepest ? depth : deepest;
        }
    return deepest;
}

/* Along grid dimensions that the home does not use every processor has a copy of it; those of one
   copy combine among themselves. A bit each processor. */
static unsigned of_same_copy(const struct world *it, const struct lying *home, int processor)
{
    unsigned mates = 0;
    for (int q = 0; q < it->processors; q++) {
        bool same = true;
        for (int g = 0; g < it->grid_count; g++) {
            bool used = false;
            for (int d = 0; d < home->rank; d++)
                used |= home->grid[d] == g;
            same &= used || world_coordinate(it, q, g) == world_coordinate(it, processor, g);
        }
        mates |= (unsigned)same << (unsigned)q;
    }
    return mates;
}

struct contributors {
    unsigned of[PROCESSORS];
    int count, largest;
};

static void add_group(struct contributors *groups, unsigned group)
{
    for (int g = 0; g < groups->count; g++)
        if (groups->of[g] == group)
            return;
    ck_assert_int_lt(groups->count, PROCESSORS);
    groups->of[groups->count++] = group;
    const int size = __builtin_popcount(group);
    groups->largest = size > groups->largest ? size : groups->largest;
}

/* What was contributed between two combinations, and forgets it; contributes: by element of the
   result, a bit each processor. */
static void combine(struct tally *tally, const struct world *it, const struct event *event,
                    unsigned *contributes)
{
    const int count = it->arrays[event->writes.array].elements;
    struct contributors groups = {.largest = 1};
    int most = 0;
    for (int q = 0; q < it->processors; q++) {
        const unsigned mates = of_same_copy(it, &it->arrays[event->home.array], q);
        int elements = 0;
        for (int e = 0; e < count; e++) {
            const unsigned group = contributes[e] & mates;
            if (!(group >> (unsigned)q & 1U) || __builtin_popcount(group) < 2)
                continue;
            add_group(&groups, group);
            elements++;
        }
        most = elements > most ? elements : most;
    }
    const struct expected expected = {TRAFFIC_COMBINE, 1.0, most, groups.largest, groups.count};
    if (groups.count > 0)
        tally_add_expected(tally, &expected);
    memset(contributes, 0, (size_t)count * sizeof *contributes);
}

static bool other_turn(const struct event *a, const struct event *b, int depth)
{
    for (int l = 0; l < depth; l++)
        if (a->at[l] != b->at[l])
            return true;
    return false;
}

void combination_add(struct tally *tally, const struct trace *trace,
                     const struct statement *statement)
{
    const struct world *it = trace->world;
    const int depth = depth_of_reads(trace, statement);
    const struct event *before = NULL;
    unsigned *contributes = NULL;
    for (size_t i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i];
        if (event->statement != statement)
            continue;
        if (!before)
            contributes =
                memory_new((size_t)it->arrays[event->writes.array].elements, sizeof *contributes);
        else if (other_turn(event, before, depth))
            combine(tally, it, before, contributes);
        for (int q = 0; q < it->processors; q++)
            if (trace_executes(it, event, q))
                contributes[event->writes.element] |= 1U << (unsigned)q;
        before = event;
    }
    if (before)
        combine(tally, it, before, contributes);
    free(contributes);
}
