#include "describer/state/graph.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void graph_free(struct graph *graph)
{
    free(graph->nodes);
}

bool node_is_operation(const struct node *node)
{
    return node->kind >= NODE_ADD;
}

/* Whether equal operands make equal values. */
/* What a function gives without being given any, a random number, is another one each time. */
static bool is_shared(const struct node *node)
{
    if (node->kind == NODE_CALL && node->operand_count == 0)
        return false;
    return node_is_operation(node) || node->kind == NODE_CONSTANT || node->kind == NODE_SAME;
}

static unsigned bucket_of(const struct node *node)
{
    unsigned long hash = (unsigned long)node->kind * 31 + (unsigned long)(size_t)node->part / 16;
    for (int i = 0; i < node->operand_count; i++)
        hash = hash * 1000003 + (unsigned long)node->operands[i];
    hash = hash * 31 + (unsigned long)(long long)fmod(node->constant * 1024, 1e15);
    return (unsigned)(hash % GRAPH_BUCKETS);
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_node(struct graph *graph, const struct node *a, const struct node *b)
{
    if (a->kind != b->kind || a->part != b->part || a->operand_count != b->operand_count ||
        a->constant != b->constant || a->cost != b->cost || !is_same_text(a->name, b->name))
        return false;
    if (!a->index != !b->index ||
        (a->index && !polynomial_equal(graph->algebra, a->index, b->index)))
        return false;
    return !memcmp(a->operands, b->operands, (size_t)a->operand_count * sizeof *a->operands);
}

static void make_room(struct graph *graph)
{
    if (graph->count < graph->room)
        return;
    graph->room = graph->room ? 2 * graph->room : 256;
    graph->nodes = memory_grow(graph->nodes, (size_t)graph->room, sizeof *graph->nodes);
}

int graph_add(struct graph *graph, struct part *part, struct node node)
{
    node.part = part;
    for (int i = 0; i < node.operand_count; i++) {
        struct node *operand = &graph->nodes[node.operands[i]];
        if (operand->part != part)
            operand->is_live_out = true;
    }
    const unsigned bucket = bucket_of(&node);
    for (int i = graph->buckets[bucket]; is_shared(&node) && i > 0; i = graph->nodes[i - 1].next)
        if (is_same_node(graph, &graph->nodes[i - 1], &node))
            return i - 1;
    if (graph->count == NODES_MOST) {
        graph->is_full = true;
        return graph->count - 1;
    }
    make_room(graph);
    node.next = graph->buckets[bucket];
    graph->nodes[graph->count] = node;
    graph->buckets[bucket] = ++graph->count;
    if (part)
        part->end = graph->count;
    return graph->count - 1;
}

void graph_cut(struct graph *graph, int count)
{
    while (graph->count > count) {
        const struct node *last = &graph->nodes[--graph->count];
        graph->buckets[bucket_of(last)] = last->next;
    }
}

int graph_constant(struct graph *graph, struct part *part, double value)
{
    return graph_add(graph, part, (struct node){.kind = NODE_CONSTANT, .constant = value});
}

static bool is_constant(const struct graph *graph, int node, double *value)
{
    *value = graph->nodes[node].constant;
    return graph->nodes[node].kind == NODE_CONSTANT;
}

int graph_unary(struct graph *graph, struct part *part, enum node_kind kind, int a)
{
    double value;
    if (is_constant(graph, a, &value) && kind == NODE_NEGATE)
        return graph_constant(graph, part, -value);
    return graph_add(graph, part, (struct node){.kind = kind, .operand_count = 1, .operands = {a}});
}

static bool folded(enum node_kind kind, double a, double b, double *value)
{
    switch (kind) {
    case NODE_ADD:
        *value = a + b;
        return true;
    case NODE_SUBTRACT:
        *value = a - b;
        return true;
    case NODE_MULTIPLY:
        *value = a * b;
        return true;
    case NODE_DIVIDE:
        *value = a / b;
        return b != 0;
    default:
        return false;
    }
}

/* Whether the product with 1 / value is the quotient. */
static bool is_power_of_two(double value)
{
    int exponent;
    return isfinite(value) && fabs(frexp(value, &exponent)) == 0.5;
}

/* Operations with 0 and 1 that need no instruction; -1: it is none of them. */
static int with_constant_left(struct graph *graph, struct part *part, enum node_kind kind, double a,
                              int right)
{
    if (kind == NODE_MULTIPLY && a == 1)
        return right;
    if ((kind == NODE_MULTIPLY && a == -1) || (kind == NODE_SUBTRACT && a == 0))
        return graph_unary(graph, part, NODE_NEGATE, right);
    return kind == NODE_ADD && a == 0 ? right : -1;
}

static int with_constant_right(struct graph *graph, struct part *part, enum node_kind kind,
                               int left, double b)
{
    if ((kind == NODE_MULTIPLY || kind == NODE_DIVIDE) && b == 1)
        return left;
    if (kind == NODE_MULTIPLY && b == -1)
        return graph_unary(graph, part, NODE_NEGATE, left);
    if ((kind == NODE_ADD || kind == NODE_SUBTRACT) && b == 0)
        return left;
    if (kind == NODE_DIVIDE && is_power_of_two(b))
        return graph_binary(graph, part, NODE_MULTIPLY, left, graph_constant(graph, part, 1 / b));
    return -1;
}

int graph_binary(struct graph *graph, struct part *part, enum node_kind kind, int a, int b)
{
    double left, right, value;
    const bool has_left = is_constant(graph, a, &left), has_right = is_constant(graph, b, &right);
    if (has_left && has_right && folded(kind, left, right, &value))
        return graph_constant(graph, part, value);
    int same = has_left ? with_constant_left(graph, part, kind, left, b) : -1;
    if (same < 0 && has_right)
        same = with_constant_right(graph, part, kind, a, right);
    if (same >= 0)
        return same;
    return graph_add(graph, part,
                     (struct node){
                         .kind = kind, .operand_count = 2, .operands = {a, b}
    });
}
