#include "model/machine/machine_lint.h"

#include "model/cost/pattern.h"

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

/* False: there is no answer, or it is outside of what was measured. */
static bool ask(const struct cost *cost, double bytes, double p, struct cost_answer *answer)
{
    const unsigned outside =
        COST_EXTRAPOLATED_BYTES | COST_EXTRAPOLATED_PROCESSORS | COST_OTHER_GRID;
    return cost && cost_answer(cost, bytes, p, answer, NULL) == 0 && !(answer->flags & outside);
}

/* NAN: there is no such answer. */
static double time_us(const struct cost *cost, double bytes, double p)
{
    struct cost_answer answer;
    return ask(cost, bytes, p, &answer) ? answer.time_us : (double)NAN;
}

/* The p that the utility's formula counts where participants take part. */
static double counted(const struct cost *cost, double participants)
{
    return participants - (cost && cost->processors_mean != MEAN_PARTICIPANTS ? 1.0 : 0.0);
}

/* From what to what a time falls, and by what share at least whatever the errors that the table
   tells hide; 0: it may not fall. */
struct fall {
    double bytes, p, before_us, after_us, share;
    struct place place;
    double next_p;
};

static void see_fall(struct fall *worst, const struct cost *cost, const struct fall *at,
                     double next_bytes)
{
    struct cost_answer before, after;
    if (!ask(cost, at->bytes, at->p, &before) || !ask(cost, next_bytes, at->next_p, &after))
        return;
    const double share = 1.0 - after.high_us / before.low_us;
    if (!(share > fmax(noticeable, worst->share)))
        return;
    *worst = *at;
    worst->before_us = before.time_us;
    worst->after_us = after.time_us;
    worst->share = share;
}

static void see_edge(struct fall *worst, const struct cost *cost, const struct region *region,
                     double p)
{
    const double edge = region->bytes_upto;
    if (isfinite(edge)) /* the last of those for few processors is not */
        see_fall(worst, cost,
                 &(struct fall){.bytes = edge, .p = p, .next_p = p, .place = region[1].place},
                 edge + 1.0);
}

static void remark_edge(struct lint *lint, const struct cost *cost, const struct fall *worst)
{
    if (worst->share > 0.0)
        REMARK(lint, worst->place, "%s falls from %.5g to %.5g us after %.0f bytes (p = %g)",
               cost->utility, worst->before_us, worst->after_us, worst->bytes, worst->p);
}

/* Where p is asked in a range: its ends and the powers of two between them. */
static double next_p(double p, double most)
{
    const double power = exp2(floor(log2(p)) + 1.0);
    return p < most ? fmin(power, most) : INFINITY;
}

/* Where neither the utility nor the machine says how many: published tables end here. */
static const double processors_untold = 32.0;

static struct span processors_of(const struct lint *lint, const struct cost *cost)
{
    const double told = lint->machine->machine.processors;
    const double machine = isnan(told) ? processors_untold : told;
    const double least = isnan(cost->processors.least) ? 2.0 : fmax(1.0, cost->processors.least);
    const double most = isnan(cost->processors.most) ? machine : cost->processors.most;
    return (struct span){least, fmax(least, most)};
}

static bool holds_at(const struct region *region, double p)
{
    return p >= region->processors.least && p <= region->processors.most;
}

/* Published regions do not join, and one byte more may cost less. Of all p the one where it falls
   most. */
static void falls_after(struct lint *lint, const struct cost *cost, const struct region *region)
{
    struct fall worst = {.share = 0.0};
    const struct span all = processors_of(lint, cost);
    const struct at_processors *at = cost->by_processors.items;
    const double least = fmax(all.least, region->processors.least);
    const double most = fmin(all.most, region->processors.most);
    for (double p = least; isfinite(p); p = next_p(p, most))
        see_edge(&worst, cost, region, p);
    for (size_t k = 0; k < cost->by_processors.count; k++)
        if (holds_at(region, at[k].processors))
            see_edge(&worst, cost, region, at[k].processors);
    remark_edge(lint, cost, &worst);
}

static bool has_edge(const struct list *list, double bytes)
{
    const struct region *regions = list->items;
    for (size_t i = 0; i < list->count; i++)
        if (!(regions[i].bytes_upto < bytes || regions[i].bytes_upto > bytes))
            return true;
    return false;
}

/* Of the edges that only a measured p has, the worst. */
static void falls_at_own_edges(struct lint *lint, const struct cost *cost)
{
    struct fall worst = {.share = 0.0};
    const struct at_processors *at = cost->by_processors.items;
    for (size_t k = 0; k < cost->by_processors.count; k++) {
        const struct region *own = at[k].regions.items;
        for (size_t i = 0; i + 1 < at[k].regions.count; i++)
            if (!has_edge(&cost->regions, own[i].bytes_upto))
                see_edge(&worst, cost, &own[i], at[k].processors);
    }
    remark_edge(lint, cost, &worst);
}

static void falls_between_regions(struct lint *lint, const struct cost *cost)
{
    const struct region *regions = cost->regions.items;
    for (size_t i = 0; i + 1 < cost->regions.count; i++)
        falls_after(lint, cost, &regions[i]);
    falls_at_own_edges(lint, cost);
}

/* A start-up time below zero, or a form in p that is: no machine is done before it began. A line of
   later regions may well begin below zero, as times bend upwards where caches end. */
static void is_below_zero(struct lint *lint, const struct cost *cost)
{
    const struct span all = processors_of(lint, cost);
    for (double p = all.least; isfinite(p); p = next_p(p, all.most))
        for (int i = -1; i <= 20; i++) {
            const double n = i < 0 ? 0.0 : ldexp(1.0, i);
            struct cost_answer answer;
            if (cost_answer(cost, n, p, &answer, NULL) != 0 || !(answer.flags & COST_CLAMPED))
                continue;
            REMARK(lint, answer.region->place, "%s takes %.5g us for %.0f bytes at p = %g",
                   cost->utility, region_time_us(answer.region, n, p), n, p);
            return;
        }
}

/* More processors have no less to do. From one power of two to the next: trees take longer between
   them. On a grid the number of neighbours may fall. */
static void falls_with_processors(struct lint *lint, const struct cost *cost)
{
    const double extra = cost->processors_mean == MEAN_PARTICIPANTS ? 0.0 : 1.0;
    const double most = processors_of(lint, cost).most;
    struct fall worst = {.share = 0.0};
    for (double group = 2.0; isnan(cost->grid_side_least) && group <= most; group *= 2.0)
        for (int i = 3; i <= 20; i++)
            see_fall(&worst, cost,
                     &(struct fall){
                         .bytes = ldexp(1.0, i), .p = group - extra, .next_p = 2.0 * group - extra},
                     ldexp(1.0, i));
    if (worst.share > 0.0)
        REMARK(lint, cost->place, "%s falls from %.5g to %.5g us for %.0f bytes from p = %g to %g",
               cost->utility, worst.before_us, worst.after_us, worst.bytes, worst.p, worst.next_p);
}

/* Both end with every processor having heard of every other: no less than one exchange, at p = 2.
 */
static void below_an_exchange(struct lint *lint, const struct cost *cost)
{
    const struct cost *exchange = machine_cost(lint->machine, pattern_exchange.name);
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
    const struct cost *message = machine_cost(lint->machine, pattern_point_to_point.name);
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
    const struct cost *message = machine_cost(lint->machine, pattern_point_to_point.name);
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

/* One after the other they do the same. */
static void above_reduce_and_broadcast(struct lint *lint, const struct cost *cost)
{
    const struct cost *reduce = machine_cost(lint->machine, pattern_reduce.name);
    const struct cost *broadcast = machine_cost(lint->machine, pattern_broadcast.name);
    if (!reduce || !broadcast || broadcast->measures == MEASURES_SENDER)
        return;
    const double most = processors_of(lint, cost).most;
    for (double p = 2.0; p <= most; p *= 2.0)
        for (int i = 3; i <= 20; i++) {
            const double n = ldexp(1.0, i);
            struct cost_answer own, first, then;
            if (ask(cost, n, counted(cost, p), &own) &&
                ask(reduce, n, counted(reduce, p), &first) &&
                ask(broadcast, n, counted(broadcast, p), &then) &&
                own.low_us * (1.0 - noticeable) > first.high_us + then.high_us) {
                REMARK(lint, cost->place,
                       "%s takes %.5g us for %.0f bytes among %.0f, more than a reduce and a "
                       "broadcast with %.5g us",
                       cost->utility, own.time_us, n, p, first.time_us + then.time_us);
                return;
            }
        }
}

/* A machine out of its depth: times that grow faster than any law of p from one measured p to the
   next (Abandah, IBM SP2, section 4.6: 128-fold from 4 to 8 processors). */
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

/* Of which patterns: 0: of every utility. */
static const struct {
    unsigned of; /* enum plausibility */
    void (*look)(struct lint *lint, const struct cost *cost);
} rules[] = {
    {0,                             falls_between_regions     },
    {0,                             falls_with_processors     },
    {0,                             congests                  },
    {0,                             is_below_zero             },
    {PLAUSIBLE_FROM_EXCHANGE,       below_an_exchange         },
    {PLAUSIBLE_TO_SINGLE_MESSAGES,  above_single_messages     },
    {PLAUSIBLE_FROM_MESSAGE,        below_a_message           },
    {PLAUSIBLE_TO_REDUCE_BROADCAST, above_reduce_and_broadcast},
};

/* A table's second cost of a name is never asked. */
static bool is_of(unsigned of, const struct machine *machine, const struct cost *cost)
{
    return of == 0 || (pattern_named(cost->utility)->plausible & of &&
                       machine_cost(machine, cost->utility) == cost);
}

/* ---- what the system tells of a cache, in a virtual machine the host's ---- */

static bool is_outside(double value, double low, double high)
{
    return value < low * (1.0 - noticeable) || value > high * (1.0 + noticeable);
}

/* Of the last cache others hold any part: that the system tells of more is usual. */
static void capacity_told_otherwise(struct lint *lint, const struct memory_level *level,
                                    bool is_last)
{
    const double told = level->told_capacity_bytes, exact = level->capacity_bytes;
    if (is_last && told > fmax(exact, level->capacity_bytes_high))
        return;
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

/* A level holds at least what the nearer one does. */
static void level_is_larger(struct lint *lint, const struct memory_level *level,
                            const struct memory_level *next)
{
    const double told = level->told_capacity_bytes, next_told = next->told_capacity_bytes;
    if (level->capacity_bytes > next->capacity_bytes)
        REMARK(lint, level->place, "level %g has %.0f bytes, more than the next one's %.0f",
               level->level, level->capacity_bytes, next->capacity_bytes);
    else if (told > next_told)
        REMARK(lint, level->place,
               "level %g is told to have %.0f bytes, more than the next one's %.0f", level->level,
               told, next_told);
}

static void look_at_memory(struct lint *lint, const struct memory *memory)
{
    const struct memory_level *levels = memory->levels.items;
    for (size_t i = 0; i + 1 < memory->levels.count; i++)
        level_is_larger(lint, &levels[i], &levels[i + 1]);
    for (size_t i = 0; i < memory->levels.count; i++) {
        const bool is_last = i > 0 && i + 1 < memory->levels.count && isinf(levels[i + 1].level);
        capacity_told_otherwise(lint, &levels[i], is_last);
        ways_told_otherwise(lint, &levels[i]);
    }
}

/* Numbers that are not known contradict none. */
static void look_at_overlap(struct lint *lint, const struct overlap *overlap)
{
    const double difference_us = fmax(overlap->loop_us - overlap->work_us, 0.0);
    if (fabs(overlap->overhead_us - difference_us) > noticeable * fmax(overlap->loop_us, 1.0))
        REMARK(lint, overlap->place,
               "%.0f bytes: the overhead is %.5g us, but the loop less its work %.5g us",
               overlap->bytes, overlap->overhead_us, difference_us);
}

/* A chain of compiled loops contains the instruction itself. */
static void look_at_node(struct lint *lint, const struct node *node)
{
    for (enum operation k = 0; k < OPERATION_COUNT; k++) {
        const double bare = node->latency_cycles.of[k],
                     compiled = node->compiled.latency_cycles.of[k];
        if (compiled > 0.0 && compiled < bare * (1.0 - noticeable))
            REMARK(lint, node->place,
                   "the compiled latency of %s, %.5g cycles, is below its latency, %.5g",
                   operation_name(k), compiled, bare);
    }
}

/* Messages follow one another no faster than a processor sends or receives them. */
static void gap_is_below(struct lint *lint, struct place place, double bytes, double gap_us,
                         double send_us, double receive_us)
{
    const double overhead_us = fmax(send_us, receive_us);
    if (gap_us < overhead_us * (1.0 - noticeable))
        REMARK(lint, place, "%.0f bytes: the gap of %.5g us is below the overhead of %.5g us",
               isnan(bytes) ? 1.0 : bytes, gap_us, overhead_us);
}

/* Half of a round trip is L + o_s + o_r (Culler, Fast Network Interfaces, The LogP model). */
static void look_at_logp(struct lint *lint, const struct logp *logp)
{
    const double one_way_us = logp->send_overhead_us + logp->latency_us + logp->receive_overhead_us;
    const double low_us = logp->round_trip_min_us / 2.0, high_us = logp->round_trip_max_us / 2.0;
    if (one_way_us < low_us * (1.0 - noticeable) || one_way_us > high_us * (1.0 + noticeable))
        REMARK(lint, logp->place,
               "L and the overheads are %.5g us one way, but half of a round trip %.5g to %.5g us",
               one_way_us, low_us, high_us);
    gap_is_below(lint, logp->place, logp->message_bytes, logp->gap_us, logp->send_overhead_us,
                 logp->receive_overhead_us);
    const struct logp_bulk *bulk = logp->bulk.items;
    for (size_t i = 0; i < logp->bulk.count; i++)
        gap_is_below(lint, bulk[i].place, bulk[i].bytes, bulk[i].gap_us, bulk[i].send_overhead_us,
                     bulk[i].receive_overhead_us);
}

size_t machine_lint(const struct machine *machine, lint_remark *remark, void *state)
{
    struct lint lint = {machine, remark, state, 0};
    const struct cost *costs = machine->communication.items;
    for (size_t rule = 0; rule < sizeof rules / sizeof *rules; rule++)
        for (size_t i = 0; i < machine->communication.count; i++)
            if (is_of(rules[rule].of, machine, &costs[i]))
                rules[rule].look(&lint, &costs[i]);
    if (machine->memory)
        look_at_memory(&lint, machine->memory);
    const struct overlap *overlaps = machine->overlap.items;
    for (size_t i = 0; i < machine->overlap.count; i++)
        look_at_overlap(&lint, &overlaps[i]);
    if (machine->node)
        look_at_node(&lint, machine->node);
    if (machine->logp)
        look_at_logp(&lint, machine->logp);
    return lint.count;
}
