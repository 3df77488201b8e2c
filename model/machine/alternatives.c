#include "model/machine/alternatives.h"

#include "model/machine/structure.h"

#include <math.h>

/* What goes to one and what comes from one, which a library may do one after the other instead of
   what both do together. */
static const struct pattern *const parts[] = {&pattern_reduce, &pattern_broadcast};
enum { PARTS = sizeof parts / sizeof *parts };

/* What the longer of them takes of next to no bytes; 0: the table has neither. */
static double one_way_us(const struct machine *machine, double participants)
{
    double most_us = 0.0;
    for (size_t i = 0; i < PARTS; i++) {
        const struct cost *cost = machine_cost(machine, parts[i]->name);
        struct cost_answer part;
        if (cost && cost_answer_wide(cost, fmax(0.0, cost->bytes.least),
                                     cost_formula_p(cost, participants), &part, NULL) == 0)
            most_us = fmax(most_us, part.time_us);
    }
    return most_us;
}

/* More than so many times one way is both ways, one after the other. */
static const double is_both_ways = 1.5;

static void hold_both_ways(const struct machine *machine, double last, double last_us,
                           struct cost_answer *answer)
{
    const double one_way = one_way_us(machine, last);
    if (!(one_way > 0.0 && last_us > is_both_ways * one_way))
        answer->high_us *= 2.0;
    if (!(one_way > 0.0 && last_us <= is_both_ways * one_way))
        answer->low_us /= 2.0;
    answer->time_us = sqrt(answer->low_us * answer->high_us);
}

static void hold_parts(const struct machine *machine, const struct beyond_question *question,
                       struct cost_answer *answer)
{
    struct span both = {0.0, 0.0};
    for (size_t i = 0; i < PARTS; i++) {
        const struct cost *cost = machine_cost(machine, parts[i]->name);
        struct cost_answer part;
        if (!cost ||
            structure_answer_wide(machine, cost, question->bytes,
                                  cost_formula_p(cost, question->participants), &part, NULL) != 0)
            return;
        both.least += part.low_us;
        both.most += part.high_us;
    }
    if (!(both.least > 0.0) || (both.least >= answer->low_us && both.most <= answer->high_us))
        return;
    answer->low_us = fmin(answer->low_us, both.least);
    answer->high_us = fmax(answer->high_us, both.most);
    answer->time_us = sqrt(answer->low_us * answer->high_us);
}

void alternatives_hold(const struct machine *machine, const struct beyond_question *question,
                       double last, double last_us, struct cost_answer *answer)
{
    const struct pattern *pattern = pattern_of_form(question->cost->utility);
    if (pattern->plausible & PLAUSIBLE_TO_REDUCE_BROADCAST)
        hold_parts(machine, question, answer);
    if (pattern->partners == PARTNERS_TREE)
        hold_both_ways(machine, last, last_us, answer);
}
