#include "describer/count/count.h"

static const struct node *node_at(const struct count *count, int i)
{
    return &count->describer->graph.nodes[i];
}

/* Whether the part's loop, or one within it, stores that element: each iteration finds another
   value there, though no subscript has the loop's index. */
static bool is_stored_here(const struct count *count, const struct reference *reference)
{
    const struct graph *graph = &count->describer->graph;
    const struct part *before = NULL;
    for (int n = 0; n <= graph->count; n++) {
        const struct part *part = n < graph->count ? graph->nodes[n].part : count->part;
        const struct loop *loop = part ? part->loop : NULL;
        while (loop && loop != count->part->loop)
            loop = loop->up;
        if (!part || part == before || (part != count->part && !loop))
            continue;
        before = part;
        for (int i = 0; i < part->statement_count; i++)
            if (reference_equal(&count->describer->algebra, &part->statements[i].to, reference))
                return true;
    }
    return false;
}

static bool is_of_this_loop(const struct count *count, const struct node *node)
{
    return node->part == count->part || (node->part && node->part->loop == count->part->loop);
}

static bool varies(struct count *count, int i);

static bool operands_vary(struct count *count, const struct node *node)
{
    bool found = false;
    for (int i = 0; i < node->operand_count; i++)
        found = varies(count, node->operands[i]) || found;
    return found;
}

static bool node_varies(struct count *count, const struct node *node)
{
    switch (node->kind) {
    case NODE_CONSTANT:
        return false;
    case NODE_SAME:
        return node->index && count->index && polynomial_has(node->index, count->index);
    case NODE_LOAD:
        return !count->index || reference_has(&node->reference, count->index) ||
               is_stored_here(count, &node->reference);
    case NODE_CARRY:
        return node->loop == count->part->loop;
    case NODE_RESULT:
        return node->loop && node->loop->up == count->part->loop;
    case NODE_FORWARD:
    case NODE_GATHER:
        return !count->index || operands_vary(count, node);
    case NODE_CALL:
        if (node->operand_count == 0) /* rand() */
            return is_of_this_loop(count, node);
        return is_of_this_loop(count, node) && (!count->index || operands_vary(count, node));
    default:
        return is_of_this_loop(count, node) && (!count->index || operands_vary(count, node));
    }
}

/* Whether the value is another in every iteration of the innermost loop. */
static bool varies(struct count *count, int i)
{
    if (count->marks[i].varies < 0) {
        count->marks[i].varies = 0;
        count->marks[i].varies = node_varies(count, node_at(count, i));
    }
    return count->marks[i].varies;
}

static bool is_leaf(const struct count *count, const struct node *node)
{
    return (node->part != count->part && node->kind >= NODE_LOAD) || node->kind == NODE_LOAD ||
           node->kind < NODE_LOAD || node->kind == NODE_CARRY || node->kind == NODE_RESULT;
}

static void reach(struct count *count, int i)
{
    const struct node *node = node_at(count, i);
    if (node->part != count->part && node->kind >= NODE_ADD)
        return;
    if (count->marks[i].is_reached)
        return;
    count->marks[i].is_reached = true;
    if (is_leaf(count, node) && node->kind != NODE_FORWARD)
        return;
    for (int k = 0; k < node->operand_count; k++) {
        reach(count, node->operands[k]);
        count->marks[node->operands[k]].uses++;
    }
}

static void reach_and_use(struct count *count, int i)
{
    reach(count, i);
    count->marks[i].uses++;
}

static bool is_counted(const struct count *count, int statement)
{
    return !count->part->statements[statement].is_dropped &&
           (!count->groups || count->groups[statement] <= count->group);
}

/* Everything that is stored, handed to the next iteration, or used elsewhere. */
static void reach_all(struct count *count)
{
    const struct part *part = count->part;
    for (int i = 0; i < part->statement_count; i++)
        if (is_counted(count, i))
            reach_and_use(count, part->statements[i].value);
    for (int i = 0; i < part->link_count; i++)
        reach_and_use(count, part->links[i].to);
    for (int i = part->begin; i < part->end; i++)
        if (node_at(count, i)->is_live_out && node_at(count, i)->part == part)
            reach_and_use(count, i);
}

static bool is_sum(const struct node *node)
{
    return node->kind == NODE_ADD || node->kind == NODE_SUBTRACT;
}

static bool is_here(const struct count *count, int i)
{
    return count->marks[i].is_reached && node_at(count, i)->part == count->part;
}

/* A product that additions alone use goes into each of them. */
static void fuse_shared(struct count *count, int product)
{
    int users[64], user_count = 0;
    for (int i = product + 1; i < count->part->end && user_count < 64; i++) {
        const struct node *node = node_at(count, i);
        if (is_here(count, i) && is_sum(node) && !count->marks[i].fuses &&
            node->operands[0] != node->operands[1] &&
            (node->operands[0] == product || node->operands[1] == product))
            users[user_count++] = i;
    }
    if (user_count != count->marks[product].uses)
        return;
    count->marks[product].is_fused = true;
    for (int i = 0; i < user_count; i++)
        count->marks[users[i]].fuses = true;
}

/* One product of an addition goes into it, if nothing else uses it. */
static void fuse_own(struct count *count, int sum)
{
    for (int k = 0; k < 2 && !count->marks[sum].fuses; k++) {
        int product = node_at(count, sum)->operands[k];
        while (node_at(count, product)->kind == NODE_NEGATE && count->marks[product].uses == 1)
            product = node_at(count, product)->operands[0];
        if (node_at(count, product)->kind == NODE_MULTIPLY && is_here(count, product) &&
            count->marks[product].uses == 1 && !count->marks[product].is_fused &&
            varies(count, product))
            count->marks[product].is_fused = count->marks[sum].fuses = true;
    }
}

static void fuse(struct count *count)
{
    for (int i = count->part->begin; i < count->part->end; i++)
        if (is_here(count, i) && node_at(count, i)->kind == NODE_MULTIPLY && varies(count, i) &&
            count->marks[i].uses >= 2)
            fuse_shared(count, i);
    for (int i = count->part->begin; i < count->part->end; i++)
        if (is_here(count, i) && is_sum(node_at(count, i)) && varies(count, i))
            fuse_own(count, i);
}

static void add_operation(struct count *count, int i)
{
    const struct node *node = node_at(count, i);
    struct tally *tally = &count->tally;
    switch (node->kind) {
    case NODE_ADD:
    case NODE_SUBTRACT:
        *(count->marks[i].fuses ? &tally->multiply_add : &tally->add) += 1;
        break;
    case NODE_EXTREME:
    case NODE_COMPARE:
        tally->add += 1;
        break;
    case NODE_MULTIPLY:
        tally->multiply += 1;
        break;
    case NODE_DIVIDE:
        tally->divide += 1;
        break;
    case NODE_ROOT:
        tally->root += 1;
        break;
    case NODE_CALL:
        tally->add += node->cost->add;
        tally->multiply += node->cost->multiply;
        tally->divide += node->cost->divide;
        tally->root += node->cost->root;
        if (node->cost->is_default) {
            count->functions.add += node->cost->add;
            count->functions.multiply += node->cost->multiply;
            count->functions.divide += node->cost->divide;
            count->functions.root += node->cost->root;
        }
        break;
    default:
        break;
    }
}

static void count_node(struct count *count, int i)
{
    const struct node *node = node_at(count, i);
    const bool is_elsewhere = node->part != count->part && is_of_this_loop(count, node);
    if (node->kind == NODE_GATHER && node->part == count->part)
        count->gather_count++;
    if (node->kind == NODE_LOAD && !is_elsewhere &&
        (!count->index || reference_has(&node->reference, count->index)))
        count->loads[count->load_count++] = i;
    else if (node->part == count->part && !count->marks[i].is_fused)
        add_operation(count, i);
}

static void count_up_to(struct describer *describer, const struct part *part, struct mark *marks,
                        const int *groups, int group, struct count *count)
{
    const int nodes = describer->graph.count;
    *count = (struct count){
        .describer = describer, .part = part, .groups = groups, .group = group, .marks = marks};
    count->index = part->loop ? part->loop->index : NULL;
    count->loads = arena_take(describer->arena, (size_t)nodes, sizeof *count->loads);
    for (int i = 0; i < nodes; i++)
        marks[i] = (struct mark){.varies = -1};
    reach_all(count);
    fuse(count);
    for (int i = 0; i < nodes; i++)
        if (marks[i].is_reached && varies(count, i))
            count_node(count, i);
    count->tally.load = count_loads(count) + count->gather_count;
    for (int i = 0; i < part->statement_count; i++)
        if (is_counted(count, i) &&
            (!count->index || reference_has(&part->statements[i].to, count->index)))
            count->tally.store += 1;
}

void count_part(struct describer *describer, const struct part *part, struct mark *marks,
                struct count *count)
{
    count_up_to(describer, part, marks, NULL, 0, count);
}

/* What `all` has more than `before`; false where it has less of something. */
static bool take_off(struct tally *all, const struct tally *before)
{
    all->add -= before->add;
    all->multiply -= before->multiply;
    all->multiply_add -= before->multiply_add;
    all->divide -= before->divide;
    all->root -= before->root;
    all->load -= before->load;
    all->store -= before->store;
    return all->add >= 0 && all->multiply >= 0 && all->multiply_add >= 0 && all->divide >= 0 &&
           all->root >= 0 && all->load >= 0 && all->store >= 0;
}

bool count_group(struct describer *describer, const struct part *part, struct mark *marks,
                 const int *groups, int group, struct count *count)
{
    struct count before = {0};
    if (group > 0)
        count_up_to(describer, part, marks, groups, group - 1, &before);
    count_up_to(describer, part, marks, groups, group, count);
    return take_off(&count->tally, &before.tally) & take_off(&count->functions, &before.functions);
}
