/* Where a directive says that a statement runs: home(a[i][j]), in the names of the source. An index
   of the source is another one in the description where its loop runs down, or in steps. */
#include "describer/walk/evaluate.h"

#include <ctype.h>
#include <string.h>

/* What a variable of that name is in the syntax: the index of a loop around, if there is such a
   one. *is_there: there is any. */
static bool find_value(struct describer *describer, const struct syntax *syntax, const char *name,
                       struct value *found, bool *is_there)
{
    if (syntax->kind == SYNTAX_NAME && syntax->declaration && syntax->name &&
        !strcmp(syntax->name, name)) {
        const struct value *value = &describer->bindings[syntax->declaration->id].value;
        *is_there = true;
        const bool is_index = value->kind == VALUE_INDEX && polynomial_has_index(value->index);
        if (is_index || found->kind != VALUE_INDEX)
            *found = *value;
        return is_index;
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] &&
            find_value(describer, syntax->children[i], name, found, is_there))
            return true;
    return false;
}

/* In the statement behind the directive, or else in the loops around it. */
static struct value value_called(struct describer *describer, const char *name, bool *is_there)
{
    struct value found = {0};
    *is_there = false;
    bool is_done = find_value(describer, describer->told.home_at, name, &found, is_there);
    for (const struct loop *loop = describer->loop; loop && !is_done; loop = loop->up)
        is_done = loop->syntax && find_value(describer, loop->syntax, name, &found, is_there);
    return found;
}

static bool begins_name(const char *at)
{
    return isalpha((unsigned char)*at) || *at == '_';
}

const struct told_home *home_told(struct describer *describer)
{
    struct directive *directive = describer->told.home;
    const char *text = directive ? directive_clause(directive, "home") : NULL;
    if (!text)
        return NULL;
    struct arena *arena = describer->arena;
    struct told_home *home = arena_take(arena, 1, sizeof *home);
    home->directive = directive;
    directive->is_described = directive->is_described || !describer->is_noting;
    const char *at = text + strcspn(text, "[");
    bool is_there;
    home->name = text_trimmed(arena, text, (size_t)(at - text));
    const struct value array = value_called(describer, home->name, &is_there);
    if (array.kind == VALUE_ELEMENT && !array.is_place && array.reference.count == 0)
        home->array = array.reference.array;
    home->subscripts = "";
    while (*at) {
        const bool is_name = begins_name(at);
        size_t length = 1;
        while (is_name && (isalnum((unsigned char)at[length]) || at[length] == '_'))
            length++;
        const char *part = arena_format(arena, "%.*s", (int)length, at);
        const struct value value =
            is_name ? value_called(describer, part, &is_there) : (struct value){0};
        if (is_name && value.kind == VALUE_INDEX) {
            const char *as = polynomial_text(&describer->algebra, value.index, "");
            part = strcspn(as, "+-*") == strlen(as) ? as : arena_format(arena, "(%s)", as);
        } else if (is_name && is_there) {
            /* A statement in front of the loop over an index does not run where that leads. */
            if (describer->told.home_at->kind == SYNTAX_ASSIGN)
                describer_fail(describer, directive->place,
                               "home(%s): %s is no index of a loop around the statement", text,
                               part);
            return NULL;
        }
        home->subscripts = arena_format(arena, "%s%s", home->subscripts, part);
        at += length;
    }
    return home;
}
