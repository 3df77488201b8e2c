#include "describer/count/results.h"

#include "describer/count/scalars.h"
#include "describer/walk/evaluate.h"

#include <string.h>

static struct node *node_at(struct describer *describer, int i)
{
    return &describer->graph.nodes[i];
}

/* The loops around a scalar's beginning, the outermost first. */
static int loops_around(const struct node *node, const struct loop *around[RANK_MOST])
{
    int count = 0;
    for (const struct loop *loop = node->loop ? node->loop->up : NULL; loop; loop = loop->up)
        if (loop->depth < node->depth && count < RANK_MOST)
            around[count++] = loop;
    for (int i = 0; i < count / 2; i++) {
        const struct loop *turned = around[i];
        around[i] = around[count - 1 - i];
        around[count - 1 - i] = turned;
    }
    return count;
}

const struct reference *result_reference(struct describer *describer, int i)
{
    struct node *node = node_at(describer, i);
    if (node->is_stored)
        return &node->stored_as;
    const struct loop *around[RANK_MOST];
    const int rank = loops_around(node, around);
    struct reference reference = {.array =
                                      scalar_array(describer, node->name, rank, "", node->place),
                                  .count = rank ? rank : 1};
    reference.subscripts[0] = polynomial_constant(&describer->algebra, 0);
    for (int k = 0; k < rank; k++)
        reference.subscripts[k] = polynomial_symbol(&describer->algebra, around[k]->index);
    node->stored_as = reference;
    node->is_stored = true;
    return &node->stored_as;
}

static int result_from(struct describer *describer, int from, const struct loop *loop)
{
    for (int i = from + 1; i < describer->graph.count; i++) {
        const struct node *node = node_at(describer, i);
        if (node->kind == NODE_RESULT && node->operands[0] == from && node->loop == loop)
            return i;
    }
    return -1;
}

int result_of_carry(struct describer *describer, const struct carry *carry)
{
    int found = carry->result;
    for (const struct loop *loop = carry->loop->up; loop && found >= 0; loop = loop->up) {
        const int outer = result_from(describer, found, loop);
        if (outer < 0 || !node_at(describer, outer)->carry->reduces ||
            node_at(describer, found)->depth > loop->depth)
            break;
        found = outer;
    }
    return found;
}

/* Whether a result is an accumulation that begins with no value of the loops around. */
static bool is_accumulated(struct describer *describer, int result)
{
    const struct carry *carry = node_at(describer, result)->carry;
    if (!carry->reduces)
        return false;
    const struct node *start = carry->start >= 0 ? node_at(describer, carry->start) : NULL;
    while (start && start->kind == NODE_CARRY && start->carry->reduces)
        start = start->carry->start >= 0 ? node_at(describer, start->carry->start) : NULL;
    return !start || start->kind != NODE_CARRY;
}

static void add_read(struct describer *describer, const struct reference *reference, int node,
                     struct reads *reads)
{
    for (int i = 0; i < reads->count; i++)
        if (reference_equal(&describer->algebra, &reads->items[i], reference))
            return;
    if (reads->count == reads->room) {
        const int room = reads->room ? 2 * reads->room : 16;
        struct reference *items = arena_take(describer->arena, (size_t)room, sizeof *items);
        struct place *places = arena_take(describer->arena, (size_t)room, sizeof *places);
        int *nodes = arena_take(describer->arena, (size_t)room, sizeof *nodes);
        if (reads->count) {
            memcpy(items, reads->items, (size_t)reads->count * sizeof *items);
            memcpy(places, reads->places, (size_t)reads->count * sizeof *places);
            memcpy(nodes, reads->nodes, (size_t)reads->count * sizeof *nodes);
        }
        reads->items = items;
        reads->places = places;
        reads->nodes = nodes;
        reads->room = room;
    }
    reads->items[reads->count] = *reference;
    reads->nodes[reads->count] = node;
    reads->places[reads->count++] = node_at(describer, node)->place;
}

static void add_gather(struct describer *describer, const struct node *node, struct reads *reads)
{
    reads->gathers = arena_more(describer->arena, reads->gathers, (size_t)reads->gather_count,
                                sizeof *reads->gathers);
    reads->gathers[reads->gather_count++] = node;
}

/* Whether what is read as it was assigned in the same iteration is stored: what is assigned again
   later is not. */
static bool is_left(struct describer *describer, const struct node *node)
{
    const struct part *part = node->part;
    for (int i = 0; part && i < part->statement_count; i++)
        if (part->statements[i].value == node->operands[0] && !part->statements[i].is_dropped &&
            reference_equal(&describer->algebra, &part->statements[i].to, &node->reference))
            return true;
    return false;
}

static void visit(struct describer *describer, int i, int root, int without, bool *is_seen,
                  struct reads *reads)
{
    const struct node *node = node_at(describer, i);
    if (is_seen[i] || i == without)
        return;
    is_seen[i] = true;
    if (node->kind == NODE_LOAD || (node->kind == NODE_FORWARD && is_left(describer, node))) {
        add_read(describer, &node->reference, i, reads);
        return;
    }
    const bool is_element = node->carry && (node->is_stored || node->carry->reduces);
    if (node->kind == NODE_RESULT && is_element) {
        add_read(describer, result_reference(describer, i), i, reads);
        return;
    }
    if (node->is_stored && i != root && node->kind != NODE_LOAD) {
        add_read(describer, &node->stored_as, i, reads);
        return;
    }
    if (node->carry && !is_element) {
        visit(describer, node->carry->to, root, without, is_seen, reads);
        if (node->carry->start >= 0)
            visit(describer, node->carry->start, root, without, is_seen, reads);
    }
    if (node->kind == NODE_GATHER)
        add_gather(describer, node, reads);
    for (int k = 0; node->kind >= NODE_GATHER && k < node->operand_count; k++)
        visit(describer, node->operands[k], root, without, is_seen, reads);
}

static void find_reads(struct describer *describer, int node, int root, int without,
                       struct reads *reads)
{
    bool *is_seen = arena_take(describer->arena, (size_t)describer->graph.count, sizeof *is_seen);
    *reads = (struct reads){0};
    visit(describer, node, root, without, is_seen, reads);
}

void reads_of(struct describer *describer, int node, int without, struct reads *reads)
{
    find_reads(describer, node, -1, without, reads);
}

void reads_of_scalar(struct describer *describer, int node, struct reads *reads)
{
    find_reads(describer, node, node, -1, reads);
}

/* Whether an iteration of a loop around begins anew what lies in the same element as that of the
   one before: a reduction into that element accumulates over all of them. */
static bool is_one_of_several(const struct part *part, const struct reference *to)
{
    for (const struct loop *loop = part->loop; loop; loop = loop->up) {
        bool is_named = false;
        for (int d = 0; d < to->count; d++)
            is_named = is_named || polynomial_has(to->subscripts[d], loop->index);
        if (!is_named)
            return true;
    }
    return false;
}

/* Whether the accumulation reads the element that its result would lie in: it would be a partial
   sum. */
static bool is_made_of(struct describer *describer, int result, const struct reference *to)
{
    struct reads reads;
    while (node_at(describer, result)->kind == NODE_RESULT)
        result = node_at(describer, result)->operands[0];
    reads_of(describer, result, -1, &reads);
    for (int i = 0; i < reads.count; i++) {
        bool is_met = reads.items[i].array == to->array;
        for (int d = 0; d < to->count && is_met; d++) {
            polynomial gap = polynomial_sum(&describer->algebra, reads.items[i].subscripts[d],
                                            to->subscripts[d], -1);
            is_met = polynomial_value(extreme_of(describer, gap, false)) <= 0 &&
                     polynomial_value(extreme_of(describer, gap, true)) >= 0;
        }
        if (is_met)
            return true;
    }
    return false;
}

static void place_statement(struct describer *describer, const struct part *part,
                            struct statement *statement)
{
    int result = statement->value;
    const struct node *node = node_at(describer, result);
    if (statement->is_dropped || node->kind != NODE_RESULT || node->loop->up != part->loop ||
        !is_accumulated(describer, result) || is_one_of_several(part, &statement->to) ||
        is_made_of(describer, result, &statement->to))
        return;
    for (; node_at(describer, result)->kind == NODE_RESULT;
         result = node_at(describer, result)->operands[0]) {
        node_at(describer, result)->is_stored = true;
        node_at(describer, result)->stored_as = statement->to;
    }
    statement->is_dropped = true;
}

static void place_within(struct describer *describer, struct outline *outline)
{
    for (int i = 0; outline->part && i < outline->part->statement_count; i++)
        place_statement(describer, outline->part, &outline->part->statements[i]);
    for (int i = 0; i < outline->count; i++)
        place_within(describer, outline->children[i]);
}

void results_place(struct describer *describer)
{
    for (int i = 0; i < describer->segment_count; i++)
        place_within(describer, &describer->segments[i]->root);
}
