#include "forecast/predict/waiting.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- rounds of a segment ---- */

/* The private caches of a processor where the table does not tell its second level: the largest
   second level of today's server processors. What is beyond it is surely in memory. */
static const double usual_private_bytes = 2 << 20;

/* The second level is the last one that a processor has to itself. */
static double private_bytes(const struct machine *machine)
{
    const struct list levels = machine->memory ? machine->memory->levels : (struct list){0};
    const struct memory_level *level = levels.items;
    for (size_t i = 0; i < levels.count; i++)
        if (level[i].level == 2.0 && level[i].capacity_bytes > 0.0)
            return level[i].capacity_bytes;
    return usual_private_bytes;
}

static enum round_kind kind_of(enum traffic_class class)
{
    switch (class) {
    case TRAFFIC_LOCAL:
    case TRAFFIC_TO_ITSELF:
        return ROUND_KINDS;
    case TRAFFIC_MESSAGES:
    case TRAFFIC_EXCHANGE:
        return ROUND_OF_PARTNERS;
    case TRAFFIC_BROADCAST:
    case TRAFFIC_ONE_TO_MANY:
    case TRAFFIC_MANY_TO_ONE:
    case TRAFFIC_REDUCE:
        return ROUND_OF_ONE;
    default:
        return ROUND_OF_ALL;
    }
}

static double neighbours_along(const struct use *use)
{
    const struct grid_line *own = &use->halo.own;
    if (own->side > 0.0)
        return (own->side > 2.0 || own->is_ring) && !own->is_one_way ? 2.0 : 1.0;
    return fmax(use->halo.neighbours, 1.0);
}

/* The grid of most directions stays; messages of no halo go along a line of all. */
static void take_partners(struct waiting_for *whom, const struct use *use)
{
    const int directions = use->halo.directions > 0 ? use->halo.directions : 1;
    if (directions < whom->dimensions || directions > WAITING_DIMENSIONS)
        return;
    whom->dimensions = directions;
    whom->processors = 1.0;
    for (int d = 0; d < directions; d++) {
        whom->sides[d] = use->halo.directions > 0 ? use->halo.lines[d].side : use->processors;
        whom->processors *= fmax(whom->sides[d], 1.0);
    }
}

struct waiting_for waiting_for_one(double processors)
{
    return (struct waiting_for){.processors = fmin(3.0, processors)};
}

struct synchronising waiting_rounds(const struct machine *machine, const struct analysis *analysis,
                                    double touched_bytes)
{
    struct synchronising rounds = {
        .repeat = analysis->repeat,
        .work = touched_bytes > private_bytes(machine) ? WAITING_ON_MEMORY : WAITING_IN_REGISTERS};
    const struct demand *demands = analysis->demands.items;
    for (size_t d = 0; d < analysis->demands.count; d++) {
        const struct use *uses = demands[d].uses.items;
        double count[ROUND_KINDS + 1] = {0.0};
        for (size_t i = 0; i < demands[d].uses.count; i++) {
            const enum round_kind kind = kind_of(uses[i].class);
            const double times =
                uses[i].times * (1.0 + uses[i].further) / fmax(1.0, uses[i].in_a_row);
            struct waiting_for *whom = &rounds.whom[kind];
            count[kind] += kind == ROUND_OF_PARTNERS ? times / neighbours_along(&uses[i]) : times;
            if (kind == ROUND_OF_PARTNERS)
                take_partners(whom, &uses[i]);
            else if (kind == ROUND_OF_ONE)
                *whom = waiting_for_one(fmax(whom->processors, uses[i].processors));
            else if (kind == ROUND_OF_ALL)
                whom->processors = fmax(whom->processors, uses[i].processors);
        }
        for (int kind = 0; kind < ROUND_KINDS; kind++)
            rounds.count[kind] = fmax(rounds.count[kind], count[kind]);
    }
    return rounds;
}

/* ---- what they wait ---- */

/* What has been computed since the last synchronisation, us in one repetition of a loop. */
struct pending {
    double us[WAITING_WORKS];
};

static double pending_us(const struct pending *pending)
{
    return pending->us[WAITING_IN_REGISTERS] + pending->us[WAITING_ON_MEMORY];
}

static struct pending scaled(const struct pending *pending, double factor)
{
    return (struct pending){
        {factor * pending->us[0], factor * pending->us[1]}
    };
}

static struct pending sum_of(const struct pending *a, const struct pending *b)
{
    return (struct pending){
        {a->us[0] + b->us[0], a->us[1] + b->us[1]}
    };
}

static struct pending computed(const struct segment_prediction *segment)
{
    const struct item *items = segment->items.items;
    struct pending own = {{0.0}};
    for (size_t i = 0; i < segment->items.count; i++)
        if (items[i].computes)
            own.us[segment->rounds.work] += items[i].time_us / segment->rounds.repeat;
    return own;
}

/* The waiting of one segment, summed over its rounds. */
struct waited {
    const struct list *rows;
    double times, work_us, time_us, low_us, high_us, processors;
    bool is_of_all, is_beyond;
};

static void wait_behind(struct waited *waited, const struct synchronising *rounds,
                        enum round_kind kind, const struct pending *behind, double times)
{
    const struct waiting_for whom = rounds->whom[kind];
    const double work_us = pending_us(behind);
    if (!waited || !(times > 0.0) || !(work_us > 0.0))
        return;
    const enum waiting_work work = behind->us[WAITING_ON_MEMORY] > behind->us[WAITING_IN_REGISTERS]
                                       ? WAITING_ON_MEMORY
                                       : WAITING_IN_REGISTERS;
    struct waiting_answer each = waiting_answer(waited->rows, work, work_us, whom);
    if (isnan(each.waiting_us)) /* on simulated machines memory is not measured */
        each = waiting_answer(waited->rows, WAITING_IN_REGISTERS, work_us, whom);
    if (isnan(each.waiting_us))
        return;
    waited->times += times;
    waited->work_us += times * work_us;
    waited->time_us += times * each.waiting_us;
    waited->low_us += kind == ROUND_OF_ONE ? 0.0 : times * each.low_us;
    waited->high_us += times * each.high_us;
    waited->processors = fmax(waited->processors, whom.processors);
    waited->is_of_all |= kind == ROUND_OF_ALL;
    waited->is_beyond |= each.is_beyond_processors;
}

static double most_rounds(const struct synchronising *rounds)
{
    return fmax(rounds->count[ROUND_OF_ALL],
                fmax(rounds->count[ROUND_OF_PARTNERS], rounds->count[ROUND_OF_ONE]));
}

/* The kind for which most wait. */
static enum round_kind strongest(const struct synchronising *rounds)
{
    return rounds->count[ROUND_OF_ALL] > 0.0        ? ROUND_OF_ALL
           : rounds->count[ROUND_OF_PARTNERS] > 0.0 ? ROUND_OF_PARTNERS
                                                    : ROUND_OF_ONE;
}

/* One segment of a loop. A repetition has as many rounds as the most frequent kind, each behind an
   equal part of what is computed; where all wait in a round, nobody waits for partners in the same.
   An exchange comes before what it is for is computed: the first one waits for what came before the
   segment. A collective comes behind what it needs. Returns what is computed behind the last round
   waited may be NULL. */
static struct pending go_through(const struct segment_prediction *segment,
                                 const struct pending *before, struct waited *waited)
{
    const struct synchronising *rounds = &segment->rounds;
    const double count = most_rounds(rounds), repeat = rounds->repeat;
    const struct pending own = computed(segment);
    if (count == 0.0)
        return sum_of(before, &own);
    const double often = fmin(1.0, count); /* below 1: once in several repetitions */
    const struct pending part = scaled(&own, 1.0 / count), first = scaled(before, 1.0 / often);
    const struct pending both = sum_of(&first, &part);
    double left[ROUND_KINDS];
    left[ROUND_OF_ALL] = rounds->count[ROUND_OF_ALL];
    left[ROUND_OF_PARTNERS] = fmin(rounds->count[ROUND_OF_PARTNERS], count - left[ROUND_OF_ALL]);
    left[ROUND_OF_ONE] = count - left[ROUND_OF_ALL] - left[ROUND_OF_PARTNERS];
    const bool begins = rounds->count[ROUND_OF_PARTNERS] > 0.0;      /* with an exchange */
    const bool ends = left[ROUND_OF_ALL] + left[ROUND_OF_ONE] > 0.0; /* with a collective */
    const enum round_kind kind = begins ? ROUND_OF_PARTNERS : strongest(rounds);
    wait_behind(waited, rounds, kind, begins ? &first : &both, often * repeat);
    if (!begins || !ends)
        left[kind] -= often;
    for (int k = 0; k < ROUND_KINDS; k++)
        wait_behind(waited, rounds, (enum round_kind)k, &part, left[k] * repeat);
    return rounds->count[ROUND_OF_ALL] > 0.0 ? (struct pending){{0.0}}
                                             : scaled(&own, 1.0 / fmax(1.0, count));
}

/* ---- loops ---- */

static bool is_in_loop(const struct segment_prediction *segment, double repeat)
{
    return repeat > 0.0 && fabs(segment->rounds.repeat / repeat - 1.0) < 1e-9;
}

/* What the segments of so many repetitions compute behind their last synchronisation. */
static struct pending end_of_loop(const struct list *segments, double repeat)
{
    const struct segment_prediction *all = segments->items;
    struct pending pending = {{0.0}};
    for (size_t i = 0; i < segments->count; i++)
        if (is_in_loop(&all[i], repeat))
            pending = go_through(&all[i], &pending, NULL);
    return pending;
}

static bool loop_synchronises(const struct list *segments, double repeat)
{
    const struct segment_prediction *all = segments->items;
    bool does = false;
    for (size_t i = 0; i < segments->count; i++)
        does |= is_in_loop(&all[i], repeat) && most_rounds(&all[i].rounds) > 0.0;
    return does;
}

/* The next segment behind that one that synchronises, or from the beginning again. The count
   of segments where none does. */
static size_t next_synchronising(const struct list *segments, size_t from)
{
    const struct segment_prediction *all = segments->items;
    for (size_t k = 1; k <= segments->count; k++) {
        const size_t at = (from + k) % segments->count;
        if (most_rounds(&all[at].rounds) > 0.0)
            return at;
    }
    return segments->count;
}

static void add_line(struct segment_prediction *segment, const struct waited *waited)
{
    if (!(waited->time_us > 0.0))
        return;
    struct item *item = segment_add_item(segment);
    snprintf(item->what, sizeof item->what, "%s of %.0f, behind %.3g us of computation each time",
             waited->is_of_all ? "for the last" : "for others", waited->processors,
             waited->work_us / waited->times);
    snprintf(item->resource, sizeof item->resource, "waiting");
    item->times = waited->times;
    item->time_us = item->alone_us = waited->time_us;
    item->each_us = waited->time_us / waited->times;
    item->low_us = waited->low_us;
    item->high_us = waited->high_us;
    item->bytes = item->bytes_least = NAN;
    item->processors = waited->processors;
    item->flags = waited->is_beyond ? COST_EXTRAPOLATED_PROCESSORS : 0;
    /* The interval of the line goes down to nothing where it may, that of a logarithm cannot. */
    const double low_us = fmax(waited->low_us, waited->high_us / 100.0);
    uncertain_add_spread(&segment->uncertain,
                         0.5 * log(waited->high_us / low_us) / log(uncertain_factor_of(1.0)),
                         item->time_us);
}

/* A loop that does not synchronise is waited for once in each of its repetitions, or as often as
   the other loop does, where that is less. */
static void wait_for_loop(struct waited *waited, const struct segment_prediction *segment,
                          double repeat, const struct pending *pending)
{
    const struct synchronising *rounds = &segment->rounds;
    const double times = fmin(repeat, most_rounds(rounds) * rounds->repeat);
    const struct pending behind = scaled(pending, repeat / times);
    wait_behind(waited, rounds, strongest(rounds), &behind, times);
}

void waiting_add(struct list *segments, const struct machine *machine)
{
    struct segment_prediction *all = segments->items;
    if (machine->waiting.count == 0)
        return;
    struct waited *waited = memory_new(segments->count + 1, sizeof *waited);
    for (size_t i = 0; i < segments->count; i++)
        waited[i] = (struct waited){.rows = &machine->waiting};
    for (size_t i = 0; i < segments->count; i++) {
        const double repeat = all[i].rounds.repeat;
        bool is_first = repeat > 0.0;
        for (size_t k = 0; k < i; k++)
            is_first &= !is_in_loop(&all[k], repeat);
        if (!is_first)
            continue;
        struct pending pending = end_of_loop(segments, repeat);
        if (!loop_synchronises(segments, repeat)) {
            const size_t at = next_synchronising(segments, i);
            if (at < segments->count)
                wait_for_loop(&waited[at], &all[at], repeat, &pending);
            continue;
        }
        for (size_t k = i; k < segments->count; k++)
            if (is_in_loop(&all[k], repeat))
                pending = go_through(&all[k], &pending, &waited[k]);
    }
    for (size_t i = 0; i < segments->count; i++)
        add_line(&all[i], &waited[i]);
    free(waited);
}
