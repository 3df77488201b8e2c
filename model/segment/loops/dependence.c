#include "model/segment/loops/dependence.h"

#include "model/segment/loops/iterations.h"

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
    return false;
}

/* ---- all that a segment's instances are asked ---- */

static void place_reads(struct instance *instance, const struct list *instances)
{
    bool is_carrier[LOOPS_MOST] = {false};
    for (size_t k = 0; k < instance->read_count; k++) {
        struct placement *placement = &instance->placements[k];
        placement->depth =
            dependence_placement(instances, instance, &instance->reads[k], &placement->carried);
        if (placement->carried)
            is_carrier[placement->depth - 1] = true;
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
