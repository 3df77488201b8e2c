#include "describer/count/copies.h"

#include "describer/count/scalars.h"
#include "describer/walk/evaluate.h"
#include "model/base/inequalities.h"

#include <math.h>
#include <string.h>

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

/* Whether each iteration of the loop goes through the run. */
static bool runs_each_time(const struct part *part, const struct outline *reader)
{
    const struct outline *loop = reader;
    while (loop && !(loop->loop && loop->loop == part->loop))
        loop = loop->up;
    for (int i = 0; loop && i < loop->count; i++)
        if (loop->children[i]->part == part)
            return true;
    return false;
}

/* Of the runs of a loop's body one that each iteration goes through, with nothing before it that
   could say otherwise. */
static bool is_copied_first(struct describer *describer, const struct node *load,
                            const struct outline *reader)
{
    const struct outline *loop = reader;
    while (loop && !(loop->loop && loop->loop == load->part->loop))
        loop = loop->up;
    return loop && runs_each_time(load->part, reader) &&
           is_own_of_iterations(describer, load, loop);
}

/* ---- elements that nothing assigns before ---- */

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
                     const struct part *reader, const struct loop *before, const struct part *part,
                     const struct reference *to, int less)
{
    struct meeting it = {.describer = describer, .load = load, .before = before, .is_told = true};
    add_side(&it, &it.reads, reader->loop);
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

/* Whether nothing in the loop assigns the element before a run of it, or of loops within it, uses
   what was loaded. */
static bool is_first_loaded(struct describer *describer, const struct node *load,
                            const struct part *reader, const struct loop *before,
                            const struct outline *outline, bool is_inside)
{
    const struct part *part = outline->part;
    is_inside = is_inside || (outline->loop && outline->loop == before);
    for (int i = 0; part && is_inside && i < part->statement_count; i++) {
        const struct reference *to = &part->statements[i].to;
        if (to->array != load->reference.array)
            continue;
        if (part != reader && (part->begin < reader->begin || !is_within(part->loop, reader->loop)))
            return false; /* it may stand before it in the same iteration */
        for (int less = before->depth; less <= reader->loop->depth; less++)
            if (may_meet(describer, load, reader, before, part, to, less))
                return false;
    }
    for (int i = 0; i < outline->count; i++)
        if (!is_first_loaded(describer, load, reader, before, outline->children[i], is_inside))
            return false;
    return true;
}

/* ---- values that are kept ---- */

/* The value of the node is kept in an element beside the one that is loaded: it is that one, or
   what the load's run makes of it. */
static void copy(struct describer *describer, int i, const struct node *load)
{
    struct node *node = &describer->graph.nodes[i];
    struct array *from = load->reference.array;
    if (node->place.line == 0)
        node->place = load->place;
    struct array *kept = scalar_array(
        describer, arena_format(describer->arena, "%s_kept", from->name), load->reference.count,
        arena_format(describer->arena, ", node %d", i), node->place);
    kept->beside = from;
    kept->element_bytes = from->element_bytes;
    kept->prefix_count = from->prefix_count;
    memcpy(kept->prefix, from->prefix, sizeof kept->prefix);
    for (int d = 0; d < from->prefix_count + load->reference.count; d++)
        kept->beside_dimension[d] = d;
    node->copied_as = load->reference;
    node->copied_as.array = kept;
    node->is_copied = true;
    node->is_stored = node->kind != NODE_LOAD;
    node->stored_as = node->copied_as;
}

/* The function tells whether a value is made of elements and numbers alone, in one run. It sets
 *is_first to whether the value may be computed before the first iteration of the run's loop. */
static bool is_made_of_loads(struct describer *describer, int i, const struct part *part,
                             bool *is_first)
{
    const struct node *node = &describer->graph.nodes[i];
    if (node->kind == NODE_CONSTANT || node->kind == NODE_SAME)
        return true;
    if (node->kind == NODE_LOAD && node->part) {
        for (int s = 0; s < describer->segment_count && *is_first && part->loop; s++)
            *is_first = is_first_loaded(describer, node, part, part->loop,
                                        &describer->segments[s]->root, false);
        return true;
    }
    if (node->kind < NODE_ADD || node->kind == NODE_CALL || node->part != part || node->is_stored)
        return false;
    for (int k = 0; k < node->operand_count; k++)
        if (!is_made_of_loads(describer, node->operands[k], part, is_first))
            return false;
    return true;
}

/* Of the values of a run that another one within uses, the one that comes of the load, the last on
   the way; -1: the load itself does, or several. */
static int used_value(struct describer *describer, int i, int load, int without)
{
    const struct node *node = &describer->graph.nodes[i];
    const struct part *part = describer->graph.nodes[load].part;
    int found = -1;
    if (i == without || i == load || !node_depends(describer, i, load))
        return i == load ? load : -1;
    if (node->part == part || node->kind < NODE_ADD)
        return node->part == part ? i : -1;
    for (int k = 0; k < node->operand_count; k++) {
        const int value = used_value(describer, node->operands[k], load, without);
        if (value >= 0 && found >= 0 && value != found)
            return -1;
        found = value >= 0 ? value : found;
    }
    return found;
}

/* What a run computes of the load and others use is computed once, and kept; false: it is the load
   that they use, or too much else. */
static bool keep_value(struct describer *describer, int root, int load, int without,
                       const struct outline *reader)
{
    const int value = used_value(describer, root, load, without);
    const struct node *loaded = &describer->graph.nodes[load];
    bool is_first = true;
    if (value < 0 || value == load || !is_made_of_loads(describer, value, loaded->part, &is_first))
        return false;
    copy(describer, value, loaded);
    if (is_first && runs_each_time(loaded->part, reader))
        describer->graph.nodes[value].copied_before = loaded->part->loop;
    return true;
}

static void consider(struct describer *describer, const struct outline *reader,
                     const struct reads *reads, int root, int without)
{
    for (int i = 0; i < reads->count; i++) {
        const struct node *node = &describer->graph.nodes[reads->nodes[i]];
        if (node->kind == NODE_LOAD && node->part && node->part->loop != reader->part->loop &&
            !node->is_copied && !node->is_stored && !node->reference.array->is_scalar &&
            is_within(reader->part->loop, node->part->loop) &&
            is_overwritten_before(describer, node, reader) &&
            !keep_value(describer, root, reads->nodes[i], without, reader)) {
            copy(describer, reads->nodes[i], node);
            if (node->part->loop && is_copied_first(describer, node, reader))
                describer->graph.nodes[reads->nodes[i]].copied_before = node->part->loop;
        }
    }
}

/* ---- elements that change places ---- */

/* The outermost loop before which all iterations may load it: each within tells elements apart. */
static const struct loop *loaded_before(struct describer *describer, const struct node *load)
{
    const struct loop *found = NULL;
    for (const struct loop *loop = load->part->loop; loop; loop = loop->up) {
        bool is_named = false;
        for (int d = 0; d < load->reference.count; d++)
            is_named = is_named || polynomial_has(load->reference.subscripts[d], loop->index);
        for (int i = 0; i < describer->segment_count && is_named; i++)
            is_named = is_first_loaded(describer, load, load->part, loop,
                                       &describer->segments[i]->root, false);
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

/* Whether a value of a run, made of elements and numbers alone, can be made anew by a later
   statement of it: of elements that it does not assign, or that all iterations may load first. */
static bool can_be_made_again(struct describer *describer, int i, const struct part *part,
                              const struct array *array)
{
    const struct node *node = &describer->graph.nodes[i];
    if (node->kind == NODE_CONSTANT || node->kind == NODE_SAME)
        return true;
    if (node->part != part || node->is_stored || node->is_copied || node->kind == NODE_CALL)
        return false;
    if (node->kind == NODE_LOAD) {
        bool is_set = false;
        for (int k = 0; k < part->statement_count; k++)
            is_set = is_set || part->statements[k].to.array == node->reference.array;
        return !is_set || (node->reference.array == array && loaded_before(describer, node));
    }
    for (int k = 0; k < node->operand_count; k++)
        if (!can_be_made_again(describer, node->operands[k], part, array))
            return false;
    return node->kind >= NODE_ADD;
}

/* a[i][j] = a[j][i] = x, a matrix made symmetric in place: both get x, as if it were a scalar's,
   and neither waits for the other in each iteration. */
static void place_same(struct describer *describer, const struct part *part,
                       struct statement *statement)
{
    const struct node *node = &describer->graph.nodes[statement->value];
    if (part->loop && node->kind == NODE_FORWARD && node->part == part &&
        node->reference.array == statement->to.array && !statement->to.array->is_scalar &&
        goes_elsewhere(&describer->algebra, &statement->to, &node->reference) &&
        can_be_made_again(describer, node->operands[0], part, statement->to.array))
        statement->value = node->operands[0];
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
                copy(describer, reads->nodes[i], node);
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

/* ---- elements that one iteration sets and all read ---- */

/* All iterations of a loop read an element that at most one of them sets, such as row k, which
   iteration i = k sets. Returns the outermost loop before which they may read it; NULL: there is
   none. */
static const struct loop *set_once_in(struct describer *describer, const struct part *part,
                                      const struct reference *to, const struct reference *read)
{
    struct algebra *algebra = &describer->algebra;
    const struct loop *found = NULL;
    if (to->array != read->array || to->count != read->count || !may_be_same(describer, to, read))
        return NULL;
    for (const struct loop *loop = part->loop; loop; loop = loop->up) {
        bool is_once = false;
        if (polynomial_equal(algebra, loop->first, loop->last))
            return found;
        if (reference_has(read, loop->index)) {
            bool is_own = false; /* each iteration has elements of its own */
            for (int d = 0; d < to->count; d++)
                is_own =
                    is_own || (polynomial_has(read->subscripts[d], loop->index) &&
                               polynomial_equal(algebra, read->subscripts[d], to->subscripts[d]));
            if (!is_own)
                return found;
            found = found ? loop : NULL;
            continue;
        }
        for (int d = 0; d < to->count; d++) {
            double speed;
            polynomial by = polynomial_coefficient(algebra, to->subscripts[d], loop->index);
            bool is_fixed = polynomial_is_constant(by, &speed) && speed != 0;
            for (const struct loop *within = part->loop; within != loop; within = within->up)
                is_fixed = is_fixed && !polynomial_has(read->subscripts[d], within->index) &&
                           !polynomial_has(to->subscripts[d], within->index);
            is_once = is_once || is_fixed;
        }
        if (!is_once)
            return found;
        found = loop;
    }
    return found;
}

/* Whether the loop sets the array in another statement. */
static bool is_set_elsewhere(const struct outline *outline, const struct loop *loop,
                             const struct array *array, const struct statement *but, bool is_inside)
{
    const struct part *part = outline->part;
    is_inside = is_inside || (outline->loop && outline->loop == loop);
    for (int i = 0; part && is_inside && i < part->statement_count; i++)
        if (part->statements[i].to.array == array && &part->statements[i] != but)
            return true;
    for (int i = 0; i < outline->count; i++)
        if (is_set_elsewhere(outline->children[i], loop, array, but, is_inside))
            return true;
    return false;
}

/* Whether no iteration of the loops about a run sets the element that another one of them reads. */
static bool are_apart(struct describer *describer, const struct reference *to,
                      const struct reference *read)
{
    for (int d = 0; to->array == read->array && d < to->count && d < read->count; d++) {
        bool is_shared = false;
        for (int i = 0; i < to->subscripts[d]->count; i++)
            for (int k = 0; k < to->subscripts[d]->terms[i].degree; k++)
                is_shared =
                    is_shared ||
                    (to->subscripts[d]->terms[i].symbols[k]->kind == SYMBOL_INDEX &&
                     polynomial_has(read->subscripts[d], to->subscripts[d]->terms[i].symbols[k]));
        polynomial gap =
            polynomial_sum(&describer->algebra, to->subscripts[d], read->subscripts[d], -1);
        if (!is_shared && (polynomial_value(extreme_of(describer, gap, false)) > 0 ||
                           polynomial_value(extreme_of(describer, gap, true)) < 0))
            return true;
    }
    return to->array != read->array;
}

/* What one iteration sets of what all read depends on nothing that the others set: all go at once,
   with the element as it is before the loop, and that iteration leaves it or is the first. */
static void place_set_once(struct describer *describer, const struct part *part,
                           const struct statement *statement, const struct reads *reads)
{
    const struct loop *outermost = NULL;
    for (int i = 0; i < reads->count; i++) {
        const struct node *node = &describer->graph.nodes[reads->nodes[i]];
        const struct loop *loop = set_once_in(describer, part, &statement->to, &reads->items[i]);
        if (!node->is_copied && !are_apart(describer, &statement->to, &reads->items[i]) &&
            !reference_equal(&describer->algebra, &reads->items[i], &statement->to) &&
            (!loop || node->kind != NODE_LOAD || !node->part || !is_within(node->part->loop, loop)))
            return;
        outermost = loop && (!outermost || loop->depth < outermost->depth) ? loop : outermost;
    }
    for (int i = 0; i < reads->count && outermost; i++)
        for (int s = 0; s < describer->segment_count; s++)
            if (is_set_elsewhere(&describer->segments[s]->root, outermost, reads->items[i].array,
                                 statement, false))
                return;
    for (int i = 0; i < reads->count && outermost; i++) {
        const struct node *node = &describer->graph.nodes[reads->nodes[i]];
        const struct loop *loop = set_once_in(describer, part, &statement->to, &reads->items[i]);
        if (!loop || node->is_copied)
            continue;
        copy(describer, reads->nodes[i], node);
        describer->graph.nodes[reads->nodes[i]].copied_before = loop;
        describer_remark(
            describer, statement->place,
            "%s, which all iterations read, is set in one of them: described as if that one "
            "left it as it is; else keep it in an array of its own before the loop",
            reference_text(&describer->algebra, &reads->items[i]));
    }
}

static void place_within(struct describer *describer, const struct outline *outline)
{
    const struct part *part = outline->part;
    struct reads reads;
    for (int i = 0; part && i < part->statement_count; i++) {
        if (part->statements[i].is_dropped)
            continue;
        place_same(describer, part, &part->statements[i]);
        reads_of(describer, part->statements[i].value, -1, &reads);
        consider(describer, outline, &reads, part->statements[i].value, -1);
        place_exchange(describer, part, i, &reads);
        place_set_once(describer, part, &part->statements[i], &reads);
    }
    for (int i = 0; part && i < part->link_count; i++) {
        const struct link *link = &part->links[i];
        const struct carry *carry = describer->graph.nodes[link->from].carry;
        if (!carry->reduces || result_of_carry(describer, carry) < 0)
            continue;
        reads_of(describer, link->to, link->from, &reads);
        consider(describer, outline, &reads, link->to, link->from);
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
