#include "model/segment/loops/reference.h"

#include "model/segment/loops/iterations.h"

#include <math.h>
#include <string.h>

/* ---- subscripts ---- */

/* An error may be one of this processor count alone where the subscript, or the bounds of its
   loops, depend on the count. */
static int wrong_subscript(const struct nest *nest, const struct expression *subscript,
                           struct error *error)
{
    bool varies = program_varies(nest->program, subscript);
    for (int l = 0; l < nest->depth; l++)
        varies |= expression_names(subscript, nest->index[l]) &&
                  (program_varies(nest->program, nest->first[l].text->value) ||
                   program_varies(nest->program, nest->last[l].text->value));
    return varies ? error_particular(error) : -1;
}

static int read_subscript(struct affine *affine, const struct expression *subscript,
                          struct place place, const struct nest *nest, struct error *error)
{
    const struct indices indices = nest_indices(nest);
    int loop;
    if (expression_affine(subscript, &indices, nest->scope, place, affine, &loop, error) != 0)
        return program_varies(nest->program, subscript) ? error_particular(error) : -1;
    if (loop >= 0) {
        error_fill(
            error, place,
            "subscript '%.60s' is not affine in %s: expected a sum of numbers times indices, or "
            "gathers for reads of other elements",
            subscript->text, nest->index[loop]);
        return wrong_subscript(nest, subscript, error);
    }
    bool whole = affine->constant == floor(affine->constant);
    for (int l = 0; l < nest->depth; l++)
        whole &= affine->by[l] == floor(affine->by[l]);
    if (whole)
        return 0;
    error_fill(error, place, "subscript '%.60s' is not whole", subscript->text);
    return program_varies(nest->program, subscript) ? error_particular(error) : -1;
}

/* The least and the greatest value of a subscript whose loops all have numbers for bounds. */
static int extremes(const struct affine *subscript, const struct nest *nest, double ends[2],
                    bool *runs, struct error *error)
{
    const double zero[LOOPS_MOST] = {0.0};
    ends[0] = ends[1] = subscript->constant;
    *runs = true;
    for (int l = 0; l < nest->depth; l++) {
        struct range range;
        if (nest_range(nest, l, zero, &range, error) != 0)
            return -1;
        *runs &= range_count(range) > 0.0;
        const double slope = subscript->by[l];
        ends[0] += slope * (slope > 0.0 ? range.first : range.last);
        ends[1] += slope * (slope > 0.0 ? range.last : range.first);
    }
    return 0;
}

static bool is_triangular(const struct nest *nest)
{
    for (int l = 0; l < nest->depth; l++)
        if (nest_is_triangular(nest, l, NULL))
            return true;
    return false;
}

static int check_triangular(const struct reference *reference, const struct affine *subscript,
                            const char *text, const struct nest *nest, double elements,
                            struct place place, struct error *error)
{
    if (!iterations_complete(nest)) /* whoever runs through them finds out */
        return 0;
    const bool below = iterations_reach(nest, subscript, -1.0);
    if (below || iterations_exceed(nest, subscript, elements))
        return error_at(error, place, "subscript '%.60s' goes %s: %s has 0 to %g there", text,
                        below ? "below 0" : "beyond the end", reference->array->name,
                        elements - 1.0);
    return 0;
}

/* Whether what lies beyond an end is the other end's: of a periodic array, once around. */
static bool may_wrap(const struct array *array, const double ends[2], double elements)
{
    return array->periodic && ends[0] >= -elements && ends[1] < 2.0 * elements;
}

static int check_bounds(struct reference *reference, int dimension, const char *text,
                        const struct nest *nest, struct place place, struct error *error)
{
    const struct affine *it = &reference->subscripts[dimension];
    const struct formula *extent =
        (const struct formula *)reference->array->extent.items + dimension;
    double elements, ends[2];
    bool runs;
    if (reference->array->scalar)
        return 0;
    if (program_value(nest->program, extent, true, nest->scope, &elements, error) != 0)
        return -1;
    if (is_triangular(nest))
        return check_triangular(reference, it, text, nest, elements, place, error);
    if (extremes(it, nest, ends, &runs, error) != 0)
        return -1;
    if (runs && may_wrap(reference->array, ends, elements)) {
        reference->wraps |= ends[0] < 0.0 || ends[1] >= elements;
        return 0;
    }
    for (int k = 0; k < 2 && runs; k++)
        if (ends[k] < 0.0 || ends[k] >= elements)
            return error_at(error, place, "subscript '%.60s' reaches %g: %s has 0 to %g there",
                            text, ends[k], reference->array->name, elements - 1.0);
    return 0;
}

bool reference_names(const struct reference *reference, int loop)
{
    for (int d = 0; d < reference->dimensions; d++)
        if (reference->subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

bool reference_same_subscripts(const struct reference *a, const struct reference *b)
{
    bool same = a->dimensions == b->dimensions;
    for (int d = 0; d < a->dimensions && same; d++)
        same = a->subscripts[d].constant == b->subscripts[d].constant &&
               affine_parallel(&a->subscripts[d], &b->subscripts[d]);
    return same;
}

/* An element of a periodic array, which it leaves. */
static void wrap_constant(double *element, double first, double extent)
{
    *element = first + fmod(*element - first + extent, extent);
}

bool reference_subscript(const struct reference *reference, int dimension,
                         const struct array_layout *lies, const bool *fixed, const double *at,
                         struct subscript *subscript)
{
    const struct affine *affine = &reference->subscripts[dimension];
    *subscript = (struct subscript){.loop = -1,
                                    .constant = affine->constant + lies->along[dimension].offset};
    for (int l = 0; l < LOOPS_MOST; l++) {
        if (affine->by[l] == 0.0)
            continue;
        if (fixed[l]) {
            subscript->constant += affine->by[l] * at[l];
            continue;
        }
        if (subscript->loop >= 0)
            return false;
        subscript->loop = l;
        subscript->coefficient = affine->by[l];
    }
    if (reference->wraps && subscript->loop < 0)
        wrap_constant(&subscript->constant, lies->along[dimension].offset, lies->extent[dimension]);
    return true;
}

/* ---- the whole reference ---- */

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

int reference_parse(struct reference *reference, const struct formula *text,
                    const struct nest *nest, struct error *error)
{
    const struct place place = program_place(nest->program, text->place);
    const size_t length = strcspn(text->text, "[");
    *reference = (struct reference){.text = text};
    if (find_array(reference, nest->program, text->text, length, place, error) != 0)
        return -1;
    for (; text->subscripts[reference->dimensions]; reference->dimensions++) {
        const int dimension = reference->dimensions;
        const struct expression *subscript = text->subscripts[dimension];
        if ((size_t)dimension >= reference->array->extent.count)
            break;
        if (read_subscript(&reference->subscripts[dimension], subscript, place, nest, error) != 0 ||
            check_bounds(reference, dimension, subscript->text, nest, place, error) != 0)
            return -1;
    }
    if (text->subscripts[reference->dimensions])
        reference->dimensions++;
    if ((size_t)reference->dimensions != reference->array->extent.count)
        return error_at(error, place, "'%.60s' does not have the %zu subscripts of %s", text->text,
                        reference->array->extent.count, reference->array->name);
    return 0;
}
