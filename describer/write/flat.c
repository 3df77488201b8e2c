/* Subscripts of flat arrays are divided by the strides that they have, with the remainder in its
   row: V. Maslov, Delinearization: an Efficient Way to Break Multiloop Dependence Equations,
   PLDI 1992; here strides are polynomials of parameters, as in u[i * (n + 2) + j]. Nothing is
   divided unless every reference then stays within its rows. */
#include "describer/write/references.h"

#include "describer/walk/evaluate.h"
#include "describer/write/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Strides of a dimension, the largest first; the last is 1. */
struct strides {
    polynomial items[RANK_MOST];
    bool is_shared[RANK_MOST]; /* with another index, in some reference */
    int count;
};

/* The dimension of an array that is divided. */
struct flat {
    struct describer *describer;
    struct array *array;
    int dimension;
    const struct references *references;
};

/* Without the number that divides all of its terms: a loop of step 2 has twice the stride. */
static polynomial without_number(struct algebra *algebra, polynomial a)
{
    double common = 0;
    for (int i = 0; i < a->count; i++)
        for (double rest = fabs(a->terms[i].factor); rest != 0;) {
            const double next = fmod(common, rest);
            common = rest;
            rest = next;
        }
    return common > 0 ? polynomial_scaled(algebra, a, 1 / common) : a;
}

static void note_stride(struct algebra *algebra, struct strides *strides, polynomial stride,
                        bool is_shared)
{
    int at = 0;
    for (int i = 0; i < strides->count; i++)
        if (polynomial_equal(algebra, strides->items[i], stride)) {
            strides->is_shared[i] = strides->is_shared[i] || is_shared;
            return;
        }
    if (strides->count == RANK_MOST)
        return;
    while (at < strides->count && polynomial_value(strides->items[at]) >= polynomial_value(stride))
        at++;
    const size_t behind = (size_t)(strides->count - at);
    memmove(&strides->items[at + 1], &strides->items[at], behind * sizeof *strides->items);
    memmove(&strides->is_shared[at + 1], &strides->is_shared[at],
            behind * sizeof *strides->is_shared);
    strides->items[at] = stride;
    strides->is_shared[at] = is_shared;
    strides->count++;
}

/* The indices of a subscript; returns how many. */
static int indices_of(polynomial subscript, struct symbol *indices[TERMS_MOST])
{
    int count = 0;
    for (int t = 0; t < subscript->count; t++)
        for (int i = 0; i < subscript->terms[t].degree; i++) {
            struct symbol *symbol = subscript->terms[t].symbols[i];
            int k = 0;
            while (k < count && indices[k] != symbol)
                k++;
            if (symbol->kind == SYMBOL_INDEX && k == count)
                indices[count++] = symbol;
        }
    return count;
}

/* Rows up to this length are a part of what lies at one point, which nobody distributes: numbers up
   to which a constant is no parameter (named_number). */
enum { SHORT_ROW_MOST = 16 };

/* Numbers are strides where a smaller one stands beside them (u[100 * i + j]), and no strides where
   they stand alone (u[2 * i]). */
static void note_strides_of(struct algebra *algebra, polynomial subscript, bool is_plain,
                            struct strides *strides)
{
    struct symbol *indices[TERMS_MOST];
    const int count = indices_of(subscript, indices);
    double least = INFINITY, number;
    for (int i = 0; i < count; i++) {
        polynomial stride = polynomial_coefficient(algebra, subscript, indices[i]);
        if (polynomial_is_constant(stride, &number))
            least = fmin(least, fabs(number));
    }
    for (int i = 0; i < count; i++) {
        polynomial stride = polynomial_coefficient(algebra, subscript, indices[i]);
        if (polynomial_value(stride) < 0)
            stride = polynomial_scaled(algebra, stride, -1);
        if (!polynomial_is_constant(stride, &number))
            note_stride(algebra, strides, is_plain ? without_number(algebra, stride) : stride,
                        count > 1);
        else if (number > least && number > SHORT_ROW_MOST)
            note_stride(algebra, strides, stride, true);
    }
}

/* What stands alone and is a sum of other strides is no row: a[i * n + i]. */
static void drop_diagonals(struct algebra *algebra, struct strides *strides)
{
    for (int i = 0; i < strides->count; i++) {
        bool is_sum = false;
        for (int k = i + 1; k < strides->count && !strides->is_shared[i] && !is_sum; k++) {
            polynomial quotient, rest;
            double times;
            polynomial_divide(algebra, strides->items[i], strides->items[k], &quotient, &rest);
            is_sum = polynomial_is_constant(quotient, &times) && times != 0 && rest->count > 0;
        }
        if (!is_sum)
            continue;
        const size_t behind = (size_t)(strides->count - i - 1);
        memmove(&strides->items[i], &strides->items[i + 1], behind * sizeof *strides->items);
        memmove(&strides->is_shared[i], &strides->is_shared[i + 1],
                behind * sizeof *strides->is_shared);
        strides->count--;
        i--;
    }
}

static void find_strides(const struct flat *flat, bool is_plain, struct strides *strides)
{
    struct algebra *algebra = &flat->describer->algebra;
    *strides = (struct strides){.count = 0};
    for (int i = 0; i < flat->references->count; i++)
        note_strides_of(algebra, flat->references->items[i]->subscripts[flat->dimension], is_plain,
                        strides);
    if (strides->count > 0)
        note_stride(algebra, strides, polynomial_constant(algebra, 1), true);
    drop_diagonals(algebra, strides);
}

/* The extents that the strides mean, of the first dimension NULL; false: they are no rows within
   one another. */
static bool extents_of(struct algebra *algebra, const struct strides *strides, polynomial *extents)
{
    polynomial rest;
    extents[0] = NULL;
    for (int i = 0; i + 1 < strides->count; i++) {
        polynomial_divide(algebra, strides->items[i], strides->items[i + 1], &extents[i + 1],
                          &rest);
        if (rest->count > 0 || polynomial_value(extents[i + 1]) <= 1)
            return false;
    }
    return true;
}

/* Each part of the subscript goes with the largest stride by which it can be divided. */
static void divide(struct algebra *algebra, const struct strides *strides, polynomial whole,
                   polynomial *subscripts)
{
    struct symbol *indices[TERMS_MOST];
    const int count = indices_of(whole, indices);
    for (int d = 0; d < strides->count; d++)
        subscripts[d] = polynomial_constant(algebra, 0);
    for (int i = 0; i <= count; i++) {
        polynomial left = i < count ? polynomial_coefficient(algebra, whole, indices[i]) : whole;
        polynomial times = polynomial_constant(algebra, 1), quotient;
        if (i < count)
            times = polynomial_symbol(algebra, indices[i]);
        for (int k = 0; k < count && i == count; k++)
            left = polynomial_rest(algebra, left, indices[k]);
        for (int d = 0; d < strides->count; d++) {
            polynomial_divide(algebra, left, strides->items[d], &quotient, &left);
            subscripts[d] = polynomial_sum(algebra, subscripts[d],
                                           polynomial_product(algebra, quotient, times), 1);
        }
    }
}

/* A subscript that is outside its row is in the one beside it. */
static void carry(struct describer *describer, polynomial *subscripts, int count,
                  const polynomial *extents)
{
    struct algebra *algebra = &describer->algebra;
    for (int d = count - 1; d > 0; d--) {
        const double least = polynomial_value(extreme_of(describer, subscripts[d], false));
        const double most = polynomial_value(extreme_of(describer, subscripts[d], true));
        const double extent = polynomial_value(extents[d]);
        const int rows = least < 0 && most < 0 ? -1 : least >= extent ? 1 : 0;
        if (rows == 0)
            continue;
        subscripts[d] = polynomial_sum(algebra, subscripts[d], extents[d], -rows);
        subscripts[d - 1] = polynomial_plus(algebra, subscripts[d - 1], rows);
    }
}

/* Whether each subscript stays within its row. */
static bool is_within(struct describer *describer, const polynomial *subscripts, int count,
                      const polynomial *extents)
{
    for (int d = 1; d < count; d++)
        if (!polynomial_is_affine(subscripts[d]) ||
            polynomial_value(extreme_of(describer, subscripts[d], false)) < 0 ||
            polynomial_value(extreme_of(describer, subscripts[d], true)) >=
                polynomial_value(extents[d]))
            return false;
    return polynomial_is_affine(subscripts[0]);
}

/* Puts the parts of one subscript in its place. */
static void replace(struct reference *reference, int dimension, const polynomial *parts, int count)
{
    memmove(&reference->subscripts[dimension + count], &reference->subscripts[dimension + 1],
            (size_t)(reference->count - dimension - 1) * sizeof *parts);
    memcpy(&reference->subscripts[dimension], parts, (size_t)count * sizeof *parts);
    reference->count += count - 1;
}

/* An array one of whose references leaves its row stays flat; returns that reference's number, -1
   where all are divided. */
static int unfold(const struct flat *flat, const struct strides *strides, polynomial *extents)
{
    struct describer *describer = flat->describer;
    struct algebra *algebra = &describer->algebra;
    struct array *array = flat->array;
    const int count = strides->count, d = flat->dimension;
    polynomial(*parts)[RANK_MOST] =
        arena_take(describer->arena, (size_t)flat->references->count, sizeof *parts);
    for (int i = 0; i < flat->references->count; i++) {
        divide(algebra, strides, flat->references->items[i]->subscripts[d], parts[i]);
        carry(describer, parts[i], count, extents);
        if (!is_within(describer, parts[i], count, extents))
            return i;
    }
    for (int i = 0; i < flat->references->count; i++)
        replace(flat->references->items[i], d, parts[i], count);
    if (array->extents[d]) {
        polynomial rest, first;
        polynomial_divide(algebra, array->extents[d], strides->items[0], &first, &rest);
        extents[0] = rest->count == 0 && polynomial_value(first) > 0 ? first : extents[0];
    }
    memmove(&array->extents[d + count], &array->extents[d + 1],
            (size_t)(array->rank - d - 1) * sizeof *extents);
    memcpy(&array->extents[d], extents, (size_t)count * sizeof *extents);
    array->rank += count - 1;
    array->is_flat = true;
    return -1;
}

/* Strides without a number first, then as they are: rows may be as long as 2 * n. */
static void unfold_by_strides(const struct flat *flat)
{
    struct strides strides;
    polynomial extents[RANK_MOST];
    for (int is_plain = 1; is_plain >= 0; is_plain--) {
        find_strides(flat, is_plain, &strides);
        if (strides.count >= 2 && flat->array->rank + strides.count - 1 <= RANK_MOST &&
            extents_of(&flat->describer->algebra, &strides, extents) &&
            unfold(flat, &strides, extents) < 0)
            return;
    }
}

/* array u[n + 2][n + 2] for an array that the source has flat: its extents are its strides. */
static bool unfold_by_directive(const struct flat *flat)
{
    struct describer *describer = flat->describer;
    struct algebra *algebra = &describer->algebra;
    struct place place;
    struct strides strides = {.count = 0};
    polynomial told[RANK_MOST], extents[RANK_MOST];
    const int count = told_extents_of(describer, flat->array, told, &place);
    const int more = count - flat->array->rank;
    if (more <= 0 || describer->has_failed)
        return false;
    strides.count = more + 1;
    strides.items[more] = polynomial_constant(algebra, 1);
    for (int d = more; d > 0; d--)
        strides.items[d - 1] = polynomial_product(algebra, strides.items[d], told[d]);
    memcpy(extents, told, sizeof extents);
    const int left = unfold(flat, &strides, extents);
    if (left >= 0)
        describer_fail(describer, place,
                       "array %s: element %s leaves its row of %s: give the extents that the "
                       "program computes its subscripts with",
                       flat->array->name, reference_text(algebra, flat->references->items[left]),
                       polynomial_text(algebra, told[more], " "));
    return true;
}

void flat_unfold(struct describer *describer)
{
    for (int i = 0; i < describer->arrays.count && !describer->has_failed; i++) {
        struct array *array = describer->arrays.items[i];
        const int dimensions = array->rank - (array->has_members ? 1 : 0);
        if (dimensions != 1 || array->is_scalar)
            continue;
        struct references references;
        references_find(describer, array, &references);
        const struct flat flat = {describer, array, 0, &references};
        bool is_whole = true;
        for (int k = 0; k < references.count; k++)
            is_whole = is_whole && references.items[k]->count == array->rank;
        if (is_whole && !unfold_by_directive(&flat))
            unfold_by_strides(&flat);
        free(references.items);
    }
}
