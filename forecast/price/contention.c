#include "forecast/price/contention.h"

#include "forecast/price/distance.h"
#include "model/cost/pattern.h"
#include "model/machine/structure.h"

#include <math.h>

const struct cost *contention_pairs(const struct machine *machine)
{
    return machine_cost(machine, pattern_exchange_pairs.name);
}

/* Fewer messages than one pair has: as much less as a second pair adds, and at least what a medium
   that does nothing else would take. The functions of p hold from 2 on, where terms may vanish. */
static double below_a_pair(const struct machine *machine, double bytes, double messages,
                           double pair_us)
{
    struct error error;
    struct cost_answer two;
    if (structure_answer(machine, contention_pairs(machine), bytes, 4.0, &two, &error) != 0)
        return pair_us;
    const double message_us = fmax(0.0, two.time_us - pair_us) / 2.0;
    return fmax(pair_us * messages / 2.0, pair_us - (2.0 - messages) * message_us);
}

/* False where the table has no answer. */
static bool ask(const struct machine *machine, double bytes, double messages,
                struct cost_answer *answer)
{
    struct error error;
    if (structure_answer(machine, contention_pairs(machine), bytes, fmax(2.0, messages), answer,
                         &error) != 0)
        return false;
    if (messages < 2.0 && answer->time_us > 0.0) {
        const double share =
            below_a_pair(machine, bytes, messages, answer->time_us) / answer->time_us;
        answer->time_us *= share;
        answer->low_us *= share; /* known as well as the pair's */
        answer->high_us *= share;
    }
    return true;
}

/* Of all that are under way those near by, as many as pairs at that distance, are in the way; the
   others no more than all of them would be at a greater one. */
static bool ask_apart(const struct machine *machine, double bytes, double messages, double apart,
                      struct cost_answer *answer)
{
    struct cost_answer all;
    const double nearby = 2.0 * apart;
    if (!machine->machine.measured || nearby == 0.0 || nearby >= messages)
        return ask(machine, bytes, messages, answer);
    if (!ask(machine, bytes, nearby, answer) || !ask(machine, bytes, messages, &all))
        return false;
    const double crowded_us = answer->time_us * distance_crowding(machine, bytes, messages);
    answer->time_us = fmax(answer->time_us, fmin(crowded_us, all.time_us));
    answer->high_us = fmax(answer->high_us, all.high_us);
    return true;
}

/* Pairs of more processors are farther apart, too: what an empty exchange with the farthest one
   takes longer than with the next one is no contention, so far as the pairs' own takes longer. */
static double farther_us(const struct machine *machine, double messages, double all)
{
    const struct cost *to_next = machine_cost(machine, pattern_exchange.name);
    const struct cost *to_farthest = machine_cost(machine, pattern_exchange_far.name);
    struct cost_answer near, far, own, others;
    if (!machine->machine.measured || !to_next || !to_farthest ||
        structure_answer(machine, to_next, 0.0, 2.0, &near, NULL) != 0 ||
        structure_answer(machine, to_farthest, 0.0, 2.0, &far, NULL) != 0 ||
        !ask(machine, 0.0, messages, &own) || !ask(machine, 0.0, all, &others))
        return 0.0;
    return fmax(0.0, fmin(far.time_us - near.time_us, others.time_us - own.time_us));
}

void contention_leave_distance_out(struct contention *it, const struct machine *machine,
                                   double at_once, double bytes)
{
    const double messages = it->messages / at_once;
    struct cost_answer own;
    if (!(it->factor > 1.0) || !ask(machine, bytes, messages, &own))
        return;
    const double farther = own.time_us + farther_us(machine, messages, it->messages);
    const double factor = fmax(1.0, it->factor * own.time_us / farther);
    it->answer.high_us *= it->factor / factor;
    it->widened = it->factor / factor;
    it->factor = factor;
}

struct contention contention_of(const struct machine *machine, const char *utility,
                                double participants, double at_once, double bytes, double apart)
{
    struct contention it = {.factor = 1.0};
    struct cost_answer own;
    const double messages = pattern_under_way(utility, participants);
    if (at_once <= 1.0)
        return it;
    it.messages = isnan(messages) ? 0.0 : at_once * messages;
    it.unknown = isnan(messages) || !contention_pairs(machine) ||
                 !ask(machine, bytes, messages, &own) ||
                 !ask_apart(machine, bytes, it.messages, apart, &it.answer);
    if (it.unknown)
        it.answer = (struct cost_answer){0};
    else if (own.time_us > 0.0)
        it.factor = fmin(at_once, fmax(1.0, it.answer.time_us / own.time_us));
    return it;
}

double contention_widening(const struct contention *contention)
{
    const struct cost_answer *answer = &contention->answer;
    return contention->factor > 1.0 || contention->widened > 1.0 ? answer->high_us / answer->time_us
                                                                 : 1.0;
}
