#include "describer/write/references.h"

#include <stdlib.h>

enum { MEMBERS_JOINED = 64 };

/* Whether every member is used, and each by its place alone. */
static bool uses_all(const struct references *references, int dimension, int members)
{
    bool is_used[MEMBERS_JOINED] = {false};
    double member;
    for (int i = 0; i < references->count; i++) {
        const struct reference *reference = references->items[i];
        if (reference->count != dimension + 1 ||
            !polynomial_is_constant(reference->subscripts[dimension], &member) || member < 0 ||
            member >= members)
            return false;
        is_used[(int)member] = true;
    }
    for (int i = 0; i < members; i++)
        if (!is_used[i])
            return false;
    return true;
}

/* A run that sets some of the members of a record. */
struct setting {
    struct describer *describer;
    const struct array *array;
    const struct reference *to; /* of one of them */
    bool is_set[MEMBERS_JOINED];
};

static bool is_same_record(const struct setting *it, const struct reference *reference)
{
    for (int d = 0; d + 1 < reference->count; d++)
        if (!polynomial_equal(&it->describer->algebra, reference->subscripts[d],
                              it->to->subscripts[d]))
            return false;
    return true;
}

/* Whether a run reads, of another record, a member that is not set. */
static bool reads_unset(const struct setting *it, const struct outline *outline)
{
    const struct part *part = outline->part;
    for (int i = part ? part->begin : 0; part && i < part->end; i++) {
        const struct node *node = &it->describer->graph.nodes[i];
        double member;
        if (node->part == part && node->kind == NODE_LOAD && node->reference.array == it->array &&
            polynomial_is_constant(node->reference.subscripts[it->array->rank - 1], &member) &&
            !it->is_set[(int)member] && !is_same_record(it, &node->reference))
            return true;
    }
    for (int i = 0; i < outline->count; i++)
        if (reads_unset(it, outline->children[i]))
            return true;
    return false;
}

/* Whether one member is set while others are read elsewhere: as one element they would wait for one
   another, which they do not. */
static bool are_apart(struct describer *describer, const struct array *array,
                      const struct outline *outline, const struct outline *root)
{
    const struct part *part = outline->part;
    for (int i = 0; part && i < part->statement_count; i++) {
        struct setting it = {.describer = describer, .array = array, .to = &part->statements[i].to};
        if (it.to->array != array)
            continue;
        for (int k = 0; k < part->statement_count; k++) {
            const struct reference *to = &part->statements[k].to;
            double member;
            if (to->array == array && is_same_record(&it, to) &&
                polynomial_is_constant(to->subscripts[array->rank - 1], &member))
                it.is_set[(int)member] = true;
        }
        if (reads_unset(&it, root))
            return true;
    }
    for (int i = 0; i < outline->count; i++)
        if (are_apart(describer, array, outline->children[i], root))
            return true;
    return false;
}

static void join(struct describer *describer, struct array *array)
{
    struct references references;
    double members;
    const int last = array->rank - 1;
    if (last < 1 || !polynomial_is_constant(array->extents[last], &members) ||
        members > MEMBERS_JOINED)
        return;
    references_find(describer, array, &references);
    bool is_one = references.count > 0 && uses_all(&references, last, (int)members);
    for (int i = 0; i < describer->segment_count && is_one; i++)
        is_one = !are_apart(describer, array, &describer->segments[i]->root,
                            &describer->segments[i]->root);
    if (is_one) {
        array->rank = last;
        array->element_bytes *= members;
        array->has_members = false;
        array->is_whole = true;
    }
    free(references.items);
}

void records_join(struct describer *describer)
{
    for (int i = 0; i < describer->arrays.count; i++)
        if (describer->arrays.items[i]->has_members)
            join(describer, describer->arrays.items[i]);
}
