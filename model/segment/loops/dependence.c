#include "model/segment/loops/dependence.h"

#include "model/base/allocation.h"
#include "model/segment/loops/iterations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unknowns: the writer's indices, then the reader's. */
static void add_subscripts(struct inequalities *system, const struct instance *writer,
                           const struct reference *read)
{
    for (int d = 0; d < read->dimensions; d++) {
        double by[UNKNOWNS_MOST] = {0.0};
        iterations_spread(by, &writer->writes.subscripts[d], 1.0, 0);
        iterations_spread(by, &read->subscripts[d], -1.0, writer->nest.depth);
        inequalities_equal(system, by,
                           read->subscripts[d].constant - writer->writes.subscripts[d].constant);
    }
}

/* The writer's index of a loop equals the reader's, or is at least `less` less. */
static void add_order(struct inequalities *system, const struct instance *writer, int loop,
                      double less)
{
    double by[UNKNOWNS_MOST] = {0.0};
    by[loop] = 1.0;
    by[writer->nest.depth + loop] = -1.0;
    if (less == 0.0)
        inequalities_equal(system, by, 0.0);
    else
        inequalities_at_most(system, by, -less);
}

static bool reaches(const struct instance *writer, const struct instance *reader,
                    const struct reference *read, int alike, int less)
{
    struct inequalities system = {.unknowns = writer->nest.depth + reader->nest.depth};
    iterations_add(&system, &writer->nest, 0);
    iterations_add(&system, &reader->nest, writer->nest.depth);
    add_subscripts(&system, writer, read);
    for (int l = 0; l < alike; l++)
        add_order(&system, writer, l, 0.0);
    if (less >= 0)
        add_order(&system, writer, less, 1.0);
    const bool result = inequalities_hold(&system);
    inequalities_free(&system);
    return result;
}

static bool writes(const struct instance *writer, const struct reference *read)
{
    return writer->statement && writer->has_writes && writer->writes.array == read->array;
}

/* Whether the statement says that the loop carries nothing from one of its iterations to another.
 */
static bool is_independent(const struct instance *writer, const struct instance *reader, int loop)
{
    if (writer != reader || !writer->statement->independent)
        return false;
    for (int d = 0; d < writer->writes.dimensions; d++)
        if (writer->writes.subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

bool dependence_carried(const struct instance *writer, const struct instance *reader,
                        const struct reference *read, int level)
{
    return writes(writer, read) && !is_independent(writer, reader, level) &&
           reaches(writer, reader, read, level, level);
}

bool dependence_within(const struct instance *writer, const struct instance *reader,
                       const struct reference *read)
{
    return writes(writer, read) && writer < reader &&
           reaches(writer, reader, read, nest_common(&writer->nest, &reader->nest), -1);
}

bool dependence_since(const struct instance *writer, const struct instance *reader,
                      const struct reference *read, int alike)
{
    return writes(writer, read) && reaches(writer, reader, read, alike, -1);
}

/* The same for one writer. */
static int placement_by(const struct instance *writer, const struct instance *reader,
                        const struct reference *read, bool *carried)
{
    const int common = nest_common(&writer->nest, &reader->nest);
    *carried = false;
    if (dependence_within(writer, reader, read))
        return common;
    for (int level = common - 1; level >= 0; level--)
        if (dependence_carried(writer, reader, read, level)) {
            *carried = true;
            return level + 1;
        }
    return 0;
}

int dependence_placement(const struct list *instances, const struct instance *reader,
                         const struct reference *read, bool *carried)
{
    const struct instance *writers = instances->items;
    int deepest = 0;
    bool by_loop = false;
    for (size_t i = 0; i < instances->count; i++) {
        bool this_carried;
        const int depth =
            writes(&writers[i], read) ? placement_by(&writers[i], reader, read, &this_carried) : 0;
        if (depth == 0 || depth < deepest)
            continue;
        by_loop = this_carried || (depth == deepest && by_loop);
        deepest = depth;
    }
    if (carried)
        *carried = by_loop;
    return deepest;
}

/* Whether a statement gathers from what the writer writes: it needs it in all loops around both, as
   its elements may be any. */
static bool gathers_from(const struct instance *reader, const struct instance *writer)
{
    const struct statement *statement = reader->statement;
    const struct gather *gathers = statement ? statement->gathers.items : NULL;
    for (size_t k = 0; gathers && writer->has_writes && k < statement->gathers.count; k++)
        if (strcmp(gathers[k].array, writer->writes.array->name) == 0)
            return true;
    return false;
}

int dependence_needed_within(const struct list *instances, const struct instance *writer)
{
    const struct instance *all = instances->items;
    int deepest = 0;
    for (size_t r = 0; r < instances->count; r++)
        for (size_t k = 0; k < all[r].read_count; k++) {
            bool carried;
            const int depth = writes(writer, &all[r].reads[k])
                                  ? placement_by(writer, &all[r], &all[r].reads[k], &carried)
                                  : 0;
            deepest = depth > deepest ? depth : deepest;
        }
    for (size_t r = 0; r < instances->count; r++) {
        const int common =
            gathers_from(&all[r], writer) ? nest_common(&writer->nest, &all[r].nest) : 0;
        deepest = common > deepest ? common : deepest;
    }
    return deepest;
}

bool dependence_loop_carries(const struct list *instances, const struct instance *inside, int loop)
{
    const struct instance *all = instances->items;
    for (size_t r = 0; r < instances->count; r++) {
        if (!all[r].statement || nest_common(&all[r].nest, &inside->nest) <= loop)
            continue;
        for (size_t w = 0; w < instances->count; w++)
            for (size_t k = 0; k < all[r].read_count; k++)
                if (nest_common(&all[w].nest, &all[r].nest) > loop &&
                    dependence_carried(&all[w], &all[r], &all[r].reads[k], loop))
                    return true;
    }
    return false;
}

/* ---- chains ---- */

/* Whether something that one writes is read by the other one, in the same iteration of all loops
   further out than `level`. What a scalar begins with it is in the loops behind. */
static bool is_needed_by(const struct instance *writer, const struct instance *reader, int level)
{
    const int common = nest_common(&writer->nest, &reader->nest);
    for (size_t k = 0; k < reader->read_count; k++) {
        const struct reference *read = &reader->reads[k];
        if (writer->statement && !writer->has_writes && writer->has_home && writer < reader &&
            writer->home.array->scalar && writer->home.array == read->array)
            return true;
        if (dependence_within(writer, reader, read))
            return true;
        for (int l = level; l < common; l++)
            if (dependence_carried(writer, reader, read, l))
                return true;
    }
    return false;
}

/* Whether what one writes goes into what the other one writes, in the same iteration of all loops
   further out than `level`, through whatever stands in it too; or they are one. */
static bool goes_into(const struct list *instances, const struct instance *from,
                      const struct instance *to, int level, bool *is_seen)
{
    const struct instance *all = instances->items;
    if (from == to)
        return true;
    is_seen[from - all] = true;
    for (size_t i = 0; i < instances->count; i++)
        if (!is_seen[i] && nest_common(&all[i].nest, &from->nest) >= level &&
            is_needed_by(from, &all[i], level) && goes_into(instances, &all[i], to, level, is_seen))
            return true;
    return false;
}

static bool leads_to(const struct list *instances, const struct instance *from,
                     const struct instance *to, int level)
{
    bool *is_seen = memory_new(instances->count, sizeof *is_seen);
    const bool leads = goes_into(instances, from, to, level, is_seen);
    free(is_seen);
    return leads;
}

/* Iterations of the loop between a write and the read, the same for all; 1: they differ. */
static double distance(const struct instance *writer, const struct reference *read, int loop)
{
    for (int d = 0; d < read->dimensions; d++) {
        const struct affine *to = &writer->writes.subscripts[d], *from = &read->subscripts[d];
        if (to->by[loop] == 0.0 || affine_loop(to, 0) != loop || affine_loop(to, loop + 1) >= 0 ||
            !affine_parallel(to, from))
            continue;
        const double iterations = (to->constant - from->constant) / to->by[loop];
        return iterations >= 1.0 && iterations == floor(iterations) ? iterations : 1.0;
    }
    return 1.0;
}

/* Of a read that a loop carries. What stands behind it in the loop is only done once it has been
   waited for, whatever it is made of. */
static double chain_apart(const struct list *instances, const struct instance *reader,
                          const struct reference *read, int loop)
{
    const struct instance *all = instances->items;
    double apart = 0.0;
    for (size_t w = 0; w < instances->count; w++) {
        if (nest_common(&all[w].nest, &reader->nest) <= loop ||
            !dependence_carried(&all[w], reader, read, loop) ||
            (&all[w] < reader && !leads_to(instances, reader, &all[w], loop)))
            continue;
        const double by_this = distance(&all[w], read, loop);
        apart = apart > 0.0 ? fmin(apart, by_this) : by_this;
    }
    return apart;
}

/* The writer's index of a loop is greater. */
static void add_greater(struct inequalities *system, const struct instance *writer, int loop)
{
    double by[UNKNOWNS_MOST] = {0.0};
    by[loop] = -1.0;
    by[writer->nest.depth + loop] = 1.0;
    inequalities_at_most(system, by, -1.0);
}

static bool crosses(const struct instance *writer, const struct instance *reader,
                    const struct reference *read, int outer, int inner)
{
    if (is_independent(writer, reader, outer))
        return false;
    struct inequalities system = {.unknowns = writer->nest.depth + reader->nest.depth};
    iterations_add(&system, &writer->nest, 0);
    iterations_add(&system, &reader->nest, writer->nest.depth);
    add_subscripts(&system, writer, read);
    for (int l = 0; l < outer; l++)
        add_order(&system, writer, l, 0.0);
    add_order(&system, writer, outer, 1.0);
    add_greater(&system, writer, inner);
    const bool result = inequalities_hold(&system);
    inequalities_free(&system);
    return result;
}

/* ---- ways beside a loop ---- */

/* Longer ways are not followed: they are taken to be there. */
enum { WAY_MOST = 5, WAYS_MOST = 2000 };

/* From a statement in the inner loop through others beside it back into it, each reading what the
   one before wrote, in a later iteration of the outer loop. */
struct way {
    const struct list *instances;
    const struct instance *inside;
    int outer, inner;
    const struct instance *at[WAY_MOST];
    const struct reference *reads[WAY_MOST]; /* of the one before */
    int count;
    int *tried;
};

static bool is_inside(const struct way *way, const struct instance *instance, int loop)
{
    return nest_common(&instance->nest, &way->inside->nest) > loop;
}

/* An index of one stop is at most that of another one, less so much. */
static void add_at_most(struct inequalities *system, int index, int other, double less)
{
    double by[UNKNOWNS_MOST] = {0.0};
    by[index] = 1.0;
    by[other] = -1.0;
    inequalities_at_most(system, by, -less);
}

/* A scalar's beginning is computed in no statement, and read where its home alone does not say. */
static bool begins_scalar(const struct instance *beside)
{
    return !beside->has_writes && beside->has_home && beside->home.array->scalar;
}

/* A scalar that each iteration of the outer loop begins anew is that iteration's alone; for
   another one all of the inner loop waits. */
static bool begins_for_all(const struct way *way, const struct instance *beside)
{
    return begins_scalar(beside) && !reference_names(&beside->home, way->outer);
}

/* The outermost loop within the way's outer one that hands from one iteration to another what a
   stop beside the inner loop writes; -1: none. */
static int chain_of(const struct way *way, const struct instance *beside)
{
    for (int l = way->outer + 1; l < beside->nest.depth; l++)
        for (size_t k = 0; k < beside->read_count; k++)
            if (dependence_carried(beside, beside, &beside->reads[k], l))
                return l;
    return -1;
}

/* A stop that hands on to itself is left in an iteration that may be a later one than where it is
   entered. Returns where the unknowns of the one begin that is left. */
static int add_chain(struct inequalities *system, const struct instance *at, int chain, int entered)
{
    const int left = entered + at->nest.depth;
    iterations_add(system, &at->nest, left);
    for (int l = 0; l <= chain; l++) {
        add_at_most(system, entered + l, left + l, 0.0);
        if (l < chain)
            add_at_most(system, left + l, entered + l, 0.0);
    }
    return left;
}

/* One stop reads what the one before has written, in the same iteration of the loops further out
   than the way's outer one, and in the same or a later one of that. */
static void add_hop(struct inequalities *system, const struct way *way, int i, int from, int to)
{
    const struct instance *writer = way->at[i - 1];
    for (int l = 0; l <= way->outer; l++) {
        add_at_most(system, from + l, to + l, 0.0);
        if (l < way->outer || begins_scalar(writer))
            add_at_most(system, to + l, from + l, 0.0);
    }
    for (int d = 0; !begins_scalar(writer) && d < way->reads[i]->dimensions; d++) {
        double by[UNKNOWNS_MOST] = {0.0};
        iterations_spread(by, &writer->writes.subscripts[d], 1.0, from);
        iterations_spread(by, &way->reads[i]->subscripts[d], -1.0, to);
        inequalities_equal(system, by,
                           way->reads[i]->subscripts[d].constant -
                               writer->writes.subscripts[d].constant);
    }
}

/* Whether it ends in an iteration of the inner loop before the one where it begins. */
static bool goes_back(const struct way *way)
{
    struct inequalities system = {.unknowns = 0};
    int chains[WAY_MOST];
    for (int i = 0; i < way->count; i++) {
        chains[i] = i > 0 && i + 1 < way->count ? chain_of(way, way->at[i]) : -1;
        system.unknowns += way->at[i]->nest.depth * (chains[i] >= 0 ? 2 : 1);
    }
    if (system.unknowns > UNKNOWNS_MOST)
        return true;
    int entered = 0, left = 0;
    for (int i = 0; i < way->count; i++) {
        iterations_add(&system, &way->at[i]->nest, entered);
        if (i > 0)
            add_hop(&system, way, i, left, entered);
        left = chains[i] >= 0 ? add_chain(&system, way->at[i], chains[i], entered) : entered;
        entered = left + way->at[i]->nest.depth;
    }
    add_at_most(&system, way->outer, left + way->outer, 1.0);
    add_at_most(&system, left + way->inner, way->inner, 1.0);
    const bool result = inequalities_hold(&system);
    inequalities_free(&system);
    return result;
}

static bool finds_way_back(struct way *way);

static bool finds_way_through(struct way *way, const struct instance *next,
                              const struct reference *read)
{
    if (++*way->tried > WAYS_MOST || way->count == WAY_MOST)
        return true;
    way->at[way->count] = next;
    way->reads[way->count++] = read;
    const bool is_back = is_inside(way, next, way->inner);
    const bool found = is_back ? way->count > 2 && goes_back(way)
                               : begins_for_all(way, next) || finds_way_back(way);
    way->count--;
    return found;
}

static bool has_been(const struct way *way, const struct instance *instance)
{
    for (int i = 0; i < way->count; i++)
        if (way->at[i] == instance && !is_inside(way, instance, way->inner))
            return true;
    return false;
}

static bool finds_way_back(struct way *way)
{
    const struct instance *all = way->instances->items, *last = way->at[way->count - 1];
    for (size_t i = 0; i < way->instances->count; i++) {
        if (!all[i].statement || !is_inside(way, &all[i], way->outer) || has_been(way, &all[i]))
            continue;
        for (size_t k = 0; k < all[i].read_count; k++) {
            const struct reference *read = &all[i].reads[k];
            const bool is_begun =
                begins_scalar(last) && last < &all[i] && read->array == last->home.array;
            if ((is_begun || dependence_within(last, &all[i], read) ||
                 dependence_carried(last, &all[i], read, way->outer)) &&
                finds_way_through(way, &all[i], read))
                return true;
        }
    }
    return false;
}

/* Whether all processors meet in each iteration of the outer loop, beside the inner one. */
static bool meets_beside(const struct way *way)
{
    const struct instance *all = way->instances->items;
    for (size_t i = 0; i < way->instances->count; i++)
        if (is_inside(way, &all[i], way->outer) && !is_inside(way, &all[i], way->inner) &&
            (all[i].call || all[i].statement->reduce != REDUCE_NONE))
            return true;
    return false;
}

/* Whether something beside the inner loop keeps an iteration of the outer one from beginning before
   the one before has ended. */
static bool waits_beside(const struct list *instances, const struct instance *inside, int outer,
                         int inner, bool may_meet)
{
    const struct instance *all = instances->items;
    int tried = 0;
    struct way way = {instances, inside, outer, inner, {0}, {0}, 0, &tried};
    if (may_meet && meets_beside(&way))
        return true;
    for (size_t i = 0; i < instances->count; i++) {
        if (!all[i].statement || !all[i].has_writes || !is_inside(&way, &all[i], inner))
            continue;
        way.at[0] = &all[i];
        way.count = 1;
        if (finds_way_back(&way))
            return true;
    }
    return false;
}

bool dependence_crosses(const struct list *instances, const struct instance *inside, int one,
                        int other)
{
    const struct instance *all = instances->items;
    const int outer = one < other ? one : other, inner = one < other ? other : one;
    for (size_t r = 0; r < instances->count; r++)
        for (size_t w = 0; w < instances->count; w++) {
            if (!all[r].statement || nest_common(&all[r].nest, &inside->nest) <= inner ||
                nest_common(&all[w].nest, &all[r].nest) <= inner)
                continue;
            for (size_t k = 0; k < all[r].read_count; k++)
                if (writes(&all[w], &all[r].reads[k]) &&
                    crosses(&all[w], &all[r], &all[r].reads[k], outer, inner))
                    return true;
        }
    return waits_beside(instances, inside, outer, inner, one < other);
}

/* ---- all that a segment's instances are asked ---- */

/* Whether a loop leads from one place to another: what it carries may travel. */
static bool leads_home(const struct instance *instance, int loop)
{
    bool leads = instance->has_home && reference_names(&instance->home, loop);
    for (size_t k = 0; instance->chooses && k < instance->read_count; k++)
        leads |= reference_names(&instance->reads[k], loop);
    return leads;
}

static void place_reads(struct instance *instance, const struct list *instances)
{
    bool is_carrier[LOOPS_MOST] = {false};
    for (size_t k = 0; k < instance->read_count; k++) {
        struct placement *placement = &instance->placements[k];
        placement->depth =
            dependence_placement(instances, instance, &instance->reads[k], &placement->carried);
        if (!placement->carried)
            continue;
        placement->apart =
            chain_apart(instances, instance, &instance->reads[k], placement->depth - 1);
        is_carrier[placement->depth - 1] |=
            placement->apart > 0.0 && leads_home(instance, placement->depth - 1);
    }
    for (int carrier = 0; carrier < instance->nest.depth; carrier++)
        for (int l = 0; l < instance->nest.depth && is_carrier[carrier]; l++)
            if (l != carrier)
                instance->crosses[l][carrier] = dependence_crosses(instances, instance, l, carrier);
}

/* Of loops in common with the instance before, it is known. */
static void place_loops(struct instance *instance, const struct list *instances)
{
    const struct instance *first = instances->items, *before = instance - 1;
    const int known = instance > first ? nest_common(&before->nest, &instance->nest) : 0;
    for (int l = 0; l < instance->nest.depth; l++)
        instance->carries[l] =
            l < known ? before->carries[l] : dependence_loop_carries(instances, instance, l);
}

void dependence_place(struct list *instances)
{
    struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++) {
        place_loops(&all[i], instances);
        if (all[i].has_writes && instance_sends_result(&all[i]))
            all[i].needed_within = dependence_needed_within(instances, &all[i]);
        place_reads(&all[i], instances);
    }
}
