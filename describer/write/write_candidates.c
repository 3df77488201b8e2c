#include "describer/write/write.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool read_dimensions(struct describer *describer, const char *text, struct dimensions *dimensions)
{
    const char *at = text + strcspn(text, "[ ");
    *dimensions = (struct dimensions){0};
    dimensions->name =
        symbol_allowed(describer->arena, arena_copy(describer->arena, text, (size_t)(at - text)));
    at += strspn(at, " ");
    while (*at == '[' && dimensions->count < RANK_MOST) {
        const char *end = strchr(at, ']');
        if (!end)
            return false;
        dimensions->items[dimensions->count++] =
            text_trimmed(describer->arena, at + 1, (size_t)(end - at) - 1);
        at = end + 1 + strspn(end + 1, " ");
    }
    return *at == '\0' && *dimensions->name;
}

static bool is_array_known(struct describer *describer, struct dimensions *dimensions,
                           const struct directive *directive)
{
    const struct array *array = array_find(&describer->arrays, dimensions->name);
    if (array && array->has_members && dimensions->count + 1 == array->rank)
        dimensions->items[dimensions->count++] = "*";
    if (!array || !array->is_written) {
        describer_fail(describer, directive->place,
                       "'%s': no array of that name is used in a segment", dimensions->name);
        return false;
    }
    if (array->rank != dimensions->count) {
        describer_fail(describer, directive->place, "%s has %d dimensions, not %d",
                       dimensions->name, array->rank, dimensions->count);
        return false;
    }
    return true;
}

/* What is read only where data say tells nothing of how far it reaches: not how it is cut, either.
 */
static bool is_size_known(struct describer *describer, const struct dimensions *dimensions,
                          const struct directive *directive)
{
    const struct array *array = array_find(&describer->arrays, dimensions->name);
    for (int d = 0; d < dimensions->count; d++)
        if (strcmp(dimensions->items[d], "*") != 0 && !has_extent(describer, array, d)) {
            describer_fail(describer, directive->place,
                           "how many elements %s has is not known, so that it cannot be "
                           "distributed: #pragma forecost array %s[N] says it",
                           dimensions->name, dimensions->name);
            return false;
        }
    return true;
}

static void write_items(struct writer *writer, const char *key, const char *const *items, int count)
{
    yaml_out_key(writer->out, key);
    yaml_out_list(writer->out, true);
    for (int i = 0; i < count; i++)
        yaml_out_text(writer->out, items[i]);
    yaml_out_list_end(writer->out);
}

/* u[BLOCK][*], x[BLOCK@1] as entries of a map; what lies beside another array has none. */
static void write_distributions(struct writer *writer, const struct directive *directive,
                                const char *text, bool is_halo)
{
    struct describer *describer = writer->describer;
    for (const char **part = text_split(describer->arena, text, ','); *part; part++) {
        struct dimensions dimensions;
        if (!read_dimensions(describer, *part, &dimensions) || dimensions.count == 0) {
            describer_fail(describer, directive->place,
                           "'%s': a distribution was expected, such as u[BLOCK][*]", *part);
            return;
        }
        if (!is_array_known(describer, &dimensions, directive) ||
            !is_size_known(describer, &dimensions, directive))
            return;
        if (is_halo || !array_find(&describer->arrays, dimensions.name)->changes_with)
            write_items(writer, dimensions.name, dimensions.items, dimensions.count);
    }
}

static void write_list(struct writer *writer, const char *key, const char *text)
{
    const char **parts = text_split(writer->describer->arena, text, ',');
    int count = 0;
    while (parts[count])
        count++;
    write_items(writer, key, parts, count);
}

static void write_map(struct writer *writer, const char *key, const struct directive *directive,
                      const char *text)
{
    yaml_out_key(writer->out, key);
    yaml_out_map(writer->out, true);
    write_distributions(writer, directive, text, !strcmp(key, "halo"));
    yaml_out_map_end(writer->out);
}

/* before SEGMENT: u[*][BLOCK] */
static void write_redistribution(struct writer *writer, const struct directive *directive,
                                 const char *text)
{
    struct arena *arena = writer->describer->arena;
    const size_t length = strcspn(text, " ");
    const char *when = arena_copy(arena, text, length);
    const char *colon = strchr(text, ':');
    if (!colon || (strcmp(when, "before") != 0 && strcmp(when, "after") != 0)) {
        describer_fail(writer->describer, directive->place,
                       "'%s': expected redistribute(before SEGMENT: u[*][BLOCK]), or after", text);
        return;
    }
    yaml_out_map(writer->out, true);
    write_pair(writer, when, text_trimmed(arena, text + length, (size_t)(colon - text) - length));
    write_distributions(writer, directive, colon + 1, false);
    yaml_out_map_end(writer->out);
}

static void write_redistributions(struct writer *writer, const struct directive *directive)
{
    if (!directive_has(directive, "redistribute"))
        return;
    yaml_out_key(writer->out, "redistribute");
    yaml_out_list(writer->out, false);
    for (int i = 0; i < directive->clause_count; i++)
        if (!strcmp(directive->clauses[i].name, "redistribute"))
            write_redistribution(writer, directive,
                                 directive->clauses[i].text ? directive->clauses[i].text : "");
    yaml_out_list_end(writer->out);
}

static void write_candidate(struct writer *writer, struct directive *directive)
{
    const char *processors = directive_clause(directive, "processors");
    const char *distribute = directive_clause(directive, "distribute");
    directive->is_used = true;
    yaml_out_key(writer->out, directive->name);
    yaml_out_map(writer->out, false);
    write_list(writer, "grid", processors ? processors : "p");
    if (distribute)
        write_map(writer, "distribute", directive, distribute);
    if (directive_clause(directive, "halo"))
        write_map(writer, "halo", directive, directive_clause(directive, "halo"));
    write_redistributions(writer, directive);
    yaml_out_map_end(writer->out);
}

void write_candidates(struct writer *writer)
{
    struct describer *describer = writer->describer;
    bool is_begun = false;
    for (int i = 0; i < describer->directives.count && !describer->has_failed; i++) {
        struct directive *directive = &describer->directives.items[i];
        if (directive->word != WORD_CANDIDATE)
            continue;
        if (!is_begun) {
            yaml_out_key(writer->out, "candidates");
            yaml_out_map(writer->out, false);
        }
        is_begun = true;
        write_candidate(writer, directive);
    }
    if (!is_begun && xmp_is_used(describer)) {
        yaml_out_key(writer->out, "candidates");
        yaml_out_map(writer->out, false);
        is_begun = true;
    }
    if (is_begun)
        write_xmp(writer);
    if (is_begun)
        yaml_out_map_end(writer->out);
}

/* The dimension of the other array whose subscript has the letter, and what is added to it there;
   -1: none. */
static int dimension_of(const struct dimensions *other, const char *letter, const char **added)
{
    const size_t length = strlen(letter);
    for (int i = 0; i < other->count; i++) {
        const char *rest = other->items[i] + length;
        if (strncmp(other->items[i], letter, length) != 0 || isalnum((unsigned char)*rest))
            continue;
        rest += strspn(rest, " ");
        *added = *rest == '+' ? rest + 1 + strspn(rest + 1, " ") : *rest ? rest : "0";
        return i;
    }
    return -1;
}

static bool is_plain(const struct dimensions *own, const struct dimensions *other)
{
    for (int i = 0; i < own->count; i++)
        if (i >= other->count || strcmp(own->items[i], other->items[i]) != 0 ||
            !strcmp(own->items[i], "*"))
            return false;
    return own->count == other->count;
}

static void write_aligned(struct writer *writer, const struct dimensions *own,
                          const struct dimensions *other)
{
    const char *added[RANK_MOST];
    yaml_out_key(writer->out, "align");
    if (own->count == 0 || is_plain(own, other)) {
        yaml_out_text(writer->out, other->name);
        return;
    }
    yaml_out_map(writer->out, true);
    write_pair(writer, "to", other->name);
    yaml_out_key(writer->out, "map");
    yaml_out_list(writer->out, true);
    for (int i = 0; i < own->count; i++) {
        added[i] = "0";
        const int at = dimension_of(other, own->items[i], &added[i]);
        if (at < 0)
            yaml_out_text(writer->out, "*");
        else
            yaml_out_number(writer->out, at);
    }
    yaml_out_list_end(writer->out);
    yaml_out_key(writer->out, "offset");
    yaml_out_list(writer->out, true);
    for (int i = 0; i < own->count; i++)
        yaml_out_text(writer->out, added[i]);
    yaml_out_list_end(writer->out);
    yaml_out_map_end(writer->out);
}

/* unew[i][j] with u[i][j + 1] */
static bool read_alignment(struct describer *describer, const struct directive *directive,
                           struct dimensions *own, struct dimensions *other)
{
    const char *text = directive_clause(directive, "align"), *with = text;
    with = text ? strstr(text, " with ") : NULL;
    if (with &&
        read_dimensions(describer, text_trimmed(describer->arena, text, (size_t)(with - text)),
                        own) &&
        read_dimensions(describer, text_trimmed(describer->arena, with + 6, strlen(with + 6)),
                        other))
        return true;
    describer_fail(describer, directive->place,
                   "expected align(NAME[i][j] with OTHER[i][j]), or align(NAME with OTHER)");
    return false;
}

void write_alignment(struct writer *writer, const struct array *array)
{
    struct describer *describer = writer->describer;
    for (int i = 0; i < describer->directives.count && !describer->has_failed; i++) {
        struct directive *directive = &describer->directives.items[i];
        struct dimensions own, other;
        if (directive->word != WORD_ALIGN || !read_alignment(describer, directive, &own, &other) ||
            strcmp(own.name, array->name) != 0)
            continue;
        directive->is_used = true;
        write_aligned(writer, &own, &other);
        return;
    }
    if (array->changes_with)
        write_pair(writer, "align", array->changes_with->name);
}

bool is_aligned(struct describer *describer, const struct array *array)
{
    for (int i = 0; i < describer->directives.count && !describer->has_failed; i++) {
        struct dimensions own, other;
        if (describer->directives.items[i].word == WORD_ALIGN &&
            read_alignment(describer, &describer->directives.items[i], &own, &other) &&
            !strcmp(own.name, array->name))
            return true;
    }
    return false;
}

const struct array *aligned_plainly(struct describer *describer, const struct array *array)
{
    for (int i = 0; i < describer->directives.count && !describer->has_failed; i++) {
        const struct directive *directive = &describer->directives.items[i];
        struct dimensions own, other;
        if (directive->word == WORD_ALIGN && read_alignment(describer, directive, &own, &other) &&
            !strcmp(own.name, array->name) && (own.count == 0 || is_plain(&own, &other)))
            return array_find(&describer->arrays, other.name);
    }
    return array->changes_with;
}

/* A sum or product of parameters and numbers, as directives have them; NULL: it is none. *at then
   stands behind it. */
static polynomial read_sum(struct describer *describer, const char **at, struct place place);

static polynomial read_factor(struct describer *describer, const char **at, struct place place)
{
    struct algebra *algebra = &describer->algebra;
    polynomial value = NULL;
    *at += strspn(*at, " ");
    if (**at == '(') {
        ++*at;
        value = read_sum(describer, at, place);
        if (**at != ')')
            return NULL;
        ++*at;
    } else if (isdigit((unsigned char)**at)) {
        char *end;
        value = polynomial_constant(algebra, (double)strtol(*at, &end, 10));
        *at = end;
    } else if (isalpha((unsigned char)**at) || **at == '_') {
        const char *from = *at;
        while (isalnum((unsigned char)**at) || **at == '_')
            ++*at;
        const char *name = arena_copy(describer->arena, from, (size_t)(*at - from));
        value = polynomial_symbol(algebra, symbol_parameter(&describer->symbols, name, place));
    }
    *at += strspn(*at, " ");
    return value;
}

static polynomial read_sum(struct describer *describer, const char **at, struct place place)
{
    struct algebra *algebra = &describer->algebra;
    polynomial sum = polynomial_constant(algebra, 0);
    for (double sign = 1;; sign = **at == '-' ? -1 : 1, ++*at) {
        polynomial product = read_factor(describer, at, place);
        while (product && **at == '*') {
            ++*at;
            polynomial factor = read_factor(describer, at, place);
            product = factor ? polynomial_product(algebra, product, factor) : NULL;
        }
        if (!product)
            return NULL;
        sum = polynomial_sum(algebra, sum, product, sign);
        if (**at != '+' && **at != '-')
            return sum;
    }
}

int told_extents_of(struct describer *describer, const struct array *array,
                    polynomial extents[RANK_MOST], struct place *place)
{
    for (int i = 0; i < describer->directives.count; i++) {
        const struct directive *directive = &describer->directives.items[i];
        struct dimensions dimensions;
        if (directive->word != WORD_ARRAY ||
            !read_dimensions(describer, directive->rest, &dimensions) ||
            strcmp(dimensions.name, array->name) != 0)
            continue;
        *place = directive->place;
        for (int d = 0; d < dimensions.count; d++) {
            const char *at = dimensions.items[d];
            extents[d] = read_sum(describer, &at, *place);
            if (!extents[d] || *at)
                return 0;
        }
        return dimensions.count;
    }
    return 0;
}

void read_told_array(struct describer *describer, struct directive *directive)
{
    struct dimensions dimensions;
    directive->is_used = true;
    if (!read_dimensions(describer, directive->rest, &dimensions) || dimensions.count == 0) {
        describer_fail(describer, directive->place, "expected array NAME[N][M]");
        return;
    }
    if (!is_array_known(describer, &dimensions, directive))
        return;
    struct array *array = array_find(&describer->arrays, dimensions.name);
    for (int i = 0; i < dimensions.count; i++)
        array->told[i] = dimensions.items[i];
}
