#include "describer/count/count.h"

#include <math.h>
#include <string.h>

enum { NOT_LOOKED_AT = -2, NOT_REACHED = -1 };

/* Cycles until a dependent operation may begin, on the machine of table 5.2, and its name. They
   only choose among chains: what one takes, the machine table says. */
static const struct {
    const char *name;
    double cycles;
} steps[] = {
    [NODE_ADD] = {"add",  1 },
      [NODE_SUBTRACT] = {"add",  1 },
      [NODE_MULTIPLY] = {"mul",  1 },
    [NODE_DIVIDE] = {"div",  17},
      [NODE_ROOT] = {"sqrt", 27},
      [NODE_EXTREME] = {"add",  1 },
    [NODE_COMPARE] = {"add",  1 },
      [NODE_NEGATE] = {NULL,   0 },
      [NODE_ABSOLUTE] = {NULL,   0 },
    [NODE_SELECT] = {NULL,   0 },
      [NODE_CALL] = {NULL,   0 },
};

/* Whether an operand is the product that went into the sum. */
static bool is_product_of(const struct count *count, int sum, int operand)
{
    const struct node *nodes = count->describer->graph.nodes;
    while (nodes[operand].kind == NODE_NEGATE)
        operand = nodes[operand].operands[0];
    return count->marks[sum].fuses && count->marks[operand].is_fused;
}

/* Until the operation is done, from that operand on: of a multiply-add, what is added waits for no
   product. */
static double cycles_of(const struct count *count, int i, int operand)
{
    const struct node *node = &count->describer->graph.nodes[i];
    if (!node_is_operation(node) || count->marks[i].is_fused)
        return 0;
    if (node->kind == NODE_CALL)
        return node->cost->add * steps[NODE_ADD].cycles +
               node->cost->multiply * steps[NODE_MULTIPLY].cycles +
               node->cost->divide * steps[NODE_DIVIDE].cycles +
               node->cost->root * steps[NODE_ROOT].cycles;
    return is_product_of(count, i, operand) ? 2 : steps[node->kind].cycles;
}

static double longest(struct count *count, int i, int from)
{
    struct mark *mark = &count->marks[i];
    const struct node *node = &count->describer->graph.nodes[i];
    if (i == from)
        return 0;
    if (mark->distance != NOT_LOOKED_AT)
        return mark->distance;
    double most = mark->distance = NOT_REACHED;
    if (node->kind == NODE_FORWARD ||
        (node_is_operation(node) && node->part && node->part->loop == count->part->loop))
        for (int k = 0; k < node->operand_count; k++) {
            const double before = longest(count, node->operands[k], from);
            const double with = before + cycles_of(count, i, node->operands[k]);
            if (before < 0 || with <= most)
                continue;
            most = with;
            mark->came_from = node->operands[k];
        }
    return mark->distance = most;
}

static double distance_between(struct count *count, int from, int to)
{
    for (int i = 0; i < count->describer->graph.count; i++)
        count->marks[i].distance = NOT_LOOKED_AT;
    return longest(count, to, from);
}

/* A function in a chain: all of its operations, one after the other. */
static const char *call_text(struct arena *arena, const struct cost *cost, const char *behind)
{
    const double times[] = {cost->add, cost->multiply, cost->divide, cost->root};
    static const enum node_kind kinds[] = {NODE_ADD, NODE_MULTIPLY, NODE_DIVIDE, NODE_ROOT};
    const char *text = behind;
    for (int k = 3; k >= 0; k--)
        for (int i = 0; i < round(times[k]); i++)
            text = text ? arena_format(arena, "%s, %s", steps[kinds[k]].name, text)
                        : steps[kinds[k]].name;
    return text;
}

const char *chain_text(struct count *count, int from, int to, double *cycles)
{
    struct arena *arena = count->describer->arena;
    const char *text = NULL;
    *cycles = distance_between(count, from, to);
    if (*cycles <= 0)
        return NULL;
    for (int i = to; i != from; i = count->marks[i].came_from) {
        const struct node *node = &count->describer->graph.nodes[i];
        const char *name = node_is_operation(node) ? steps[node->kind].name : NULL;
        if (node->kind == NODE_CALL)
            text = call_text(arena, node->cost, text);
        if (!name || count->marks[i].is_fused)
            continue;
        name = is_product_of(count, i, count->marks[i].came_from) ? "madd" : name;
        text = text ? arena_format(arena, "%s, %s", name, text) : name;
    }
    return text;
}

const char *reduction_chain_text(struct count *count, int from, int to)
{
    struct arena *arena = count->describer->arena;
    const char *text = NULL;
    int links = 0;
    if (distance_between(count, from, to) <= 0)
        return NULL;
    for (int i = to; i != from; i = count->marks[i].came_from) {
        const char *name =
            count->marks[i].fuses ? "madd" : steps[count->describer->graph.nodes[i].kind].name;
        if (!name)
            continue;
        text = text ? arena_format(arena, "%s, %s", name, text) : name;
        links++;
    }
    return links > 1 ? text : NULL;
}

static enum node_kind accumulating(enum node_kind kind)
{
    switch (kind) {
    case NODE_ADD:
    case NODE_SUBTRACT:
        return NODE_ADD;
    case NODE_MULTIPLY:
    case NODE_EXTREME:
        return kind;
    default:
        return NODE_CONSTANT;
    }
}

/* The operand through which alone the value comes; -1: there is none. */
static int operand_from(struct count *count, const struct node *node, int from)
{
    const bool is_left = distance_between(count, from, node->operands[0]) >= 0;
    const bool is_right = distance_between(count, from, node->operands[1]) >= 0;
    if (is_left == is_right || (node->kind == NODE_SUBTRACT && is_right))
        return -1;
    return is_left ? node->operands[0] : node->operands[1];
}

const char *accumulation_of(struct count *count, int from, int to)
{
    enum node_kind kind = NODE_CONSTANT;
    for (int i = to; i != from;) {
        const struct node *node = &count->describer->graph.nodes[i];
        const enum node_kind this = accumulating(node->kind);
        if (node->part != count->part || node->operand_count != 2 || this == NODE_CONSTANT ||
            (kind != NODE_CONSTANT && this != kind))
            return NULL;
        kind = this;
        i = operand_from(count, node, from);
        if (i < 0)
            return NULL;
    }
    return kind == NODE_ADD        ? "sum"
           : kind == NODE_MULTIPLY ? "product"
           : kind == NODE_EXTREME  ? "max"
                                   : NULL;
}
