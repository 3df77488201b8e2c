#include "model/segment/reference.h"

#include <math.h>
#include <string.h>

double nest_trips(const struct nest *nest, int loop)
{
    return fmax(0.0, nest->last[loop] - nest->first[loop] + 1.0);
}

/* ---- affine subscripts ---- */

/* The expression where every index is 0 but one. */
static int value_at(struct scope *scope, const struct nest *nest, int loop, double index,
                    const char *text, struct place place, double *value, struct error *error)
{
    const size_t before = scope_count(scope);
    int status = 0;
    for (int i = 0; i < nest->depth && status == 0; i++)
        status = scope_set(scope, nest->index[i], i == loop ? index : 0.0, place, error);
    if (status == 0)
        status = expression_value(scope, text, place, value, error);
    scope_cut(scope, before);
    return status;
}

/* An affine function is known from its values at 0 and 1; at 2 and 7 it must agree. */
static int read_subscript(struct subscript *subscript, const char *text, struct place place,
                          const struct nest *nest, struct scope *scope, struct error *error)
{
    *subscript = (struct subscript){.loop = -1};
    if (value_at(scope, nest, -1, 0.0, text, place, &subscript->constant, error) != 0)
        return -1;
    for (int loop = 0; loop < nest->depth; loop++) {
        double at[3];
        static const double where[3] = {1.0, 2.0, 7.0};
        for (int k = 0; k < 3; k++)
            if (value_at(scope, nest, loop, where[k], text, place, &at[k], error) != 0)
                return -1;
        const double slope = at[0] - subscript->constant;
        for (int k = 1; k < 3; k++)
            if (at[k] != subscript->constant + slope * where[k])
                return error_at(error, place, "subscript '%.60s' is not affine in %s", text,
                                nest->index[loop]);
        if (slope == 0.0)
            continue;
        if (subscript->loop >= 0)
            return error_at(error, place, "subscript '%.60s' couples %s and %s: expected one index",
                            text, nest->index[subscript->loop], nest->index[loop]);
        subscript->loop = loop;
        subscript->coefficient = slope;
    }
    if (subscript->constant != floor(subscript->constant) ||
        subscript->coefficient != floor(subscript->coefficient))
        return error_at(error, place, "subscript '%.60s' is not whole", text);
    return 0;
}

static int check_bounds(const struct reference *reference, int dimension, const char *text,
                        const struct nest *nest, struct scope *scope, struct place place,
                        struct error *error)
{
    const struct subscript *it = &reference->subscripts[dimension];
    const struct formula *extent =
        (const struct formula *)reference->array->extent.items + dimension;
    double elements, ends[2] = {it->constant, it->constant};
    struct place of_extent = extent->place;
    of_extent.file = place.file;
    if (expression_whole(scope, extent->text, of_extent, &elements, error) != 0)
        return -1;
    if (it->loop >= 0 && nest_trips(nest, it->loop) == 0.0)
        return 0;
    if (it->loop >= 0) {
        ends[0] += it->coefficient * nest->first[it->loop];
        ends[1] += it->coefficient * nest->last[it->loop];
    }
    for (int k = 0; k < 2; k++)
        if (ends[k] < 0.0 || ends[k] >= elements)
            return error_at(error, place, "subscript '%.60s' reaches %g: %s has 0 to %g there",
                            text, ends[k], reference->array->name, elements - 1.0);
    return 0;
}

/* ---- the whole reference ---- */

/* Cuts "[...]" off *rest into text. */
static bool next_subscript(const char **rest, char *text, size_t size)
{
    const char *close = strchr(*rest, ']');
    if (**rest != '[' || !close || (size_t)(close - *rest) > size)
        return false;
    const size_t length = (size_t)(close - *rest) - 1;
    memcpy(text, *rest + 1, length);
    text[length] = '\0';
    *rest = close + 1;
    return true;
}

static int find_array(struct reference *reference, const struct program *program, const char *text,
                      size_t length, struct place place, struct error *error)
{
    char name[64];
    const char *names[SCOPE_NAMES_MOST + 1] = {0};
    const struct array *arrays = program->arrays.items;
    if (length == 0 || length >= sizeof name)
        return error_at(error, place, "'%.60s' is not a reference: expected ARRAY[i][j]", text);
    memcpy(name, text, length);
    name[length] = '\0';
    reference->array = program_array(program, name);
    if (reference->array)
        return 0;
    for (size_t i = 0; i < program->arrays.count && i < SCOPE_NAMES_MOST; i++)
        names[i] = arrays[i].name;
    const char *near = nearest_name(name, names);
    return error_at(error, place, "unknown array '%s'%s%s%s", name, near ? ": did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
}

int reference_parse(struct reference *reference, const struct program *program,
                    const struct formula *text, const struct nest *nest, struct scope *scope,
                    struct error *error)
{
    const struct place place = program_place(program, text->place);
    const size_t length = strcspn(text->text, "[");
    *reference = (struct reference){.text = text};
    if (find_array(reference, program, text->text, length, place, error) != 0)
        return -1;
    const char *rest = text->text + length;
    char subscript[200];
    while (*rest) {
        const int dimension = reference->dimensions++;
        if (dimension == DIMENSIONS_MOST || !next_subscript(&rest, subscript, sizeof subscript))
            return error_at(error, place, "'%.60s' is not a reference: expected ARRAY[i][j]",
                            text->text);
        if ((size_t)dimension >= reference->array->extent.count)
            break;
        if (read_subscript(&reference->subscripts[dimension], subscript, place, nest, scope,
                           error) != 0 ||
            check_bounds(reference, dimension, subscript, nest, scope, place, error) != 0)
            return -1;
    }
    if ((size_t)reference->dimensions != reference->array->extent.count)
        return error_at(error, place, "'%.60s' does not have the %zu subscripts of %s", text->text,
                        reference->array->extent.count, reference->array->name);
    return 0;
}
