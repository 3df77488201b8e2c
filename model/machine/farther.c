#include "model/machine/farther.h"

#include "model/cost/pattern.h"

#include <math.h>

static double exchange_us(const struct machine *machine, const struct pattern *pattern,
                          double bytes)
{
    const struct cost *cost = machine_cost(machine, pattern->name);
    struct cost_answer answer;
    return cost && cost_answer(cost, bytes, 2.0, &answer, NULL) == 0 ? answer.time_us : (double)NAN;
}

static bool partners_move(const struct pattern *pattern)
{
    return pattern->grid_directions > 1 || pattern->partners == PARTNERS_NEXT ||
           pattern->partners == PARTNERS_HALF;
}

double farther_us(const struct machine *machine, const struct cost *cost, double bytes)
{
    const struct pattern *pattern = cost->utility ? pattern_of_form(cost->utility) : NULL;
    if (!pattern || !partners_move(pattern))
        return 0.0;
    const double directions = pattern->grid_directions > 1 ? pattern->grid_directions : 1.0;
    const double more_us = exchange_us(machine, &pattern_exchange_far, bytes) -
                           exchange_us(machine, &pattern_exchange, bytes);
    return more_us > 0.0 ? directions * more_us : 0.0;
}
