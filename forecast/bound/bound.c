#include "forecast/bound/bound.h"

#include "model/base/allocation.h"
#include "model/segment/memory/misses.h"
#include "model/segment/memory/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct record part_list = {
    .name = "a part", .size = sizeof(struct part), .place_offset = NO_PLACE};

struct work {
    const struct machine *machine;
    struct bound_rules rules;
    double all; /* how often all segments are gone through */
    size_t caches;
    struct pass_misses *misses[MEMORY_LEVELS_MOST]; /* per cache and leaf; owned */
    struct program_bound *bound;
};

/* ---- misses ---- */

static void count_misses(struct work *work, const struct loop_node *root,
                         const struct program *program)
{
    const struct memory_level *caches[MEMORY_LEVELS_MOST];
    work->caches = memory_caches(work->machine->memory, caches);
    for (size_t i = 0; i < work->caches; i++) {
        struct cache cache;
        work->misses[i] = memory_new(loops_leaves(root), sizeof *work->misses[i]);
        if (cache_of(work->machine->memory, caches[i], &cache))
            misses_count(root, program, &cache, work->misses[i]);
    }
}

/* Per iteration of a leaf, in one repetition. */
static void set_missed(const struct work *work, const struct segment *segment,
                       const struct leaf *leaf, enum repetition kind, struct essential *essential)
{
    const struct told_misses *told = &segment->misses;
    for (size_t i = 0; i < work->caches; i++) {
        const struct lines lines = misses_in(&work->misses[i][leaf->number], kind);
        if ((told->kind == MISSES_AUTO || told->kind == MISSES_UNTOLD) && leaf->executions > 0.0)
            essential->missed[i] =
                (struct lines){lines.load / leaf->executions, lines.store / leaf->executions, 0.0};
    }
    if (told->kind == MISSES_TOLD)
        essential->missed[0] = (struct lines){told->load, told->store, 0.0};
}

/* ---- parts ---- */

static int bound_pass(const struct work *work, const struct segment *segment,
                      const struct leaf *leaf, enum repetition kind, struct part *part,
                      struct error *error)
{
    struct essential essential = leaf->essential;
    set_missed(work, segment, leaf, kind, &essential);
    rows_overlap(&essential, leaf, (double)INFINITY, NULL);
    part->missed = essential.missed[0];
    return bound_make(&part->bound, work->machine->node, work->machine->memory, &essential,
                      work->rules.convention, error);
}

/* The last repetition's bound is the part's; the first adds its time. */
static int add_leaf(struct work *work, const struct loop_node *segment, const struct leaf *leaf,
                    struct error *error)
{
    struct part part = {.iterations = leaf->executions, .repetitions = segment->trips * work->all};
    double times[REPETITIONS];
    const double clock_mhz = work->machine->node ? work->machine->node->clock_mhz : (double)NAN;
    snprintf(part.name, sizeof part.name, "%s", leaf->name);
    part.wide = leaf->essential.wide_loads + leaf->essential.wide_stores == 2.0;
    if (bound_pass(work, segment->segment, leaf, REPETITION_FIRST, &part, error) != 0)
        return -1;
    repetitions_of(times, segment->trips, work->all);
    part.bound_us = times[REPETITION_FIRST] * part.iterations * part.bound.cycles / clock_mhz;
    for (enum repetition kind = REPETITION_AGAIN; kind < REPETITIONS; kind++) {
        if (times[kind] <= 0.0)
            continue;
        bound_free(&part.bound);
        if (bound_pass(work, segment->segment, leaf, kind, &part, error) != 0)
            return -1;
        part.bound_us += times[kind] * part.iterations * part.bound.cycles / clock_mhz;
    }
    struct essential perfect = leaf->essential;
    rows_overlap(&perfect, leaf, (double)INFINITY, NULL);
    if (bound_make(&part.perfect, work->machine->node, work->machine->memory, &perfect,
                   work->rules.convention, error) != 0) {
        bound_free(&part.bound);
        return -1;
    }
    part.flops = part.repetitions * part.iterations * part.bound.flops;
    *(struct part *)list_add(&part_list, &work->bound->parts) = part;
    return 0;
}

static int add_leaves(struct work *work, const struct loop_node *segment,
                      const struct loop_node *node, struct error *error)
{
    const struct loop_node *children = node->children.items;
    if (node->leaf)
        return add_leaf(work, segment, node->leaf, error);
    for (size_t i = 0; i < node->children.count; i++)
        if (add_leaves(work, segment, &children[i], error) != 0)
            return -1;
    return 0;
}

/* ---- sums ---- */

static void add_sum(struct work *work, const char *name, size_t from)
{
    struct part sum = {.is_sum = true, .iterations = NAN, .repetitions = NAN};
    const struct part *parts = work->bound->parts.items;
    snprintf(sum.name, sizeof sum.name, "%s", name);
    for (size_t i = from; i < work->bound->parts.count; i++)
        if (!parts[i].is_sum) {
            sum.flops += parts[i].flops;
            sum.bound_us += parts[i].bound_us;
        }
    *(struct part *)list_add(&part_list, &work->bound->parts) = sum;
}

static int bound_segments(struct work *work, const struct loop_node *root, struct error *error)
{
    const struct loop_node *segments = root->children.items;
    for (size_t i = 0; i < root->children.count; i++) {
        const size_t before = work->bound->parts.count;
        if (add_leaves(work, &segments[i], &segments[i], error) != 0)
            return -1;
        if (work->bound->parts.count > before + 1)
            add_sum(work, segments[i].segment->name, before);
    }
    if (root->children.count > 1)
        add_sum(work, "all", 0);
    return 0;
}

/* ---- the whole ---- */

int program_bound_make(struct program_bound *bound, const struct machine *machine,
                       const struct program *program, struct scope *scope, struct bound_rules rules,
                       struct error *error)
{
    struct loop_node root;
    struct work work = {.machine = machine, .rules = rules, .bound = bound};
    *bound = (struct program_bound){{0}};
    if (loops_make(&root, program, scope, rules.reductions, error) != 0)
        return -1;
    work.all = root.trips;
    count_misses(&work, &root, program);
    const int status = bound_segments(&work, &root, error);
    for (size_t i = 0; i < work.caches; i++)
        free(work.misses[i]);
    loops_free(&root);
    if (status != 0)
        program_bound_free(bound);
    return status;
}

void program_bound_free(struct program_bound *bound)
{
    struct part *parts = bound->parts.items;
    for (size_t i = 0; i < bound->parts.count; i++) {
        bound_free(&parts[i].bound);
        bound_free(&parts[i].perfect);
    }
    list_free(&part_list, &bound->parts);
}
