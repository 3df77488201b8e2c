#include "test/enumerated/combination.h"

#include "model/base/allocation.h"
#include "test/check.h"

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

/* Who owns the results of a group along one grid dimension: how many of them each coordinate. */
struct shares {
    int of[PROCESSORS], most, owners;
    bool all_there; /* they are among the coordinates that contribute */
};

static int dimension_along(const struct lying *lies, int g)
{
    for (int d = 0; d < lies->rank; d++)
        if (lies->grid[d] == g)
            return d;
    return -1;
}

static unsigned coordinates_of(const struct world *it, unsigned group, int g)
{
    unsigned coordinates = 0;
    for (int q = 0; q < it->processors; q++)
        if (group >> (unsigned)q & 1U)
            coordinates |= 1U << (unsigned)world_coordinate(it, q, g);
    return coordinates;
}

/* Distinct subscripts of the group's elements along dimension d, a bit each. */
static unsigned long subscripts_of(const struct lying *lies, const unsigned *contributes,
                                   unsigned group, unsigned mates, int d)
{
    unsigned long seen = 0;
    for (int e = 0; e < lies->elements; e++)
        if ((contributes[e] & mates) == group)
            seen |= 1UL << (unsigned)lying_subscript(lies, d, e);
    return seen;
}

/* Whether there are as many elements of each of these subscripts. */
static bool is_even(const struct lying *lies, const unsigned *contributes, unsigned group,
                    unsigned mates, int d)
{
    int of[64] = {0}, most = 0;
    for (int e = 0; e < lies->elements; e++)
        if ((contributes[e] & mates) == group)
            of[lying_subscript(lies, d, e)]++;
    for (int i = 0; i < lies->extent[d]; i++)
        most = of[i] > most ? of[i] : most;
    for (int i = 0; i < lies->extent[d]; i++)
        if (of[i] > 0 && of[i] < most)
            return false;
    return true;
}

static struct shares shares_of(const struct world *it, const struct lying *lies, int g,
                               unsigned long subscripts, unsigned there)
{
    const int d = dimension_along(lies, g);
    struct shares shares = {.all_there = true};
    for (int i = 0; i < lies->extent[d]; i++)
        if (subscripts >> (unsigned)i & 1UL)
            shares.of[i / lies->block[d] % it->grid[g]]++;
    for (int q = 0; q < it->grid[g]; q++) {
        shares.owners += shares.of[q] > 0;
        shares.most = shares.of[q] > shares.most ? shares.of[q] : shares.most;
        shares.all_there &= shares.of[q] == 0 || (there >> (unsigned)q & 1U);
    }
    return shares;
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

/* What was contributed between two combinations. */
struct contributed {
    const struct world *it;
    const struct event *event;
    const unsigned *by; /* of each element of the result, a bit each processor */
    struct contributors groups;
};

static unsigned mates_of(const struct contributed *all, unsigned group)
{
    return of_same_copy(all->it, &all->it->arrays[all->event->home.array], __builtin_ctz(group));
}

/* Who wants what a group has along a grid dimension; *part: of how many the largest owner owns how
   many. Where groups differ in what they have, all are taken to want it. */
static enum traffic_class wanted_along(const struct contributed *all, unsigned group, int g,
                                       int part[2])
{
    const struct lying *lies = &all->it->arrays[all->event->writes.array];
    const int d = dimension_along(lies, g);
    if (d < 0)
        return TRAFFIC_COMBINE;
    const unsigned long has = subscripts_of(lies, all->by, group, mates_of(all, group), d);
    for (int i = 0; i < all->groups.count; i++)
        if (subscripts_of(lies, all->by, all->groups.of[i], mates_of(all, all->groups.of[i]), d) !=
            has)
            return TRAFFIC_COMBINE;
    const struct shares shares =
        shares_of(all->it, lies, g, has, coordinates_of(all->it, group, g));
    part[0] = __builtin_popcountl(has);
    part[1] = shares.most;
    if (!is_even(lies, all->by, group, mates_of(all, group), d) ||
        (!shares.all_there && shares.owners > 1))
        return TRAFFIC_COMBINE;
    return shares.owners == 1 ? TRAFFIC_REDUCE : TRAFFIC_REDUCE_SCATTER;
}

static enum traffic_class wanted(const struct contributed *all, unsigned group, int part[2])
{
    enum traffic_class class = TRAFFIC_REDUCE;
    int spanned = 0;
    for (int g = 0; g < all->it->grid_count; g++) {
        if (__builtin_popcount(coordinates_of(all->it, group, g)) < 2)
            continue;
        const enum traffic_class along = wanted_along(all, group, g, part);
        if (along == TRAFFIC_COMBINE || (spanned++ > 0 && along != class) ||
            (spanned > 1 && class == TRAFFIC_REDUCE_SCATTER))
            return TRAFFIC_COMBINE;
        class = along;
    }
    return class;
}

/* Adds the combination, and forgets what was contributed. */
static void combine(struct tally *tally, const struct world *it, const struct event *event,
                    unsigned *contributes)
{
    const int count = it->arrays[event->writes.array].elements;
    struct contributed all = {it, event, contributes, {.largest = 1}};
    int most = 0, part[2] = {1, 1};
    for (int q = 0; q < it->processors; q++) {
        const unsigned mates = of_same_copy(it, &it->arrays[event->home.array], q);
        int elements = 0;
        for (int e = 0; e < count; e++) {
            const unsigned group = contributes[e] & mates;
            if (!(group >> (unsigned)q & 1U) || __builtin_popcount(group) < 2)
                continue;
            add_group(&all.groups, group);
            elements++;
        }
        most = elements > most ? elements : most;
    }
    if (all.groups.count > 0) {
        const enum traffic_class class = wanted(&all, all.groups.of[0], part);
        if (class == TRAFFIC_REDUCE_SCATTER)
            most = most / part[0] * part[1];
        const struct expected expected = {class, 1.0, most, all.groups.largest, all.groups.count};
        tally_add_expected(tally, &expected);
    }
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
