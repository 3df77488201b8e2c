#include "forecast/predict/contention.h"

#include "model/machine/structure.h"

#include <math.h>
#include <string.h>

/* Messages of one use that are under way at the same time, on average over its steps: trees begin
   with one, where all send in every step there are as many as participants. Libraries choose their
   algorithms; where a message takes much longer than its setup, the factor does not depend on it.
 */
static double one_message(double participants)
{
    (void)participants;
    return 1.0;
}

static double both_ways(double participants)
{
    (void)participants;
    return 2.0;
}

static double all_others(double participants)
{
    return participants - 1.0;
}

static double all(double participants)
{
    return participants;
}

static double binomial_tree(double participants)
{
    return (participants - 1.0) / ceil(log2(participants));
}

static const struct {
    const char *utility;
    double (*messages)(double participants);
} under_way[] = {
    {"point-to-point", one_message  },
    {"exchange",       both_ways    },
    {"many-to-one",    one_message  },
    {"one-to-many",    all_others   },
    {"broadcast",      binomial_tree},
    {"broadcast-1m",   all_others   },
    {"broadcast-rd",   binomial_tree},
    {"broadcast-prd",  binomial_tree},
    {"broadcast-bt",   binomial_tree},
    {"broadcast-pbt",  binomial_tree},
    {"broadcast-bc",   binomial_tree},
    {"reduce",         binomial_tree},
    {"many-to-many",   all          },
    {"all-gather",     all          },
    {"combine",        all          },
    {"all-reduce",     all          },
};

/* 0: not known of this utility. */
static double messages_of(const char *utility, double participants)
{
    for (size_t i = 0; i < sizeof under_way / sizeof *under_way; i++)
        if (strcmp(under_way[i].utility, utility) == 0)
            return participants < 2.0 ? 1.0 : fmax(1.0, under_way[i].messages(participants));
    return 0.0;
}

const struct cost *contention_pairs(const struct machine *machine)
{
    return machine_cost(machine, "exchange-pairs");
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

struct contention contention_of(const struct machine *machine, const char *utility,
                                double participants, double at_once, double bytes)
{
    struct contention it = {.factor = 1.0};
    struct cost_answer own;
    const double messages = messages_of(utility, participants);
    if (at_once <= 1.0)
        return it;
    it.messages = at_once * messages;
    it.unknown = messages == 0.0 || !contention_pairs(machine) ||
                 !ask(machine, bytes, messages, &own) ||
                 !ask(machine, bytes, it.messages, &it.answer);
    if (it.unknown)
        it.answer = (struct cost_answer){0};
    else if (own.time_us > 0.0)
        it.factor = fmin(at_once, fmax(1.0, it.answer.time_us / own.time_us));
    return it;
}

double contention_widening(const struct contention *contention)
{
    const struct cost_answer *answer = &contention->answer;
    return contention->factor > 1.0 ? answer->high_us / answer->time_us : 1.0;
}
