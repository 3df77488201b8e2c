#include "model/segment/memory/loops.h"

#include "model/base/allocation.h"
#include "model/segment/memory/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct program *program;
    struct scope *scope;
    enum reductions reductions;
    const struct segment *segment;
    struct nest nest;      /* bounds as they are, for references */
    struct mean_nest mean; /* means */
    double executions;     /* of the present body in one repetition of the segment */
    size_t leaves;         /* of the present segment */
    size_t all_leaves;
};

static const struct record node_list = {
    .name = "a loop", .size = sizeof(struct loop_node), .place_offset = NO_PLACE};
static const struct record touch_list = {
    .name = "a touch", .size = sizeof(struct touch), .place_offset = NO_PLACE};

static struct loop_node *add_child(struct loop_node *parent)
{
    struct loop_node *child = list_add(&node_list, &parent->children);
    child->trips = 1.0;
    child->outside = child->inside = parent->inside;
    return child;
}

/* ---- references ---- */

static int array_bytes(const struct walk *walk, const struct array *array, struct touch *touch,
                       struct error *error)
{
    const struct formula *extent = array->extent.items;
    const int dimensions = (int)array->extent.count;
    const int fastest = array_dimension(array, dimensions, dimensions - 1);
    const int slowest = array_dimension(array, dimensions, 0);
    touch->bytes = touch->slab_bytes = array->element_bytes;
    for (size_t d = 0; d < array->extent.count; d++) {
        double elements;
        if (program_value(walk->program, &extent[d], true, walk->scope, &elements, error) != 0)
            return -1;
        touch->bytes *= elements;
        touch->slab_bytes *= (int)d == slowest ? 1.0 : elements;
        if ((int)d == fastest)
            touch->row_bytes = elements * array->element_bytes;
    }
    return 0;
}

static int add_touch(struct walk *walk, struct leaf *leaf, const struct formula *text,
                     bool modified, struct error *error)
{
    struct touch touch = {.modified = modified};
    if (reference_parse(&touch.reference, text, &walk->nest, error) != 0 ||
        array_bytes(walk, touch.reference.array, &touch, error) != 0)
        return -1;
    touch.array =
        (size_t)(touch.reference.array - (const struct array *)walk->program->arrays.items);
    *(struct touch *)list_add(&touch_list, &leaf->touches) = touch;
    return 0;
}

/* Whether neighbouring iterations of the innermost loop touch neighbouring elements, or the same
   one. */
static bool follows(const struct touch *touch, int depth)
{
    const struct reference *reference = &touch->reference;
    const int fastest =
        array_dimension(reference->array, reference->dimensions, reference->dimensions - 1);
    for (int d = 0; d < reference->dimensions; d++) {
        const double step = depth > 0 ? reference->subscripts[d].by[depth - 1] : 0.0;
        if (step != 0.0 && (d != fastest || fabs(step) != 1.0))
            return false;
    }
    return true;
}

/* ---- statements ---- */

static enum operation summing(const struct operations *operations)
{
    static const enum operation order[] = {OPERATION_MADD, OPERATION_ADD, OPERATION_MUL};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (operations->of[order[i]] > 0.0)
            return order[i];
    return OPERATION_COUNT;
}

/* The operation that a sum or product carries along; OPERATION_COUNT: none, as a maximum. A
   statement without any is counted with another one of the leaf. */
static enum operation carried(const struct leaf *leaf, const struct statement *statement)
{
    const enum operation own = summing(&statement->operations);
    if (statement->reduce == REDUCE_PRODUCT)
        return OPERATION_MUL;
    if (statement->reduce != REDUCE_NONE)
        return own == OPERATION_MADD ? own : OPERATION_ADD;
    return operations_absent(&statement->operations) ? summing(&leaf->essential.operations) : own;
}

/* Whether it reads the element that it writes, which is the same in all iterations of the innermost
   loop: a sum that nobody calls one. The statement's references are the leaf's last, what it writes
   behind what it reads. */
static bool accumulates(const struct leaf *leaf, const struct statement *statement)
{
    const int innermost = leaf->nest.depth - 1;
    if (!statement->writes.text || innermost < 0)
        return false;
    const struct touch *end = (const struct touch *)leaf->touches.items + leaf->touches.count;
    const struct reference *written = &end[-1].reference;
    for (int d = 0; d < written->dimensions; d++)
        if (written->subscripts[d].by[innermost] != 0.0)
            return false;
    for (size_t i = 0; i < statement->reads.count; i++) {
        const struct reference *read = &end[-2 - (long)i].reference;
        if (read->array == written->array && reference_same_subscripts(read, written))
            return true;
    }
    return false;
}

/* The statement's references are the leaf's last, what it writes behind what it reads. */
static unsigned loops_of_chain(const struct leaf *leaf, const struct statement *statement,
                               bool reduces)
{
    const size_t reads = statement->reads.count, own = reads + (statement->writes.text ? 1 : 0);
    const struct touch *touches = leaf->touches.items;
    const struct touch *first = own ? touches + leaf->touches.count - own : NULL;
    const struct reference *written = own > reads ? &first[reads].reference : NULL;
    return reduces ? rows_of_reduction(leaf, written)
                   : rows_of_recurrence(leaf, written, first, reads);
}

static int add_chain(const struct walk *walk, struct leaf *leaf, const struct statement *statement,
                     struct chain chain, bool reduces, struct error *error)
{
    struct essential *essential = &leaf->essential;
    if (operations_absent(&chain.operations) && chain.cycles == 0.0)
        return 0;
    if (essential->chain_count == CHAINS_MOST)
        return error_at(error, program_place(walk->program, statement->place),
                        "more than %d recurrences in one body", CHAINS_MOST);
    leaf->row_loops[essential->chain_count] = loops_of_chain(leaf, statement, reduces);
    essential->chains[essential->chain_count++] = chain;
    return 0;
}

/* A recurrence that is told is the sum's, where it is none that is called a reduction. Of more sums
   than there is room for, which nobody called anything, those that come first stand for all. */
static int add_sum(const struct walk *walk, struct leaf *leaf, const struct statement *statement,
                   struct error *error)
{
    const struct recurrence *told = &statement->recurrence;
    const bool is_told = told->cycles.text || !operations_absent(&told->chain);
    const enum operation operation = carried(leaf, statement);
    struct chain one = {.distance = 1.0,
                        .share = 1.0,
                        .is_sum = true,
                        .is_stored = statement->reduce == REDUCE_NONE};
    if (operation == OPERATION_COUNT ||
        (one.is_stored &&
         (is_told || leaf->essential.chain_count == CHAINS_MOST || !accumulates(leaf, statement))))
        return 0;
    one.operations.of[operation] = 1.0;
    return add_chain(walk, leaf, statement, one, true, error);
}

/* The statement's references are the leaf's last. */
static bool writes_strided(const struct leaf *leaf, const struct statement *statement)
{
    if (!statement->writes.text)
        return false;
    const struct touch *last = (const struct touch *)leaf->touches.items + leaf->touches.count - 1;
    return !last->reference.array->scalar && !follows(last, leaf->nest.depth);
}

/* Scalars stay in registers. */
static void leave_out_scalars(struct leaf *leaf)
{
    struct touch *touches = leaf->touches.items;
    size_t count = 0;
    for (size_t i = 0; i < leaf->touches.count; i++)
        if (!touches[i].reference.array->scalar)
            touches[count++] = touches[i];
    leaf->touches.count = count;
}

static int add_recurrence(const struct walk *walk, struct leaf *leaf,
                          const struct statement *statement, struct error *error)
{
    const struct recurrence *recurrence = &statement->recurrence;
    double cycles = 0.0;
    if (recurrence->cycles.text &&
        program_value(walk->program, &recurrence->cycles, false, walk->scope, &cycles, error) != 0)
        return -1;
    if (cycles < 0.0) {
        error_fill(error, program_place(walk->program, recurrence->cycles.place),
                   "a recurrence of %g cycles: expected at least 0", cycles);
        return program_wrong_value(walk->program, &recurrence->cycles, error);
    }
    if (add_chain(walk, leaf, statement,
                  (struct chain){.operations = recurrence->chain,
                                 .distance = recurrence->distance,
                                 .cycles = cycles,
                                 .share = 1.0,
                                 .is_strided = writes_strided(leaf, statement)},
                  false, error) != 0)
        return -1;
    return walk->reductions == REDUCTIONS_FREE ? 0 : add_sum(walk, leaf, statement, error);
}

static int add_statement(struct walk *walk, struct leaf *leaf, const struct statement *statement,
                         struct error *error)
{
    const struct formula *reads = statement->reads.items;
    for (int k = 0; k < OPERATION_COUNT; k++)
        leaf->essential.operations.of[k] += statement->operations.of[k];
    for (size_t i = 0; i < statement->reads.count; i++)
        if (add_touch(walk, leaf, &reads[i], false, error) != 0)
            return -1;
    if (statement->writes.text && add_touch(walk, leaf, &statement->writes, true, error) != 0)
        return -1;
    const int status = add_recurrence(walk, leaf, statement, error);
    leave_out_scalars(leaf);
    return status;
}

/* Whether one instruction may take both, in any iteration: elements of one array that are less than
   the widest registers' eight apart along what lies next to one another. */
static bool beside(const struct touch *a, const struct touch *b)
{
    enum { ELEMENTS_MOST = 8 };
    struct reference there = b->reference;
    if (a->array != b->array || a->modified != b->modified)
        return false;
    const int fastest = array_dimension(there.array, there.dimensions, there.dimensions - 1);
    double *const at = &there.subscripts[fastest].constant;
    const double apart = *at - a->reference.subscripts[fastest].constant;
    *at -= apart;
    return apart != 0.0 && fabs(apart) < ELEMENTS_MOST &&
           reference_same_subscripts(&a->reference, &there);
}

static bool has_neighbour(const struct leaf *leaf, const struct touch *touch)
{
    const struct touch *touches = leaf->touches.items;
    for (size_t i = 0; i < leaf->touches.count; i++)
        if (beside(touch, &touches[i]))
            return true;
    return false;
}

/* The share of the references that lanes serve. Of those that are counted and not named lanes may
   serve all: a bound does not know better. */
static double wide_share(const struct leaf *leaf, bool modified)
{
    const struct touch *touches = leaf->touches.items;
    double all = 0.0, wide = 0.0;
    for (size_t i = 0; i < leaf->touches.count; i++) {
        if (touches[i].modified != modified)
            continue;
        all += 1.0;
        wide +=
            follows(&touches[i], leaf->nest.depth) || has_neighbour(leaf, &touches[i]) ? 1.0 : 0.0;
    }
    const double counted =
                     leaf->essential.operations.of[modified ? OPERATION_STORE : OPERATION_LOAD],
                 unnamed = fmax(0.0, counted - all);
    return all > 0.0 ? (wide + unnamed) / (all + unnamed) : 1.0;
}

static struct leaf *add_leaf(struct walk *walk, struct loop_node *parent, const struct step *first)
{
    const struct statement *statement = first->statement;
    struct leaf *leaf = memory_new(1, sizeof *leaf);
    add_child(parent)->leaf = leaf;
    leaf->essential = essential_begin();
    leaf->nest = walk->mean;
    leaf->executions = walk->executions;
    leaf->first = first;
    if (statement->name)
        snprintf(leaf->name, sizeof leaf->name, "%.50s/%.60s", walk->segment->name,
                 statement->name);
    else
        snprintf(leaf->name, sizeof leaf->name, "%.50s/%zu", walk->segment->name, walk->leaves + 1);
    walk->leaves++;
    leaf->number = walk->all_leaves++;
    return leaf;
}

/* ---- bodies ---- */

static int walk_body(struct walk *walk, struct loop_node *node, const struct list *body,
                     struct error *error);

static int walk_loop(struct walk *walk, struct loop_node *parent, const struct loop *loop,
                     struct error *error)
{
    const struct nest outside = walk->nest;
    const int depth = outside.depth;
    const double executions = walk->executions;
    if (nest_enter(&walk->nest, loop, error) != 0)
        return -1;
    struct loop_node *node = add_child(parent);
    node->loop = loop;
    walk->mean.depth = node->inside = depth + 1;
    int status = trips_find(&walk->mean, &walk->nest, &node->trips, error);
    walk->executions *= node->trips;
    if (status == 0)
        status = walk_body(walk, node, &loop->body, error);
    walk->nest = outside;
    walk->mean.depth = depth;
    walk->executions = executions;
    return status;
}

/* The bodies of branches, each as often as its probability says. */
static int walk_branches(struct walk *walk, struct loop_node *node, const struct list *branches,
                         struct error *error)
{
    const struct branch *items = branches->items;
    const double executions = walk->executions;
    int status = 0;
    for (size_t i = 0; i < branches->count && status == 0; i++) {
        double probability;
        if (branch_probability(&items[i], walk->program, walk->scope, &probability, error) != 0)
            return -1;
        walk->executions = executions * probability;
        status = walk_body(walk, node, &items[i].body, error);
    }
    walk->executions = executions;
    return status;
}

static int walk_body(struct walk *walk, struct loop_node *node, const struct list *body,
                     struct error *error)
{
    const struct step *steps = body->items;
    struct leaf *leaf = NULL;
    int status = 0;
    for (size_t i = 0; i < body->count && status == 0; i++) {
        if (steps[i].statement && !leaf)
            leaf = add_leaf(walk, node, &steps[i]);
        if (steps[i].statement)
            status = add_statement(walk, leaf, steps[i].statement, error);
        if (leaf && steps[i].statement)
            leaf->statements++;
        if (leaf && status == 0) {
            leaf->essential.wide_loads = wide_share(leaf, false);
            leaf->essential.wide_stores = wide_share(leaf, true);
        }
        if (steps[i].statement || steps[i].call || status != 0)
            continue;
        leaf = NULL;
        status = steps[i].loop ? walk_loop(walk, node, steps[i].loop, error)
                               : walk_branches(walk, node, &steps[i].branches, error);
    }
    return status;
}

/* ---- segments ---- */

/* A segment of one leaf lends it its name. */
static void name_alone(const struct loop_node *node, const struct segment *segment)
{
    const struct loop_node *children = node->children.items;
    for (size_t i = 0; i < node->children.count; i++)
        name_alone(&children[i], segment);
    if (node->leaf)
        snprintf(node->leaf->name, sizeof node->leaf->name, "%.110s", segment->name);
}

static int walk_segment(struct walk *walk, struct loop_node *root, const struct segment *segment,
                        struct error *error)
{
    struct loop_node *node = add_child(root);
    node->segment = walk->segment = segment;
    walk->executions = 1.0;
    walk->leaves = 0;
    if (segment_repeat(segment, walk->program, walk->scope, &node->trips, error) != 0 ||
        walk_body(walk, node, &segment->body, error) != 0)
        return -1;
    if (walk->leaves == 1)
        name_alone(node, segment);
    return 0;
}

int loops_make(struct loop_node *root, const struct program *program, struct scope *scope,
               enum reductions reductions, struct error *error)
{
    struct walk walk = {
        .program = program,
        .scope = scope,
        .reductions = reductions,
        .nest = {.program = program, .scope = scope}
    };
    const struct segment *segments = program->segments.items;
    *root = (struct loop_node){.trips = 1.0};
    if (program_repeat(program, scope, &root->trips, error) != 0)
        return -1;
    for (size_t i = 0; i < program->segments.count; i++)
        if (walk_segment(&walk, root, &segments[i], error) != 0) {
            loops_free(root);
            return -1;
        }
    return 0;
}

size_t loops_leaves(const struct loop_node *node)
{
    const struct loop_node *children = node->children.items;
    size_t count = node->leaf ? 1 : 0;
    for (size_t i = 0; i < node->children.count; i++)
        count += loops_leaves(&children[i]);
    return count;
}

void loops_free(struct loop_node *node)
{
    struct loop_node *children = node->children.items;
    for (size_t i = 0; i < node->children.count; i++)
        loops_free(&children[i]);
    list_free(&node_list, &node->children);
    if (node->leaf)
        list_free(&touch_list, &node->leaf->touches);
    free(node->leaf);
    node->leaf = NULL;
}
