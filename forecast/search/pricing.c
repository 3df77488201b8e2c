#include "forecast/search/pricing.h"

#include "forecast/price/price.h"
#include "forecast/price/runs.h"
#include "model/base/allocation.h"
#include "model/segment/traffic/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double fail(struct pricing *pricing, const struct error *error)
{
    if (pricing->failures == 0.0)
        pricing->first = *error;
    pricing->failures += 1.0;
    return INFINITY;
}

static const struct price unpriced = {INFINITY, INFINITY, INFINITY, false};

bool pricing_is_late(struct pricing *pricing)
{
    const bool late = deadline_has_passed(&pricing->deadline);
    pricing->late |= late;
    return late;
}

bool pricing_derives_misses(const struct pricing *pricing)
{
    return computing_depends_on_layout(pricing->study->machine, pricing->study->program);
}

static const struct computing *computing_of(struct pricing *pricing, struct error *error)
{
    const struct study *study = pricing->study;
    return pricing_derives_misses(pricing)
               ? node_times_find(&pricing->node_times, study->machine, &study->subject,
                                 pricing->space->schedule, error)
               : &study->computing;
}

static bool waits(const struct segment_prediction *prediction)
{
    const struct item *items = prediction->items.items;
    for (size_t i = 0; i < prediction->items.count; i++)
        if (items[i].computes && items[i].pipeline >= 0)
            return true;
    return prediction->waits_together;
}

/* ---- what takes longer than the limit ---- */

/* What demands take so far: they take no less when they are complete. */
struct asked {
    const struct machine *machine;
    double limit_us;
    bool is_reached;
};

/* A demand's runs, and the sum of those of them that were priced. */
struct summing {
    const struct machine *machine;
    const struct demand *demand;
    double us;
};

static int price_summed(void *state, const struct use *use, struct charge *charge,
                        struct error *error)
{
    const struct summing *summing = state;
    return price_use(summing->machine, summing->demand, use, charge, error);
}

static void add_summed(void *state, const struct use *use, const struct charge *charge,
                       double sizes)
{
    ((struct summing *)state)->us += sizes * use->times * charge->time_us;
}

/* -INFINITY: it has no price. */
static double demand_us(const struct machine *machine, const struct demand *demand)
{
    struct summing summing = {machine, demand, 0.0};
    const struct run_pricing pricing = {price_summed, add_summed, &summing};
    const struct use *uses = demand->uses.items;
    struct error error;
    for (size_t k = 0; k < demand->uses.count; k++)
        if (run_price(&pricing, &uses[k], &error) != 0)
            return -INFINITY;
    return summing.us;
}

static double demands_us(const struct asked *asked, const struct analysis *analysis)
{
    const struct demand *demands = analysis->demands.items;
    double us = 0.0;
    for (size_t i = 0; i < analysis->demands.count; i++)
        us += analysis->repeat * demand_us(asked->machine, &demands[i]);
    return us;
}

static bool is_reached(void *asked, const struct analysis *so_far, const struct analysis *under_way)
{
    struct asked *it = asked;
    it->is_reached = demands_us(it, so_far) + demands_us(it, under_way) > it->limit_us;
    return it->is_reached;
}

/* Only where communication is part of the sum, whatever else the segment takes; and no closer than
   two sums over a run are the same. */
static struct asked asked_of(const struct pricing *pricing, size_t segment)
{
    const struct segment *segments = pricing->study->program->segments.items;
    const bool adds_up = !segments[segment].overlap && !pricing_derives_misses(pricing);
    return (struct asked){.machine = pricing->study->machine,
                          .limit_us = pricing->limit && adds_up
                                          ? pricing->limit->us * (1.0 + 2.0 * run_error)
                                          : (double)INFINITY};
}

static struct price price_with(struct pricing *pricing, const struct computing *computing,
                               const struct subject *subject, size_t segment)
{
    struct segment_prediction prediction;
    struct error error;
    struct subject with = *subject;
    struct asked asked = asked_of(pricing, segment);
    const struct cutoff cutoff = {is_reached, &asked};
    with.remembered = &pricing->remembered;
    with.cutoff = isinf(asked.limit_us) ? NULL : &cutoff;
    pricing->predictions += 1.0;
    if (segment_predict(&prediction, pricing->study->machine, computing, &with, segment,
                        &pricing->space->layout, &error) != 0) {
        if (!asked.is_reached)
            fail(pricing, &error);
        return unpriced;
    }
    const struct price found = {prediction.total_us, prediction.compute_us, prediction.mean_us,
                                waits(&prediction)};
    segment_prediction_free(&prediction);
    return found.us > asked.limit_us ? unpriced : found;
}

struct price price_segment(struct pricing *pricing, size_t segment)
{
    struct error error;
    if (pricing_is_late(pricing))
        return unpriced;
    const struct computing *computing = computing_of(pricing, &error);
    if (computing)
        return price_with(pricing, computing, &pricing->study->subject, segment);
    fail(pricing, &error);
    return unpriced;
}

/* The program with segments in which no line misses. */
static int make_bare(struct pricing *pricing, struct error *error)
{
    struct program program = *pricing->study->program;
    const size_t count = program.segments.count;
    struct segment *segments = memory_new(count, sizeof *segments);
    memcpy(segments, program.segments.items, count * sizeof *segments);
    for (size_t s = 0; s < count; s++)
        segments[s].misses.kind = MISSES_NONE;
    program.segments.items = segments;
    struct subject subject = pricing->study->subject;
    subject.program = &program;
    const int status = computing_make(&pricing->bare, pricing->study->machine, &subject,
                                      pricing->space->schedule, error);
    pricing->is_bare_made = status == 0;
    if (status == 0) /* that rows overlap depends on the layout too */
        computing_forget_misses(&pricing->bare);
    free(segments);
    return status;
}

struct price price_part(struct pricing *pricing, const struct subject *subject, size_t segment)
{
    struct error error;
    if (pricing_is_late(pricing))
        return unpriced;
    if (!pricing_derives_misses(pricing))
        return price_with(pricing, &pricing->study->computing, subject, segment);
    if (pricing->is_bare_made || make_bare(pricing, &error) == 0)
        return price_with(pricing, &pricing->bare, subject, segment);
    fail(pricing, &error);
    return unpriced;
}

double fill_us(struct pricing *pricing, size_t leader, size_t option, const bool *given)
{
    struct space *space = pricing->space;
    struct segment_prediction prediction;
    struct error error;
    const struct leader *it = &space->leaders[leader];
    bool *wanted = memory_new(space->layout.array_count, sizeof *wanted);
    for (size_t m = 0; m < it->member_count; m++)
        wanted[it->members[m]] = given[it->members[m]];
    space_choose(space, leader, option);
    double us = INFINITY;
    if (fill_predict(&prediction, pricing->study->machine, space->program, &space->layout, wanted,
                     program_place(space->program, it->array->place), &error) != 0) {
        fail(pricing, &error);
    } else {
        us = prediction.total_us;
        segment_prediction_free(&prediction);
    }
    space_choose(space, leader, 0);
    free(wanted);
    return us;
}

void pricing_free(struct pricing *pricing)
{
    if (pricing->is_bare_made)
        computing_free(&pricing->bare);
    node_times_free(&pricing->node_times);
    remembered_free(&pricing->remembered);
}

double move_us(struct pricing *pricing, size_t leader, size_t from, size_t to)
{
    struct space *space = pricing->space;
    struct segment_prediction prediction;
    struct error error;
    if (from == to)
        return 0.0;
    if (pricing_is_late(pricing))
        return INFINITY;
    struct layout after = space->layout;
    after.arrays = memory_new(after.array_count, sizeof *after.arrays);
    space_choose(space, leader, to);
    memcpy(after.arrays, space->layout.arrays, after.array_count * sizeof *after.arrays);
    space_choose(space, leader, from);
    pricing->predictions += 1.0;
    double us = INFINITY;
    if (change_predict(&prediction, pricing->study->machine, space->program, &space->layout, &after,
                       program_place(space->program, space->leaders[leader].array->place),
                       &error) != 0) {
        fail(pricing, &error);
    } else {
        us = prediction.total_us;
        segment_prediction_free(&prediction);
    }
    free(after.arrays);
    return us;
}

/* ---- the arrays of a segment ---- */

static void note(bool *marks, const struct space *space, const struct array *array)
{
    const size_t leader = space_leader(space, array);
    if (leader < space->leader_count)
        marks[leader] = true;
}

void segment_leaders(const struct list *instances, const struct space *space, bool *decides,
                     bool *writes, bool *reads)
{
    const struct instance *items = instances->items;
    for (size_t i = 0; i < instances->count; i++) {
        if (items[i].has_writes)
            note(writes, space, items[i].writes.array);
        if (items[i].has_home)
            note(decides, space, items[i].home.array);
        for (size_t k = 0; k < items[i].read_count; k++) {
            note(reads, space, items[i].reads[k].array);
            if (items[i].chooses)
                note(decides, space, items[i].reads[k].array);
        }
        const struct gather *gathers =
            items[i].statement ? items[i].statement->gathers.items : NULL;
        for (size_t k = 0; gathers && k < items[i].statement->gathers.count; k++)
            note(reads, space, program_array(space->program, gathers[k].array));
    }
}

/* ---- whole layouts ---- */

void replicate_all(struct space *space)
{
    for (size_t i = 0; i < space->leader_count; i++)
        space_choose(space, i, 0);
}

double segment_price(struct pricing *pricing, size_t segment, const size_t *choice)
{
    for (size_t i = 0; i < pricing->space->leader_count; i++)
        space_choose(pricing->space, i, choice[i]);
    const double us = price_segment(pricing, segment).us;
    replicate_all(pricing->space);
    return us;
}
