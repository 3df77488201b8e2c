#include "describer/state/array.h"

#include <math.h>
#include <string.h>

struct array *array_find(const struct arrays *arrays, const char *name)
{
    for (int i = 0; i < arrays->count; i++)
        if (!strcmp(arrays->items[i]->name, name))
            return arrays->items[i];
    return NULL;
}

void array_rename(struct arrays *arrays, struct array *array, const char *wanted)
{
    const char *base = symbol_allowed(arrays->arena, wanted), *name = base;
    for (int i = 2; array_find(arrays, name); i++)
        name = arena_format(arrays->arena, "%s_%d", base, i);
    array->name = name;
    array->wanted = base;
}

struct array *array_add(struct arrays *arrays, const char *wanted, struct place place)
{
    if (arrays->count == arrays->room) {
        arrays->room = arrays->room ? 2 * arrays->room : 32;
        struct array **items =
            arena_take(arrays->arena, (size_t)arrays->room, sizeof(struct array *));
        if (arrays->count)
            memcpy(items, arrays->items, (size_t)arrays->count * sizeof *items);
        arrays->items = items;
    }
    struct array *array = arena_take(arrays->arena, 1, sizeof *array);
    *array = (struct array){.place = place};
    array_rename(arrays, array, wanted);
    arrays->items[arrays->count++] = array;
    return array;
}

bool reference_equal(struct algebra *algebra, const struct reference *a, const struct reference *b)
{
    if (a->array != b->array || a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (!polynomial_equal(algebra, a->subscripts[i], b->subscripts[i]))
            return false;
    return true;
}

bool reference_has(const struct reference *reference, const struct symbol *symbol)
{
    for (int i = 0; i < reference->count; i++)
        if (polynomial_has(reference->subscripts[i], symbol))
            return true;
    return false;
}

const char *reference_text(struct algebra *algebra, const struct reference *reference)
{
    const char *text = reference->array->name;
    const int count = reference->count - (reference->array->is_whole ? 1 : 0);
    for (int i = 0; i < count; i++)
        text = arena_format(algebra->arena, "%s[%s]", text,
                            polynomial_text(algebra, reference->subscripts[i], ""));
    return text;
}

/* Along one dimension: a - b = ratio * speed, where speed is what one iteration moves. */
static bool ratio_of(struct algebra *algebra, polynomial difference, polynomial speed,
                     double *ratio)
{
    *ratio = 0;
    if (difference->count == 0)
        return true;
    for (int i = 0; i < speed->count; i++)
        if (term_same_symbols(&speed->terms[i], &difference->terms[0])) {
            *ratio = difference->terms[0].factor / speed->terms[i].factor;
            return polynomial_sum(algebra, difference, speed, -*ratio)->count == 0;
        }
    return false;
}

bool reference_shift(struct algebra *algebra, const struct reference *a, const struct reference *b,
                     const struct symbol *index, int *iterations)
{
    bool is_known = false;
    double found = 0;
    if (a->array != b->array || a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++) {
        polynomial speed = polynomial_coefficient(algebra, a->subscripts[i], index);
        polynomial other = polynomial_coefficient(algebra, b->subscripts[i], index);
        polynomial gap = polynomial_sum(algebra, a->subscripts[i], b->subscripts[i], -1);
        double ratio;
        if (!polynomial_equal(algebra, speed, other))
            return false;
        if (speed->count == 0 && gap->count > 0)
            return false;
        if (speed->count == 0)
            continue;
        if (!ratio_of(algebra, gap, speed, &ratio) || ratio != floor(ratio) || fabs(ratio) > 1e6 ||
            (is_known && ratio != found))
            return false;
        is_known = true;
        found = ratio;
    }
    *iterations = (int)found;
    return is_known;
}

void arrays_rename(struct arrays *arrays)
{
    for (int i = 0; i < arrays->count; i++) {
        struct array *array = arrays->items[i];
        struct array *other = array->is_used && strcmp(array->name, array->wanted)
                                  ? array_find(arrays, array->wanted)
                                  : NULL;
        if (!other || other->is_used)
            continue;
        other->name = array->name;
        array->name = array->wanted;
    }
}
