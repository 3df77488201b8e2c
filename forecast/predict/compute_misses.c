#include "forecast/predict/compute_misses.h"

#include "forecast/predict/compute.h"
#include "forecast/price/in_situ.h"
#include "model/base/allocation.h"
#include "model/code/code_flags.h"
#include "model/loops/curves.h"
#include "model/segment/memory/footprint.h"
#include "model/segment/memory/local.h"
#include "model/segment/memory/misses.h"

#include <math.h>
#include <stdlib.h>

bool misses_are_derived(const struct machine *machine, const struct told_misses *told)
{
    const struct node *node = machine->node;
    return told->kind == MISSES_AUTO ||
           (told->kind == MISSES_UNTOLD && node && !isnan(node->compiled.share));
}

/* How long rows are that overlap is a matter of the layout, too. */
static bool knows_window(const struct node *node)
{
    return node && (!isnan(node->scheduler_operations) || !isnan(node->window_instructions));
}

bool computing_depends_on_layout(const struct machine *machine, const struct program *program)
{
    const struct segment *segments = program->segments.items;
    if (knows_window(machine->node) || machine->loops || in_situ_is_known(machine))
        return true;
    for (size_t i = 0; i < program->segments.count; i++)
        if (misses_are_derived(machine, &segments[i].misses))
            return true;
    return false;
}

/* Of a machine whose compiled loops nobody measured a prediction is the bound. */
static bool is_compiled(const struct node *node)
{
    return node && !isnan(node->compiled.share);
}

/* A bound's cache misses least; one whose replacement nobody knows is taken to be of the usual kind
   here. */
static bool cache_as_usual(struct cache *cache, const struct machine *machine,
                           const struct memory_level *level, enum capacity capacity)
{
    if (!cache_of(machine->memory, level, cache))
        return false;
    if (capacity == CAPACITY_LEAST && isnan(level->capacity_bytes))
        cache->lines = level->capacity_bytes_low / level->line_bytes;
    if (cache->replacement == REPLACEMENT_UNKNOWN && is_compiled(machine->node))
        cache->replacement = REPLACEMENT_LRU;
    return true;
}

static void count_misses(struct computing *it, const struct program *program,
                         const struct memory_level *const *caches, enum capacity capacity)
{
    for (size_t i = 0; i < it->caches; i++) {
        struct cache cache;
        it->misses[capacity][i] =
            memory_new(loops_leaves(&it->root), sizeof *it->misses[capacity][i]);
        if (cache_as_usual(&cache, it->machine, caches[i], capacity))
            misses_count(&it->root, program, &cache, it->misses[capacity][i]);
    }
}

static int derive_misses(struct computing *it, const struct subject *subject,
                         const struct layout *layouts, struct error *error)
{
    const struct memory_level *caches[MEMORY_LEVELS_MOST];
    struct loop_node *segments = it->root.children.items;
    for (size_t i = 0; i < it->root.children.count; i++)
        if (loops_localise(&segments[i], &subject->instances[i], subject->program, &layouts[i],
                           error) != 0)
            return -1;
    it->caches = memory_caches(it->machine->memory, caches);
    for (size_t i = 0; i < it->caches; i++)
        it->is_capacity_open |= is_compiled(it->machine->node) && isnan(caches[i]->capacity_bytes);
    count_misses(it, subject->program, caches, CAPACITY_MOST);
    if (it->is_capacity_open)
        count_misses(it, subject->program, caches, CAPACITY_LEAST);
    return 0;
}

/* Compilers leave the order of a sum as it is, unless they are told that it does not matter. */
static enum reductions reductions_of(const struct node *node, const struct program *program)
{
    return is_compiled(node) && !code_flags_reorder(program->code_flags) ? REDUCTIONS_STRICT
                                                                         : REDUCTIONS_FREE;
}

/* The loops of the node that the program's compiler made alike. */
static void take_compilation(struct computing *it, const struct node *node, const char *flags)
{
    it->node = memory_new(1, sizeof *it->node);
    *it->node = *node;
    it->node->compiled = *node_compilation(node, flags);
    it->flags_spread = code_flags_spread(flags, it->node->compiled.flags);
}

int computing_make(struct computing *it, const struct machine *machine,
                   const struct subject *subject, const struct layout *layouts, struct error *error)
{
    *it = (struct computing){.machine = machine, .arrays = subject->program->arrays.count};
    it->curves = loop_curves_for(machine->loops, subject->program->code_flags);
    it->is_together = machine->loops && layouts->processors > 1.0;
    if (loops_make(&it->root, subject->program, subject->scope,
                   reductions_of(machine->node, subject->program), error) != 0)
        return -1;
    it->has_units = machine->node && machine->node->units.count > 0;
    if (!it->has_units && !in_situ_is_known(machine)) {
        loops_free(&it->root); /* what is wrong is so on all machines */
        it->root = (struct loop_node){.trips = 1.0};
        return 0;
    }
    if (it->has_units)
        take_compilation(it, machine->node, subject->program->code_flags);
    if (!computing_depends_on_layout(machine, subject->program) ||
        derive_misses(it, subject, layouts, error) == 0)
        return 0;
    computing_free(it);
    return -1;
}

/* Of one segment, or of all: NULL. The size of a line hardly matters: it is compared with caches.
 */
static double bytes_touched(const struct computing *it, const struct segment *segment)
{
    const double line_bytes = 64.0;
    const struct loop_node *segments = it->root.children.items;
    struct footprint footprint = {.depth = it->root.inside};
    for (size_t i = 0; i < it->root.children.count; i++)
        if (!segment || segments[i].segment == segment)
            footprint_add(&footprint, &segments[i]);
    const double lines = footprint_all_lines(&footprint, it->arrays, line_bytes, NULL);
    footprint_free(&footprint);
    return lines * line_bytes;
}

double computing_touched_bytes(const struct computing *it, const struct segment *segment)
{
    if (!in_situ_is_known(it->machine) && it->machine->waiting.count == 0)
        return 0.0;
    const double own = bytes_touched(it, segment);
    return own > 0.0 ? own : bytes_touched(it, NULL);
}

void computing_forget_misses(struct computing *it)
{
    for (int capacity = 0; capacity < CAPACITIES; capacity++)
        for (size_t i = 0; i < it->caches; i++)
            free(it->misses[capacity][i]);
    it->caches = 0;
    it->is_capacity_open = false;
}

void computing_free(struct computing *it)
{
    computing_forget_misses(it);
    loops_free(&it->root);
    free(it->node);
}
