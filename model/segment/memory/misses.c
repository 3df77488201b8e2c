#include "model/segment/memory/misses.h"

#include "model/base/allocation.h"
#include "model/segment/memory/footprint.h"
#include "model/segment/memory/node_lines.h"
#include "model/segment/memory/walk.h"

#include <math.h>
#include <stdlib.h>

struct count {
    const struct cache *cache;
    size_t arrays;
    struct pass_misses *misses;
    enum repetition kind; /* that is being counted */
};

/* ---- kinds of repetitions ---- */

void repetitions_of(double times[REPETITIONS], double repeat, double all)
{
    const double first = fmin(repeat, 1.0);
    times[REPETITION_FIRST] = first;
    times[REPETITION_AGAIN] = first * (all - 1.0);
    times[REPETITION_LATER] = (repeat - first) * all;
}

static struct lines *lines_in(struct pass_misses *misses, enum repetition kind)
{
    return kind == REPETITION_FIRST   ? &misses->first
           : kind == REPETITION_AGAIN ? &misses->again
                                      : &misses->later;
}

struct lines misses_in(const struct pass_misses *misses, enum repetition kind)
{
    struct pass_misses copy = *misses;
    return *lines_in(&copy, kind);
}

/* ---- the share of reused lines that is lost ---- */

/* What lies between the use of lines by one child and by another: the children between them, what
   the first touches after the line and what the second touches before it. */
struct window {
    size_t first, second; /* children; the second may be in the next iteration */
};

static void gather(struct footprint *footprint, const struct loop_node *node, size_t child)
{
    const struct loop_node *children = node->children.items;
    footprint_add(footprint, &children[child]);
}

static size_t next_child(const struct loop_node *node, size_t child)
{
    return (child + 1) % node->children.count;
}

/* Lines between them, with one of the two. */
static double between(const struct count *count, const struct loop_node *node,
                      const struct window *window, size_t with)
{
    struct footprint footprint = {.depth = node->inside};
    gather(&footprint, node, with);
    for (size_t i = next_child(node, window->first); i != window->second; i = next_child(node, i))
        gather(&footprint, node, i);
    const double lines =
        footprint_all_lines(&footprint, count->arrays, count->cache->line_bytes, NULL);
    footprint_free(&footprint);
    return lines;
}

/* How many arrays both and what is between them touch. */
static double arrays_between(const struct count *count, const struct loop_node *node,
                             const struct window *window)
{
    double arrays;
    struct footprint footprint = {.depth = node->inside};
    gather(&footprint, node, window->first);
    for (size_t i = next_child(node, window->first); i != window->second; i = next_child(node, i))
        gather(&footprint, node, i);
    gather(&footprint, node, window->second);
    footprint_all_lines(&footprint, count->arrays, count->cache->line_bytes, &arrays);
    footprint_free(&footprint);
    return arrays;
}

/* LRU: both children go through their arrays in the same direction, so that a line at the share x
   of it has 1 - x of the first's lines and x of the second's between its uses. */
static double lost_lru(const struct count *count, const struct loop_node *node,
                       const struct window *window)
{
    return cache_reuse_misses(count->cache, between(count, node, window, window->first),
                              between(count, node, window, window->second),
                              arrays_between(count, node, window));
}

/* Any replacement: of the lines of one array that some children use again, it keeps at most what
   their sets hold. Lines are counted as if every run began with one, so that up to `doubtful` of
   them are new instead. */
static double kept_at_most(double held, double reused, double doubtful)
{
    return fmin(reused, held + doubtful);
}

/* Of all arrays together at most what fits. */
static double lost_at_least(const struct count *count, double reused, double kept, double kept_all)
{
    const double fits = fmin(1.0, count->cache->lines / kept_all);
    return reused > 0.0 ? fmax(0.0, 1.0 - kept * fits / reused) : 0.0;
}

/* A run of lines is longer by so many at most where it does not begin with one. */
static const double run_lines_more = 2.0;

/* ---- one node ---- */

/* The lines of an array that an iteration touches and that the iteration before has touched. */
static double reused_lines(const struct node_lines *lines, size_t array)
{
    const double trips = lines->node->trips;
    if (trips <= 1.0)
        return 0.0;
    const double each = node_lines_each(lines, array);
    const double all = fmax(each, lines->all[array]);
    return fmax(0.0, (trips * each - all) / (trips - 1.0));
}

/* What the cache can have kept of them. Of new lines the share `fresh` misses in any case: so much
   less are doubtful ones. */
static double kept_between_iterations(const struct node_lines *lines, size_t array, double fresh)
{
    const double each = node_lines_each(lines, array);
    return kept_at_most(lines->each_held[array], reused_lines(lines, array),
                        (1.0 - fresh) * run_lines_more * each /
                            fmax(1.0, lines->node->trips - 1.0));
}

/* LRU: what lies between the last child that uses the array and the first one of the next
   iteration. */
static double lost_lru_between_iterations(const struct count *count, const struct node_lines *lines,
                                          size_t array)
{
    const struct loop_node *node = lines->node;
    const size_t children = node->children.count;
    struct window window = {children, children};
    for (size_t i = 0; i < children; i++)
        if (lines->children[i].all[array] > 0.0) {
            window.first = i;
            window.second = window.second == children ? i : window.second;
        }
    if (window.first == window.second) { /* everything lies between */
        double arrays;
        struct footprint footprint = {.depth = node->inside};
        for (size_t i = 0; i < children; i++)
            gather(&footprint, node, i);
        const double all =
            footprint_all_lines(&footprint, count->arrays, count->cache->line_bytes, &arrays);
        footprint_free(&footprint);
        return cache_reuse_misses(count->cache, all, all, arrays);
    }
    return lost_lru(count, node, &window);
}

/* The share of them that the cache has lost. */
static double lost_between_iterations(const struct count *count, const struct node_lines *lines,
                                      size_t array, double fresh)
{
    const double reused = reused_lines(lines, array);
    const double kept = kept_between_iterations(lines, array, fresh);
    double kept_all = kept;
    if (count->cache->replacement == REPLACEMENT_LRU)
        return fmax(lost_lru_between_iterations(count, lines, array),
                    lost_at_least(count, reused, kept, kept_all));
    for (size_t i = 0; i < count->arrays; i++)
        kept_all += i == array ? 0.0 : kept_between_iterations(lines, i, fresh);
    return lost_at_least(count, reused, kept, kept_all);
}

/* The lines of an array that a child touches and that an earlier sibling has touched in the same
   iteration. */
static double reused_of_siblings(const struct node_lines *lines, size_t child, size_t array)
{
    const double added =
        node_lines_upto(lines, child + 1, array) - node_lines_upto(lines, child, array);
    return fmax(0.0, lines->children[child].all[array] - added);
}

/* What the cache can have kept of them. */
static double kept_between_siblings(const struct node_lines *lines, size_t child, size_t array,
                                    double fresh)
{
    const struct node_lines *own = &lines->children[child];
    return kept_at_most(own->all_held[array], reused_of_siblings(lines, child, array),
                        (1.0 - fresh) * run_lines_more * own->all[array]);
}

/* The share of them that the child misses. */
static double lost_between_siblings(const struct count *count, const struct node_lines *lines,
                                    size_t child, size_t array, double fresh)
{
    const double reused = reused_of_siblings(lines, child, array);
    const double kept = kept_between_siblings(lines, child, array, fresh);
    double kept_all = kept;
    if (count->cache->replacement != REPLACEMENT_LRU) {
        for (size_t i = 0; i < count->arrays; i++)
            kept_all += i == array ? 0.0 : kept_between_siblings(lines, child, i, fresh);
        return lost_at_least(count, reused, kept, kept_all);
    }
    struct window window = {child, child};
    for (size_t i = 0; i < child; i++)
        if (lines->children[i].all[array] > 0.0)
            window.first = i;
    return fmax(lost_lru(count, lines->node, &window),
                lost_at_least(count, reused, kept, kept_all));
}

/* Of the lines of an array that a child touches, the share that misses: of those that are new in
   this iteration so many as fresh says. */
static double child_share(const struct count *count, const struct node_lines *lines, size_t child,
                          size_t array, double fresh)
{
    const double own = lines->children[child].all[array];
    const double reused = reused_of_siblings(lines, child, array);
    if (own == 0.0)
        return 0.0;
    if (reused <= 0.0)
        return fresh;
    const double lost = lost_between_siblings(count, lines, child, array, fresh);
    return fmin(1.0, ((own - reused) * fresh + reused * lost) / own);
}

/* Of the lines that an iteration touches, the share that misses: some are new to the loop, the
   others were touched by the iteration before. */
static double iteration_share(const struct count *count, const struct node_lines *lines,
                              size_t array, double fresh)
{
    const double trips = fmax(lines->node->trips, 1.0);
    const double each = node_lines_each(lines, array);
    const double reused = reused_lines(lines, array) * (trips - 1.0) / trips;
    if (each == 0.0 || reused <= 0.0)
        return fresh;
    return ((each - reused) * fresh +
            reused * lost_between_iterations(count, lines, array, fresh)) /
           each;
}

static void count_node(const struct count *count, const struct node_lines *lines, double executions,
                       const double *fresh);

/* One iteration, so many times; fresh: per array the share that misses of the lines that are new in
   it. */
static void count_children(const struct count *count, const struct node_lines *lines,
                           double executions, const double *fresh)
{
    double *share = memory_new(count->arrays, sizeof *share);
    for (size_t i = 0; i < lines->node->children.count; i++) {
        for (size_t array = 0; array < count->arrays; array++)
            share[array] = child_share(count, lines, i, array, fresh[array]);
        count_node(count, &lines->children[i], executions, share);
    }
    free(share);
}

static bool modifies(const struct leaf *leaf, size_t array)
{
    const struct touch *touch = leaf->touches.items;
    for (size_t i = 0; i < leaf->touches.count; i++)
        if (touch[i].array == array && touch[i].modified)
            return true;
    return false;
}

static void count_leaf(const struct count *count, const struct node_lines *lines, double executions,
                       const double *fresh)
{
    const struct leaf *leaf = lines->node->leaf;
    struct lines *missed = lines_in(&count->misses[leaf->number], count->kind);
    for (size_t array = 0; array < count->arrays; array++) {
        const bool store = modifies(leaf, array);
        const double more =
            fresh[array] > 0.0 ? executions * fresh[array] * lines->all[array] : 0.0;
        *(store ? &missed->store : &missed->load) += more;
        if (more > 0.0)
            missed->strided_cycles += more * walk_more_cycles(leaf, array, store, count->cache);
    }
}

static void count_node(const struct count *count, const struct node_lines *lines, double executions,
                       const double *fresh)
{
    if (lines->node->leaf) {
        count_leaf(count, lines, executions, fresh);
        return;
    }
    if (lines->node->trips <= 0.0)
        return;
    double *share = memory_new(count->arrays, sizeof *share);
    for (size_t array = 0; array < count->arrays; array++)
        share[array] = iteration_share(count, lines, array, fresh[array]);
    count_children(count, lines, executions * lines->node->trips, share);
    free(share);
}

/* ---- segments ---- */

/* The first repetition of a segment when all are gone through once more: every array that is used
   was touched the time before. */
static void count_again(struct count *count, const struct node_lines *root, const double *lost)
{
    double *fresh = memory_new(count->arrays, sizeof *fresh);
    count->kind = REPETITION_AGAIN;
    for (size_t i = 0; i < root->node->children.count; i++) {
        for (size_t array = 0; array < count->arrays; array++)
            fresh[array] = child_share(count, root, i, array, lost[array]);
        count_children(count, &root->children[i], 1.0, fresh);
    }
    free(fresh);
}

/* The share of an array's lines that is lost from one repetition of a node to the next. */
static void lose_between(const struct count *count, const struct node_lines *lines, double *lost)
{
    for (size_t array = 0; array < count->arrays; array++)
        lost[array] =
            lines->all[array] > 0.0 ? lost_between_iterations(count, lines, array, 1.0) : 0.0;
}

static void count_segment(struct count *count, const struct node_lines *lines, const double *fresh)
{
    double *lost = memory_new(count->arrays, sizeof *lost);
    count->kind = REPETITION_FIRST;
    count_children(count, lines, 1.0, fresh);
    if (lines->node->trips > 1.0) {
        count->kind = REPETITION_LATER;
        lose_between(count, lines, lost);
        count_children(count, lines, 1.0, lost);
    }
    free(lost);
}

void misses_count(const struct loop_node *root, const struct program *program,
                  const struct cache *cache, struct pass_misses *misses)
{
    struct count count = {.cache = cache, .arrays = program->arrays.count, .misses = misses};
    double *fresh = memory_new(count.arrays, sizeof *fresh);
    struct node_lines lines;
    node_lines_make(&lines, root, count.arrays, cache);
    for (size_t i = 0; i < root->children.count; i++) {
        for (size_t array = 0; array < count.arrays; array++)
            fresh[array] = child_share(&count, &lines, i, array, 1.0);
        count_segment(&count, &lines.children[i], fresh);
    }
    if (root->trips > 1.0) {
        lose_between(&count, &lines, fresh);
        count_again(&count, &lines, fresh);
    }
    node_lines_free(&lines);
    free(fresh);
}
