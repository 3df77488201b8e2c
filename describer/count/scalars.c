#include "describer/count/scalars.h"

#include "describer/walk/evaluate.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

static struct node *node_at(struct describer *describer, int i)
{
    return &describer->graph.nodes[i];
}

static bool is_in(const struct loop *loop, const struct loop *around)
{
    while (loop && loop != around)
        loop = loop->up;
    return loop != NULL || around == NULL;
}

static bool visit_depends(struct describer *describer, int i, int on, bool *is_seen)
{
    const struct node *node = node_at(describer, i);
    if (i == on)
        return true;
    if (is_seen[i])
        return false;
    is_seen[i] = true;
    for (int k = 0; k < node->operand_count; k++)
        if (visit_depends(describer, node->operands[k], on, is_seen))
            return true;
    if (node->kind != NODE_RESULT)
        return false;
    return visit_depends(describer, node->carry->to, on, is_seen) ||
           (node->carry->start >= 0 && visit_depends(describer, node->carry->start, on, is_seen));
}

bool node_depends(struct describer *describer, int node, int on)
{
    bool *is_seen = memory_new((size_t)describer->graph.count, sizeof *is_seen);
    const bool depends = visit_depends(describer, node, on, is_seen);
    free(is_seen);
    return depends;
}

/* ---- what is needed ---- */

/* While scalars are classified: how often each node is used by what is needed, and those uses that
   lie on the way of one accumulation. */
struct needing {
    struct describer *describer;
    int *uses, *on_way;
    bool *is_needed;
};

static void need_carry(struct needing *it, struct carry *carry);

static void need(struct needing *it, int i)
{
    const struct node *node = node_at(it->describer, i);
    it->uses[i]++;
    if (it->is_needed[i])
        return;
    it->is_needed[i] = true;
    for (int k = 0; k < node->operand_count; k++)
        need(it, node->operands[k]);
    if (node->carry)
        need_carry(it, node->carry);
    if (node->kind == NODE_CARRY && node->carry->start >= 0) {
        node_at(it->describer, i)->carry->needs_start = true;
        need(it, node->carry->start);
    }
}

static void need_carry(struct needing *it, struct carry *carry)
{
    if (carry->is_needed)
        return;
    carry->is_needed = true;
    need(it, carry->to);
}

/* Whether what an iteration leaves comes of what the one before has left, through whatever scalar.
 */
static bool comes_of_itself(struct describer *describer, int i, int from, bool *is_seen)
{
    const struct node *node = node_at(describer, i);
    if (is_seen[i])
        return false;
    is_seen[i] = true;
    for (int k = 0; k < node->operand_count; k++)
        if (node->operands[k] == from ||
            comes_of_itself(describer, node->operands[k], from, is_seen))
            return true;
    if (!node->carry)
        return false;
    if (node->carry->to == from || comes_of_itself(describer, node->carry->to, from, is_seen))
        return true;
    /* What an iteration begins with is that of the loop, in the first one. */
    const int start = node->kind == NODE_CARRY ? node->carry->start : -1;
    return start >= 0 && (start == from || comes_of_itself(describer, start, from, is_seen));
}

static void need_outline(struct needing *it, const struct outline *outline)
{
    const struct part *part = outline->part;
    for (int i = 0; part && i < part->statement_count; i++)
        if (!part->statements[i].is_dropped)
            need(it, part->statements[i].value);
    for (struct carry *carry = outline->loop ? outline->loop->carries : NULL; carry;
         carry = carry->next) {
        bool *is_seen = memory_new((size_t)it->describer->graph.count, sizeof *is_seen);
        if (carry->to != carry->from &&
            comes_of_itself(it->describer, carry->to, carry->from, is_seen))
            need_carry(it, carry);
        free(is_seen);
    }
    for (int i = 0; i < outline->count; i++)
        need_outline(it, outline->children[i]);
}

/* ---- accumulations ---- */

/* One accumulation on its way from what an iteration leaves back to what it found. */
struct accumulation {
    struct needing *it;
    const struct carry *carry;
    enum node_kind kind; /* NODE_CONSTANT: not known yet */
};

static const struct {
    const char *name;
    enum node_kind kind;
} reductions[] = {
    {"sum",     NODE_ADD     },
    {"product", NODE_MULTIPLY},
    {"max",     NODE_EXTREME },
    {"max",     NODE_SELECT  }
};

static bool is_kind(struct accumulation *way, enum node_kind kind)
{
    if (way->kind == NODE_CONSTANT)
        way->kind = kind;
    return way->kind == kind;
}

static bool accumulates(struct accumulation *way, int i);

static bool goes_on(struct accumulation *way, int i)
{
    return way->it->on_way[i]++ > 0 || accumulates(way, i);
}

/* Whether a condition decides nothing but which values scalars keep. */
static bool only_chooses(struct describer *describer, int condition)
{
    for (int i = 0; i < describer->graph.count; i++) {
        const struct node *node = node_at(describer, i);
        for (int k = 0; k < node->operand_count; k++)
            if (node->operands[k] == condition && (node->kind != NODE_SELECT || k > 0))
                return false;
    }
    return true;
}

/* Whether two nodes are one value: the same element may be loaded once more under a condition. */
static bool is_same(struct describer *describer, int a, int b)
{
    const struct node *one = node_at(describer, a), *other = node_at(describer, b);
    return a == b || (one->kind == NODE_LOAD && other->kind == NODE_LOAD &&
                      reference_equal(&describer->algebra, &one->reference, &other->reference));
}

/* if (x > most) most = x, and what else is kept where that holds; or one that holds of the
   iteration alone, where the scalar accumulates or stays. */
static bool accumulates_choice(struct accumulation *way, const struct node *node)
{
    struct describer *describer = way->it->describer;
    const int condition = node->operands[0], a = node->operands[1], b = node->operands[2];
    const int from = way->carry->from;
    const struct node *asked = node_at(describer, condition);
    if (node_depends(describer, condition, from)) {
        const int old = node_depends(describer, a, from) ? a : b, new = old == a ? b : a;
        const bool compares =
            asked->kind == NODE_COMPARE &&
            ((asked->operands[0] == old && is_same(describer, asked->operands[1], new)) ||
             (asked->operands[1] == old && is_same(describer, asked->operands[0], new)));
        if (!compares || node_depends(describer, new, from) || !is_kind(way, NODE_EXTREME) ||
            !only_chooses(describer, condition))
            return false;
        way->it->on_way[old]++;
        return goes_on(way, old);
    }
    const bool has_a = node_depends(describer, a, from), has_b = node_depends(describer, b, from);
    if (has_a && has_b)
        return goes_on(way, a) && goes_on(way, b);
    return (a == from || b == from) && is_kind(way, NODE_SELECT) && goes_on(way, from);
}

static bool accumulates(struct accumulation *way, int i)
{
    struct describer *describer = way->it->describer;
    const struct node *node = node_at(describer, i);
    if (i == way->carry->from)
        return true;
    if (node->kind == NODE_RESULT) { /* an accumulation within goes on with it */
        const struct carry *within = node->carry;
        for (size_t k = 0; within->reduces && k < sizeof reductions / sizeof *reductions; k++)
            if (!strcmp(within->reduces, reductions[k].name) && within->start >= 0 &&
                is_kind(way, reductions[k].kind))
                return goes_on(way, within->start);
        return false;
    }
    if (!node->part || node->part->loop != way->carry->loop)
        return false;
    if (node->kind == NODE_SELECT)
        return accumulates_choice(way, node);
    const enum node_kind kind = node->kind == NODE_SUBTRACT ? NODE_ADD : node->kind;
    if ((kind != NODE_ADD && kind != NODE_MULTIPLY && kind != NODE_EXTREME) || !is_kind(way, kind))
        return false;
    const bool is_left = node_depends(describer, node->operands[0], way->carry->from);
    const bool is_right = node_depends(describer, node->operands[1], way->carry->from);
    if (is_left == is_right || (node->kind == NODE_SUBTRACT && is_right))
        return false;
    return goes_on(way, node->operands[is_left ? 0 : 1]);
}

/* A scalar accumulates where all that it is on the way goes into the accumulation and nowhere else.
 */
static void classify(struct needing *it, struct carry *carry)
{
    const int count = it->describer->graph.count;
    struct accumulation way = {it, carry, NODE_CONSTANT};
    memset(it->on_way, 0, (size_t)count * sizeof *it->on_way);
    carry->reduces = NULL;
    if (!carry->is_needed || carry->to == carry->from || !goes_on(&way, carry->to))
        return;
    for (int i = 0; i < count; i++)
        if (it->on_way[i] > 0 && it->on_way[i] != it->uses[i])
            return;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (reductions[i].kind == way.kind)
            carry->reduces = reductions[i].name;
}

static void classify_outline(struct needing *it, const struct outline *outline)
{
    for (int i = 0; i < outline->count; i++)
        classify_outline(it, outline->children[i]);
    for (struct carry *carry = outline->loop ? outline->loop->carries : NULL; carry;
         carry = carry->next)
        classify(it, carry);
}

void scalars_classify(struct describer *describer)
{
    const size_t count = (size_t)describer->graph.count + 1;
    struct needing it = {describer, memory_new(count, sizeof(int)), memory_new(count, sizeof(int)),
                         memory_new(count, sizeof(bool))};
    for (int i = 0; i < describer->segment_count; i++)
        need_outline(&it, &describer->segments[i]->root);
    for (int i = 0; i < describer->graph.count; i++)
        if (node_at(describer, i)->is_condition && node_at(describer, i)->kind == NODE_CALL)
            need(&it, i);
    for (int i = 0; i < describer->segment_count; i++)
        classify_outline(&it, &describer->segments[i]->root);
    free(it.uses);
    free(it.on_way);
    free(it.is_needed);
}

/* ---- the elements that scalars are ---- */

struct reference reference_at(struct algebra *algebra, const struct reference *reference,
                              const struct symbol *index, polynomial value)
{
    struct reference at = *reference;
    for (int d = 0; d < at.count; d++) {
        polynomial speed = polynomial_coefficient(algebra, at.subscripts[d], index);
        at.subscripts[d] =
            polynomial_sum(algebra, polynomial_rest(algebra, at.subscripts[d], index),
                           polynomial_product(algebra, speed, value), 1);
    }
    return at;
}

struct array *scalar_array(struct describer *describer, const char *name, int rank,
                           const char *apart, struct place place)
{
    const char *path = arena_format(describer->arena, "%s of rank %d%s", name, rank, apart);
    for (struct known_object *known = describer->objects; known; known = known->next)
        if (!strcmp(known->path, path))
            return known->array;
    struct known_object *known = arena_take(describer->arena, 1, sizeof *known);
    const bool is_parameter = symbol_find(&describer->symbols, name);
    known->array =
        array_add(&describer->arrays,
                  is_parameter ? arena_format(describer->arena, "%s_value", name) : name, place);
    known->path = path;
    known->next = describer->objects;
    describer->objects = known;
    known->array->rank = rank ? rank : 1;
    known->array->is_scalar = known->array->is_used = true;
    known->array->element_bytes = 8;
    if (rank == 0)
        known->array->extents[0] = polynomial_constant(&describer->algebra, 1);
    return known->array;
}

/* What may lie beside a scalar: a reference, with the loops whose indices say which of the scalar's
   values is meant. */
struct anchor {
    struct describer *describer;
    const struct carry *carry;
    const struct loop *within; /* the innermost of these loops */
    bool is_chain;             /* of iterations, and not a result: then it has to be with them */
    bool is_use;               /* what is computed from the scalar is considered */
    int covered;               /* by the best so far; 0: there is none */
    int worth;                 /* of a chain the best so far is */
    struct reference best;
};

/* The innermost loop whose index is in it; *is_within: all of them are of those loops. */
static int indices_in(const struct anchor *it, polynomial subscript, bool *is_within)
{
    int count = 0;
    *is_within = true;
    for (int i = 0; i < subscript->count; i++)
        for (int k = 0; k < subscript->terms[i].degree; k++) {
            const struct symbol *symbol = subscript->terms[i].symbols[k];
            if (symbol->kind != SYMBOL_INDEX)
                continue;
            count++;
            *is_within = *is_within && is_in(it->within, symbol->loop);
        }
    return count;
}

static void consider(struct anchor *it, const struct reference *reference)
{
    struct reference beside = {.array = (struct array *)reference->array->beside};
    if (reference->array->prefix_count > 0) { /* where the iteration that it is private to runs */
        beside.count = beside.array->rank;
        for (int d = 0; d < beside.count; d++)
            beside.subscripts[d] = polynomial_constant(&it->describer->algebra, 0);
        for (int d = 0; d < reference->array->prefix_count + reference->count; d++)
            if (reference->array->beside_dimension[d] >= 0)
                beside.subscripts[reference->array->beside_dimension[d]] =
                    d < reference->array->prefix_count
                        ? reference->array->prefix[d]
                        : reference->subscripts[d - reference->array->prefix_count];
        reference = &beside;
    }
    int covered = 0;
    bool has_innermost = false;
    const int count = reference->array->is_scalar ? 0 : reference->array->rank;
    for (int d = 0; d < count && d < reference->count; d++) {
        bool is_within;
        const int indices = indices_in(it, reference->subscripts[d], &is_within);
        covered += is_within && indices > 0;
        has_innermost = has_innermost ||
                        (is_within && polynomial_has(reference->subscripts[d], it->within->index));
    }
    /* A chain is where most loops tell its values apart; else where an array is distributed, where
       it is used, where each of its own iterations is. */
    const bool is_distributed =
        it->is_chain && directives_place(&it->describer->directives, reference->array->name);
    const int worth =
        it->is_chain ? 8 * covered + 4 * is_distributed + 2 * it->is_use + has_innermost : covered;
    if (covered == 0 || worth <= it->worth)
        return;
    it->worth = worth;
    it->covered = covered;
    it->best = *reference;
}

/* Whether the assignment is left out for its value lies there as soon as it is accumulated. */
static bool is_stored_there(struct describer *describer, const struct statement *statement)
{
    const struct node *node = node_at(describer, statement->value);
    return statement->is_dropped && node->is_stored &&
           reference_equal(&describer->algebra, &node->stored_as, &statement->to);
}

/* What is computed from the scalar, wherever that is assigned. */
static void consider_uses(struct anchor *it, const struct outline *outline)
{
    const struct carry *carry = it->carry;
    const struct part *part = outline->part;
    for (int i = 0; part && i < part->statement_count; i++) {
        const int value = part->statements[i].value;
        if ((!part->statements[i].is_dropped ||
             is_stored_there(it->describer, &part->statements[i])) &&
            (node_depends(it->describer, value, carry->from) ||
             node_depends(it->describer, value, carry->to) ||
             (carry->result >= 0 && node_depends(it->describer, value, carry->result))))
            consider(it, &part->statements[i].to);
    }
    for (int i = 0; i < outline->count; i++)
        consider_uses(it, outline->children[i]);
}

static void consider_loads(struct anchor *it, int i, bool *is_seen)
{
    const struct node *node = node_at(it->describer, i);
    if (is_seen[i])
        return;
    is_seen[i] = true;
    if (node->kind == NODE_LOAD || node->kind == NODE_FORWARD)
        consider(it, &node->reference);
    for (int k = 0; k < node->operand_count; k++)
        consider_loads(it, node->operands[k], is_seen);
    if (node->kind == NODE_RESULT)
        consider_loads(it, node->carry->to, is_seen);
}

/* What else the iterations of a loop set. */
static void consider_beside(struct anchor *it, const struct outline *outline,
                            const struct loop *loop, bool is_inside)
{
    const struct part *part = outline->part;
    is_inside = is_inside || (outline->loop && outline->loop == loop);
    for (int i = 0; part && is_inside && i < part->statement_count; i++)
        consider(it, &part->statements[i].to);
    for (int i = 0; i < outline->count; i++)
        consider_beside(it, outline->children[i], loop, is_inside);
}

/* The element of an array of its own that the scalar is; that lies beside what is computed from it,
   or what it is computed from. Where nothing tells its values apart, one element. */
static struct reference own_element(struct describer *describer, const struct carry *carry,
                                    const struct loop *within, bool is_chain)
{
    struct anchor it = {.describer = describer,
                        .carry = carry,
                        .within = within,
                        .is_chain = is_chain,
                        .is_use = true};
    struct reference element = {.count = 0};
    const struct place place = node_at(describer, carry->to)->place;
    bool *is_seen = memory_new((size_t)describer->graph.count, sizeof *is_seen);
    for (int i = 0; i < describer->segment_count && within; i++)
        consider_uses(&it, &describer->segments[i]->root);
    it.is_use = false;
    if (within)
        consider_loads(&it, carry->to, is_seen);
    for (const struct loop *loop = within; is_chain && loop && it.covered == 0; loop = loop->up)
        for (int i = 0; i < describer->segment_count; i++)
            consider_beside(&it, &describer->segments[i]->root, loop, false);
    free(is_seen);
    const char *apart = arena_format(describer->arena, ", node %d", carry->to);
    if (it.covered == 0) {
        element.array = scalar_array(describer, carry->name, 0, apart, place);
        element.subscripts[element.count++] = polynomial_constant(&describer->algebra, 0);
        return element;
    }
    int dimensions[RANK_MOST];
    for (int d = 0; d < it.best.array->rank && d < it.best.count; d++) {
        bool is_within;
        indices_in(&it, it.best.subscripts[d], &is_within);
        if (!is_within)
            continue;
        dimensions[element.count] = d;
        element.subscripts[element.count++] = it.best.subscripts[d];
    }
    element.array = scalar_array(describer, carry->name, element.count, apart, place);
    element.array->beside = it.best.array;
    element.array->element_bytes = carry->bytes;
    memcpy(element.array->beside_dimension, dimensions, sizeof dimensions);
    return element;
}

/* Whether the loop assigns the array of a load. What assigns the element itself, once it is loaded,
   may be left out. */
struct assigning {
    struct describer *describer;
    const struct node *load;
    const struct loop *loop;
    bool leaves_out_own;
};

static bool is_assigned_in(const struct assigning *it, const struct outline *outline,
                           bool is_inside)
{
    const struct part *part = outline->part;
    is_inside = is_inside || (outline->loop && outline->loop == it->loop);
    for (int i = 0; part && is_inside && i < part->statement_count; i++) {
        const struct reference *to = &part->statements[i].to;
        const bool is_own = it->leaves_out_own && part == it->load->part &&
                            reference_equal(&it->describer->algebra, to, &it->load->reference);
        if (to->array == it->load->reference.array && !is_own)
            return true;
    }
    for (int i = 0; i < outline->count; i++)
        if (is_assigned_in(it, outline->children[i], is_inside))
            return true;
    return false;
}

static bool is_assigned(struct describer *describer, const struct node *load,
                        const struct loop *loop, bool leaves_out_own)
{
    const struct assigning it = {describer, load, loop, leaves_out_own};
    for (int i = 0; i < describer->segment_count; i++)
        if (is_assigned_in(&it, &describer->segments[i]->root, false))
            return true;
    return false;
}

/* Whether the element that the iteration before the first would have is one. */
static bool is_there_before(struct describer *describer, const struct reference *reference,
                            const struct loop *loop)
{
    struct algebra *algebra = &describer->algebra;
    const struct reference at =
        reference_at(algebra, reference, loop->index, polynomial_plus(algebra, loop->first, -1));
    for (int d = 0; d < at.count; d++) {
        polynomial extent = reference->array->extents[d];
        if (polynomial_value(extreme_of(describer, at.subscripts[d], false)) < 0)
            return false;
        polynomial speed = polynomial_coefficient(algebra, reference->subscripts[d], loop->index);
        if (polynomial_value(speed) < 0 &&
            (!extent || polynomial_value(extreme_of(describer, at.subscripts[d], true)) >=
                            polynomial_value(extent)))
            return false;
    }
    return true;
}

static bool names(const struct reference *reference, const struct symbol *index)
{
    for (int d = 0; d < reference->count; d++)
        if (polynomial_has(reference->subscripts[d], index))
            return true;
    return false;
}

/* Whether a value comes of nothing that other iterations of the scalar's loop, or of one around it,
   leave: then all iterations may compute it first. */
static bool waits_for_none(struct describer *describer, int i, const struct carry *carry,
                           const struct loop *around)
{
    const struct node *node = node_at(describer, i);
    const struct loop *loop = node->part ? node->part->loop : NULL;
    switch (node->kind) {
    case NODE_CONSTANT:
    case NODE_SAME:
        return true;
    case NODE_CARRY:
        return !is_in(node->loop, around);
    case NODE_RESULT:
        return !is_in(node->loop, around);
    case NODE_LOAD:
        return !is_assigned(describer, node, around, names(&node->reference, around->index));
    case NODE_FORWARD:
    case NODE_GATHER:
        return false;
    default:
        break;
    }
    if (loop != carry->loop && is_in(loop, carry->loop))
        return false;
    for (int k = 0; k < node->operand_count; k++)
        if (!waits_for_none(describer, node->operands[k], carry, around))
            return false;
    return true;
}

/* The outermost loop before which all values of a scalar may be computed; NULL: there is none. Each
   loop within it tells values apart. */
static const struct loop *hoisted_before(struct describer *describer, const struct carry *carry)
{
    const struct reference *element = &node_at(describer, carry->to)->stored_as;
    const struct loop *found = NULL;
    for (const struct loop *loop = carry->loop;
         loop && element->array->beside && names(element, loop->index) &&
         waits_for_none(describer, carry->to, carry, loop);
         loop = loop->up)
        found = loop;
    return found;
}

static bool find_result(struct describer *describer, int result, struct reference *element);

/* The element that the scalar is at the end of an iteration; false: it is none, but a number that
   all processors have. */
static bool find_left(struct describer *describer, struct carry *carry, struct reference *element)
{
    struct node *node = node_at(describer, carry->to);
    bool is_found = false;
    if (carry->is_under_way) /* scalars that change places */
        return false;
    carry->is_under_way = true;
    if (node->kind == NODE_CARRY) {
        is_found = find_left(describer, node->carry, element);
        if (is_found)
            *element = reference_at(
                &describer->algebra, element, node->loop->index,
                polynomial_plus(&describer->algebra,
                                polynomial_symbol(&describer->algebra, node->loop->index), -1));
    } else if (node->kind == NODE_RESULT) {
        is_found = find_result(describer, carry->to, element);
    } else if (node->kind == NODE_LOAD &&
               is_there_before(describer, &node->reference, carry->loop) &&
               !is_assigned(describer, node, carry->loop, false)) {
        *element = node->reference;
        is_found = true;
    } else if (node->kind > NODE_SAME && node->part && node->part->loop == carry->loop) {
        if (!node->is_stored) {
            node->stored_as = own_element(describer, carry, carry->loop, true);
            node = node_at(describer, carry->to);
            node->is_stored = carry->is_kept = true;
            carry->hoisted = hoisted_before(describer, carry);
        }
        *element = node->stored_as;
        is_found = true;
    }
    carry->is_under_way = false;
    return is_found;
}

/* The loops whose indices tell the results of an accumulation apart: those around the scalar's
   beginning, and those that carry it on otherwise than by accumulating. */
static const struct loop *told_apart_by(struct describer *describer, const struct carry *carry)
{
    const struct node *result = node_at(describer, carry->result);
    const struct loop *loop = carry->loop->up;
    for (; loop && loop->depth >= result->depth; loop = loop->up) {
        const struct node *start = carry->start >= 0 ? node_at(describer, carry->start) : NULL;
        if (!start || start->kind != NODE_CARRY || start->loop != loop)
            continue;
        if (!start->carry->reduces)
            return loop;
        carry = start->carry;
    }
    return loop;
}

/* The element that the scalar is behind the loop. */
static bool find_result(struct describer *describer, int i, struct reference *element)
{
    struct node *node = node_at(describer, i);
    struct carry *carry = node->carry;
    if (node->is_stored) {
        *element = node->stored_as;
        return true;
    }
    if (!carry->reduces) {
        if (!find_left(describer, carry, element))
            return false;
        *element =
            reference_at(&describer->algebra, element, carry->loop->index, carry->loop->last);
    } else {
        const struct loop *loop = told_apart_by(describer, carry);
        *element = own_element(describer, carry, loop, false);
        if (!element->array->beside && loop)
            return false; /* as results.c has it */
    }
    node = node_at(describer, i);
    node->stored_as = *element;
    node->is_stored = true;
    return true;
}

static void place_carry(struct describer *describer, struct carry *carry)
{
    struct algebra *algebra = &describer->algebra;
    struct reference element;
    if (!carry->is_needed)
        return;
    if (carry->result >= 0 && (!carry->reduces || told_apart_by(describer, carry)))
        find_result(describer, carry->result, &element);
    if (carry->reduces || !find_left(describer, carry, &element))
        return;
    struct node *from = node_at(describer, carry->from);
    from->stored_as =
        reference_at(algebra, &element, carry->loop->index,
                     polynomial_plus(algebra, polynomial_symbol(algebra, carry->loop->index), -1));
    from->is_stored = true;
}

static void place_outline(struct describer *describer, const struct outline *outline)
{
    for (struct carry *carry = outline->loop ? outline->loop->carries : NULL; carry;
         carry = carry->next)
        place_carry(describer, carry);
    for (int i = 0; i < outline->count; i++)
        place_outline(describer, outline->children[i]);
}

void scalars_place(struct describer *describer)
{
    for (int i = 0; i < describer->segment_count; i++)
        place_outline(describer, &describer->segments[i]->root);
}
