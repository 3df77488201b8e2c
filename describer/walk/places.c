#include "describer/walk/evaluate.h"

static bool is_pointing(const struct type *type)
{
    return type && (type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER);
}

static struct value failed(struct describer *describer, struct place place, const char *text)
{
    describer_fail(describer, place, "%s", text);
    return value_unknown(NULL);
}

/* One more subscript that is told. */
static bool append(struct describer *describer, struct value *value, polynomial subscript,
                   const struct syntax *at)
{
    struct reference *reference = &value->reference;
    subscript = extreme_of_rank(describer, subscript, false);
    if (!polynomial_is_affine(subscript)) {
        describer_fail(describer, at->place,
                       "subscript %s of %s is not linear in the loop indices: write it as sums "
                       "of loop indices and products with parameters",
                       polynomial_text(&describer->algebra, subscript, ""), reference->array->name);
        return false;
    }
    if (reference->count == reference->array->rank || reference->count == RANK_MOST) {
        describer_fail(describer, at->place, "too many subscripts of %s", reference->array->name);
        return false;
    }
    reference->subscripts[reference->count++] = subscript;
    return true;
}

/* How many atoms of the record that a member lies in one element of the type is. */
static double atoms_in(const struct value *value, const struct type *type)
{
    return type->bytes / value->reference.array->element_bytes;
}

/* A subscript of an array within a record: so many atoms further on. */
static struct value subscripted_within(struct describer *describer, struct value value,
                                       polynomial index, const struct syntax *at)
{
    const struct type *type = value.type;
    struct algebra *algebra = &describer->algebra;
    value.offset = polynomial_sum(algebra, value.offset, index, atoms_in(&value, type));
    value.is_place = !is_pointing(type);
    if (!value.is_place)
        value.type = type->of;
    else if (type->kind != TYPE_RECORD) {
        append(describer, &value, value.offset, at);
        value.offset = polynomial_constant(algebra, 0);
    }
    return value;
}

struct value place_subscripted(struct describer *describer, struct value value, polynomial index,
                               const struct syntax *at)
{
    struct algebra *algebra = &describer->algebra;
    if (value.kind == VALUE_OBJECT && value.type && value.type->kind == TYPE_POINTER)
        value = object_as_array(describer, value, at->place);
    if (value.kind == VALUE_UNKNOWN && value.text)
        return failed(describer, at->place, value.text);
    if (value.kind != VALUE_ELEMENT || value.is_place || !value.type)
        return failed(describer, at->place,
                      "a subscript of what is no array that is known here: say `array NAME[N]`");
    if (value.is_within)
        return subscripted_within(describer, value, index, at);
    if (!append(describer, &value, polynomial_sum(algebra, value.offset, index, 1), at))
        return value_unknown(NULL);
    value.offset = polynomial_constant(algebra, 0);
    value.is_place = !is_pointing(value.type);
    if (!value.is_place)
        value.type = value.type->of;
    return value;
}

/* A member of a record whose members are all as long: the last subscript says which. */
static struct value member_atom(struct describer *describer, struct value value,
                                const struct syntax *member)
{
    struct algebra *algebra = &describer->algebra;
    const double at = member->number / value.reference.array->element_bytes;
    if (!value.is_within)
        value.offset = polynomial_constant(algebra, 0);
    value.is_within = true;
    value.offset = polynomial_plus(algebra, value.offset, at);
    value.type = member->type;
    if (is_pointing(member->type)) {
        value.is_place = false;
        value.type = member->type->of;
    } else if (member->type && member->type->kind != TYPE_RECORD)
        append(describer, &value, value.offset, member);
    return value;
}

/* A member of another record: an array of its own, with the same subscripts. */
static struct value member_array(struct describer *describer, struct value value,
                                 const struct syntax *member)
{
    const struct array *whole = value.reference.array;
    const char *path = arena_format(describer->arena, "%s.%s of all", whole->name, member->name);
    const char *name = arena_format(describer->arena, "%s_%s", whole->name, member->name);
    struct type *type = arena_take(describer->arena, 1, sizeof *type);
    *type = (struct type){.kind = TYPE_POINTER, .of = member->type};
    const struct value first = object_value(describer, path, name, type, NULL, member->place);
    if (first.kind != VALUE_ELEMENT)
        return first;
    struct array *array = first.reference.array;
    const int more = whole->rank - 1;
    for (int i = 0; array->rank + more <= RANK_MOST && i < more && !array->is_member; i++) {
        for (int j = array->rank++; j > 0; j--)
            array->extents[j] = array->extents[j - 1];
    }
    if (!array->is_member)
        for (int i = 0; i < whole->rank; i++)
            array->extents[i] = whole->extents[i];
    array->is_member = true;
    value.reference.array = array;
    value.type = member->type;
    value.is_place = !is_pointing(member->type);
    if (!value.is_place)
        value.type = member->type->of;
    return value;
}

struct value place_member(struct describer *describer, struct value value,
                          const struct syntax *member)
{
    if (value.kind == VALUE_ELEMENT && !value.is_place)
        value = place_subscripted(describer, value, polynomial_constant(&describer->algebra, 0),
                                  member);
    if (value.kind != VALUE_ELEMENT || !value.type || value.type->kind != TYPE_RECORD)
        return failed(describer, member->place, "a member of what is no record that is known here");
    return value.is_within || value.type->atom_bytes > 0 ? member_atom(describer, value, member)
                                                         : member_array(describer, value, member);
}

/* Whether a value is data, as against a constant or what is computed from parameters and indices.
 */
static bool is_data(const struct node *node)
{
    return node->kind != NODE_CONSTANT && node->kind != NODE_SAME;
}

/* The data that a subscript is made of: adding to it or multiplying it by what is no data belongs
   to the address, which costs nothing. */
static int data_of_subscript(const struct graph *graph, int index)
{
    for (;;) {
        const struct node *node = &graph->nodes[index];
        const bool is_address =
            node->kind == NODE_ADD || node->kind == NODE_SUBTRACT || node->kind == NODE_MULTIPLY;
        if (!is_address || (is_data(&graph->nodes[node->operands[0]]) &&
                            is_data(&graph->nodes[node->operands[1]])))
            return index;
        index = node->operands[is_data(&graph->nodes[node->operands[0]]) ? 0 : 1];
    }
}

/* Whether the value is made of an element whose own subscript is data. */
static bool has_gather(const struct graph *graph, int index)
{
    const struct node *node = &graph->nodes[index];
    if (node->kind == NODE_GATHER)
        return true;
    for (int i = 0; i < node->operand_count; i++)
        if (has_gather(graph, node->operands[i]))
            return true;
    return false;
}

/* A subscript that is data: allowed for reads that `gather` tells of. */
static struct value gathered(struct describer *describer, struct value value, int index,
                             const struct syntax *at)
{
    const char *name = value.reference.array->name;
    if (!describer->told.gather) {
        describer_fail(describer, at->place,
                       "the subscript of %s is data: say how far and how often it reaches: #pragma "
                       "forecost gather(%s: reach(R) loads(1)) before the loop",
                       name, name);
        return value_unknown(NULL);
    }
    if (has_gather(&describer->graph, index)) {
        describer_fail(describer, at->place,
                       "the subscript of %s is an element whose own subscript is data: compute the "
                       "inner subscripts into an array in a loop before this one",
                       name);
        return value_unknown(NULL);
    }
    if (value.gathered_count == OPERANDS_MOST) {
        describer_fail(describer, at->place, "more than %d subscripts of %s are data",
                       OPERANDS_MOST, name);
        return value_unknown(NULL);
    }
    value.gathered[value.gathered_count++] = data_of_subscript(&describer->graph, index);
    return place_subscripted(describer, value, polynomial_constant(&describer->algebra, 0), at);
}

static struct value subscript_place(struct describer *describer, const struct syntax *syntax)
{
    struct value base = evaluate(describer, syntax->children[0]);
    const struct syntax *index = syntax->children[1];
    if (describer_is_stopped(describer))
        return value_unknown(NULL);
    const struct value value = evaluate(describer, index);
    if (value.kind == VALUE_INDEX)
        return place_subscripted(describer, base, value.index, syntax);
    if (base.kind == VALUE_OBJECT && base.type && base.type->kind == TYPE_POINTER)
        base = object_as_array(describer, base, syntax->place);
    if (value.kind == VALUE_NODE && base.kind == VALUE_ELEMENT && !describer->has_failed)
        return gathered(describer, base, value.node, syntax);
    describer_fail(describer, index->place,
                   "cannot determine the subscript: %s; write it as sums of loop indices and "
                   "products with parameters",
                   value.text ? value.text : "it is not known");
    return value_unknown(NULL);
}

/* A member: of an element, or of an object, which is called by its path. */
static struct value member_place(struct describer *describer, const struct syntax *syntax)
{
    if (syntax->count != 1)
        return failed(describer, syntax->place, "a member of nothing");
    const struct value base = evaluate(describer, syntax->children[0]);
    if (base.kind == VALUE_ELEMENT)
        return place_member(describer, base, syntax);
    if (base.kind != VALUE_OBJECT)
        return failed(describer, syntax->place, "a member of what is no record that is known here");
    const struct binding *binding = object_binding(describer, syntax);
    if (binding && binding->is_read)
        *binding->is_read = true;
    if (binding && binding->value.kind != VALUE_NONE)
        return binding->value;
    const char *path = arena_format(describer->arena, "%s.%s", base.text, syntax->name);
    const bool is_whole = syntax->type && syntax->type->kind == TYPE_INTEGER;
    if (!is_whole && !(syntax->type && syntax->type->kind == TYPE_RECORD))
        path = record_original(describer, path);
    if (is_whole)
        return unknown_parameter(describer, syntax->name, binding ? binding : &(struct binding){0},
                                 syntax->place);
    const struct value value =
        object_value(describer, path, path, syntax->type, NULL, syntax->place);
    if (binding && syntax->type && syntax->type->kind == TYPE_POINTER)
        object_take_memory(describer, &value, binding);
    return value;
}

/* The element, where it is used as what the array is made of. */
static struct value as_its_own(struct describer *describer, struct value value,
                               const struct syntax *at)
{
    const struct type *type = at->type;
    if (describer->has_failed || value.kind != VALUE_ELEMENT || !value.is_place || !type ||
        type->kind == TYPE_RECORD || (value.type && value.type->kind == TYPE_RECORD))
        return value;
    const struct array *array = value.reference.array;
    if (type->bytes <= 0 || array->element_bytes <= 0 || type->bytes == array->element_bytes)
        return value;
    describer_fail(describer, at->place,
                   "elements of %g bytes in %s, which has elements of %g: use it as what it is "
                   "declared to be",
                   type->bytes, array->name, array->element_bytes);
    return value_unknown(NULL);
}

struct value place_of(struct describer *describer, const struct syntax *syntax)
{
    const struct type *type = syntax->type;
    switch (syntax->kind) {
    case SYNTAX_NAME:
        return is_pointing(type) || (type && type->kind == TYPE_RECORD)
                   ? evaluate(describer, syntax)
                   : (struct value){0};
    case SYNTAX_SUBSCRIPT:
        return as_its_own(describer, subscript_place(describer, syntax), syntax);
    case SYNTAX_MEMBER:
        return member_place(describer, syntax);
    case SYNTAX_CAST:
        return syntax->count == 1 ? place_of(describer, syntax->children[0]) : value_unknown(NULL);
    case SYNTAX_UNARY:
        if (syntax->operation == DO_FOLLOW) {
            const struct value value = evaluate(describer, syntax->children[0]);
            if (value.kind == VALUE_OBJECT && value.type && value.type->kind == TYPE_POINTER)
                return value;
            return as_its_own(describer,
                              place_subscripted(describer, value,
                                                polynomial_constant(&describer->algebra, 0),
                                                syntax),
                              syntax);
        }
        break;
    default:
        break;
    }
    return failed(describer, syntax->place,
                  "this is neither a variable nor an element of an array");
}

/* The element as the statements before have left it, or a load. */
static int element_node(struct describer *describer, const struct reference *reference,
                        const struct syntax *at)
{
    struct part *part = describer_part(describer);
    struct graph *graph = &describer->graph;
    struct node node = {.kind = NODE_LOAD, .reference = *reference, .place = at->place};
    for (int i = part->statement_count - 1; i >= 0 && node.kind == NODE_LOAD; i--)
        if (reference_equal(&describer->algebra, &part->statements[i].to, reference)) {
            node.kind = NODE_FORWARD;
            node.operand_count = 1;
            node.operands[0] = part->statements[i].value;
        }
    for (int i = part->begin; i < graph->count; i++) {
        const struct node *known = &graph->nodes[i];
        if (known->part == part && known->kind == node.kind &&
            known->operands[0] == node.operands[0] &&
            reference_equal(&describer->algebra, &known->reference, reference))
            return i;
    }
    reference->array->is_used = reference->array->is_used || !describer->is_noting;
    return graph_add(graph, part, node);
}

static int gathered_node(struct describer *describer, const struct value *place,
                         const struct syntax *at)
{
    struct node node = {.kind = NODE_GATHER,
                        .operand_count = place->gathered_count,
                        .reference = place->reference,
                        .told = describer->told.gather,
                        .place = at->place};
    for (int i = 0; i < place->gathered_count; i++)
        node.operands[i] = place->gathered[i];
    place->reference.array->is_used = place->reference.array->is_used || !describer->is_noting;
    return graph_add(&describer->graph, describer_part(describer), node);
}

struct value place_load(struct describer *describer, struct value place, const struct syntax *at)
{
    if (describer->has_failed || place.kind != VALUE_ELEMENT || !place.is_place ||
        (place.type && place.type->kind == TYPE_RECORD))
        return place;
    if (place.type && place.type->kind == TYPE_COMPLEX)
        return failed(describer, at->place,
                      "complex numbers are not counted; write the real and the imaginary parts as "
                      "numbers of their own");
    if (place.gathered_count > 0)
        return value_of_node(gathered_node(describer, &place, at));
    return value_of_node(element_node(describer, &place.reference, at));
}
