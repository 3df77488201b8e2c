#include "describer/write/write.h"

#include <string.h>

/* The array whose distribution it has; *otherwise: it lies otherwise than that one. */
static struct array *leader_of(struct describer *describer, struct array *array, bool *otherwise)
{
    const struct array *next;
    *otherwise = false;
    for (int steps = 0; steps < describer->arrays.count; steps++) {
        next = aligned_plainly(describer, array);
        if (!next)
            break;
        array = array_find(&describer->arrays, next->name);
    }
    *otherwise = !array->changes_with && is_aligned(describer, array);
    return array;
}

/* How a list distributes the array: "BLOCK@0 *"; "": not at all. */
static const char *distribution_in(struct describer *describer, const char *list,
                                   const struct array *array)
{
    for (const char **part = text_split(describer->arena, list ? list : "", ','); *part; part++) {
        struct dimensions dimensions;
        const char *text = "";
        int next = 0;
        bool is_distributed = false;
        if (!read_dimensions(describer, *part, &dimensions) ||
            strcmp(dimensions.name, array->name) != 0)
            continue;
        for (int d = 0; d < dimensions.count; d++) {
            const char *item = dimensions.items[d];
            const bool is_numbered = strchr(item, '@') || !strcmp(item, "*");
            is_distributed = is_distributed || strcmp(item, "*") != 0;
            text = is_numbered ? arena_format(describer->arena, "%s %s", text, item)
                               : arena_format(describer->arena, "%s %s@%d", text, item, next++);
        }
        return is_distributed ? text : "";
    }
    return "";
}

static bool is_same_in(struct describer *describer, const char *list, const struct array *a,
                       const struct array *b)
{
    return !strcmp(distribution_in(describer, list, a), distribution_in(describer, list, b));
}

/* Whether a candidate's clauses distribute both alike, also where it changes the distribution. */
static bool are_alike_in(struct describer *describer, const struct directive *candidate,
                         const struct array *a, const struct array *b)
{
    for (int i = 0; i < candidate->clause_count; i++) {
        const struct clause *clause = &candidate->clauses[i];
        const char *list = clause->text;
        if (list && !strcmp(clause->name, "redistribute"))
            list = strchr(list, ':') ? strchr(list, ':') + 1 : NULL;
        else if (strcmp(clause->name, "distribute") != 0)
            continue;
        if (!is_same_in(describer, list, a, b))
            return false;
    }
    return true;
}

static bool have_same_extents(struct describer *describer, const struct array *a,
                              const struct array *b)
{
    bool same = a->rank == b->rank;
    for (int d = 0; d < a->rank && same; d++)
        same = !a->extents[d] || !b->extents[d] || a->told[d] || b->told[d] ||
               polynomial_equal(&describer->algebra, a->extents[d], b->extents[d]);
    return same;
}

static void align_pair(struct describer *describer, struct array *a, struct array *b,
                       struct place place)
{
    bool a_otherwise, b_otherwise;
    struct array *one = leader_of(describer, a, &a_otherwise);
    struct array *other = leader_of(describer, b, &b_otherwise);
    if (one == other || !a->is_written || !b->is_written)
        return;
    for (int i = 0; i < describer->directives.count; i++) {
        const struct directive *directive = &describer->directives.items[i];
        if (directive->word == WORD_CANDIDATE &&
            (a_otherwise || b_otherwise || !are_alike_in(describer, directive, one, other)))
            describer_fail(describer, directive->place,
                           "%s and %s change places in the loop of line %u, and candidate %s "
                           "distributes them differently: distribute both alike, or say "
                           "#pragma forecost align(%s with %s)",
                           a->name, b->name, place.line, directive->name, b->name, a->name);
    }
    if (!a_otherwise && !b_otherwise && have_same_extents(describer, one, other) &&
        !xmp_is_used(describer))
        other->changes_with = one;
    else
        describer_remark(describer, place,
                         "%s and %s change places in this loop: what is described holds where "
                         "both are distributed alike",
                         a->name, b->name);
}

/* In the order in which they are written. */
static void align_arrays(struct describer *describer, const struct array *a, const struct array *b,
                         struct place place)
{
    struct array *first = NULL, *other = NULL;
    for (int i = 0; i < describer->arrays.count; i++) {
        struct array *array = describer->arrays.items[i];
        if (array == a || array == b)
            *(first ? &other : &first) = array;
    }
    if (other)
        align_pair(describer, first, other, place);
}

/* Members of records that change places: those of one name do. */
static void align_members(struct describer *describer, const struct exchange *exchange)
{
    const size_t length = strlen(exchange->before.text);
    for (struct known_object *one = describer->objects; one; one = one->next)
        for (struct known_object *other = describer->objects; other; other = other->next) {
            const size_t behind = strlen(exchange->now.text);
            if (one->array && other->array && one->array != other->array &&
                !strncmp(one->path, exchange->before.text, length) && one->path[length] == '.' &&
                !strncmp(other->path, exchange->now.text, behind) &&
                !strcmp(one->path + length, other->path + behind))
                align_arrays(describer, one->array, other->array, exchange->place);
        }
}

void exchanges_align(struct describer *describer)
{
    for (int i = 0; i < describer->exchange_count && !describer->has_failed; i++) {
        const struct exchange *exchange = &describer->exchanges[i];
        if (exchange->before.kind == VALUE_OBJECT)
            align_members(describer, exchange);
        else
            align_arrays(describer, exchange->before.reference.array, exchange->now.reference.array,
                         exchange->place);
    }
}
