#include "describer/count/copies.h"

#include "describer/count/scalars.h"
#include "describer/walk/evaluate.h"

static bool is_within(const struct loop *loop, const struct loop *around)
{
    while (loop && loop != around)
        loop = loop->up;
    return loop == around;
}

/* Whether one may be the element that the other is, in some iteration: in no dimension do their
   subscripts stay apart. */
static bool may_be_same(struct describer *describer, const struct reference *a,
                        const struct reference *b)
{
    if (a->array != b->array)
        return false;
    for (int d = 0; d < a->count && d < b->count; d++) {
        polynomial gap =
            polynomial_sum(&describer->algebra, a->subscripts[d], b->subscripts[d], -1);
        if (polynomial_value(extreme_of(describer, gap, false)) > 0 ||
            polynomial_value(extreme_of(describer, gap, true)) < 0)
            return false;
    }
    return true;
}

/* Whether the loops within the outline assign the element, or its own run does: what a run loads
   after it has stored it is no load. */
static bool is_overwritten(struct describer *describer, const struct node *load,
                           const struct outline *outline)
{
    const struct part *part = outline->part;
    for (int i = 0; part && i < part->statement_count; i++) {
        const struct reference *to = &part->statements[i].to;
        if (part == load->part ? reference_equal(&describer->algebra, to, &load->reference)
                               : may_be_same(describer, to, &load->reference))
            return true;
    }
    for (int i = 0; i < outline->count; i++)
        if (is_overwritten(describer, load, outline->children[i]))
            return true;
    return false;
}

static bool has_part(const struct outline *outline, const struct part *part)
{
    bool has = outline->part == part;
    for (int i = 0; i < outline->count && !has; i++)
        has = has_part(outline->children[i], part);
    return has;
}

/* Whether the element is assigned between its load and its use by a run of loops within those of
   the load, these loops included. */
static bool is_overwritten_before(struct describer *describer, const struct node *load,
                                  const struct outline *reader)
{
    const struct outline *outline = reader;
    while (outline->up && !has_part(outline->up, load->part))
        outline = outline->up;
    if (!outline->up)
        return false;
    int first = 0;
    while (!has_part(outline->up->children[first], load->part))
        first++;
    for (int i = first; i < outline->up->count; i++) {
        if (is_overwritten(describer, load, outline->up->children[i]))
            return true;
        if (outline->up->children[i] == outline)
            break;
    }
    return false;
}

/* Whether no iteration of the load's loop assigns what another one loads: all that assign the array
   there have a subscript in common with the load that differs from one iteration to the next. */
static bool is_own_of_iterations(struct describer *describer, const struct node *load,
                                 const struct outline *outline)
{
    const struct part *part = outline->part;
    for (int i = 0; part && i < part->statement_count; i++) {
        const struct reference *to = &part->statements[i].to;
        bool is_own = to->array != load->reference.array;
        for (int d = 0; d < to->count && d < load->reference.count && !is_own; d++)
            is_own = polynomial_has(to->subscripts[d], load->part->loop->index) &&
                     polynomial_is_affine(to->subscripts[d]) &&
                     polynomial_equal(&describer->algebra, to->subscripts[d],
                                      load->reference.subscripts[d]);
        if (!is_own)
            return false;
    }
    for (int i = 0; i < outline->count; i++)
        if (!is_own_of_iterations(describer, load, outline->children[i]))
            return false;
    return true;
}

/* Of the runs of a loop's body one that each iteration goes through, with nothing before it that
   could say otherwise. */
static bool is_copied_first(struct describer *describer, const struct node *load,
                            const struct outline *reader)
{
    const struct outline *loop = reader;
    while (loop && !(loop->loop && loop->loop == load->part->loop))
        loop = loop->up;
    for (int i = 0; loop && i < loop->count; i++)
        if (loop->children[i]->part == load->part)
            return is_own_of_iterations(describer, load, loop);
    return false;
}

static void copy(struct describer *describer, int i)
{
    struct node *node = &describer->graph.nodes[i];
    struct array *from = node->reference.array;
    struct array *kept = scalar_array(
        describer, arena_format(describer->arena, "%s_kept", from->name), node->reference.count,
        arena_format(describer->arena, ", node %d", i), node->place);
    kept->beside = from;
    kept->element_bytes = from->element_bytes;
    for (int d = 0; d < node->reference.count; d++)
        kept->beside_dimension[d] = d;
    node->copied_as = node->reference;
    node->copied_as.array = kept;
    node->is_copied = true;
}

static void consider(struct describer *describer, const struct outline *reader,
                     const struct reads *reads)
{
    for (int i = 0; i < reads->count; i++) {
        const struct node *node = &describer->graph.nodes[reads->nodes[i]];
        if (node->kind == NODE_LOAD && node->part && node->part->loop != reader->part->loop &&
            !node->is_copied && !node->is_stored && !node->reference.array->is_scalar &&
            is_within(reader->part->loop, node->part->loop) &&
            is_overwritten_before(describer, node, reader)) {
            copy(describer, reads->nodes[i]);
            describer->graph.nodes[reads->nodes[i]].is_copied_first =
                node->part->loop && is_copied_first(describer, node, reader);
        }
    }
}

/* What a run assigns first, another statement of it gives to another element: the values change
   places, which the description cannot order. */
static void remark_exchange(struct describer *describer, const struct part *part, int last,
                            const struct reads *reads)
{
    struct algebra *algebra = &describer->algebra;
    const struct statement *statement = &part->statements[last];
    for (int i = 0; i < reads->count; i++) {
        const struct node *node = &describer->graph.nodes[reads->nodes[i]];
        for (int k = 0; k < last && node->kind == NODE_LOAD && node->part == part; k++)
            if (!part->statements[k].is_dropped && !node->reference.array->is_scalar &&
                reference_equal(algebra, &part->statements[k].to, &node->reference) &&
                statement->to.array == node->reference.array &&
                !reference_equal(algebra, &statement->to, &node->reference))
                describer_remark(describer, statement->place,
                                 "%s gets what %s was before it was assigned in the same "
                                 "iteration: described as if it waited for that, so that its "
                                 "messages may be too many and too small; a second array for "
                                 "the result says it better",
                                 reference_text(algebra, &statement->to),
                                 reference_text(algebra, &node->reference));
    }
}

static void place_within(struct describer *describer, const struct outline *outline)
{
    const struct part *part = outline->part;
    struct reads reads;
    for (int i = 0; part && i < part->statement_count; i++) {
        if (part->statements[i].is_dropped)
            continue;
        reads_of(describer, part->statements[i].value, -1, &reads);
        consider(describer, outline, &reads);
        remark_exchange(describer, part, i, &reads);
    }
    for (int i = 0; part && i < part->link_count; i++) {
        const struct link *link = &part->links[i];
        const struct carry *carry = describer->graph.nodes[link->from].carry;
        if (!carry->reduces || result_of_carry(describer, carry) < 0)
            continue;
        reads_of(describer, link->to, link->from, &reads);
        consider(describer, outline, &reads);
    }
    for (int i = 0; i < outline->count; i++)
        place_within(describer, outline->children[i]);
}

void copies_place(struct describer *describer)
{
    for (int i = 0; i < describer->segment_count; i++)
        place_within(describer, &describer->segments[i]->root);
}

void copies_read(const struct describer *describer, const struct part *part, struct reads *reads)
{
    for (int i = 0; i < reads->count; i++) {
        const struct node *node = &describer->graph.nodes[reads->nodes[i]];
        if (!node->is_copied || node->part->loop == part->loop)
            continue;
        reads->items[i] = node->copied_as;
        reads->places[i] = (struct place){0};
    }
}
