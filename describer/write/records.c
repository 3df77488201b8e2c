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

static void join(struct describer *describer, struct array *array)
{
    struct references references;
    double members;
    const int last = array->rank - 1;
    if (last < 1 || !polynomial_is_constant(array->extents[last], &members) ||
        members > MEMBERS_JOINED)
        return;
    references_find(describer, array, &references);
    if (references.count > 0 && uses_all(&references, last, (int)members)) {
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
