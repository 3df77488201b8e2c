#include "model/segment/loops/nest.h"

#include <math.h>
#include <string.h>

double range_count(struct range range)
{
    return fmax(0.0, range.last - range.first + 1.0);
}

/* ---- bounds ---- */

struct indices nest_indices(const struct nest *nest)
{
    return (struct indices){(size_t)nest->depth, nest->index, nest->least, nest->most};
}

/* What is not affine, or has no value, is evaluated where it is needed. */
static void read_bound(const struct nest *nest, struct loop_bound *bound,
                       const struct formula *text)
{
    const struct indices indices = nest_indices(nest);
    struct error ignored;
    int loop;
    bound->text = text;
    const int status = expression_affine(text->value, &indices, nest->scope, text->place,
                                         &bound->value, &loop, &ignored);
    bound->is_affine = status == 0 && loop < 0;
    for (int k = 0; k < nest->depth; k++)
        bound->turns[k] = !bound->is_affine &&
                          !expression_is_monotone(text->value, &indices, nest->scope, (size_t)k);
}

static void note_dependence(struct nest *nest, int l, const struct loop_bound *bound)
{
    for (int k = 0; k < l; k++)
        nest->outer[l][k] |= bound->is_affine
                                 ? bound->value.by[k] != 0.0
                                 : expression_names(bound->text->value, nest->index[k]);
}

/* The least value of an affine bound over all outer loops where factor is 1; where it is -1, the
   least of -1 times the bound. */
static double least_of(const struct nest *nest, const struct loop_bound *bound, int depth,
                       double factor)
{
    double least = factor * bound->value.constant;
    for (int k = 0; k < depth && bound->is_affine; k++) {
        const double by = factor * bound->value.by[k];
        if (by != 0.0)
            least += by * (by > 0.0 ? nest->least[k] : nest->most[k]);
    }
    return bound->is_affine ? least : -(double)INFINITY;
}

static int check_value(const struct nest *nest, const struct formula *text, double value,
                       struct error *error)
{
    const struct place place = program_place(nest->program, text->place);
    const bool is_within = fabs(value) <= 0x1p53;
    if (is_within && value == floor(value))
        return 0;
    error_fill(error, place,
               is_within ? "'%.60s' is %g: expected a whole number"
                         : "'%.60s' is %g: expected a loop within 2^53",
               text->text, value);
    return program_wrong_value(nest->program, text, error);
}

static int evaluate(const struct nest *nest, const struct loop_bound *bound, int l,
                    const double *at, double *value, struct error *error)
{
    const struct place place = program_place(nest->program, bound->text->place);
    if (bound->is_affine) {
        *value = affine_value(&bound->value, at);
        return check_value(nest, bound->text, *value, error);
    }
    const size_t before = scope_count(nest->scope);
    int status = 0;
    for (int k = 0; k < l && status == 0; k++)
        status = scope_set(nest->scope, nest->index[k], at[k], place, error);
    if (status == 0)
        status = program_value(nest->program, bound->text, true, nest->scope, value, error);
    scope_cut(nest->scope, before);
    return status == 0 ? check_value(nest, bound->text, *value, error) : status;
}

int nest_enter(struct nest *nest, const struct loop *loop, struct error *error)
{
    const int l = nest->depth;
    const struct place place = program_place(nest->program, loop->first.place);
    double somewhere[LOOPS_MOST];
    bool outer = false;
    if (l == LOOPS_MOST)
        return error_at(error, place, "more than %d loops within one another", LOOPS_MOST);
    bool taken = scope_get(nest->scope, loop->index, NULL);
    for (int k = 0; k < l; k++)
        taken |= strcmp(nest->index[k], loop->index) == 0;
    if (taken)
        return error_at(error, place, "loop index '%.60s' is the name of something else",
                        loop->index);
    read_bound(nest, &nest->first[l], &loop->first);
    read_bound(nest, &nest->last[l], &loop->last);
    memset(nest->outer[l], 0, sizeof nest->outer[l]);
    note_dependence(nest, l, &nest->first[l]);
    note_dependence(nest, l, &nest->last[l]);
    nest->least[l] = least_of(nest, &nest->first[l], l, 1.0);
    nest->most[l] = -least_of(nest, &nest->last[l], l, -1.0);
    nest->loops[l] = loop;
    nest->index[l] = loop->index;
    nest->depth++;
    for (int k = 0; k < l; k++) {
        outer |= nest->outer[l][k];
        somewhere[k] = 1.0;
    }
    struct range range; /* numbers and misspelt names are complained about here, once */
    return outer && nest->first[l].is_affine && nest->last[l].is_affine
               ? 0
               : nest_range(nest, l, somewhere, &range, error);
}

int nest_range(const struct nest *nest, int l, const double *at, struct range *range,
               struct error *error)
{
    if (!effort_take(nest->program->effort, 1.0)) {
        error_fill(error, program_place(nest->program, nest->first[l].text->place),
                   "its loops are too large to be gone through: more than %g steps",
                   nest->program->effort->most);
        return error_particular(error);
    }
    if (evaluate(nest, &nest->first[l], l, at, &range->first, error) != 0)
        return -1;
    return evaluate(nest, &nest->last[l], l, at, &range->last, error);
}

/* Bounds have their extremes at the ends of the range of an outer loop: its values next to one
   another are its ends alone, unless a bound rises and falls with the loop. */
static double next_value(const struct nest *nest, int l, int k, const struct range *range,
                         double value)
{
    const bool turns = nest->first[l].turns[k] || nest->last[l].turns[k];
    return turns || value == range->last ? value + 1.0 : range->last;
}

int nest_hull(const struct nest *nest, int l, const bool *fixed, const double *at,
              const struct range *ranges, struct range *range, struct error *error)
{
    double outer[LOOPS_MOST];
    *range = (struct range){INFINITY, -INFINITY};
    for (int k = 0; k < l; k++)
        outer[k] = fixed[k] ? at[k] : ranges[k].first;
    for (int k = 0; k >= 0;) {
        struct range here;
        if (nest_range(nest, l, outer, &here, error) != 0)
            return -1;
        range->first = fmin(range->first, here.first);
        range->last = fmax(range->last, here.last);
        for (k = l - 1; k >= 0; k--) { /* as an odometer */
            if (fixed[k] || !nest->outer[l][k])
                continue;
            outer[k] = next_value(nest, l, k, &ranges[k], outer[k]);
            if (outer[k] <= ranges[k].last)
                break;
            outer[k] = ranges[k].first;
        }
    }
    return 0;
}

bool nest_is_triangular(const struct nest *nest, int l, const bool *fixed)
{
    for (int k = 0; k < l; k++)
        if (nest->outer[l][k] && !(fixed && fixed[k]))
            return true;
    return false;
}

int nest_common(const struct nest *a, const struct nest *b)
{
    int common = 0;
    while (common < a->depth && common < b->depth && a->loops[common] == b->loops[common])
        common++;
    return common;
}
