#include "describer/count/privates.h"

#include "describer/walk/evaluate.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

static bool is_in(const struct loop *loop, const struct loop *around)
{
    while (loop && loop != around)
        loop = loop->up;
    return loop == around;
}

static bool is_declared_in(const struct describer *describer, const struct array *array,
                           const struct loop *loop)
{
    for (const struct declared_array *at = describer->declared; at; at = at->next)
        if (at->declaration == array->declaration && at->loop == loop)
            return true;
    return false;
}

/* ---- what an iteration sets before it reads it ---- */

/* Elements that are set, from low to high in each dimension. */
struct box {
    polynomial low[RANK_MOST], high[RANK_MOST];
};

/* The iteration of a loop that is gone through in order. */
struct iteration {
    struct describer *describer;
    const struct array *array;
    const struct loop *loop;
    struct box *boxes; /* set so far */
    int count;
    bool is_covered; /* all that was read so far was set before */
};

static bool is_at_least(struct describer *describer, polynomial a, polynomial b)
{
    polynomial more = polynomial_sum(&describer->algebra, a, b, -1);
    return polynomial_value(extreme_of(describer, more, false)) >= 0;
}

/* Whether two boxes are one: alike in all dimensions but one, in which they meet. */
static bool joins(struct iteration *it, struct box *box, const struct box *other)
{
    struct algebra *algebra = &it->describer->algebra;
    int apart = -1;
    for (int d = 0; d < it->array->rank; d++)
        if (!polynomial_equal(algebra, box->low[d], other->low[d]) ||
            !polynomial_equal(algebra, box->high[d], other->high[d])) {
            if (apart >= 0)
                return false;
            apart = d;
        }
    if (apart < 0)
        return true;
    polynomial behind = polynomial_plus(algebra, box->high[apart], 1);
    polynomial behind_other = polynomial_plus(algebra, other->high[apart], 1);
    if (!is_at_least(it->describer, behind, other->low[apart]) ||
        !is_at_least(it->describer, behind_other, box->low[apart]))
        return false;
    if (is_at_least(it->describer, box->low[apart], other->low[apart]))
        box->low[apart] = other->low[apart];
    else if (!is_at_least(it->describer, other->low[apart], box->low[apart]))
        return false;
    if (is_at_least(it->describer, other->high[apart], box->high[apart]))
        box->high[apart] = other->high[apart];
    else if (!is_at_least(it->describer, box->high[apart], other->high[apart]))
        return false;
    return true;
}

/* Adds a box to those from number `first` on. */
static void add_box(struct iteration *it, int first, struct box box)
{
    for (int i = first; i < it->count; i++)
        if (joins(it, &box, &it->boxes[i])) {
            it->boxes[i] = it->boxes[--it->count];
            i = first - 1;
        }
    it->boxes = arena_more(it->describer->arena, it->boxes, (size_t)it->count, sizeof *it->boxes);
    it->boxes[it->count++] = box;
}

static bool is_set(struct iteration *it, const struct reference *reference)
{
    for (int i = 0; i < it->count; i++) {
        bool is_within = true;
        for (int d = 0; d < it->array->rank && is_within; d++)
            is_within = is_at_least(it->describer, reference->subscripts[d], it->boxes[i].low[d]) &&
                        is_at_least(it->describer, it->boxes[i].high[d], reference->subscripts[d]);
        if (is_within)
            return true;
    }
    return false;
}

static struct reference at_value(struct algebra *algebra, struct reference reference,
                                 const struct symbol *index, polynomial value)
{
    for (int d = 0; d < reference.count; d++) {
        polynomial speed = polynomial_coefficient(algebra, reference.subscripts[d], index);
        reference.subscripts[d] =
            polynomial_sum(algebra, polynomial_rest(algebra, reference.subscripts[d], index),
                           polynomial_product(algebra, speed, value), 1);
    }
    return reference;
}

/* What a statement of the run has set some iterations of a loop before, the first of which find it
   set already. */
static bool is_set_before(struct iteration *it, const struct part *part,
                          const struct reference *reference)
{
    enum { NEAR_MOST = 8 };
    struct algebra *algebra = &it->describer->algebra;
    for (const struct loop *loop = part->loop; loop && loop != it->loop; loop = loop->up)
        for (int i = 0; i < part->statement_count; i++) {
            int distance;
            if (!reference_shift(algebra, &part->statements[i].to, reference, loop->index,
                                 &distance) ||
                distance <= 0 || distance > NEAR_MOST)
                continue;
            bool is_begun = true;
            for (int k = 0; k < distance && is_begun; k++) {
                const struct reference first = at_value(algebra, *reference, loop->index,
                                                        polynomial_plus(algebra, loop->first, k));
                is_begun = is_set(it, &first);
            }
            if (is_begun)
                return true;
        }
    return false;
}

static void go_through_run(struct iteration *it, const struct part *part, int first)
{
    struct describer *describer = it->describer;
    int next = 0;
    for (int i = part->begin; i <= part->end && i < describer->graph.count; i++) {
        const struct node *node = &describer->graph.nodes[i];
        for (; next < part->statement_count && (i == part->end || part->statements[next].value < i);
             next++) {
            const struct reference *to = &part->statements[next].to;
            struct box box;
            if (to->array != it->array || to->count != it->array->rank)
                continue;
            memcpy(box.low, to->subscripts, sizeof box.low);
            memcpy(box.high, to->subscripts, sizeof box.high);
            add_box(it, first, box);
        }
        if (i == part->end || node->part != part || node->reference.array != it->array)
            continue;
        const bool is_load = node->kind == NODE_LOAD && node->reference.count == it->array->rank;
        if (node->kind == NODE_GATHER || node->kind == NODE_LOAD)
            it->is_covered =
                it->is_covered && is_load &&
                (is_set(it, &node->reference) || is_set_before(it, part, &node->reference));
    }
}

/* All iterations of a loop together: what each sets, where that leaves no gaps. */
static bool widen(struct iteration *it, const struct loop *loop, struct box *box)
{
    struct algebra *algebra = &it->describer->algebra;
    const struct symbol *index = loop->index;
    int dimension = -1;
    for (int d = 0; d < it->array->rank; d++)
        if (polynomial_has(box->low[d], index) || polynomial_has(box->high[d], index)) {
            if (dimension >= 0)
                return false;
            dimension = d;
        }
    if (dimension < 0)
        return is_at_least(it->describer, loop->last, loop->first);
    polynomial speed = polynomial_coefficient(algebra, box->low[dimension], index);
    polynomial wide = polynomial_sum(algebra, box->high[dimension], box->low[dimension], -1);
    double step;
    if (!polynomial_is_constant(speed, &step) || polynomial_has(wide, index))
        return false;
    const double most = polynomial_value(extreme_of(it->describer, wide, false)) + 1;
    if (step > most || -step > most)
        return false;
    struct reference ends = {
        .count = 2, .subscripts = {box->low[dimension], box->high[dimension]}
    };
    box->low[dimension] =
        at_value(algebra, ends, index, step > 0 ? loop->first : loop->last).subscripts[0];
    box->high[dimension] =
        at_value(algebra, ends, index, step > 0 ? loop->last : loop->first).subscripts[1];
    return true;
}

static void go_through(struct iteration *it, const struct outline *outline, int first);

/* Takes away the boxes from number `before` on. */
static struct box *take_boxes(struct iteration *it, int before, int *count)
{
    *count = it->count - before;
    struct box *taken = arena_take(it->describer->arena, (size_t)*count + 1, sizeof *taken);
    for (int i = 0; i < *count; i++)
        taken[i] = it->boxes[before + i];
    it->count = before;
    return taken;
}

/* Of a branch what both of its ways set; where there is one, it may not be taken. */
static void go_through_ways(struct iteration *it, const struct outline *branch, int first)
{
    struct box *set[2] = {NULL, NULL};
    int counts[2] = {0, 0};
    for (int way = 0; way < branch->count; way++) {
        const int before = it->count;
        go_through(it, branch->children[way], before);
        set[way % 2] = take_boxes(it, before, &counts[way % 2]);
    }
    for (int i = 0; branch->count == 2 && i < counts[0]; i++)
        for (int k = 0; k < counts[1]; k++) {
            bool is_same = true;
            for (int d = 0; d < it->array->rank; d++)
                is_same =
                    is_same &&
                    polynomial_equal(&it->describer->algebra, set[0][i].low[d], set[1][k].low[d]) &&
                    polynomial_equal(&it->describer->algebra, set[0][i].high[d], set[1][k].high[d]);
            if (is_same)
                add_box(it, first, set[0][i]);
        }
}

static void go_through(struct iteration *it, const struct outline *outline, int first)
{
    const int before = it->count;
    const bool is_loop = outline->loop && outline->loop != it->loop;
    if (outline->part)
        go_through_run(it, outline->part, first);
    if (outline->kind == OUTLINE_BRANCH)
        go_through_ways(it, outline, first);
    for (int i = 0; i < outline->count && outline->kind != OUTLINE_BRANCH; i++)
        go_through(it, outline->children[i], is_loop ? before : first);
    if (!is_loop)
        return;
    int count;
    struct box *set = take_boxes(it, before, &count);
    for (int i = 0; i < count; i++)
        if (widen(it, outline->loop, &set[i]))
            add_box(it, first, set[i]);
}

/* ---- the loops whose iterations have an array of their own ---- */

/* What an outline does with an array. */
struct uses {
    bool reads, sets, sends, gathers;
    bool
        has_index; /* its subscripts have that of the outline's loop: iterations share no element */
};

static void find_uses(struct describer *describer, const struct outline *outline,
                      const struct array *array, const struct loop *loop, struct uses *uses)
{
    const struct part *part = outline->part;
    for (int i = part ? part->begin : 0; part && i < part->end; i++) {
        const struct node *node = &describer->graph.nodes[i];
        uses->gathers = uses->gathers || (node->part == part && node->kind == NODE_GATHER &&
                                          node->reference.array == array);
        uses->reads = uses->reads || (node->part == part && node->reference.array == array &&
                                      node->kind >= NODE_LOAD && node->kind <= NODE_FORWARD);
    }
    for (int i = 0; part && i < part->statement_count; i++)
        if (part->statements[i].to.array == array) {
            uses->sets = true;
            uses->has_index =
                uses->has_index || (loop && reference_has(&part->statements[i].to, loop->index));
        }
    uses->sends = uses->sends || outline->kind == OUTLINE_CALL;
    for (int i = 0; i < outline->count; i++)
        find_uses(describer, outline->children[i], array, loop, uses);
}

enum { CONTEXTS_MOST = 16 };

/* Loops, no one within another. */
struct contexts {
    const struct outline *loops[CONTEXTS_MOST];
    int count;
};

/* Whether all uses of the array in the outline are in such loops, which are added: in the innermost
   ones that go. */
static bool find_contexts(struct describer *describer, const struct outline *outline,
                          const struct array *array, struct contexts *contexts)
{
    struct uses uses = {0};
    find_uses(describer, outline, array, outline->loop, &uses);
    if (!uses.reads && !uses.sets)
        return true;
    if (outline->part)
        return false;
    const int before = contexts->count;
    bool is_within = true;
    for (int i = 0; i < outline->count; i++)
        is_within = find_contexts(describer, outline->children[i], array, contexts) && is_within;
    if (is_within)
        return true;
    contexts->count = before;
    if (!outline->loop || contexts->count == CONTEXTS_MOST)
        return false;
    if (!is_declared_in(describer, array, outline->loop)) {
        struct iteration it = {
            .describer = describer, .array = array, .loop = outline->loop, .is_covered = true};
        if (!uses.reads || !uses.sets || uses.has_index)
            return false;
        go_through(&it, outline, 0);
        if (!it.is_covered)
            return false;
    }
    contexts->loops[contexts->count++] = outline;
    return true;
}

static bool is_parameter(const struct describer *describer, const struct declaration *declaration)
{
    for (int i = 0; i < describer->source->function_count; i++)
        for (int k = 0; k < describer->source->functions[i]->parameter_count; k++)
            if (describer->source->functions[i]->parameters[k] == declaration)
                return true;
    return false;
}

/* The loops whose iterations have it for themselves; none: it is shared, or directives place it. */
static void contexts_of(struct describer *describer, const struct array *array,
                        struct contexts *contexts)
{
    contexts->count = 0;
    if (array->is_scalar || array->beside || array->lies_in || !array->declaration ||
        array->rank == 0 || directives_place(&describer->directives, array->name))
        return;
    for (int i = 0; i < describer->segment_count; i++) {
        struct uses uses = {0};
        const struct outline *root = &describer->segments[i]->root;
        find_uses(describer, root, array, NULL, &uses);
        if (((uses.reads || uses.sets) && uses.sends) || uses.gathers ||
            !find_contexts(describer, root, array, contexts)) {
            contexts->count = 0;
            return;
        }
    }
}

/* ---- where it lies ---- */

/* Beside what an array of iterations may lie: the element of another array whose subscripts name
   most of the loops from there outwards. */
struct neighbour {
    struct describer *describer;
    const struct array *array;
    const struct loop *loop; /* whose iterations have the array */
    const bool *is_made;     /* nodes that come of the array */
    int covered;             /* subscripts; 0: there is none */
    bool is_distributed;
    struct reference best;
};

static bool names_loops_outside(polynomial subscript, const struct loop *loop)
{
    bool found = false;
    for (int i = 0; i < subscript->count; i++)
        for (int k = 0; k < subscript->terms[i].degree; k++) {
            const struct symbol *symbol = subscript->terms[i].symbols[k];
            if (symbol->kind != SYMBOL_INDEX)
                continue;
            if (!is_in(loop, symbol->loop))
                return false;
            found = true;
        }
    return found;
}

static void consider(struct neighbour *it, const struct reference *reference)
{
    const struct array *array = reference->array;
    int covered = 0;
    if (array->is_scalar || array->prefix_count > 0 || array == it->array)
        return;
    for (int d = 0; d < array->rank && d < reference->count; d++)
        covered += names_loops_outside(reference->subscripts[d], it->loop);
    const bool is_distributed = directives_place(&it->describer->directives, array->name);
    if (covered == 0 || (it->covered > 0 && is_distributed < it->is_distributed) ||
        (is_distributed == it->is_distributed && covered <= it->covered))
        return;
    it->covered = covered;
    it->is_distributed = is_distributed;
    it->best = *reference;
}

/* Marks the nodes that come of elements of the array, through whatever scalars and private arrays;
   returns whether there is a new one. */
static bool mark_made(struct describer *describer, const bool *is_of, bool *is_made)
{
    bool is_new = false;
    for (int i = 0; i < describer->graph.count; i++) {
        const struct node *node = &describer->graph.nodes[i];
        bool is_one = is_made[i];
        if (node->kind >= NODE_LOAD && node->kind <= NODE_FORWARD)
            for (int k = 0; k < describer->arrays.count && !is_one; k++)
                is_one = is_of[k] && describer->arrays.items[k] == node->reference.array;
        for (int k = 0; k < node->operand_count; k++)
            is_one = is_one || is_made[node->operands[k]];
        if (node->carry)
            is_one = is_one || is_made[node->carry->to] ||
                     (node->carry->start >= 0 && is_made[node->carry->start]);
        is_new = is_new || (is_one && !is_made[i]);
        is_made[i] = is_one;
    }
    return is_new;
}

static bool mark_arrays(struct describer *describer, const struct outline *outline,
                        const bool *is_made, bool *is_of)
{
    bool is_new = false;
    const struct part *part = outline->part;
    for (int i = 0; part && i < part->statement_count; i++)
        for (int k = 0; is_made[part->statements[i].value] && k < describer->arrays.count; k++)
            if (part->statements[i].to.array == describer->arrays.items[k] &&
                part->statements[i].to.array->is_private) {
                is_new = is_new || !is_of[k];
                is_of[k] = true;
            }
    for (int i = 0; i < outline->count; i++)
        is_new = mark_arrays(describer, outline->children[i], is_made, is_of) || is_new;
    return is_new;
}

/* What is computed from the array (is_made), or else what stands beside it. */
static void consider_set(struct neighbour *it, const struct outline *outline, bool is_any)
{
    const struct part *part = outline->part;
    for (int i = 0; part && i < part->statement_count; i++)
        if (is_any || it->is_made[part->statements[i].value])
            consider(it, &part->statements[i].to);
    for (int i = 0; i < outline->count; i++)
        consider_set(it, outline->children[i], is_any);
}

static void consider_read(struct neighbour *it, const struct outline *outline)
{
    const struct part *part = outline->part;
    for (int i = part ? part->begin : 0; part && i < part->end; i++)
        if (it->describer->graph.nodes[i].part == part &&
            it->describer->graph.nodes[i].kind == NODE_LOAD)
            consider(it, &it->describer->graph.nodes[i].reference);
    for (int i = 0; i < outline->count; i++)
        consider_read(it, outline->children[i]);
}

/* A dimension of the array is looked for in the neighbour's. */
struct alongside {
    struct describer *describer;
    const struct array *array;
    int dimension;
    const struct reference *best;
};

/* The dimension along which a reference to an array shaped as the neighbour, or beside it already,
   has the subscript that the array has; -1: there is none. */
static int same_subscript(const struct alongside *it, const struct reference *own,
                          const struct reference *other)
{
    struct algebra *algebra = &it->describer->algebra;
    const struct array *best = it->best->array;
    polynomial extent = it->array->extents[it->dimension];
    for (int d = 0; own->count > it->dimension && other->array->prefix_count > 0 &&
                    other->array->beside == best && d < other->count;
         d++) {
        double gap;
        polynomial apart =
            polynomial_sum(algebra, own->subscripts[it->dimension], other->subscripts[d], -1);
        if (polynomial_has_index(other->subscripts[d]) && polynomial_is_constant(apart, &gap))
            return other->array->beside_dimension[other->array->prefix_count + d];
    }
    for (int d = 0; own->count > it->dimension && other->array->rank == best->rank &&
                    d < other->count && d < it->best->count;
         d++) {
        double gap;
        polynomial apart =
            polynomial_sum(algebra, own->subscripts[it->dimension], other->subscripts[d], -1);
        if (polynomial_has_index(other->subscripts[d]) && polynomial_is_constant(apart, &gap) &&
            polynomial_has_index(it->best->subscripts[d]) && extent && best->extents[d] &&
            other->array->extents[d] && polynomial_equal(algebra, extent, best->extents[d]) &&
            polynomial_equal(algebra, extent, other->array->extents[d]))
            return d;
    }
    return -1;
}

/* The same of all that a run refers to where it sets or reads the array. */
static int beside_of(const struct alongside *it, const struct outline *outline)
{
    const struct part *part = outline->part;
    const struct graph *graph = &it->describer->graph;
    const int statements = part ? part->statement_count : 0;
    const int all = part ? statements + part->end - part->begin : 0;
    for (int a = 0; a < all; a++)
        for (int b = 0; b < all; b++) {
            const struct reference *pair[2] = {NULL, NULL};
            for (int k = 0; k < 2; k++) {
                const int i = k ? b : a;
                const struct node *node =
                    i < statements ? NULL : &graph->nodes[part->begin + i - statements];
                if (!node)
                    pair[k] = &part->statements[i].to;
                else if (node->part == part && node->kind == NODE_LOAD)
                    pair[k] = &node->reference;
            }
            if (!pair[0] || pair[0]->array != it->array || !pair[1] || pair[1]->array == it->array)
                continue;
            const int found = same_subscript(it, pair[0], pair[1]);
            if (found >= 0)
                return found;
        }
    for (int i = 0; i < outline->count; i++) {
        const int found = beside_of(it, outline->children[i]);
        if (found >= 0)
            return found;
    }
    return -1;
}

static void rename_set(const struct outline *outline, const struct array *array, struct array *own)
{
    for (int i = 0; outline->part && i < outline->part->statement_count; i++)
        if (outline->part->statements[i].to.array == array)
            outline->part->statements[i].to.array = own;
    for (int i = 0; i < outline->count; i++)
        rename_set(outline->children[i], array, own);
}

/* The array as one loop's iterations have it. */
static struct array *own_array(struct describer *describer, struct array *array,
                               const struct outline *outline)
{
    struct array *own = array_add(&describer->arrays, array->wanted, array->place);
    const char *name = own->name, *wanted = own->wanted;
    *own = *array;
    own->name = name;
    own->wanted = wanted;
    for (int i = 0; i < describer->graph.count; i++) {
        struct node *node = &describer->graph.nodes[i];
        if (node->reference.array == array && node->part && is_in(node->part->loop, outline->loop))
            node->reference.array = own;
        if (node->is_stored && node->stored_as.array == array && node->loop &&
            is_in(node->loop, outline->loop))
            node->stored_as.array = own;
    }
    rename_set(outline, array, own);
    return own;
}

/* Whether each element is named by constants, and set in the run that reads it: then the array is
   so many scalars, of which nothing is stored. */
static bool is_forwarded(struct describer *describer, const struct outline *outline,
                         const struct array *array)
{
    const struct part *part = outline->part;
    for (int i = part ? part->begin : 0; part && i < part->end; i++) {
        const struct node *node = &describer->graph.nodes[i];
        if (node->part == part && node->reference.array == array && node->kind != NODE_FORWARD)
            return false;
    }
    for (int i = 0; part && i < part->statement_count; i++)
        for (int d = 0; part->statements[i].to.array == array && d < array->rank; d++)
            if (polynomial_has_index(part->statements[i].to.subscripts[d]))
                return false;
    for (int i = 0; i < outline->count; i++)
        if (!is_forwarded(describer, outline->children[i], array))
            return false;
    return true;
}

static void drop(const struct outline *outline, const struct array *array)
{
    for (int i = 0; outline->part && i < outline->part->statement_count; i++)
        if (outline->part->statements[i].to.array == array)
            outline->part->statements[i].is_dropped = true;
    for (int i = 0; i < outline->count; i++)
        drop(outline->children[i], array);
}

/* One that others may read later is named. */
static void remark_shared(struct describer *describer, const struct array *array,
                          const struct loop *loop)
{
    if (array->declaration->is_global || is_parameter(describer, array->declaration))
        describer_remark(describer, loop->place,
                         "each iteration sets what it reads of %s: described as if each had that "
                         "array for itself; `distribute` it if it is more than memory to work in",
                         array->name);
}

static void place(struct describer *describer, struct array *array, const struct outline *outline)
{
    const size_t nodes = (size_t)describer->graph.count + 1;
    if (is_forwarded(describer, outline, array)) {
        drop(outline, array);
        remark_shared(describer, array, outline->loop);
        return;
    }
    bool *is_made = memory_new(nodes, sizeof *is_made);
    bool *is_of = memory_new((size_t)describer->arrays.count + 1, sizeof *is_of);
    struct neighbour it = {
        .describer = describer, .array = array, .loop = outline->loop, .is_made = is_made};
    for (int k = 0; k < describer->arrays.count; k++)
        is_of[k] = describer->arrays.items[k] == array;
    do {
        while (mark_made(describer, is_of, is_made))
            ;
    } while (mark_arrays(describer, outline, is_made, is_of));
    consider_set(&it, outline, false);
    if (it.covered == 0)
        consider_read(&it, outline);
    if (it.covered == 0)
        consider_set(&it, outline, true);
    free(is_made);
    free(is_of);
    if (it.covered == 0 || it.covered + array->rank > RANK_MOST)
        return;
    int count = 0;
    for (int d = 0; d < it.best.array->rank && d < it.best.count; d++)
        if (names_loops_outside(it.best.subscripts[d], outline->loop)) {
            array->prefix[count] = it.best.subscripts[d];
            array->beside_dimension[count++] = d;
        }
    array->prefix_count = count;
    for (int d = 0; d < array->rank; d++) {
        const struct alongside along = {describer, array, d, &it.best};
        int beside = beside_of(&along, outline);
        for (int k = 0; k < count + d; k++)
            beside = array->beside_dimension[k] == beside ? -1 : beside;
        array->beside_dimension[count + d] = beside;
    }
    array->beside = it.best.array;
    remark_shared(describer, array, outline->loop);
}

/* An array of a function that iterations hand on, or that several loops share, and that no
   candidate distributes. */
static void remark_everywhere(struct describer *describer, const struct array *array)
{
    struct uses uses = {0};
    bool has_candidate = false;
    for (int i = 0; i < describer->directives.count; i++)
        has_candidate = has_candidate || describer->directives.items[i].word == WORD_CANDIDATE;
    if (!has_candidate || array->is_scalar || array->lies_in || !array->declaration ||
        array->declaration->is_global || is_parameter(describer, array->declaration) ||
        directives_place(&describer->directives, array->name))
        return;
    for (int i = 0; i < describer->segment_count; i++)
        find_uses(describer, &describer->segments[i]->root, array, NULL, &uses);
    if (uses.reads && uses.sets && !uses.sends)
        describer_remark(describer, array->place,
                         "iterations share %s, which no candidate distributes: described as if all "
                         "processors had it and computed all of it",
                         array->name);
}

void privates_place(struct describer *describer)
{
    const int count = describer->arrays.count;
    struct contexts *contexts = arena_take(describer->arena, (size_t)count + 1, sizeof *contexts);
    for (int i = 0; i < count; i++) {
        contexts_of(describer, describer->arrays.items[i], &contexts[i]);
        describer->arrays.items[i]->is_private = contexts[i].count > 0;
        if (contexts[i].count == 0)
            remark_everywhere(describer, describer->arrays.items[i]);
    }
    for (int i = 0; i < count; i++) {
        struct array *array = describer->arrays.items[i], *own[CONTEXTS_MOST] = {array};
        for (int k = 1; k < contexts[i].count; k++)
            own[k] = own_array(describer, array, contexts[i].loops[k]);
        for (int k = 0; k < contexts[i].count; k++)
            place(describer, own[k], contexts[i].loops[k]);
    }
}
