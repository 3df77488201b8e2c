#include "model/segment/loops/iterations.h"

#include <math.h>

void iterations_spread(double *by, const struct affine *affine, double factor, int offset)
{
    for (int l = 0; l < LOOPS_MOST; l++)
        if (affine->by[l] != 0.0)
            by[offset + l] += factor * affine->by[l];
}

static bool is_whole(const struct affine *affine)
{
    for (int l = 0; l < LOOPS_MOST; l++)
        if (affine->by[l] != floor(affine->by[l]))
            return false;
    return true;
}

/* factor (bound - index) <= 0: with 1 the index is at least the bound, with -1 at most. */
static bool add_bound(struct inequalities *system, const struct loop_bound *bound, int loop,
                      double factor, int offset)
{
    double by[UNKNOWNS_MOST] = {0.0};
    if (!bound->is_affine || !is_whole(&bound->value))
        return false;
    iterations_spread(by, &bound->value, factor, offset);
    by[offset + loop] -= factor;
    inequalities_at_most(system, by, -factor * bound->value.constant);
    return true;
}

bool iterations_add(struct inequalities *system, const struct nest *nest, int offset)
{
    bool all = true;
    for (int l = 0; l < nest->depth; l++) {
        all &= add_bound(system, &nest->first[l], l, 1.0, offset);
        all &= add_bound(system, &nest->last[l], l, -1.0, offset);
    }
    return all;
}

bool iterations_complete(const struct nest *nest)
{
    struct inequalities system = {.unknowns = nest->depth};
    const bool complete = iterations_add(&system, nest, 0);
    inequalities_free(&system);
    return complete;
}

static bool holds(const struct nest *nest, const struct affine *affine, double factor, double most)
{
    struct inequalities system = {.unknowns = nest->depth};
    double by[UNKNOWNS_MOST] = {0.0};
    iterations_add(&system, nest, 0);
    iterations_spread(by, affine, factor, 0);
    inequalities_at_most(&system, by, most - factor * affine->constant);
    const bool result = inequalities_hold(&system);
    inequalities_free(&system);
    return result;
}

bool iterations_reach(const struct nest *nest, const struct affine *affine, double at_most)
{
    return holds(nest, affine, 1.0, at_most);
}

bool iterations_exceed(const struct nest *nest, const struct affine *affine, double at_least)
{
    return holds(nest, affine, -1.0, -at_least);
}
