#include "describer/walk/carried.h"

#include <string.h>

static polynomial advance_within(struct describer *describer, const struct syntax *syntax,
                                 const struct binding *variable);

/* What a loop within advances it by: as often as that runs. */
static polynomial advance_in_loop(struct describer *describer, const struct syntax *loop,
                                  const struct binding *variable)
{
    struct loop_head head;
    struct error kept, *error = describer->error;
    struct snapshot *before = snapshot_take(describer);
    polynomial advance = NULL;
    describer->error = &kept;
    if (loop_head_read(describer, loop, &head) && (head.step == 1 || head.step == -1)) {
        advance = advance_within(describer, head.body, variable);
        polynomial trips = polynomial_plus(
            &describer->algebra,
            polynomial_scaled(&describer->algebra,
                              polynomial_sum(&describer->algebra, head.last, head.first, -1),
                              head.step),
            1);
        advance = advance ? polynomial_product(&describer->algebra, advance, trips) : NULL;
    }
    describer->error = error;
    describer->has_failed = false;
    describer->split.loop = NULL;
    snapshot_restore(describer, before);
    snapshot_free(before);
    return advance;
}

/* What one turn through a statement advances a variable by that is assigned once in it; NULL: that
   depends on something. */
static polynomial advance_within(struct describer *describer, const struct syntax *syntax,
                                 const struct binding *variable)
{
    struct binding *binding;
    polynomial amount;
    if (advances(describer, syntax, &binding, &amount) && binding == variable)
        return amount;
    switch (syntax->kind) {
    case SYNTAX_FOR:
        return advance_in_loop(describer, syntax, variable);
    case SYNTAX_IF:
    case SYNTAX_WHILE:
    case SYNTAX_DO:
    case SYNTAX_CONDITIONAL:
        return NULL;
    default:
        break;
    }
    for (int i = 0; i < syntax->count; i++) {
        polynomial found =
            syntax->children[i] ? advance_within(describer, syntax->children[i], variable) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* How much a variable advances in each iteration: by its step in the head of the loop, or by one
   statement of the body. NULL: otherwise. */
static polynomial step_of(struct describer *describer, const struct loop_head *head,
                          const struct loop *loop, const struct assigned *assigned)
{
    polynomial found = NULL;
    if (assigned->times != 1)
        return NULL;
    for (int i = 0; i < head->step_count && !found; i++)
        found = advance_within(describer, head->steps[i], assigned->binding);
    if (!found)
        found = advance_within(describer, head->body, assigned->binding);
    return found && !polynomial_has(found, loop->index) ? found : NULL;
}

static struct value moved(struct describer *describer, struct value value, polynomial distance)
{
    if (value.kind == VALUE_INDEX)
        value.index = polynomial_sum(&describer->algebra, value.index, distance, 1);
    if (value.kind == VALUE_ELEMENT)
        value.offset = polynomial_sum(&describer->algebra, value.offset, distance, 1);
    return value;
}

static bool can_move(const struct value *value)
{
    return value->kind == VALUE_INDEX || (value->kind == VALUE_ELEMENT && !value->is_place);
}

static bool is_pointer(const struct type *type)
{
    return type && (type->kind == TYPE_POINTER || type->kind == TYPE_RECORD);
}

static void begin_item(struct describer *describer, const struct loop_head *head,
                       const struct loop *loop, polynomial trip, const struct assigned *assigned,
                       struct carried_item *item)
{
    struct binding *binding = assigned->binding;
    *item = (struct carried_item){binding, *binding, assigned->name, -1, NULL};
    const bool is_data = assigned->type && assigned->type->kind == TYPE_FLOATING;
    if (!is_data && can_move(&binding->value)) {
        item->step = step_of(describer, head, loop, assigned);
        if (item->step) {
            binding->value = moved(describer, binding->value,
                                   polynomial_product(&describer->algebra, item->step, trip));
            return;
        }
    }
    if (is_pointer(assigned->type)) {
        binding->value = value_unknown(
            arena_format(describer->arena,
                         "%s changes from iteration to iteration in a way that is not followed: "
                         "describe the loop inside as a segment of its own",
                         assigned->name));
        return;
    }
    item->node = graph_add(&describer->graph, NULL,
                           (struct node){.kind = NODE_CARRY, .loop = loop, .name = assigned->name});
    binding->value = value_of_node(item->node);
}

void carried_begin(struct describer *describer, const struct loop_head *head,
                   const struct loop *loop, polynomial trip, struct carried *carried)
{
    struct assigned_list list = {.count = 0};
    assigned_in(describer, head->body, &list);
    for (int i = 0; i < head->step_count; i++)
        assigned_in(describer, head->steps[i], &list);
    carried->count = 0;
    carried->items = arena_take(describer->arena, (size_t)list.count, sizeof *carried->items);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].binding != head->variable)
            begin_item(describer, head, loop, trip, &list.items[i],
                       &carried->items[carried->count++]);
}

static void add_link(struct describer *describer, struct part *part, struct link link)
{
    if (part->link_count == part->link_room) {
        part->link_room = part->link_room ? 2 * part->link_room : 4;
        struct link *all = arena_take(describer->arena, (size_t)part->link_room, sizeof *all);
        if (part->link_count)
            memcpy(all, part->links, (size_t)part->link_count * sizeof *all);
        part->links = all;
    }
    part->links[part->link_count++] = link;
}

/* A scalar behind the loop: what the last iteration left, kept where it was begun. */
static void end_scalar(struct describer *describer, const struct syntax *syntax,
                       const struct loop *loop, struct carried_item *item)
{
    const int last = value_node(describer, item->binding->value, syntax);
    if (last == item->node) {
        *item->binding = item->before;
        return;
    }
    const struct node *node = &describer->graph.nodes[last];
    if (node->part && node->part->loop == loop && node->kind != NODE_RESULT)
        add_link(describer, node->part, (struct link){item->node, last, node->part->place});
    const struct node result = {.kind = NODE_RESULT,
                                .name = item->name,
                                .loop = loop,
                                .operands = {last},
                                .depth = item->before.depth};
    item->binding->value = value_of_node(graph_add(&describer->graph, NULL, result));
    item->binding->depth = item->before.depth;
}

void carried_end(struct describer *describer, const struct syntax *syntax, const struct loop *loop,
                 struct carried *carried)
{
    struct algebra *algebra = &describer->algebra;
    for (int i = 0; i < carried->count && !describer->has_failed; i++) {
        struct carried_item *item = &carried->items[i];
        if (item->node >= 0)
            end_scalar(describer, syntax, loop, item);
        else if (item->step)
            item->binding->value =
                moved(describer, item->before.value,
                      polynomial_product(
                          algebra, item->step,
                          polynomial_plus(
                              algebra, polynomial_sum(algebra, loop->last, loop->first, -1), 1)));
        else
            item->binding->value = value_unknown("its value behind the loop is not followed");
    }
}
