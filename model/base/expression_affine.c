/* The affine form of an expression in the indices of loops. */
#include "model/base/allocation.h"
#include "model/base/expression_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a value may change as an index rises. */
enum { RISES = 1, FALLS = 2, RISES_AND_FALLS = RISES | FALLS };

/* A value within the expression. */
struct form {
    int not_in; /* the outermost index in which it is not affine; -1: it is affine */
    struct affine affine;
    unsigned char ways[INDICES_MOST]; /* of what is not affine */
};

static struct form constant_form(double value)
{
    return (struct form){-1, {.constant = value}, {0}};
}

/* The outermost index that it depends on; -1: none. */
static int index_in(const struct form *form)
{
    for (int i = 0; i < INDICES_MOST; i++)
        if (form->affine.by[i] != 0.0)
            return i;
    return -1;
}

static struct form combined(const struct form *a, double factor, const struct form *b,
                            double other_factor)
{
    struct form form =
        constant_form(factor * a->affine.constant + other_factor * b->affine.constant);
    for (int i = 0; i < INDICES_MOST; i++)
        form.affine.by[i] = factor * a->affine.by[i] + other_factor * b->affine.by[i];
    return form;
}

static struct form quotient(const struct form *a, double divisor)
{
    struct form form = *a;
    form.affine.constant /= divisor;
    for (int i = 0; i < INDICES_MOST; i++)
        form.affine.by[i] /= divisor;
    return form;
}

/* Whether sums of the number and its like are exact: it is a small multiple of 2^-20. */
static bool is_exact(double number)
{
    return fabs(number) < 0x1p32 && number * 0x1p20 == floor(number * 0x1p20);
}

/* The least value over the ranges of the indices, of the form times 1 or -1. Where sums of its
   terms are rounded, as 49 times 1/49 is, it is less, so that nothing is decided by what was lost.
 */
static double least_of(const struct form *form, const struct indices *indices, double sign)
{
    static const double rounding = 1e-9; /* of some operations on doubles, each rounded by 1e-16 */
    double least = sign * form->affine.constant, size = fabs(least);
    bool exact = is_exact(least);
    for (size_t i = 0; i < indices->count; i++) {
        const double by = sign * form->affine.by[i];
        if (by == 0.0)
            continue;
        const double term = by * (by > 0.0 ? indices->least[i] : indices->most[i]);
        least += term;
        size += fabs(term);
        exact &= is_exact(by);
    }
    return exact ? least : least - rounding * size;
}

static void bounds(const struct form *form, const struct indices *indices, double *least,
                   double *most)
{
    *least = least_of(form, indices, 1.0);
    *most = -least_of(form, indices, -1.0);
}

static double down(const double *a, size_t count)
{
    (void)count;
    return floor(a[0]);
}

static double up(const double *a, size_t count)
{
    (void)count;
    return ceil(a[0]);
}

/* The form rounded: indices are whole, and so are whole multiples of them; else where both ends of
   its range become the same number. */
static bool round_form(const struct form *form, const struct indices *indices,
                       double (*rounded)(const double *, size_t), struct form *result)
{
    bool is_whole = true;
    double least, most;
    *result = *form;
    for (int i = 0; i < INDICES_MOST; i++)
        is_whole &= form->affine.by[i] == floor(form->affine.by[i]);
    result->affine.constant = rounded(&form->affine.constant, 1);
    if (is_whole)
        return true;
    bounds(form, indices, &least, &most);
    *result = constant_form(rounded(&least, 1));
    return result->affine.constant == rounded(&most, 1);
}

static bool apply_law(const struct function *function, const struct form *a, size_t count,
                      const struct indices *indices, struct form *result)
{
    static const struct form zero = {.not_in = -1};
    struct form other;
    double least, most;
    switch (function->law) {
    case AFFINE_IF_CONSTANT:
        return false;
    case AFFINE_SUM:
    case AFFINE_MEAN:
        *result = zero;
        for (size_t k = 0; k < count; k++)
            *result = combined(result, 1.0, &a[k], 1.0);
        if (function->law == AFFINE_MEAN)
            *result = quotient(result, (double)count);
        return true;
    case AFFINE_DIFFERENCE:
        *result = combined(&a[0], 1.0, &a[1], -1.0);
        return true;
    case AFFINE_NEGATIVE:
        *result = combined(&a[0], -1.0, &zero, 0.0);
        return true;
    case AFFINE_PRODUCT: {
        const int factor = index_in(&a[0]) < 0 ? 0 : 1;
        *result = combined(&a[1 - factor], a[factor].affine.constant, &zero, 0.0);
        return index_in(&a[factor]) < 0;
    }
    case AFFINE_QUOTIENT:
        *result = quotient(&a[0], a[1].affine.constant);
        return index_in(&a[1]) < 0;
    case AFFINE_POWER:
        *result = a[1].affine.constant == 1.0 ? a[0] : constant_form(1.0);
        return index_in(&a[1]) < 0 && (a[1].affine.constant == 1.0 || a[1].affine.constant == 0.0);
    case AFFINE_ROUNDED:
        return round_form(&a[0], indices, function->value, result);
    case AFFINE_QUOTIENT_ROUNDED:
        other = quotient(&a[0], a[1].affine.constant);
        return index_in(&a[1]) < 0 && round_form(&other, indices, up, result);
    case AFFINE_REMAINDER:
        other = quotient(&a[0], a[1].affine.constant);
        if (index_in(&a[1]) >= 0 || !round_form(&other, indices, down, result))
            return false;
        *result = combined(&a[0], 1.0, result, -a[1].affine.constant);
        return true;
    case AFFINE_STEP: { /* a comparison, or the sign, steps where the difference is 0, and nowhere
                           else */
        other = count == 2 ? combined(&a[0], 1.0, &a[1], -1.0) : a[0];
        bounds(&other, indices, &least, &most);
        const double at_least[] = {least, 0.0}, at_most[] = {most, 0.0};
        *result = constant_form(function->value(at_least, count));
        return result->affine.constant == function->value(at_most, count) &&
               !(least < 0.0 && most > 0.0);
    }
    case AFFINE_ABSOLUTE:
        bounds(&a[0], indices, &least, &most);
        *result = combined(&a[0], least >= 0.0 ? 1.0 : -1.0, &zero, 0.0);
        return least >= 0.0 || most <= 0.0;
    case AFFINE_LEAST:
    case AFFINE_MOST:
        *result = a[0];
        for (size_t k = 1; k < count; k++) {
            other = function->law == AFFINE_LEAST ? combined(&a[k], 1.0, result, -1.0)
                                                  : combined(result, 1.0, &a[k], -1.0);
            bounds(&other, indices, &least, &most);
            if (!(least >= 0.0 || most <= 0.0))
                return false;
            *result = least >= 0.0 ? *result : a[k];
        }
        return true;
    case AFFINE_CHOICE: /* the other way may be anything */
        *result = a[0].affine.constant != 0.0 ? a[1] : a[2];
        return index_in(&a[0]) < 0;
    }
    return false;
}

static unsigned ways_of(const struct form *form, int index, double factor)
{
    const double by = factor * form->affine.by[index];
    const unsigned ways = form->ways[index];
    if (form->not_in < 0)
        return by > 0.0 ? RISES : by < 0.0 ? FALLS : 0;
    return factor >= 0.0 ? ways : (ways & RISES ? FALLS : 0) | (ways & FALLS ? RISES : 0);
}

/* How the function changes with an index, as far as its arguments tell. */
static unsigned function_ways(const struct function *function, const struct form *a, size_t count,
                              int index)
{
    unsigned ways = 0;
    for (size_t k = 0; k < count; k++)
        ways |= ways_of(&a[k], index, 1.0);
    const bool first_is_constant = a[0].not_in < 0 && index_in(&a[0]) < 0;
    const bool last_is_constant = a[count - 1].not_in < 0 && index_in(&a[count - 1]) < 0;
    switch (function->law) {
    case AFFINE_SUM:
    case AFFINE_MEAN:
    case AFFINE_ROUNDED:
    case AFFINE_LEAST:
    case AFFINE_MOST:
        return ways;
    case AFFINE_NEGATIVE:
        return ways_of(&a[0], index, -1.0);
    case AFFINE_DIFFERENCE:
        return ways_of(&a[0], index, 1.0) | ways_of(&a[1], index, -1.0);
    case AFFINE_PRODUCT:
    case AFFINE_QUOTIENT:
    case AFFINE_QUOTIENT_ROUNDED:
        if (last_is_constant)
            return ways_of(&a[0], index, a[1].affine.constant);
        if (first_is_constant && function->law == AFFINE_PRODUCT)
            return ways_of(&a[1], index, a[0].affine.constant);
        break;
    case AFFINE_CHOICE:
        if (first_is_constant)
            return ways_of(a[0].affine.constant != 0.0 ? &a[1] : &a[2], index, 1.0);
        break;
    default:
        break;
    }
    return ways ? RISES_AND_FALLS : 0;
}

/* The function of the forms a[0..count-1]; values: room for as many numbers. */
static struct form call_form(const struct function *function, const struct form *a, size_t count,
                             const struct indices *indices, double *values)
{
    struct form result = {0};
    const size_t decisive = function->law == AFFINE_CHOICE ? 1 : count;
    bool is_constant = true, is_affine = true;
    for (size_t k = 0; k < count; k++) {
        is_affine &= a[k].not_in < 0 || k >= decisive;
        is_constant &= a[k].not_in < 0 && index_in(&a[k]) < 0;
        values[k] = a[k].affine.constant;
    }
    if (is_constant)
        return constant_form(function->value(values, count));
    if (is_affine && apply_law(function, a, count, indices, &result))
        return result;
    result = (struct form){.not_in = INDICES_MOST};
    for (size_t k = 0; k < count; k++) {
        const int index = a[k].not_in >= 0 ? a[k].not_in : is_affine ? index_in(&a[k]) : -1;
        result.not_in = index >= 0 && index < result.not_in ? index : result.not_in;
    }
    for (int i = 0; i < INDICES_MOST; i++)
        result.ways[i] = (unsigned char)function_ways(function, a, count, i);
    return result;
}

static int derive(const struct expression *expression, const struct indices *indices,
                  const struct scope *scope, struct place place, struct form *form,
                  struct error *error)
{
    const struct expression_nodes *nodes = expression->nodes;
    struct form *forms = memory_new(nodes->values_most, sizeof *forms);
    double *values = memory_new(nodes->values_most, sizeof *values);
    size_t count = 0;
    int status = 0;
    for (size_t i = 0; i < nodes->count && status == 0; i++) {
        const struct node *node = &nodes->items[i];
        if (node->function) {
            count -= node->arguments;
            forms[count] =
                call_form(node->function, forms + count, node->arguments, indices, values);
            count++;
            continue;
        }
        double value = 0.0;
        size_t k = 0;
        while (node->name && k < indices->count && strcmp(indices->names[k], node->name) != 0)
            k++;
        const bool is_index = node->name && k < indices->count;
        if (!is_index)
            status = expression_operand(expression, node, scope, place, &value, error);
        forms[count] = constant_form(value);
        if (is_index)
            forms[count].affine.by[k] = 1.0;
        count++;
    }
    if (status == 0)
        *form = forms[0];
    free(values);
    free(forms);
    return status;
}

int expression_affine(const struct expression *expression, const struct indices *indices,
                      const struct scope *scope, struct place place, struct affine *affine,
                      int *index, struct error *error)
{
    struct form form;
    *index = -1;
    if (derive(expression, indices, scope, place, &form, error) != 0)
        return -1;
    *index = form.not_in;
    if (*index >= 0)
        return 0;
    *affine = form.affine;
    int status = expression_check_finite(expression, affine->constant, place, error);
    for (int i = 0; i < INDICES_MOST && status == 0; i++)
        status = expression_check_finite(expression, affine->by[i], place, error);
    return status;
}

bool expression_is_monotone(const struct expression *expression, const struct indices *indices,
                            const struct scope *scope, size_t index)
{
    struct form form;
    return derive(expression, indices, scope, (struct place){0}, &form, NULL) == 0 &&
           ways_of(&form, (int)index, 1.0) != RISES_AND_FALLS;
}
