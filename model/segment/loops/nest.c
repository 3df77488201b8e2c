#include "model/segment/loops/nest.h"

#include <math.h>
#include <string.h>

double range_count(struct range range)
{
    return fmax(0.0, range.last - range.first + 1.0);
}

/* ---- bounds ---- */

/* What is not affine, or has no value at 0 (N / k), is evaluated where it is needed; which indices
   it depends on is not known then: all. */
static void read_bound(struct nest *nest, struct loop_bound *bound, const struct formula *text)
{
    struct error ignored;
    int loop;
    bound->text = text;
    const int status =
        affine_parse(&bound->value, text->text, program_place(nest->program, text->place),
                     nest->index, nest->depth, nest->scope, &loop, &ignored);
    bound->is_affine = status == 0 && loop < 0;
}

static void note_dependence(struct nest *nest, int l, const struct loop_bound *bound)
{
    for (int k = 0; k < l; k++)
        nest->outer[l][k] |= !bound->is_affine || bound->value.by[k] != 0.0;
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

/* At the corners of the box of the outer ranges: where the bounds are affine, one of them is it. */
int nest_hull(const struct nest *nest, int l, const bool *fixed, const double *at,
              const struct range *ranges, struct range *range, struct error *error)
{
    double corner[LOOPS_MOST];
    int free_loops[LOOPS_MOST] = {0}, count = 0;
    *range = (struct range){INFINITY, -INFINITY};
    for (int k = 0; k < l; k++) {
        corner[k] = fixed[k] ? at[k] : ranges[k].first;
        if (!fixed[k] && nest->outer[l][k])
            free_loops[count++] = k;
    }
    for (unsigned which = 0; which < 1u << count; which++) {
        struct range here;
        for (int i = 0; i < count; i++) {
            const struct range *outer = &ranges[free_loops[i]];
            corner[free_loops[i]] = which >> i & 1u ? outer->last : outer->first;
        }
        if (nest_range(nest, l, corner, &here, error) != 0)
            return -1;
        range->first = fmin(range->first, here.first);
        range->last = fmax(range->last, here.last);
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
