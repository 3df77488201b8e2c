#include "model/machine/machine_lint.h"

#include <math.h>

/* Below this share a fall or an excess is the rounding of a fit. */
static const double noticeable = 0.01;

struct lint {
    const struct machine *machine;
    lint_remark *remark;
    void *state;
    size_t count;
};

#define REMARK(lint, at, ...)                                                                      \
    do {                                                                                           \
        struct error remark_;                                                                      \
        struct place place_ = (at);                                                                \
        place_.file = (lint)->machine->path;                                                       \
        error_fill(&remark_, place_, __VA_ARGS__);                                                 \
        (lint)->remark((lint)->state, &remark_);                                                   \
        (lint)->count++;                                                                           \
    } while (0)

/* NAN: there is no answer, or it is outside of what was measured. */
static double time_us(const struct cost *cost, double bytes, double p)
{
    struct cost_answer answer;
    if (!cost || cost_answer(cost, bytes, p, &answer, NULL) != 0)
        return NAN;
    const unsigned outside =
        COST_EXTRAPOLATED_BYTES | COST_EXTRAPOLATED_PROCESSORS | COST_OTHER_GRID;
    return answer.flags & outside ? (double)NAN : answer.time_us;
}

/* The p that the utility's formula counts where participants take part (R174, X14). */
static double counted(const struct cost *cost, double participants)
{
    return participants - (cost && cost->processors_mean != MEAN_PARTICIPANTS ? 1.0 : 0.0);
}

/* X27: published regions do not join, and one byte more may cost less. */
static void falls_between_regions(struct lint *lint, const struct cost *cost)
{
    const struct region *regions = cost->regions.items;
    const double p_least = isnan(cost->processors.least) ? 2.0 : cost->processors.least;
    for (size_t i = 0; i + 1 < cost->regions.count; i++) {
        const double edge = regions[i].bytes_upto;
        if (isinf(edge)) /* the last of those for few processors */
            continue;
        const double p = fmax(p_least, regions[i].processors.least);
        const double before_us = time_us(cost, edge, p), after_us = time_us(cost, edge + 1.0, p);
        if (after_us < before_us * (1.0 - noticeable))
            REMARK(lint, regions[i + 1].place,
                   "%s falls from %.5g to %.5g us after %.0f bytes (p = %g)", cost->utility,
                   before_us, after_us, edge, p);
    }
}

/* Both end with every processor having heard of every other: no less than one exchange, at p = 2.
 */
static void below_an_exchange(struct lint *lint, const struct cost *cost)
{
    const struct cost *exchange = machine_cost(lint->machine, "exchange");
    for (int i = 3; i <= 20; i++) {
        const double n = ldexp(1.0, i);
        const double own_us = time_us(cost, n, 2.0), other_us = time_us(exchange, n, 2.0);
        if (own_us < other_us * (1.0 - noticeable)) {
            REMARK(lint, cost->place,
                   "%s takes %.5g us for %.0f bytes at p = 2, less than an exchange with %.5g us",
                   cost->utility, own_us, n, other_us);
            return;
        }
    }
}

/* What reaches another processor takes at least a message, if the time is until it has arrived; two
   measurements of the same may differ by a tenth. */
static void below_a_message(struct lint *lint, const struct cost *cost)
{
    const struct cost *message = machine_cost(lint->machine, "point-to-point");
    if (cost->measures != MEASURES_COMPLETION)
        return;
    for (int i = 3; i <= 20; i++) {
        const double n = ldexp(1.0, i);
        const double own_us = time_us(cost, n, counted(cost, 2.0)),
                     message_us = time_us(message, n, 2.0);
        if (own_us < 0.9 * message_us) {
            REMARK(lint, cost->place,
                   "%s takes %.5g us for %.0f bytes at p = 2, less than a message with %.5g us",
                   cost->utility, own_us, n, message_us);
            return;
        }
    }
}

/* Sending to one after the other is always possible. */
static void above_single_messages(struct lint *lint, const struct cost *cost)
{
    const struct cost *message = machine_cost(lint->machine, "point-to-point");
    for (int k = 1; k <= 10; k++)
        for (int i = 3; i <= 20; i++) {
            const double p = ldexp(1.0, k), n = ldexp(1.0, i);
            const double own_us = time_us(cost, n, counted(cost, p));
            const double single_us = (p - 1.0) * time_us(message, n, 2.0);
            if (own_us * (1.0 - noticeable) > single_us) {
                REMARK(lint, cost->place,
                       "%s takes %.5g us for %.0f bytes to %.0f others, more than one message to "
                       "each with %.5g us",
                       cost->utility, own_us, n, p - 1.0, single_us);
                return;
            }
        }
}

/* A machine out of its depth: times that grow faster than any law of p from one measured p to the
   next (001:839: 128-fold from 4 to 8 processors). */
static void congests(struct lint *lint, const struct cost *cost)
{
    const struct at_processors *at = cost->by_processors.items;
    const double n = isnan(cost->bytes.least) ? 0.0 : cost->bytes.least;
    for (size_t i = 0; i + 1 < cost->by_processors.count; i++) {
        const double p = at[i].processors, next = at[i + 1].processors;
        const double before_us = time_us(cost, n, p), after_us = time_us(cost, n, next);
        if (p >= 2.0 && before_us > 0.0 && after_us > before_us * pow(next / p, 3.0))
            REMARK(lint, cost->place,
                   "%s of %.0f bytes takes %.3g times as long at p = %g as at p = %g: congestion, "
                   "do not extrapolate",
                   cost->utility, n, after_us / before_us, next, p);
    }
}

/* The utility NULL: every one. */
static const struct {
    const char *utility;
    void (*look)(struct lint *lint, const struct cost *cost);
} rules[] = {
    {NULL,           falls_between_regions},
    {NULL,           congests             },
    {"combine",      below_an_exchange    },
    {"many-to-many", below_an_exchange    },
    {"broadcast",    above_single_messages},
    {"broadcast",    below_a_message      },
    {"broadcast-bc", below_a_message      },
    {"broadcast-1m", below_a_message      },
    {"broadcast-rd", below_a_message      },
    {"broadcast-bt", below_a_message      },
    {"vSR",          below_a_message      },
    {"combine",      below_a_message      },
};

/* ---- what the system tells of a cache, in a virtual machine the host's ---- */

static bool is_outside(double value, double low, double high)
{
    return value < low * (1.0 - noticeable) || value > high * (1.0 + noticeable);
}

static void capacity_told_otherwise(struct lint *lint, const struct memory_level *level)
{
    const double told = level->told_capacity_bytes, exact = level->capacity_bytes;
    if (is_outside(told, exact, exact))
        REMARK(lint, level->place,
               "cache level %.0f: the system tells %.0f bytes, measured were %.0f", level->level,
               told, exact);
    if (is_outside(told, level->capacity_bytes_low, level->capacity_bytes_high))
        REMARK(lint, level->place,
               "cache level %.0f: the system tells %.0f bytes, measured were %.0f to %.0f",
               level->level, told, level->capacity_bytes_low, level->capacity_bytes_high);
}

/* Ways that differ or are not known compare alike. */
static void ways_told_otherwise(struct lint *lint, const struct memory_level *level)
{
    if (level->told_ways < level->ways || level->told_ways > level->ways)
        REMARK(lint, level->place,
               "cache level %.0f: the system tells %.0f ways, measured were %.0f", level->level,
               level->told_ways, level->ways);
}

static void look_at_memory(struct lint *lint, const struct memory *memory)
{
    const struct memory_level *levels = memory->levels.items;
    for (size_t i = 0; i < memory->levels.count; i++) {
        capacity_told_otherwise(lint, &levels[i]);
        ways_told_otherwise(lint, &levels[i]);
    }
}

size_t machine_lint(const struct machine *machine, lint_remark *remark, void *state)
{
    struct lint lint = {machine, remark, state, 0};
    const struct cost *costs = machine->communication.items;
    for (size_t rule = 0; rule < sizeof rules / sizeof *rules; rule++)
        for (size_t i = 0; i < machine->communication.count; i++)
            if (!rules[rule].utility || machine_cost(machine, rules[rule].utility) == &costs[i])
                rules[rule].look(&lint, &costs[i]);
    if (machine->memory)
        look_at_memory(&lint, machine->memory);
    return lint.count;
}
