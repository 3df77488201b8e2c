/* Arrays that are so many scalars: floating-point elements that are named by constants alone,
   acc[0] or *sum, which some loop hands from iteration to iteration. */
#include "describer/walk/evaluate.h"

#include <ctype.h>
#include <string.h>

static const struct syntax *bare(const struct syntax *syntax)
{
    while (syntax->kind == SYNTAX_CAST && syntax->count == 1)
        syntax = syntax->children[0];
    return syntax;
}

static bool is_whole(const struct syntax *syntax, double *value)
{
    syntax = bare(syntax);
    const bool is_enumerator =
        syntax->kind == SYNTAX_NAME && syntax->declaration && syntax->declaration->is_enumerator;
    *value = is_enumerator ? syntax->declaration->value : syntax->number;
    return is_enumerator || syntax->kind == SYNTAX_INTEGER;
}

/* The array or pointer of which it is an element that constants name; `text` (may be NULL): the
   subscripts, as they stand behind its name. NULL: it is none. */
static const struct declaration *named_array(struct describer *describer,
                                             const struct syntax *syntax, const char **text)
{
    const char *subscripts = "";
    int depth = 0;
    double value;
    syntax = bare(syntax);
    if (!syntax->type || syntax->type->kind != TYPE_FLOATING)
        return NULL;
    for (; syntax->kind == SYNTAX_SUBSCRIPT ||
           (syntax->kind == SYNTAX_UNARY && syntax->operation == DO_FOLLOW);
         syntax = bare(syntax->children[0]), depth++) {
        value = 0;
        if (syntax->kind == SYNTAX_SUBSCRIPT && !is_whole(syntax->children[1], &value))
            return NULL;
        if (text)
            subscripts = arena_format(describer->arena, "_%g%s", value, subscripts);
    }
    if (depth == 0 || syntax->kind != SYNTAX_NAME || !syntax->declaration)
        return NULL;
    if (text)
        *text = subscripts;
    return syntax->declaration;
}

/* Whether the array is nowhere but in such elements. */
static bool is_elements(struct describer *describer, const struct syntax *syntax,
                        const struct declaration *array)
{
    if (syntax->kind == SYNTAX_NAME)
        return syntax->declaration != array;
    if (named_array(describer, syntax, NULL) == array)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && !is_elements(describer, syntax->children[i], array))
            return false;
    return true;
}

/* What a statement does with elements of the array. */
struct uses {
    bool reads, assigns;
};

static void find_uses(struct describer *describer, const struct syntax *syntax,
                      const struct declaration *array, struct uses *uses)
{
    int first = 0;
    if (syntax->kind == SYNTAX_ASSIGN &&
        named_array(describer, syntax->children[0], NULL) == array) {
        uses->assigns = true;
        uses->reads = uses->reads || syntax->operation != DO_NOTHING;
        first = 1;
    } else if (named_array(describer, syntax, NULL) == array)
        uses->reads = true;
    for (int i = first; i < syntax->count; i++)
        if (syntax->children[i])
            find_uses(describer, syntax->children[i], array, uses);
}

static bool is_carried(struct describer *describer, const struct syntax *syntax,
                       const struct declaration *array)
{
    struct uses uses = {false, false};
    if (syntax->kind == SYNTAX_FOR && syntax->children[3])
        find_uses(describer, syntax->children[3], array, &uses);
    if (uses.reads && uses.assigns)
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && is_carried(describer, syntax->children[i], array))
            return true;
    return false;
}

/* Whether a directive names it: then it is an array to whoever wrote that. */
static bool is_told(const struct describer *describer, const char *name)
{
    const size_t length = strlen(name);
    for (int i = 0; i < describer->directives.count; i++)
        for (const char *at = describer->directives.items[i].rest; at && (at = strstr(at, name));
             at++) {
            const bool begins = at == describer->directives.items[i].rest ||
                                (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
            if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
                return true;
        }
    return false;
}

static bool is_scalars(struct describer *describer, const struct declaration *array)
{
    const struct source *source = describer->source;
    bool is_found = false;
    if (!describer->element_kinds)
        describer->element_kinds = arena_take(describer->arena, (size_t)source->declaration_count,
                                              sizeof *describer->element_kinds);
    enum element_kind *kind = &describer->element_kinds[array->id];
    if (*kind != ELEMENTS_UNKNOWN)
        return *kind == ELEMENTS_SCALARS;
    *kind = ELEMENTS_ARRAY;
    if (is_told(describer, array->name))
        return false;
    for (int i = 0; i < source->function_count; i++) {
        const struct syntax *body = source->functions[i]->body;
        if (body && !is_elements(describer, body, array))
            return false;
        is_found = is_found || (body && is_carried(describer, body, array));
    }
    *kind = is_found ? ELEMENTS_SCALARS : ELEMENTS_ARRAY;
    return is_found;
}

/* A pointer that was set to something is that. */
static bool is_own(struct describer *describer, const struct declaration *array)
{
    const struct value *value = &describer->bindings[array->id].value;
    return value->kind == VALUE_NONE || object_is_of(describer, value, array);
}

struct binding *element_binding(struct describer *describer, const struct syntax *syntax,
                                const char **name)
{
    const char *subscripts;
    const struct declaration *array = named_array(describer, syntax, NULL);
    if (!array || !is_scalars(describer, array) || !is_own(describer, array))
        return NULL;
    named_array(describer, syntax, &subscripts);
    if (name)
        *name = arena_format(describer->arena, "%s%s", array->name, subscripts);
    return member_binding(
        describer, arena_format(describer->arena, "%s#%d[]%s", array->name, array->id, subscripts));
}

bool element_is_of(struct describer *describer, const struct binding *binding,
                   const struct declaration *array)
{
    const int i = (int)(binding - describer->bindings) - describer->source->declaration_count;
    if (i < 0 || i >= describer->member_count)
        return false;
    const char *path = arena_format(describer->arena, "%s#%d[]", array->name, array->id);
    return !strncmp(describer->members[i], path, strlen(path));
}

void elements_declare(struct describer *describer, const struct declaration *array)
{
    const struct syntax *initial = array->initial;
    if (!is_scalars(describer, array))
        return;
    for (int i = 0; i < describer->member_count; i++) {
        struct binding *binding = &describer->bindings[describer->source->declaration_count + i];
        if (element_is_of(describer, binding, array)) {
            binding->value = (struct value){0};
            binding->depth = describer->loop ? describer->loop->depth + 1 : 0;
        }
    }
    for (int i = 0; initial && initial->kind == SYNTAX_LIST && i < initial->count; i++) {
        const struct value value = evaluate(describer, initial->children[i]);
        struct binding *binding = member_binding(
            describer, arena_format(describer->arena, "%s#%d[]_%d", array->name, array->id, i));
        if (binding && value.kind == VALUE_NODE) {
            binding->value = value;
            binding->depth = describer->loop ? describer->loop->depth + 1 : 0;
        }
    }
}
