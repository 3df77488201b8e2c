#include "model/segment/memory/node_lines.h"

#include "model/base/allocation.h"
#include "model/segment/memory/footprint.h"

#include <stdlib.h>
#include <string.h>

static void count_lines(const struct node_lines *it, const struct footprint *footprint,
                        const struct cache *cache, double *lines)
{
    for (size_t array = 0; array < it->arrays; array++)
        lines[array] = footprint_lines(footprint, array, cache->line_bytes);
}

static void count_held(const struct node_lines *it, const struct footprint *footprint,
                       const struct cache *cache, double *held)
{
    for (size_t array = 0; array < it->arrays; array++)
        held[array] = footprint_held(footprint, array, cache);
}

/* One iteration, child by child. To the first one belong all its own iterations. */
static void count_iteration(const struct node_lines *it, struct footprint *footprint,
                            const struct cache *cache)
{
    const struct loop_node *children = it->node->children.items;
    const size_t count = it->node->children.count, row_bytes = it->arrays * sizeof *it->upto;
    footprint->depth = it->node->inside;
    for (size_t i = 0; i < count; i++) {
        footprint_add(footprint, &children[i]);
        if (i > 0)
            count_lines(it, footprint, cache, it->upto + i * it->arrays);
    }
    if (count > 0)
        memcpy(it->upto, it->children[0].all, row_bytes);
    if (count == 1)
        memcpy(it->each_held, it->children[0].all_held, row_bytes);
    else
        count_held(it, footprint, cache, it->each_held);
}

void node_lines_make(struct node_lines *lines, const struct loop_node *node, size_t arrays,
                     const struct cache *cache)
{
    const struct loop_node *children = node->children.items;
    const size_t count = node->children.count;
    struct footprint footprint = {.depth = 0};
    *lines = (struct node_lines){
        .node = node,
        .arrays = arrays,
        .all = memory_new((3 + count) * arrays, sizeof *lines->all),
        .children = memory_new(count, sizeof *lines->children),
    };
    lines->all_held = lines->all + arrays;
    lines->each_held = lines->all_held + arrays;
    lines->upto = lines->each_held + arrays;
    for (size_t i = 0; i < count; i++)
        node_lines_make(&lines->children[i], &children[i], arrays, cache);
    if (node->leaf)
        footprint_add(&footprint, node);
    else
        count_iteration(lines, &footprint, cache);
    footprint.depth = node->outside;
    count_lines(lines, &footprint, cache, lines->all);
    count_held(lines, &footprint, cache, lines->all_held);
    footprint_free(&footprint);
}

double node_lines_upto(const struct node_lines *lines, size_t children, size_t array)
{
    return children > 0 ? lines->upto[(children - 1) * lines->arrays + array] : 0.0;
}

double node_lines_each(const struct node_lines *lines, size_t array)
{
    return node_lines_upto(lines, lines->node->children.count, array);
}

void node_lines_free(struct node_lines *lines)
{
    for (size_t i = 0; i < lines->node->children.count; i++)
        node_lines_free(&lines->children[i]);
    free(lines->children);
    free(lines->all);
}
