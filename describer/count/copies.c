#include "describer/count/copies.h"

#include "describer/count/scalars.h"
#include "describer/walk/evaluate.h"
#include "model/segment/loops/inequalities.h"

#include <math.h>

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
            if (node->part->loop && is_copied_first(describer, node, reader))
                describer->graph.nodes[reads->nodes[i]].copied_before = node->part->loop;
        }
    }
}

/* ---- elements that change places ---- */

enum { SIDE_MOST = 10 };

/* The loops about a load, or about what assigns its array, with their unknowns. */
struct side {
    const struct loop *loops[SIDE_MOST];
    int numbers[SIDE_MOST];
    int count;
};

/* Two iterations of a loop, the one before the other, that have the same element. */
struct meeting {
    struct describer *describer;
    const struct node *load;
    const struct loop *before; /* the loop: those around it are at the same iteration */
    struct side reads, writes;
    struct inequalities system;
    bool is_told; /* all is affine, with numbers */
};

static void add_side(struct meeting *it, struct side *side, const struct loop *loop)
{
    if (!loop)
        return;
    add_side(it, side, loop->up);
    if (side->count == SIDE_MOST) {
        it->is_told = false;
        return;
    }
    const bool is_same = side == &it->writes && loop != it->before && is_within(it->before, loop);
    side->numbers[side->count] = is_same ? it->reads.numbers[side->count] : it->system.unknowns++;
    side->loops[side->count++] = loop;
}

static void spread(struct meeting *it, const struct side *side, polynomial of, double factor,
                   double *by, double *constant)
{
    struct algebra *algebra = &it->describer->algebra;
    it->is_told = it->is_told && polynomial_is_affine(of);
    for (int i = 0; i < side->count && it->is_told; i++) {
        const struct symbol *index = side->loops[i]->index;
        const double slope = polynomial_value(polynomial_coefficient(algebra, of, index));
        it->is_told = slope == floor(slope);
        by[side->numbers[i]] += factor * slope;
        of = polynomial_rest(algebra, of, index);
    }
    *constant += it->is_told ? factor * polynomial_value(of) : 0.0;
    it->is_told = it->is_told && isfinite(*constant);
}

static void add_ranges(struct meeting *it, const struct side *side)
{
    for (int i = 0; i < side->count; i++)
        for (int end = 0; end < 2; end++) {
            const struct loop *loop = side->loops[i];
            const double factor = end ? -1.0 : 1.0;
            double by[UNKNOWNS_MOST] = {0.0}, constant = 0.0;
            spread(it, side, end ? loop->last : loop->first, factor, by, &constant);
            by[side->numbers[i]] -= factor;
            inequalities_at_most(&it->system, by, -constant);
        }
}

/* The writer's iteration is as the load's, in so many loops from that one on, and less in the next.
 */
static void add_order(struct meeting *it, int first, int less)
{
    for (int i = first; i <= less; i++) {
        double by[UNKNOWNS_MOST] = {0.0};
        by[it->writes.numbers[i]] = 1.0;
        by[it->reads.numbers[i]] = -1.0;
        if (i == less)
            inequalities_at_most(&it->system, by, -1.0);
        else
            inequalities_equal(&it->system, by, 0.0);
    }
}

/* Whether a statement may assign the element in an iteration before that of the load, the first
   loop whose iterations differ being that one. */
static bool may_meet(struct describer *describer, const struct node *load,
                     const struct loop *before, const struct part *part, const struct reference *to,
                     int less)
{
    struct meeting it = {.describer = describer, .load = load, .before = before, .is_told = true};
    add_side(&it, &it.reads, load->part->loop);
    add_side(&it, &it.writes, part->loop);
    if (!it.is_told || it.system.unknowns > UNKNOWNS_MOST)
        return true;
    add_ranges(&it, &it.reads);
    add_ranges(&it, &it.writes);
    for (int d = 0; d < to->count; d++) {
        double by[UNKNOWNS_MOST] = {0.0}, constant = 0.0;
        spread(&it, &it.writes, to->subscripts[d], 1.0, by, &constant);
        spread(&it, &it.reads, load->reference.subscripts[d], -1.0, by, &constant);
        inequalities_equal(&it.system, by, -constant);
    }
    add_order(&it, before->depth, less);
    const bool may = !it.is_told || inequalities_hold(&it.system);
    inequalities_free(&it.system);
    return may;
}

static int loops_in_common(const struct loop *a, const struct loop *b)
{
    while (a && !is_within(b, a))
        a = a->up;
    return a ? a->depth + 1 : 0;
}

/* Whether nothing in the loop assigns the element before it is loaded. */
static bool is_first_loaded(struct describer *describer, const struct node *load,
                            const struct loop *before, const struct outline *outline,
                            bool is_inside)
{
    const struct part *part = outline->part;
    is_inside = is_inside || (outline->loop && outline->loop == before);
    for (int i = 0; part && is_inside && i < part->statement_count; i++) {
        const struct reference *to = &part->statements[i].to;
        const int common = loops_in_common(part->loop, load->part->loop);
        if (to->array != load->reference.array)
            continue;
        if (part->loop != load->part->loop)
            return false; /* it may stand before it in the same iteration */
        for (int less = before->depth; less < common; less++)
            if (may_meet(describer, load, before, part, to, less))
                return false;
    }
    for (int i = 0; i < outline->count; i++)
        if (!is_first_loaded(describer, load, before, outline->children[i], is_inside))
            return false;
    return true;
}

/* The outermost loop before which all iterations may load it: each within tells elements apart. */
static const struct loop *loaded_before(struct describer *describer, const struct node *load)
{
    const struct loop *found = NULL;
    for (const struct loop *loop = load->part->loop; loop; loop = loop->up) {
        bool is_named = false;
        for (int d = 0; d < load->reference.count; d++)
            is_named = is_named || polynomial_has(load->reference.subscripts[d], loop->index);
        for (int i = 0; i < describer->segment_count && is_named; i++)
            is_named = is_first_loaded(describer, load, loop, &describer->segments[i]->root, false);
        if (!is_named)
            return found;
        found = loop;
    }
    return found;
}

/* Whether loops lead the one otherwise than the other. */
static bool goes_elsewhere(struct algebra *algebra, const struct reference *a,
                           const struct reference *b)
{
    for (int d = 0; d < a->count && d < b->count; d++)
        if ((polynomial_has_index(a->subscripts[d]) || polynomial_has_index(b->subscripts[d])) &&
            !polynomial_equal(algebra, a->subscripts[d], b->subscripts[d]))
            return true;
    return false;
}

/* What a run assigns first, another statement of it gives to another element: the values change
   places. They were there before the loops, or the description cannot order them. */
static void place_exchange(struct describer *describer, const struct part *part, int last,
                           const struct reads *reads)
{
    struct algebra *algebra = &describer->algebra;
    const struct statement *statement = &part->statements[last];
    for (int i = 0; i < reads->count; i++) {
        const struct node *node = &describer->graph.nodes[reads->nodes[i]];
        for (int k = 0; k < last && node->kind == NODE_LOAD && node->part == part; k++) {
            if (part->statements[k].is_dropped || node->reference.array->is_scalar ||
                node->is_copied ||
                !reference_equal(algebra, &part->statements[k].to, &node->reference) ||
                statement->to.array != node->reference.array ||
                reference_equal(algebra, &statement->to, &node->reference))
                continue;
            const struct loop *before = goes_elsewhere(algebra, &statement->to, &node->reference)
                                            ? loaded_before(describer, node)
                                            : NULL;
            if (before) {
                copy(describer, reads->nodes[i]);
                describer->graph.nodes[reads->nodes[i]].copied_before = before;
                continue;
            }
            describer_remark(describer, statement->place,
                             "%s gets what %s was before it was assigned in the same "
                             "iteration: described as if it waited for that, so that its "
                             "messages may be too many and too small; a second array for "
                             "the result says it better",
                             reference_text(algebra, &statement->to),
                             reference_text(algebra, &node->reference));
        }
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
        place_exchange(describer, part, i, &reads);
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
        if (!node->is_copied || (node->part->loop == part->loop && !node->copied_before))
            continue;
        reads->items[i] = node->copied_as;
        reads->places[i] = (struct place){0};
    }
}
