#include "describer/walk/evaluate.h"

#include <string.h>

/* A number up to which a constant that nobody named as a parameter stays a constant. */
enum { CONSTANT_MOST = 16 };

struct value named_number(struct describer *describer, const char *name, double value,
                          struct place place)
{
    struct symbol *symbol =
        symbol_find(&describer->symbols, symbol_allowed(describer->arena, name));
    /* Another variable of that name has another value: this one is a parameter of its own. */
    const char *base = symbol_allowed(describer->arena, name);
    for (int i = 2; symbol && symbol->kind == SYMBOL_PARAMETER && symbol->has_value &&
                    !symbol->is_told && !symbol->is_defined && symbol->value != value;
         i++) {
        name = arena_format(describer->arena, "%s_%d", base, i);
        symbol = symbol_find(&describer->symbols, name);
    }
    const bool is_parameter = symbol && symbol->kind == SYMBOL_PARAMETER;
    if (!is_parameter && (value <= CONSTANT_MOST || symbol))
        return value_of_index(polynomial_constant(&describer->algebra, value));
    if (!symbol)
        symbol = symbol_parameter(&describer->symbols, name, place);
    if (!symbol->has_value)
        symbol->value = value;
    symbol->is_met = symbol->is_met || place.file;
    symbol->has_value = true;
    return value_of_index(polynomial_symbol(&describer->algebra, symbol));
}

/* A path without the numbers that tell variables of one name apart: data#12.u is data.u. */
static const char *shown_path(struct describer *describer, const char *path)
{
    char *shown = arena_copy(describer->arena, path, strlen(path));
    size_t length = 0;
    for (const char *at = path; *at;) {
        if (*at == '#')
            at += 1 + strspn(at + 1, "0123456789");
        else
            shown[length++] = *at++;
    }
    shown[length] = '\0';
    return shown;
}

/* What a new array is called: as the pointer that is about to be set to it, or as a member is
   without its record, unless that is taken. */
static const char *short_name(struct describer *describer, const char *path)
{
    if (describer->pointer_name)
        return describer->pointer_name;
    const char *name = shown_path(describer, path), *dot = strrchr(name, '.');
    if (dot && !array_find(&describer->arrays, symbol_allowed(describer->arena, dot + 1)))
        return dot + 1;
    return name;
}

static void set_extent(struct describer *describer, struct array *array, const struct type *type,
                       const struct syntax *written)
{
    polynomial extent = NULL;
    if (written) {
        const struct value value = evaluate_leniently(describer, written);
        if (value.kind == VALUE_INDEX && !polynomial_has_index(value.index))
            extent = value.index;
    }
    if (!extent && type->kind == TYPE_ARRAY && type->count > 0)
        extent = polynomial_constant(&describer->algebra, type->count);
    array->extents[array->rank++] = extent;
}

static int array_levels(const struct type *type)
{
    int levels = 0;
    for (; type && (type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER); type = type->of)
        levels += type->kind == TYPE_ARRAY;
    return levels;
}

/* The dimensions of an array from its type, and from its declaration as it is written; `skipped`
   written extents are of dimensions that are known already. */
static void set_shape(struct describer *describer, struct array *array, const struct type *type,
                      const struct declaration *declaration)
{
    const int written = declaration ? declaration->extent_count : 0;
    int at = 0, levels = array_levels(type);
    for (; type && (type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER); type = type->of) {
        if (array->rank == RANK_MOST) {
            describer_fail(describer, array->place, "%s has more than %d dimensions", array->name,
                           RANK_MOST);
            return;
        }
        const bool is_written =
            at < written && (type->kind == TYPE_ARRAY ? written - at >= 1 : written - at > levels);
        levels -= type->kind == TYPE_ARRAY;
        set_extent(describer, array, type, is_written ? declaration->extents[at] : NULL);
        at += is_written;
    }
    array->element_bytes = type ? type->bytes : 8;
    if (type && type->kind == TYPE_COMPLEX)
        describer_fail(describer, array->place,
                       "%s: complex numbers are not counted; write the real and the imaginary "
                       "parts as numbers of their own",
                       array->name);
    if (type && type->kind == TYPE_RECORD && type->atom_bytes > 0 && array->rank < RANK_MOST) {
        array->extents[array->rank++] =
            polynomial_constant(&describer->algebra, type->bytes / type->atom_bytes);
        array->element_bytes = type->atom_bytes;
        array->has_members = true;
    }
}

static struct known_object *known_at(struct describer *describer, const char *path)
{
    struct known_object *known = describer->objects;
    while (known && strcmp(known->path, path) != 0)
        known = known->next;
    return known;
}

/* Whether the extents that are written say now what they said of the array. */
static bool has_shape(struct describer *describer, const struct array *array,
                      const struct declaration *declaration)
{
    for (int d = 0; declaration && d < declaration->extent_count && d < array->rank; d++) {
        const struct syntax *written = declaration->extents[d];
        const struct value value =
            written ? evaluate_leniently(describer, written) : (struct value){0};
        if (value.kind == VALUE_INDEX && !polynomial_has_index(value.index) && array->extents[d] &&
            polynomial_value(value.index) != polynomial_value(array->extents[d]))
            return false;
    }
    return true;
}

static struct array *array_at(struct describer *describer, const char *path, const char *name,
                              const struct type *type, const struct declaration *declaration,
                              struct place place)
{
    struct known_object *known = known_at(describer, path);
    /* A function that is called with arrays of several sizes has so many arrays. */
    while (known && describer->is_recording && !has_shape(describer, known->array, declaration)) {
        if (directives_place(&describer->directives, name))
            describer_fail(describer, place,
                           "%s has another size at another call, and a directive names it: name "
                           "the arrays that main hands over instead",
                           name);
        path = arena_format(describer->arena, "%s of another size", path);
        known = known_at(describer, path);
    }
    if (known)
        return known->array;
    known = arena_take(describer->arena, 1, sizeof *known);
    known->path = path;
    const char *wanted = short_name(describer, name);
    /* Functions that main calls name the arrays of the description; main's own come second. */
    known->array = array_add(
        &describer->arrays,
        describer->is_driving ? arena_format(describer->arena, "%s of main", wanted) : wanted,
        place);
    known->array->of_main = describer->is_driving ? wanted : NULL;
    known->next = describer->objects;
    describer->objects = known;
    known->array->declaration = declaration;
    set_shape(describer, known->array, type, declaration);
    return known->array;
}

struct value object_value(struct describer *describer, const char *path, const char *name,
                          const struct type *type, const struct declaration *declaration,
                          struct place place)
{
    const bool is_record =
        type && (type->kind == TYPE_RECORD ||
                 (type->kind == TYPE_POINTER && type->of &&
                  (type->of->kind == TYPE_RECORD || type->of->kind == TYPE_OTHER ||
                   type->of->kind == TYPE_VOID)));
    if (!type || is_record || type->kind == TYPE_OTHER || type->kind == TYPE_VOID)
        return (struct value){.kind = VALUE_OBJECT, .text = path, .type = type};
    if (type->kind == TYPE_INTEGER)
        return value_of_index(polynomial_symbol(
            &describer->algebra, symbol_parameter(&describer->symbols, name, place)));
    if (type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY)
        return value_of_node(graph_add(&describer->graph, describer_part(describer),
                                       (struct node){.kind = NODE_SAME, .name = path}));
    struct array *array = array_at(describer, path, name, type, declaration, place);
    return (struct value){.kind = VALUE_ELEMENT,
                          .reference = {.array = array},
                          .offset = polynomial_constant(&describer->algebra, 0),
                          .type = type->of};
}

struct value object_as_array(struct describer *describer, struct value object, struct place place)
{
    const char *name =
        arena_format(describer->arena, "%.*s", (int)strcspn(object.text, "#"), object.text);
    struct array *array = array_at(describer, object.text, name, object.type, NULL, place);
    return (struct value){.kind = VALUE_ELEMENT,
                          .reference = {.array = array},
                          .offset = polynomial_constant(&describer->algebra, 0),
                          .type = object.type->of};
}

/* What a variable outside all functions begins with: a parameter, where it is a number. */
static struct value initial_value(struct describer *describer, struct declaration *declaration,
                                  struct place place)
{
    const struct value value = evaluate_leniently(describer, declaration->initial);
    double number;
    if (value.kind != VALUE_INDEX)
        return value;
    return polynomial_is_constant(value.index, &number)
               ? named_number(describer, declaration->name, number, place)
               : value;
}

static const char *path_of(struct describer *describer, const struct declaration *declaration)
{
    return declaration->is_external
               ? declaration->name
               : arena_format(describer->arena, "%s#%d", declaration->name, declaration->id);
}

bool object_is_of(struct describer *describer, const struct value *value,
                  const struct declaration *declaration)
{
    const char *path = path_of(describer, declaration);
    if (value->kind == VALUE_OBJECT)
        return !strcmp(value->text, path);
    for (const struct known_object *known = describer->objects;
         known && value->kind == VALUE_ELEMENT; known = known->next)
        if (known->array == value->reference.array)
            return !strcmp(known->path, path);
    return false;
}

/* The number of arguments of the program is a parameter that nobody needs to give: a program is
   described as it runs without arguments. */
static struct value argument_count(struct describer *describer,
                                   const struct declaration *declaration)
{
    struct symbol *symbol =
        symbol_parameter(&describer->symbols, declaration->name, declaration->place);
    symbol->counts_arguments = true;
    if (!symbol->has_value)
        symbol->value = 1;
    return value_of_index(polynomial_symbol(&describer->algebra, symbol));
}

static bool is_argument_count(const struct source *source, const struct declaration *declaration)
{
    for (int i = 0; i < source->function_count; i++)
        if (!strcmp(source->functions[i]->name, "main") &&
            source->functions[i]->parameter_count > 0 &&
            source->functions[i]->parameters[0] == declaration)
            return true;
    return false;
}

/* The bytes of what a pointer points at, which may be rows, as long as the source says it; NULL:
   not known. */
static polynomial bytes_pointed_at(struct describer *describer, const struct array *array,
                                   const struct type *type)
{
    polynomial elements = polynomial_constant(&describer->algebra, 1);
    for (int d = 1; type && type->kind == TYPE_ARRAY && d < array->rank && array->extents[d]; d++) {
        elements = polynomial_product(&describer->algebra, elements, array->extents[d]);
        type = type->of;
    }
    return type && type->bytes > 0 ? polynomial_scaled(&describer->algebra, elements, type->bytes)
                                   : NULL;
}

void object_take_memory(struct describer *describer, const struct value *object,
                        const struct binding *binding)
{
    polynomial first, rest;
    struct array *array = object->reference.array;
    if (object->kind != VALUE_ELEMENT || array->rank == 0)
        return;
    for (int d = 0; binding->shape && binding->shape->rank == array->rank && d < array->rank; d++)
        if (!array->extents[d])
            array->extents[d] = binding->shape->extents[d];
    polynomial each = bytes_pointed_at(describer, array, object->type);
    if (array->extents[0] || !binding->bytes || !each || polynomial_has_index(binding->bytes))
        return;
    polynomial_divide(&describer->algebra, binding->bytes, each, &first, &rest);
    if (rest->count == 0 && polynomial_value(first) > 0)
        array->extents[0] = first;
}

struct value unknown_parameter(struct describer *describer, const char *name,
                               const struct binding *binding, struct place place)
{
    const char *base = name = symbol_allowed(describer->arena, name);
    struct symbol *known = symbol_find(&describer->symbols, name);
    if (known && binding->origin && known->kind == SYMBOL_PARAMETER && !known->is_told &&
        !known->is_defined && describer->segment_count == 0)
        known->has_value = false; /* nothing is described yet that has it */
    /* A value that the variable had before is not that of the parameter. */
    for (int i = 2;
         known && binding->origin && known->has_value && !known->is_told && !known->is_defined;
         i++) {
        name = arena_format(describer->arena, "%s_%d", base, i);
        known = symbol_find(&describer->symbols, name);
    }
    struct symbol *symbol = symbol_parameter(&describer->symbols, name, place);
    if (binding->origin && !symbol->has_value && !symbol->origin) {
        symbol->origin = binding->origin;
        symbol->place = binding->place;
    }
    return value_of_index(polynomial_symbol(&describer->algebra, symbol));
}

struct value variable_value(struct describer *describer, struct declaration *declaration,
                            struct place place)
{
    struct binding *binding = &describer->bindings[declaration->id];
    const struct type *type = declaration->type;
    if (is_argument_count(describer->source, declaration) && binding->value.kind == VALUE_NONE)
        binding->value = argument_count(describer, declaration);
    if (declaration->is_enumerator)
        return named_number(describer, declaration->name, declaration->value, place);
    if (binding->is_read)
        *binding->is_read = true;
    if (binding->value.kind != VALUE_NONE)
        return binding->value;
    struct value value = {0};
    if (declaration->initial && declaration->is_global && type->kind == TYPE_INTEGER)
        value = initial_value(describer, declaration, place);
    if (value.kind == VALUE_NONE) {
        const char *path = path_of(describer, declaration);
        value = type->kind == TYPE_INTEGER
                    ? unknown_parameter(describer, declaration->name, binding, declaration->place)
                    : object_value(describer, path, declaration->name, type, declaration,
                                   declaration->place);
        if (type->kind == TYPE_POINTER)
            object_take_memory(describer, &value, binding);
    }
    binding->value = value;
    if (declaration->is_global && value.kind == VALUE_OBJECT && type->kind == TYPE_RECORD &&
        declaration->initial && declaration->initial->kind == SYNTAX_LIST)
        record_initialize(describer, value.text, declaration->initial);
    return value;
}

struct binding *member_binding(struct describer *describer, const char *path)
{
    int i = 0;
    while (i < describer->member_count && strcmp(describer->members[i], path) != 0)
        i++;
    if (i == MEMBERS_MOST)
        return NULL;
    if (i == describer->member_count)
        describer->members[describer->member_count++] = path;
    return &describer->bindings[describer->source->declaration_count + i];
}

/* ---- records ---- */

static bool is_member_of(const char *path, const char *record)
{
    const size_t length = strlen(record);
    return !strncmp(path, record, length) && path[length] == '.';
}

void record_forget(struct describer *describer, const char *path, const char *origin,
                   struct place place)
{
    for (int i = 0; i < describer->member_count; i++)
        if (is_member_of(describer->members[i], path)) {
            struct binding *binding =
                &describer->bindings[describer->source->declaration_count + i];
            if (binding->value.kind != VALUE_ELEMENT)
                *binding = (struct binding){.origin = origin, .place = place};
        }
}

static void begin_member(struct describer *describer, const char *path, enum type_kind kind,
                         const struct syntax *initial)
{
    const char *dot = strrchr(path, '.');
    struct binding *binding = member_binding(describer, path);
    double number = 0;
    if (binding && initial && kind == TYPE_POINTER) {
        const struct value pointer = evaluate_leniently(describer, initial);
        if (pointer.kind == VALUE_FUNCTION || pointer.kind == VALUE_OBJECT ||
            pointer.kind == VALUE_ADDRESS || pointer.kind == VALUE_ELEMENT)
            *binding = (struct binding){.value = pointer};
    }
    if (!binding || (kind != TYPE_INTEGER && kind != TYPE_FLOATING))
        return;
    struct value value = value_of_index(polynomial_constant(&describer->algebra, 0));
    const bool asked_rank = describer->asked.rank;
    describer->asked.rank = false;
    if (initial)
        value = evaluate_leniently(describer, initial);
    const bool is_by_rank = describer->asked.rank;
    describer->asked.rank = is_by_rank || asked_rank;
    if (kind == TYPE_INTEGER && value.kind == VALUE_INDEX && !describer->loop &&
        polynomial_is_constant(value.index, &number) && initial)
        value = named_number(describer, dot + 1, number, initial->place);
    if (kind == TYPE_FLOATING && value.kind == VALUE_INDEX && initial)
        value = value_of_node(value_node(describer, value, initial));
    *binding =
        (struct binding){.value = value, .depth = describer->loop ? describer->loop->depth + 1 : 0};
    if (value.kind == VALUE_INDEX && is_by_rank && condition_is_one(initial))
        binding->condition = initial;
    binding->is_by_process = binding->condition;
    if (value.kind == VALUE_NONE && initial) {
        binding->origin = origin_text(describer, initial);
        binding->place = initial->place;
    }
}

static void begin_zero(struct describer *describer, const char *path, const struct field *fields,
                       int count)
{
    for (int i = 0; i < count; i++) {
        const char *member = arena_format(describer->arena, "%s.%s", path, fields[i].name);
        if (fields[i].kind == TYPE_RECORD)
            begin_zero(describer, member, fields[i].fields, fields[i].field_count);
        else
            begin_member(describer, member, fields[i].kind, NULL);
    }
}

static const struct field *field_named(const struct field *fields, int count, const char *path,
                                       int *number)
{
    const size_t length = strcspn(path, ".");
    for (int i = 0; i < count; i++)
        if (strlen(fields[i].name) == length && !strncmp(fields[i].name, path, length)) {
            *number = i;
            return path[length] ? field_named(fields[i].fields, fields[i].field_count,
                                              path + length + 1, &(int){0})
                                : &fields[i];
        }
    return NULL;
}

/* Members in order take the values from number *at on; braces around those of a record within may
   be left out. */
static void begin_in_order(struct describer *describer, const char *path,
                           const struct field *fields, int count, const struct syntax *list,
                           int *at)
{
    for (int i = 0; *at < list->count; i++) {
        const struct syntax *child = list->children[*at];
        if (i >= count && child->kind != SYNTAX_DESIGNATED)
            return;
        const struct field *field = i < count ? &fields[i] : NULL;
        const struct syntax *value = child;
        if (child->kind == SYNTAX_DESIGNATED) {
            int number = 0;
            field = field_named(fields, count, child->name, &number);
            if (!field)
                return;
            i = number;
            value = child->children[0];
        }
        const char *member = arena_format(describer->arena, "%s.%s", path,
                                          value == child ? field->name : child->name);
        if (field->kind == TYPE_RECORD && value->kind != SYNTAX_LIST && value == child) {
            begin_in_order(describer, member, field->fields, field->field_count, list, at);
            continue;
        }
        if (field->kind == TYPE_RECORD && value->kind == SYNTAX_LIST)
            begin_in_order(describer, member, field->fields, field->field_count, value, &(int){0});
        else
            begin_member(describer, member, field->kind, value);
        ++*at;
    }
}

void record_initialize(struct describer *describer, const char *path, const struct syntax *list)
{
    int at = 0;
    record_forget(describer, path, NULL, list->place);
    begin_zero(describer, path, list->fields, list->field_count);
    begin_in_order(describer, path, list->fields, list->field_count, list, &at);
}

void record_copy(struct describer *describer, const char *path, const char *from)
{
    const int count = describer->member_count;
    record_forget(describer, path, NULL, describer->here);
    for (int i = 0; i < count && strcmp(path, from) != 0; i++)
        if (is_member_of(describer->members[i], from)) {
            struct binding *binding =
                member_binding(describer, arena_format(describer->arena, "%s%s", path,
                                                       describer->members[i] + strlen(from)));
            if (binding)
                *binding = describer->bindings[describer->source->declaration_count + i];
        }
    struct copied_object *copy = arena_take(describer->arena, 1, sizeof *copy);
    *copy = (struct copied_object){path, from, describer->copies};
    describer->copies = copy;
}

const char *record_original(struct describer *describer, const char *path)
{
    for (const struct copied_object *copy = describer->copies; copy; copy = copy->next)
        if (is_member_of(path, copy->path) && strcmp(copy->path, copy->of) != 0)
            return arena_format(describer->arena, "%s%s", copy->of, path + strlen(copy->path));
    return path;
}

struct binding *object_binding(struct describer *describer, const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    if (syntax->kind == SYNTAX_NAME)
        return &describer->bindings[syntax->declaration->id];
    if (syntax->kind == SYNTAX_SUBSCRIPT || syntax->kind == SYNTAX_UNARY)
        return element_binding(describer, syntax, NULL);
    if (syntax->kind != SYNTAX_MEMBER || syntax->count != 1)
        return NULL;
    const struct value base = evaluate_leniently(describer, syntax->children[0]);
    if (base.kind != VALUE_OBJECT)
        return NULL;
    return member_binding(describer,
                          arena_format(describer->arena, "%s.%s", base.text, syntax->name));
}
