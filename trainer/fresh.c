#include "trainer/fresh.h"

#include "model/base/allocation.h"
#include "model/fit/points.h"
#include "trainer/base/interruption.h"
#include "trainer/engine/counts.h"
#include "trainer/engine/passes.h"
#include "trainer/utilities/utilities.h"

#include <gsl/gsl_rng.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 40, COUNTS_DRAWN = 4 };

/* One point to be measured, and what the passes gave. */
struct fresh {
    const struct cost *cost; /* borrowed */
    int utility, participants;
    struct point point;
    struct passes passes;
};

static const struct record fresh_record = {.name = "a fresh point",
                                           .size = sizeof(struct fresh),
                                           .fields = NULL,
                                           .count = 0,
                                           .place_offset = NO_PLACE};

/* ---- which points ---- */

/* Not a grid of a kind that the table says it was not measured on. */
static bool is_suited(const struct utility *utility, const struct cost *cost, int participants)
{
    struct cost_answer answer;
    const bool is_other =
        cost_answer(cost, 0.0, utility_counted(utility, participants), &answer, NULL) == 0 &&
        answer.flags & COST_OTHER_GRID;
    return !is_other && (!utility->suits || utility->suits(participants) != SUITS_NOT);
}

/* Participants: those of --processors, or a few of those that the table was measured between. */
static size_t draw_counts(const struct utility *utility, const struct cost *cost,
                          const struct run *run, gsl_rng *random, int counts[COUNTS_MOST])
{
    if (utility->pattern->among == AMONG_TWO || run->options->processors.count > 0)
        return counts_of(utility, run->options, run->processors, run->distances.together, counts);
    const int least = utility_participants(utility, (int)fmax(1.0, cost->processors.least));
    const int most =
        (int)fmin(run->processors,
                  utility_participants(utility, (int)fmin(cost->processors.most, INT_MAX - 1)));
    size_t count = 0;
    for (int tries = 0; tries < 10 * COUNTS_DRAWN && count < COUNTS_DRAWN && most >= least;
         tries++) {
        const int drawn =
            least + (int)gsl_rng_uniform_int(random, (unsigned long)(most - least) + 1);
        if (is_suited(utility, cost, drawn))
            counts[count++] = drawn;
    }
    return count;
}

/* Log-uniform within what the table was measured at and --min-bytes and --max-bytes allow. */
static double draw_bytes(const struct utility *utility, const struct cost *cost,
                         const struct options *options, gsl_rng *random)
{
    if (utility->granule_bytes == 0.0)
        return 0.0;
    const double least =
        fmax(options->bytes_least, isnan(cost->bytes.least) ? 0.0 : cost->bytes.least);
    const double most =
        fmin(options->bytes_most, isnan(cost->bytes.most) ? options->bytes_most : cost->bytes.most);
    const double low = log1p(fmin(least, most)), high = log1p(most);
    const double drawn = expm1(low + (high - low) * gsl_rng_uniform(random));
    const double granule = utility->granule_bytes;
    return fmax(ceil(least / granule) * granule, round(drawn / granule) * granule);
}

static void draw_point(const struct run *run, const struct cost *cost, int index, int participants,
                       gsl_rng *random, struct list *drawn)
{
    struct cost_answer answer;
    struct point point = {.bytes = draw_bytes(utilities[index], cost, run->options, random),
                          .processors = utility_counted(utilities[index], participants),
                          .attempt = 1,
                          .launch = 1,
                          .held_out = true};
    if (cost_answer(cost, point.bytes, point.processors, &answer, NULL) != 0)
        return;
    snprintf(point.utility, sizeof point.utility, "%s", cost->utility);
    struct fresh *fresh = list_add(&fresh_record, drawn);
    *fresh = (struct fresh){.cost = cost,
                            .utility = index,
                            .participants = participants,
                            .point = point,
                            .passes.at_once = 1};
}

static void draw_utility(const struct run *run, const struct cost *cost, gsl_rng *random,
                         struct list *drawn)
{
    const int index = utilities_named(cost->utility);
    if (index < 0 || (utilities[index]->pattern->near && run->distances.far < 0))
        return;
    int counts[COUNTS_MOST];
    const size_t count = draw_counts(utilities[index], cost, run, random, counts);
    const size_t points = utilities[index]->granule_bytes == 0.0 ? count : SIZES;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i * points / count; k < (i + 1) * points / count; k++)
            draw_point(run, cost, index, counts[i], random, drawn);
}

static void draw(const struct run *run, const struct machine *machine, struct list *drawn)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct cost *costs = machine->communication.items;
    gsl_rng_set(random, run->options->seed + 1);
    for (size_t i = 0; i < machine->communication.count; i++)
        draw_utility(run, &costs[i], random, drawn);
    gsl_rng_free(random);
}

/* ---- measuring them ---- */

static void choose(const struct run *run, const struct fresh *fresh)
{
    const double part_bytes = fresh->cost->part_bytes;
    if (utilities[fresh->utility]->in_parts)
        engine_parts(run->engine, isnan(part_bytes) ? INT_MAX : (int)part_bytes);
    run_choose(run, fresh->utility, fresh->participants);
}

/* All points; later only those that the machine was in another state at than the one that the table
   is of. Returns 1 when the budget has ended, or somebody asked for the end. */
static int measure_pass(struct run *run, const struct list *states, bool is_late,
                        struct fresh *drawn, size_t count, struct error *error)
{
    const struct fresh *last = NULL;
    for (size_t i = 0; i < count; i++) {
        struct passes *passes = &drawn[i].passes;
        if (is_late && !passes_lack_commonest(passes))
            continue;
        const bool is_other = !last || drawn[i].utility != last->utility ||
                              drawn[i].participants != last->participants;
        struct point *point = &passes->of[passes->count];
        *point = drawn[i].point;
        if (interruption_or_after(run->end_s))
            return 1;
        if (is_other)
            choose(run, &drawn[i]);
        engine_size(run->engine, (int)point->bytes);
        if (run_measure_by(run, &run->plan, point, error) != 0)
            return -1;
        point->state = point->gauge_us > 0.0 ? states_which(states, point->gauge_us) + 1 : 0;
        passes->count++;
        last = &drawn[i];
    }
    return 0;
}

static void keep_settled(const struct fresh *drawn, size_t count, enum statistic statistic,
                         struct list *points)
{
    for (size_t i = 0; i < count && drawn[i].passes.count > 0; i++)
        if (!passes_lack_commonest(&drawn[i].passes))
            *(struct point *)list_add(&point_record, points) =
                passes_settled(&drawn[i].passes, statistic);
}

int fresh_measure(struct run *run, const struct machine *machine, struct list *points,
                  size_t *count, struct error *error)
{
    const size_t passes = run_passes(run);
    struct list drawn = {0};
    int status = 0;
    draw(run, machine, &drawn);
    *count = drawn.count;
    for (size_t pass = 0; pass < PASSES_MOST && status == 0; pass++)
        status =
            measure_pass(run, &machine->states, pass >= passes, drawn.items, drawn.count, error);
    if (status >= 0)
        keep_settled(drawn.items, drawn.count, run->options->statistic, points);
    free(drawn.items);
    return status < 0 ? -1 : 0;
}
