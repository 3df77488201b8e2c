#include "describer/walk/carried.h"

#include <string.h>

/* How much a variable advances in each iteration, by the head of the loop and its body; NULL: not
   by as much each time. */
static polynomial step_of(struct describer *describer, const struct loop_head *head,
                          const struct loop *loop, const struct assigned *assigned)
{
    struct algebra *algebra = &describer->algebra;
    polynomial sum = loop_advance(describer, head->body, assigned->binding);
    for (int i = -1; i < head->step_count && sum; i++) {
        const struct syntax *step = i < 0 ? head->before : head->steps[i];
        polynomial part = step ? loop_advance(describer, step, assigned->binding)
                               : polynomial_constant(algebra, 0);
        sum = part ? polynomial_sum(algebra, sum, part, 1) : NULL;
    }
    return sum && !polynomial_has(sum, loop->index) ? sum : NULL;
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

/* A pointer, or a record. */
static bool is_shaped(const struct value *value)
{
    return value->kind == VALUE_ELEMENT || value->kind == VALUE_OBJECT;
}

static bool is_pointer(const struct type *type)
{
    return type && (type->kind == TYPE_POINTER || type->kind == TYPE_RECORD);
}

static struct binding with_value(struct binding binding, struct value value)
{
    binding.value = value;
    return binding;
}

static bool is_variable(struct describer *describer, const struct syntax *syntax,
                        const struct binding *binding)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return syntax->kind == SYNTAX_NAME && object_binding(describer, syntax) == binding;
}

/* Whether all that sets the variable makes the other one of two numbers of it: x = 1 - x, x = !x,
   x ^= 1. *count: how many such assignments there are. */
static bool is_switched(struct describer *describer, const struct syntax *syntax,
                        const struct binding *binding, int *count)
{
    const bool steps = syntax->kind == SYNTAX_UNARY &&
                       (syntax->operation == DO_INCREMENT || syntax->operation == DO_DECREMENT ||
                        syntax->operation == DO_ADDRESS);
    if ((steps || syntax->kind == SYNTAX_ASSIGN) &&
        is_variable(describer, syntax->children[0], binding)) {
        const struct syntax *to = steps ? NULL : syntax->children[1];
        while (to && to->kind == SYNTAX_CAST && to->count == 1)
            to = to->children[0];
        ++*count;
        if (!to || (syntax->operation != DO_NOTHING && syntax->operation != DO_BITS_XOR))
            return false;
        if (syntax->operation == DO_BITS_XOR)
            return to->kind == SYNTAX_INTEGER;
        if (to->kind == SYNTAX_UNARY && to->operation == DO_NOT)
            return is_variable(describer, to->children[0], binding);
        return to->kind == SYNTAX_BINARY &&
               ((to->operation == DO_SUBTRACT && to->children[0]->kind == SYNTAX_INTEGER &&
                 is_variable(describer, to->children[1], binding)) ||
                (to->operation == DO_BITS_XOR && to->children[1]->kind == SYNTAX_INTEGER &&
                 is_variable(describer, to->children[0], binding)));
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && !is_switched(describer, syntax->children[i], binding, count))
            return false;
    return true;
}

static struct carry *new_carry(struct describer *describer, const struct loop *loop,
                               const char *name, const struct type *type)
{
    struct carry *carry = arena_take(describer->arena, 1, sizeof *carry);
    *carry = (struct carry){.loop = loop, .name = name, .result = -1, .start = -1};
    carry->bytes = type && type->bytes > 0 ? type->bytes : 8;
    carry->from = carry->to =
        graph_add(&describer->graph, NULL,
                  (struct node){.kind = NODE_CARRY, .loop = loop, .carry = carry, .name = name});
    return carry;
}

static void begin_item(struct describer *describer, const struct loop_head *head,
                       const struct loop *loop, polynomial trip, const struct assigned *assigned,
                       polynomial memory, struct carried_item *item)
{
    struct binding *binding = assigned->binding;
    *item = (struct carried_item){
        .binding = binding, .before = *binding, .name = assigned->name, .to = assigned->to};
    const bool is_data = assigned->type && assigned->type->kind == TYPE_FLOATING;
    if (describer->is_recording && is_pointer(assigned->type) &&
        binding->value.kind == VALUE_NONE && assigned->to) {
        *binding = with_value(*binding, evaluate_leniently(describer, assigned->to));
        item->before = *binding;
    }
    if (!is_data && can_move(&binding->value)) {
        item->step = step_of(describer, head, loop, assigned);
        if (item->step) {
            binding->value = moved(describer, binding->value,
                                   polynomial_product(&describer->algebra, item->step, trip));
            return;
        }
    }
    if (!describer->is_recording) { /* around segments pointers keep their shape */
        if (!is_shaped(&binding->value))
            assigned_forget(describer, assigned, memory);
        if (is_pointer(assigned->type))
            binding->is_read = &item->is_read;
        return;
    }
    double constant;
    int switches = 0;
    if (!is_data && binding->value.kind == VALUE_INDEX &&
        polynomial_is_constant(binding->value.index, &constant) &&
        is_switched(describer, head->body, binding, &switches) && switches == 1) {
        item->is_switch = true;
        return;
    }
    if (is_pointer(assigned->type) && is_shaped(&binding->value) && !binding->value.is_place) {
        item->before = *binding;
        item->is_pointer = true;
        binding->is_read = &item->is_read;
        return;
    }
    if (is_pointer(assigned->type)) {
        binding->value = value_unknown(
            arena_format(describer->arena,
                         "%s changes from iteration to iteration in a way that is not followed: "
                         "describe the loop inside as a segment of its own",
                         assigned->name));
        return;
    }
    struct carry *carry = new_carry(describer, loop, assigned->name, assigned->type);
    if (binding->value.kind == VALUE_NODE)
        carry->start = binding->value.node;
    item->carry = carry;
    binding->value = value_of_node(carry->from);
}

void carried_begin(struct describer *describer, const struct loop_head *head,
                   const struct loop *loop, polynomial trip, struct carried *carried)
{
    struct assigned_list list = {.count = 0};
    assigned_in(describer, head->body, &list);
    for (int i = 0; i < head->step_count; i++)
        assigned_in(describer, head->steps[i], &list);
    assigned_in(describer, head->before, &list);
    carried->count = 0;
    carried->items = arena_take(describer->arena, (size_t)list.count, sizeof *carried->items);
    polynomial memory = assigned_memory(&describer->algebra, &list);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].binding != head->variable)
            begin_item(describer, head, loop, trip, &list.items[i], memory,
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
static void end_scalar(struct describer *describer, const struct syntax *syntax, struct loop *loop,
                       struct carried_item *item)
{
    struct carry *carry = item->carry;
    const int last = carry->to = value_node(describer, item->binding->value, syntax);
    struct carry **end = &loop->carries;
    while (*end)
        end = &(*end)->next;
    *end = carry;
    carry->place = item->binding->assigned.file ? item->binding->assigned : loop->place;
    carry->home = item->binding->home;
    carry->reduction = item->binding->reduction;
    if (last == carry->from) {
        *item->binding = item->before;
        return;
    }
    const struct node *node = &describer->graph.nodes[last];
    if (node->part && node->part->loop == loop && node->kind != NODE_RESULT)
        add_link(describer, node->part, (struct link){carry->from, last, carry->place});
    const struct node result = {.kind = NODE_RESULT,
                                .name = item->name,
                                .loop = loop,
                                .carry = carry,
                                .operands = {last},
                                .depth = item->before.depth};
    carry->result = graph_add(&describer->graph, NULL, result);
    item->binding->value = value_of_node(carry->result);
    item->binding->depth = item->before.depth;
}

/* A variable that is taken to advance by its step has done so. */
static void check_step(struct describer *describer, const struct loop *loop,
                       const struct carried_item *item, int copies)
{
    struct algebra *algebra = &describer->algebra;
    const struct value *now = &item->binding->value;
    polynomial trips = polynomial_plus(
        algebra, polynomial_sum(algebra, polynomial_symbol(algebra, loop->index), loop->first, -1),
        1);
    const struct value expected =
        moved(describer, item->before.value,
              polynomial_scaled(algebra, polynomial_product(algebra, item->step, trips), copies));
    const bool is_right = now->kind == expected.kind &&
                          (now->kind == VALUE_INDEX
                               ? polynomial_equal(algebra, now->index, expected.index)
                               : reference_equal(algebra, &now->reference, &expected.reference) &&
                                     polynomial_equal(algebra, now->offset, expected.offset));
    if (!is_right)
        describer_fail(
            describer, loop->place,
            "%s changes in this loop in a way that is not followed: let it advance by as "
            "much in every iteration, or compute it from the loop's index",
            item->name);
}

static bool is_same_pointer(struct describer *describer, const struct value *a,
                            const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == VALUE_OBJECT)
        return !strcmp(a->text, b->text);
    return a->kind == VALUE_ELEMENT &&
           reference_equal(&describer->algebra, &a->reference, &b->reference) &&
           polynomial_equal(&describer->algebra, a->offset, b->offset);
}

/* Arrays that can take one another's place. */
static bool are_like_arrays(const struct value *a, const struct value *b)
{
    if (a->kind != VALUE_ELEMENT)
        return true;
    const struct array *one = a->reference.array, *other = b->reference.array;
    return one->element_bytes == other->element_bytes &&
           (one->rank == 0 || other->rank == 0 || one->rank == other->rank);
}

/* After how many iterations pointers that change places are what they were; 0: they do not come
   back, or what they are depends on something. Those that no iteration reads before it sets them
   are of no account. */
static int turns_of(struct describer *describer, struct carried *carried)
{
    enum { TURNS_MOST = 4 };
    int turns = 1;
    for (int i = 0; i < carried->count; i++) {
        const struct carried_item *item = &carried->items[i];
        const struct value *here = &item->binding->value;
        double constant;
        if (item->is_switch &&
            (here->kind != VALUE_INDEX || !polynomial_is_constant(here->index, &constant)))
            return 0;
        if (item->is_switch && turns % 2 != 0 &&
            !polynomial_equal(&describer->algebra, here->index, item->before.value.index))
            turns *= 2;
        if (!item->is_pointer || !item->is_read)
            continue;
        /* Follow it until it is again the pointer that it was. */
        int at = i, length = 0;
        do {
            const struct value *now = &carried->items[at].binding->value;
            int next = -1;
            for (int k = 0; k < carried->count && next < 0; k++)
                if (carried->items[k].is_pointer && carried->items[k].is_read &&
                    is_same_pointer(describer, now, &carried->items[k].before.value))
                    next = k;
            if (next < 0 || !are_like_arrays(now, &item->before.value))
                return 0;
            at = next;
        } while (++length <= TURNS_MOST && at != i);
        if (at != i)
            return 0;
        while (turns % length != 0 && turns <= TURNS_MOST)
            turns++;
    }
    return turns <= TURNS_MOST ? turns : 0;
}

void exchange_note(struct describer *describer, struct binding *binding,
                   const struct binding *before, const struct syntax *to, struct place place)
{
    const struct binding now = *binding;
    struct exchange exchange = {before->value, now.value, place};
    if (before->is_read)
        *before->is_read = true;
    if (before->value.kind == VALUE_NONE) { /* nobody had asked for it: it is its own array */
        *binding = *before;
        binding->is_read = NULL;
        exchange.before = evaluate_leniently(describer, to);
        *binding = now;
    }
    if (exchange.before.kind != now.value.kind ||
        (now.value.kind == VALUE_ELEMENT
             ? exchange.before.reference.array == now.value.reference.array
             : now.value.kind != VALUE_OBJECT || !strcmp(exchange.before.text, now.value.text)))
        return;
    describer->exchanges =
        arena_more(describer->arena, describer->exchanges, (size_t)describer->exchange_count,
                   sizeof *describer->exchanges);
    describer->exchanges[describer->exchange_count++] = exchange;
}

void carried_end(struct describer *describer, const struct syntax *syntax, struct loop *loop,
                 struct carried *carried)
{
    struct algebra *algebra = &describer->algebra;
    carried->turns = turns_of(describer, carried);
    for (int i = 0; i < carried->count && !describer->has_failed; i++) {
        struct carried_item *item = &carried->items[i];
        if (item->is_switch) {
            const struct value *left = &item->binding->value;
            if (carried->turns == 0 ||
                (carried->copies > 1 &&
                 !polynomial_equal(algebra, left->index, item->before.value.index)))
                describer_fail(describer, loop->place,
                               "%s changes from iteration to iteration in a way that is not "
                               "followed: describe the loop inside as a segment of its own",
                               item->name);
            /* Which of its two numbers it is behind the loop depends on how often that runs. */
            *item->binding = item->before;
        } else if (item->is_pointer) {
            if (item->is_read && carried->turns == 0)
                describer_fail(describer, loop->place,
                               "%s changes from iteration to iteration in a way that is not "
                               "followed: describe the loop inside as a segment of its own",
                               item->name);
            /* Which of the arrays it is behind the loop depends on how often that runs: they are
               alike. */
            *item->binding = item->is_read ? item->before : *item->binding;
            item->binding->is_read = NULL;
            if (!item->is_read)
                item->binding->value = value_unknown("its value behind the loop is not followed");
        } else if (item->carry)
            end_scalar(describer, syntax, loop, item);
        else if (!item->step && !describer->is_recording) {
            if (item->is_read)
                exchange_note(describer, item->binding, &item->before, item->to, loop->place);
            if (is_shaped(&item->before.value) || item->binding->bytes)
                *item->binding = item->before;
            else
                *item->binding = (struct binding){0};
        } else if (item->step) {
            check_step(describer, loop, item, carried->copies);
            item->binding->value = moved(
                describer, item->before.value,
                polynomial_scaled(
                    algebra,
                    polynomial_product(
                        algebra, item->step,
                        polynomial_plus(algebra,
                                        polynomial_sum(algebra, loop->last, loop->first, -1), 1)),
                    carried->copies));
        } else
            item->binding->value = value_unknown("its value behind the loop is not followed");
    }
}

/* Whether the node is made in an iteration of the loop. */
static bool is_made_in(const struct node *node, const struct loop *loop)
{
    const struct loop *in = node->kind == NODE_RESULT ? node->loop->up
                            : node->part              ? node->part->loop
                                                      : NULL;
    while (in && in != loop)
        in = in->up;
    return in;
}

/* What an iteration returns stands behind its loop as a scalar that it has set. */
static void end_returned(struct describer *describer, const struct syntax *syntax,
                         struct loop *loop, const struct carried *carried)
{
    struct value *returned = &describer->returned;
    for (int i = 0; i < carried->count && returned->kind == VALUE_NODE; i++) {
        const struct carried_item *item = &carried->items[i];
        if (item->carry &&
            (returned->node == item->carry->to || returned->node == item->carry->from)) {
            *returned = item->binding->value;
            return;
        }
    }
    if (returned->kind != VALUE_NODE || !is_made_in(&describer->graph.nodes[returned->node], loop))
        return;
    struct binding binding = {.value = *returned, .depth = loop->depth};
    struct carried_item item = {.binding = &binding, .before = binding, .name = "returned"};
    item.carry = new_carry(describer, loop, item.name, NULL);
    end_scalar(describer, syntax, loop, &item);
    *returned = binding.value;
}

void carried_leave(struct describer *describer, const struct syntax *syntax, struct loop *loop,
                   struct carried *carried, bool has_returned)
{
    for (int i = 0; i < carried->count && !describer->has_failed; i++)
        if (carried->items[i].carry)
            end_scalar(describer, syntax, loop, &carried->items[i]);
    if (has_returned && !describer->has_failed)
        end_returned(describer, syntax, loop, carried);
}
