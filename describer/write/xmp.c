/* XcalableMP's directives as one candidate: XcalableMP Language Specification, version 1.4, chapter
   4; with brackets as in C, and with parentheses. */
#include "describer/write/write.h"

#include <ctype.h>
#include <string.h>

/* A name with what stands in brackets or parentheses behind it. */
struct shape {
    const char *name;
    const char *items[RANK_MOST];
    int count;
};

static const char *read_brackets(struct arena *arena, const char *at, struct shape *shape)
{
    while (*at == '[' && shape->count < RANK_MOST) {
        const size_t length = strcspn(at, "]");
        shape->items[shape->count++] = text_trimmed(arena, at + 1, length - 1);
        at += length + (at[length] == ']');
        at += strspn(at, " ");
    }
    return at;
}

static const char *read_parentheses(struct arena *arena, const char *at, struct shape *shape)
{
    int depth = 0;
    const char *end = at;
    for (; *end; end++) {
        depth += (*end == '(') - (*end == ')');
        if (depth == 0)
            break;
    }
    const char *inside = text_trimmed(arena, at + 1, end > at ? (size_t)(end - at) - 1 : 0);
    for (const char **part = text_split(arena, inside, ','); *part && shape->count < RANK_MOST;
         part++)
        shape->items[shape->count++] = *part;
    return *end ? end + 1 : end;
}

/* NAME[a][b] or NAME(a, b) at *at, which is behind it then. */
static bool read_shape(struct arena *arena, const char **at, struct shape *shape)
{
    *shape = (struct shape){0};
    *at += strspn(*at, " ");
    const char *from = *at;
    while (isalnum((unsigned char)**at) || **at == '_')
        (*at)++;
    shape->name = arena_copy(arena, from, (size_t)(*at - from));
    *at += strspn(*at, " ");
    *at = **at == '(' ? read_parentheses(arena, *at, shape) : read_brackets(arena, *at, shape);
    return *shape->name && shape->count > 0;
}

static bool begins_with(const char **at, const char *word)
{
    const char *text = *at + strspn(*at, " ");
    const size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || isalnum((unsigned char)text[length]))
        return false;
    *at = text + length;
    return true;
}

/* The first directive of that word, and its shape; false: there is none. */
static bool find_shape(struct describer *describer, const char *word, struct shape *shape)
{
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        const char *at = directive->rest;
        if (directive->word != WORD_XMP || !begins_with(&at, word))
            continue;
        directive->is_used = true;
        if (read_shape(describer->arena, &at, shape))
            return true;
        describer_fail(describer, directive->place, "'%s' needs a name with sizes: %s t[N][N]",
                       word, word);
    }
    return false;
}

static void write_grid(struct writer *writer, const struct shape *nodes)
{
    struct arena *arena = writer->describer->arena;
    const char *others = "";
    for (int i = 0; i < nodes->count; i++)
        if (strcmp(nodes->items[i], "*") != 0)
            others = arena_format(arena, "%s / (%s)", others, nodes->items[i]);
    yaml_out_key(writer->out, "grid");
    yaml_out_list(writer->out, true);
    for (int i = 0; i < nodes->count; i++)
        yaml_out_text(writer->out, strcmp(nodes->items[i], "*") != 0
                                       ? nodes->items[i]
                                       : arena_format(arena, "p%s", others));
    if (nodes->count == 0)
        yaml_out_text(writer->out, "p");
    yaml_out_list_end(writer->out);
}

static const char *upper(struct arena *arena, const char *text)
{
    char *copy = arena_copy(arena, text, strlen(text));
    for (char *at = copy; *at && *at != '('; at++)
        *at = (char)toupper((unsigned char)*at);
    return copy;
}

/* How a dimension of an array that lies along template dimension d is distributed. */
static const char *kind_of(struct describer *describer, const struct shape *kinds, int d)
{
    int grid = 0;
    if (d < 0 || d >= kinds->count || !strcmp(kinds->items[d], "*"))
        return "*";
    for (int i = 0; i < d; i++)
        grid += strcmp(kinds->items[i], "*") != 0;
    return arena_format(describer->arena, "%s@%d", upper(describer->arena, kinds->items[d]), grid);
}

static bool is_same_letter(const char *item, const char *letter)
{
    const size_t length = strcspn(item, " +-");
    return length == strlen(letter) && !strncmp(item, letter, length);
}

static void write_aligned(struct writer *writer, const struct directive *directive, const char *at,
                          const struct shape *kinds)
{
    struct describer *describer = writer->describer;
    struct shape own, template;
    const bool is_read = read_shape(describer->arena, &at, &own) && begins_with(&at, "with") &&
                         read_shape(describer->arena, &at, &template);
    if (!is_read) {
        describer_fail(describer, directive->place, "expected align u[i][j] with t[i][j]");
        return;
    }
    const struct array *array =
        array_find(&describer->arrays, symbol_allowed(describer->arena, own.name));
    if (!array || !array->is_written)
        return;
    yaml_out_key(writer->out, array->name);
    yaml_out_list(writer->out, true);
    for (int i = 0; i < array->rank; i++) {
        int found = -1;
        for (int d = 0; i < own.count && d < template.count; d++)
            if (is_same_letter(template.items[d], own.items[i]) && strcmp(own.items[i], "*") != 0)
                found = d;
        yaml_out_text(writer->out, kind_of(describer, kinds, found));
    }
    yaml_out_list_end(writer->out);
}

bool xmp_is_used(const struct describer *describer)
{
    for (int i = 0; i < describer->directives.count; i++)
        if (describer->directives.items[i].word == WORD_XMP)
            return true;
    return false;
}

void write_xmp(struct writer *writer)
{
    struct describer *describer = writer->describer;
    struct shape nodes = {0}, kinds = {0};
    if (!xmp_is_used(describer) || !find_shape(describer, "distribute", &kinds))
        return;
    find_shape(describer, "nodes", &nodes);
    yaml_out_key(writer->out, "xmp");
    yaml_out_map(writer->out, false);
    write_grid(writer, &nodes);
    yaml_out_key(writer->out, "distribute");
    yaml_out_map(writer->out, true);
    for (int i = 0; i < describer->directives.count && !describer->has_failed; i++) {
        const struct directive *directive = &describer->directives.items[i];
        const char *at = directive->rest;
        if (directive->word == WORD_XMP && begins_with(&at, "align"))
            write_aligned(writer, directive, at, &kinds);
    }
    yaml_out_map_end(writer->out);
    yaml_out_map_end(writer->out);
}
