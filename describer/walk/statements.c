#include "describer/walk/evaluate.h"

#include "describer/walk/arguments.h"
#include "describer/walk/jumps.h"
#include "describer/walk/messages.h"
#include "describer/walk/outside.h"

#include <string.h>

static struct statement *new_statement(struct describer *describer, struct part *part)
{
    if (part->statement_count == part->statement_room) {
        part->statement_room = part->statement_room ? 2 * part->statement_room : 8;
        struct statement *all =
            arena_take(describer->arena, (size_t)part->statement_room, sizeof *all);
        if (part->statement_count)
            memcpy(all, part->statements, (size_t)part->statement_count * sizeof *all);
        part->statements = all;
    }
    return &part->statements[part->statement_count++];
}

/* What an element is one of, as the source calls it; NULL: that has no name. */
static const char *name_of(const struct syntax *element)
{
    while (element->count > 0 && element->kind != SYNTAX_CALL)
        element = element->children[0];
    return element->kind == SYNTAX_NAME ? element->name : NULL;
}

/* An assignment to an element. The same element assigned before in the iteration is stored once. */
static void store(struct describer *describer, const struct value *to, struct value value,
                  const struct syntax *at)
{
    if (to->gathered_count > 0) {
        describer_fail(describer, at->place,
                       "an element of %s whose subscript is data is assigned: nothing says where "
                       "it lies; `ignore` the statement, or write it with subscripts of indices",
                       to->reference.array->name);
        return;
    }
    const int node = value_node(describer, value, at);
    struct part *part = describer_part(describer);
    struct node *made = &describer->graph.nodes[node];
    if (made->part != part)
        made->is_live_out = true;
    to->reference.array->is_used = to->reference.array->is_used || !describer->is_noting;
    for (int i = 0; i < part->statement_count; i++)
        if (reference_equal(&describer->algebra, &part->statements[i].to, &to->reference))
            part->statements[i].is_dropped = true;
    *new_statement(describer, part) = (struct statement){.to = to->reference,
                                                         .value = node,
                                                         .place = describer->here,
                                                         .name = name_of(at),
                                                         .home = home_told(describer),
                                                         .strip = describer->told.strip,
                                                         .reduction = describer->told.reduction,
                                                         .colour = describer->colour};
}

void assign_to_place(struct describer *describer, const struct value *place, struct value value,
                     const struct syntax *at)
{
    store(describer, place, value, at);
}

/* A record whose members are all as long. */
static bool is_record(const struct value *value)
{
    return value->kind == VALUE_ELEMENT && value->is_place && value->type &&
           value->type->kind == TYPE_RECORD && value->type->atom_bytes > 0;
}

static struct value atom_of(struct describer *describer, const struct value *record, int i)
{
    struct value atom = *record;
    polynomial begin =
        record->is_within ? record->offset : polynomial_constant(&describer->algebra, 0);
    if (atom.reference.count < RANK_MOST)
        atom.reference.subscripts[atom.reference.count++] =
            polynomial_plus(&describer->algebra, begin, i);
    atom.type = NULL;
    return atom;
}

/* Member by member. */
static void copy_record(struct describer *describer, const struct value *to,
                        const struct value *from, const struct syntax *at)
{
    const double count = to->type->bytes / to->type->atom_bytes;
    for (int i = 0; i < count && i < 64 && !describer_is_stopped(describer); i++) {
        const struct value target = atom_of(describer, to, i);
        store(describer, &target, place_load(describer, atom_of(describer, from, i), at), at);
    }
}

/* A record that a function takes memory for is another one at each place from which the function is
   called: called by its pointer, and these places. */
static struct value taken_record(struct describer *describer, const struct type *type,
                                 const char *path)
{
    for (int i = 0; i < describer->entered; i++)
        path = arena_format(describer->arena, "%s#%zu", path,
                            describer->calls[i] ? describer->calls[i]->begin : 0);
    record_forget(describer, path, NULL, describer->here);
    return (struct value){.kind = VALUE_OBJECT, .text = path, .type = type};
}

static bool takes_record(const struct type *type, const struct value *value)
{
    return type && type->kind == TYPE_POINTER && type->of && type->of->kind == TYPE_RECORD &&
           value->kind == VALUE_NONE && value->bytes;
}

static void bind(struct describer *describer, struct binding *binding, const struct type *type,
                 struct value value, const struct syntax *at)
{
    const bool is_known =
        value.kind == VALUE_INDEX || value.kind == VALUE_ELEMENT || value.kind == VALUE_OBJECT;
    if (type && type->kind == TYPE_FLOATING && value.kind != VALUE_NONE)
        value = value_of_node(value_node(describer, value, at));
    binding->value = value;
    binding->is_read = NULL;
    binding->assigned = describer->here;
    binding->home = home_told(describer);
    binding->reduction = describer->told.reduction;
    const bool is_condition =
        (value.kind == VALUE_INDEX || value.kind == VALUE_UNKNOWN) && condition_is_one(at);
    const bool is_by_rank =
        is_condition && (describer->asked.rank || condition_names_another(describer, at));
    binding->is_by_process = is_by_rank;
    binding->condition = is_by_rank ? at : NULL;
    binding->origin = NULL;
    binding->bytes = value.kind == VALUE_NONE ? value.bytes : NULL;
    binding->shape = value.kind == VALUE_NONE ? value.shape : NULL;
    if (is_known || !type || type->kind != TYPE_INTEGER)
        return;
    binding->origin = origin_text(describer, at);
    binding->place = at->place;
}

/* a[i] = malloc(...), a[i] = a[0] + i * n, a[i] = &all[i * n]: the rows of a, and how long they
   are. Those of another array are the same memory as that. */
static void set_row(struct describer *describer, const struct reference *to,
                    const struct value *value)
{
    struct algebra *algebra = &describer->algebra;
    struct array *array = to->array;
    polynomial length = NULL, rest = polynomial_constant(algebra, 0);
    if (value->kind == VALUE_ELEMENT && value->reference.array != array)
        array->lies_in = value->reference.array;
    const bool is_each = describer->loop && to->count == 1 &&
                         polynomial_has(to->subscripts[0], describer->loop->index);
    if (!is_each || array->rank < 2 || array->extents[1])
        return;
    if (value->kind == VALUE_NONE && value->bytes && array->element_bytes > 0)
        polynomial_divide(algebra, value->bytes, polynomial_constant(algebra, array->element_bytes),
                          &length, &rest);
    else if (value->kind == VALUE_ELEMENT && value->offset)
        length = polynomial_coefficient(algebra, value->offset, describer->loop->index);
    if (length && rest->count == 0 && length->count > 0 && !polynomial_has_index(length))
        array->extents[1] = length;
}

void assign(struct describer *describer, const struct syntax *to, struct value value, bool is_fresh)
{
    while (to->kind == SYNTAX_CAST && to->count == 1)
        to = to->children[0];
    const struct syntax *of = pointed_variable(describer, to);
    if (of) {
        assign(describer, of, value, is_fresh);
        return;
    }
    const bool is_array = to->type && to->type->kind == TYPE_ARRAY;
    struct binding *binding = is_array ? NULL : object_binding(describer, to);
    const bool is_record_value = to->type && to->type->kind == TYPE_RECORD;
    if (binding && is_record_value && value.kind == VALUE_OBJECT) {
        const struct value record = evaluate(describer, to);
        if (record.kind == VALUE_OBJECT) {
            record_copy(describer, record.text, value.text);
            return;
        }
    }
    if (binding && describer->entered > 0 && takes_record(to->type, &value)) {
        binding->value = (struct value){0};
        const struct value record = evaluate(describer, to);
        if (record.kind == VALUE_OBJECT)
            value = taken_record(describer, to->type, record.text);
    }
    if (binding && !is_record_value) {
        bind(describer, binding, to->type, value,
             describer->assigned_from ? describer->assigned_from : to);
        if (is_fresh)
            binding->depth = describer->loop ? describer->loop->depth + 1 : 0;
        return;
    }
    const struct value place = place_of(describer, to);
    if (describer_is_stopped(describer))
        return;
    const bool is_row = place.kind == VALUE_ELEMENT && !place.is_place && to->type &&
                        to->type->kind == TYPE_POINTER;
    if (is_row && value.kind != VALUE_NODE)
        set_row(describer, &place.reference, &value);
    else if (place.kind == VALUE_ELEMENT && place.is_place && place.type->kind != TYPE_RECORD)
        store(describer, &place, value, to);
    else if (is_record(&place) && is_record(&value) && place.type->bytes == value.type->bytes)
        copy_record(describer, &place, &value, to);
    else
        describer_fail(describer, to->place,
                       "an assignment to all of an array or record: write it element by element");
}

/* A whole number that a variable begins with outside all loops is a parameter of that name. */
static struct value begun(struct describer *describer, const char *name, struct place place,
                          struct value value)
{
    double number;
    if (value.kind != VALUE_INDEX || describer->loop || describer->unrolled)
        return value;
    if (polynomial_is_constant(value.index, &number)) {
        struct symbol *told =
            symbol_find(&describer->symbols, symbol_allowed(describer->arena, name));
        /* 0 is what stands there until the number is known. */
        if (told && (told->is_told || told->is_defined) && number != 0) {
            struct symbol set = *told;
            set.is_instead = told->set_in == describer->function;
            set.instead_of = told->set_to;
            arguments_note_told(describer, &set, value.index, place);
            told->set_in = describer->function;
            told->set_to = number;
        }
        return named_number(describer, name, number, place);
    }
    const struct term *term = &value.index->terms[0];
    if (value.index->count == 1 && term->degree == 1 && term->factor == 1 &&
        term->symbols[0]->kind == SYMBOL_DERIVED && !strncmp(term->symbols[0]->name, "whole", 5))
        symbol_rename(&describer->symbols, term->symbols[0], name);
    return value;
}

static void execute_assignment(struct describer *describer, const struct syntax *syntax)
{
    const struct syntax *to = syntax->children[0];
    const bool asked_rank = describer->asked.rank;
    describer->asked.rank = false;
    struct value value = evaluate_turn(describer, syntax->children[1]);
    if (syntax->operation != DO_NOTHING && !describer_is_stopped(describer)) {
        const struct value before = evaluate(describer, to);
        if (!describer_is_stopped(describer))
            value = value_arithmetic(describer, syntax->operation, before, value, to);
    }
    if (describer_is_stopped(describer))
        return;
    const struct syntax *target = variable_meant(describer, to);
    if (syntax->operation == DO_NOTHING && !describer->is_in_head &&
        (target->kind == SYNTAX_NAME || target->kind == SYNTAX_MEMBER) && target->type &&
        target->type->kind == TYPE_INTEGER)
        value = begun(describer, target->name, target->place, value);
    describer->assigned_from = syntax->children[1];
    assign(describer, to, value, syntax->operation == DO_NOTHING);
    describer->assigned_from = NULL;
    describer->asked.rank = describer->asked.rank || asked_rank;
}

/* A record of a function: with the members that its initialisers give, or those of another one. */
static void declare_record(struct describer *describer, struct declaration *declaration)
{
    const struct syntax *initial = declaration->initial;
    const struct value record = variable_value(describer, declaration, declaration->place);
    if (record.kind != VALUE_OBJECT)
        return;
    record_forget(describer, record.text, NULL, declaration->place);
    if (!initial)
        return;
    if (initial->kind == SYNTAX_LIST) {
        record_initialize(describer, record.text, initial);
        return;
    }
    const struct value value = evaluate(describer, initial);
    if (value.kind == VALUE_OBJECT)
        record_copy(describer, record.text, value.text);
    else
        record_forget(describer, record.text, origin_text(describer, initial), initial->place);
}

static void declare(struct describer *describer, struct declaration *declaration)
{
    struct binding *binding = &describer->bindings[declaration->id];
    const struct type *type = declaration->type;
    if (declaration->is_global) /* static: it keeps its value */
        return;
    binding->value = (struct value){0};
    binding->depth = describer->loop ? describer->loop->depth + 1 : 0;
    const struct syntax *initial = declaration->initial;
    binding->origin = NULL;
    binding->is_read = NULL;
    if (type->kind == TYPE_RECORD)
        declare_record(describer, declaration);
    if (type->kind == TYPE_ARRAY) {
        elements_declare(describer, declaration);
        if (describer->loop) { /* each iteration has a new one (count/privates.h) */
            struct declared_array *declared = arena_take(describer->arena, 1, sizeof *declared);
            *declared = (struct declared_array){declaration, describer->loop, describer->declared};
            describer->declared = declared;
        }
    }
    if (!initial || type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD)
        return;
    if (type->kind == TYPE_POINTER && initial->kind == SYNTAX_MEMBER)
        describer->pointer_name = declaration->name;
    const bool asked_rank = describer->asked.rank;
    describer->asked.rank = false;
    struct value value =
        type->kind == TYPE_INTEGER ? value_whole(describer, initial) : (struct value){0};
    if (value.kind == VALUE_NONE)
        value = evaluate_turn(describer, initial);
    describer->pointer_name = NULL;
    if (describer_is_stopped(describer))
        return;
    if (type->kind == TYPE_INTEGER && !describer->is_in_head)
        value = begun(describer, declaration->name, declaration->place, value);
    const bool is_null = value.kind == VALUE_INDEX && initial->kind == SYNTAX_CALL;
    if (type->kind == TYPE_POINTER && value.kind != VALUE_NONE && value.kind != VALUE_ELEMENT &&
        value.kind != VALUE_OBJECT && value.kind != VALUE_ADDRESS && value.kind != VALUE_FUNCTION &&
        !is_null && initial->kind != SYNTAX_CONDITIONAL)
        value = (struct value){0};
    if (describer->entered > 0 && takes_record(type, &value)) {
        const struct value record = variable_value(describer, declaration, declaration->place);
        if (record.kind == VALUE_OBJECT)
            value = taken_record(describer, type, record.text);
    }
    bind(describer, binding, type, value, initial);
    describer->asked.rank = describer->asked.rank || asked_rank;
}

/* What a function gives back. Before a segment, a pointer that it has of itself, or NULL, is memory
   that it has taken: every call takes another, which is called as the caller calls it. Records are
   what the function has made of them. */
static struct value returned_value(struct describer *describer, const struct syntax *syntax)
{
    const struct value value = evaluate_turn(describer, syntax);
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    const struct type *type = syntax->type;
    if (!describer->is_recording || !type || type->kind != TYPE_POINTER ||
        (type->of && type->of->kind == TYPE_RECORD))
        return value;
    const bool is_number = value.kind == VALUE_INDEX || value.kind == VALUE_NODE;
    const bool is_own = syntax->kind == SYNTAX_NAME && !syntax->declaration->is_global &&
                        !syntax->declaration->is_external &&
                        object_is_of(describer, &value, syntax->declaration);
    const bool has_shape = is_own && value.kind == VALUE_ELEMENT;
    return is_number || is_own ? (struct value){.shape = has_shape ? value.reference.array : NULL}
                               : value;
}

static void execute_return(struct describer *describer, const struct syntax *syntax)
{
    describer->returned = (struct value){0};
    if (syntax->count > 0 && describer->entered > 0)
        describer->returned = returned_value(describer, syntax->children[0]);
    if (!describer_is_stopped(describer))
        describer->has_returned = true;
}

static void execute_jump(struct describer *describer, const struct syntax *syntax)
{
    if (!jump_execute(describer, syntax))
        describer_fail(describer, syntax->place,
                       "%s: where the program goes is not followed; write it with if and for, or "
                       "`ignore` it",
                       syntax->name);
}

/* One statement after the other. What follows an `if` with a `continue` belongs to its ways. */
static void execute_block(struct describer *describer, const struct syntax *block)
{
    for (int i = 0; i < block->count && !describer_is_stopped(describer); i++) {
        const struct syntax *statement = branch_with_next(describer, block, &i);
        if (statement->kind != SYNTAX_IF || !jump_continues(statement)) {
            execute(describer, statement);
            continue;
        }
        execute(describer, jump_with_rest(describer, statement, block, i + 1));
        return;
    }
}

static void execute_kind(struct describer *describer, const struct syntax *syntax)
{
    switch (syntax->kind) {
    case SYNTAX_BLOCK:
    case SYNTAX_DECLARE:
        execute_block(describer, syntax);
        break;
    case SYNTAX_VARIABLE:
        declare(describer, syntax->declaration);
        break;
    case SYNTAX_FOR:
    case SYNTAX_WHILE:
    case SYNTAX_DO:
        execute_loop(describer, syntax);
        break;
    case SYNTAX_ASSIGN:
        execute_assignment(describer, syntax);
        break;
    case SYNTAX_IF:
        execute_branch(describer, syntax);
        break;
    case SYNTAX_RETURN:
        execute_return(describer, syntax);
        break;
    case SYNTAX_EMPTY:
        break;
    case SYNTAX_JUMP:
        execute_jump(describer, syntax);
        break;
    default:
        evaluate(describer, syntax);
    }
}

/* Whether the statement is worth to be gone through for its messages alone. */
static bool messages_alone(struct describer *describer, const struct syntax *syntax)
{
    const bool chooses = syntax->kind == SYNTAX_FOR || syntax->kind == SYNTAX_WHILE ||
                         syntax->kind == SYNTAX_DO || syntax->kind == SYNTAX_IF ||
                         (syntax->kind == SYNTAX_JUMP && syntax->count > 0);
    return chooses && describer->is_recording && !describer->is_tried &&
           messages_reached(describer, syntax, 0) && !computes(describer, syntax, 0);
}

/* A statement that sends and receives and computes nothing. Where it is not understood, who sends
   what in it may follow from the processes' own ways all the same (ranks/settle.c). */
static void execute_messages(struct describer *describer, const struct syntax *syntax)
{
    struct error kept, *error = describer->error;
    struct snapshot *before = snapshot_take(describer);
    const int message_count = describer->message_count, entered = describer->entered;
    const int symbols = describer->symbols.count, remarks = describer->remark_count;
    bool *was_used = arena_take(describer->arena, (size_t)symbols + 1, sizeof *was_used);
    for (int i = 0; i < symbols; i++)
        was_used[i] = describer->symbols.items[i]->is_used;
    describer->error = &kept;
    describer->is_tried = true;
    execute_kind(describer, syntax);
    describer->is_tried = false;
    describer->error = error;
    if (describer->has_failed) {
        struct assigned_list list = {.count = 0};
        describer->has_failed = false;
        describer->split.loop = NULL;
        describer->has_returned = describer->is_too_long = false;
        describer->entered = entered;
        describer->remark_count = remarks;
        snapshot_restore(describer, before);
        describer->message_count =
            message_count < describer->message_count ? message_count : describer->message_count;
        for (int i = 0; i < describer->symbols.count; i++)
            describer->symbols.items[i]->is_used = i < symbols && was_used[i];
        assigned_in(describer, syntax, &list);
        for (int i = 0; i < list.count; i++)
            list.items[i].binding->value = value_unknown(arena_format(
                describer->arena, "%s is set where messages are sent", list.items[i].name));
        describer->is_by_rank = true;
        struct outline *call = messages_add_unknown(describer, syntax->place);
        call->why = arena_format(describer->arena, "%s", kept.text);
        if (kept.line > 0)
            call->place =
                place_at(arena_format(describer->arena, "%s", kept.file), kept.line, kept.column);
    }
    snapshot_free(before);
}

static struct directive *told(struct describer *describer, enum word word,
                              const struct syntax *syntax, struct directive *before)
{
    struct directive *directive = directive_before(&describer->directives, word, syntax);
    if (directive)
        directive->is_used = true;
    return directive ? directive : before;
}

void execute(struct describer *describer, const struct syntax *syntax)
{
    if (describer_is_stopped(describer))
        return;
    if (++describer->steps > STEPS_MOST) {
        describer_fail(describer, syntax->place,
                       "too much to be gone through statement by "
                       "statement; describe a smaller segment");
        return;
    }
    if (!describer->is_recording && outside_execute(describer, syntax))
        return;
    struct directive *ignored = directive_before(&describer->directives, WORD_IGNORE, syntax);
    if (ignored) {
        ignored->is_used = true;
        return;
    }
    const struct told before = describer->told;
    describer->here = syntax->place;
    describer->told.gather = told(describer, WORD_GATHER, syntax, before.gather);
    describer->told.home = told(describer, WORD_HOME, syntax, before.home);
    if (describer->told.home != before.home)
        describer->told.home_at = syntax;
    describer->told.strip = told(describer, WORD_STRIP, syntax, before.strip);
    describer->told.reduction = told(describer, WORD_REDUCTION, syntax, before.reduction);
    if (messages_alone(describer, syntax))
        execute_messages(describer, syntax);
    else
        execute_kind(describer, syntax);
    if (describer->algebra.is_exceeded)
        describer_fail(describer, syntax->place,
                       "a subscript or bound has too many terms, or too high a degree");
    if (describer->graph.is_full)
        describer_fail(describer, syntax->place, "too many operations; describe a smaller segment");
    describer->told = before;
}
