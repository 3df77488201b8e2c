#include "trainer/curve/later_passes.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/curve_cost.h"
#include "trainer/curve/curve_states.h"
#include "trainer/curve/edge.h"
#include "trainer/curve/same_calls.h"
#include "trainer/utilities/utilities.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>

const char *const later_passes_name = "later passes";

/* A point that is asked next. */
struct turn {
    struct curve *curve;
    size_t point;
};

/* All that is asked again. */
struct later {
    struct curve *curves; /* the run's; borrowed */
    size_t curve_count;
    bool spoilt[PASSES_LEAST]; /* which of the passes over all points others spoilt */
    struct turn *order;        /* by chance; owned */
    size_t ordered;
    struct list states; /* of the machine so far: struct machine_state; owned */
};

/* ---- measuring them ---- */

static int measure_now(struct run *run, const struct curve *curve, struct passes *passes,
                       struct error *error)
{
    const struct utility *utility = utilities[curve->utility];
    struct point *now = &passes->of[passes->count];
    *now = passes->of[0];
    if (utility->in_parts)
        engine_parts(run->engine, (int)curve->part_bytes);
    run_choose(run, curve->utility, utility_participants(utility, (int)now->processors));
    engine_size(run->engine, (int)now->bytes);
    if (run_measure(run, true, now, error) != 0)
        return -1;
    now->mean_over_maximum = engine_mean_over_maximum(run->engine);
    passes->count++;
    return 0;
}

static int participants_of(const struct turn *turn)
{
    return utility_participants(utilities[turn->curve->utility],
                                (int)curve_at(turn->curve, turn->point)->of[0].processors);
}

/* Those of the order once more, one processor count after the other, as another one needs another
   communicator. */
static int measure_pass(struct run *run, const struct later *later, struct error *error)
{
    for (int participants = 2; participants <= run->processors; participants++)
        for (size_t k = 0; k < later->ordered; k++) {
            const struct turn *turn = &later->order[k];
            if (participants_of(turn) != participants)
                continue;
            if (interruption_or_after(run->share_end_s))
                return 0;
            if (measure_now(run, turn->curve, curve_at(turn->curve, turn->point), error) != 0)
                return -1;
            progress_point(&run->progress, later_passes_name, ++run->points, clock_s());
        }
    return 0;
}

/* Who is asked next, in which order. */
static void draw_order(struct later *later, gsl_rng *random)
{
    later->ordered = 0;
    for (size_t i = 0; i < later->curve_count; i++) {
        struct curve *curve = &later->curves[i];
        later->order =
            memory_grow(later->order, later->ordered + curve->points.count, sizeof *later->order);
        for (size_t k = 0; k < curve->points.count; k++)
            if (curve_asks(curve, k))
                later->order[later->ordered++] = (struct turn){curve, k};
    }
    if (later->ordered > 0)
        gsl_ran_shuffle(random, later->order, later->ordered, sizeof *later->order);
}

static int measure_passes(struct run *run, struct later *later, struct error *error)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, run->options->seed);
    const bool quick = run->options->quick;
    const size_t most = quick ? PASSES_FEWEST : PASSES_MOST;
    bool more = false;
    int status = 0;
    run->points = 0;
    run_others_ran(run);
    for (size_t pass = 1; (pass < most || more) && status == 0; pass++) {
        for (size_t i = 0; i < later->curve_count; i++)
            edge_add_sizes(&later->curves[i], pass);
        draw_order(later, random);
        status = measure_pass(run, later, error);
        curve_states_find(later->curves, later->curve_count, &later->states);
        more = !quick && curves_look_back(later->curves, later->curve_count, pass);
        if (pass < PASSES_LEAST)
            later->spoilt[pass] = run_others_ran(run);
    }
    gsl_rng_free(random);
    return status;
}

static size_t points_of(const struct later *later)
{
    size_t count = 0;
    for (size_t i = 0; i < later->curve_count; i++)
        count += later->curves[i].points.count;
    return count;
}

static bool is_complete(const struct later *later, size_t least)
{
    for (size_t i = 0; i < later->curve_count; i++)
        for (size_t k = 0; k < later->curves[i].points.count; k++)
            if (passes_count(curve_at(&later->curves[i], k)) < least)
                return false;
    return true;
}

/* ---- the costs anew ---- */

/* Appends the cost that all passes of a curve make; false, and nothing is changed, where they have
   no time above 0. */
static bool add_anew(struct run *run, struct later *later, struct curve *curve,
                     struct machine *machine)
{
    later->spoilt[0] = curve->is_spoilt;
    const char *disturbed = passes_disturbance(curve->points.items, curve->points.count,
                                               later->spoilt, curve->statistic);
    if (!disturbed && curves_changed(later->curves, later->curve_count))
        disturbed = "the machine became quicker while it was measured";
    if (!curve_cost_add(run, curve, disturbed, machine))
        return false;
    struct cost *costs = machine->communication.items;
    curve_states_learn(curve, &later->states, &costs[machine->communication.count - 1]);
    return true;
}

/* Appends the cost of the same calls as another one, of later passes, or, where there are none, as
   it was. */
static void renew(struct run *run, struct cost *before, struct later *later,
                  struct machine *machine)
{
    const int utility = utilities_named(before->utility);
    const struct cost *same = utility >= 0 ? same_calls_as(before, machine) : NULL;
    struct curve *curve =
        curves_find(&run->curves, same ? utilities_named(same->utility) : utility);
    bool is_new = false;
    if (curve && curve_has_later(curve)) {
        run->utility = utilities[utility];
        run->counted = (int)before->processors.most;
        is_new = same ? same_calls_adopt(run, before->bytes, same, machine)
                      : add_anew(run, later, curve, machine);
    }
    if (is_new) {
        struct cost *costs = machine->communication.items;
        in_situ_keep(&costs[machine->communication.count - 1].in_situ, &before->in_situ);
        record_free(&cost_record, before);
    } else
        *(struct cost *)list_add(&cost_record, &machine->communication) = *before;
}

static void renew_all(struct run *run, struct later *later, struct machine *machine)
{
    struct list before = machine->communication;
    machine->communication = (struct list){0};
    for (size_t i = 0; i < before.count; i++)
        renew(run, (struct cost *)before.items + i, later, machine);
    free(before.items);
}

static void report(struct run *run, const struct later *later, const struct machine *machine)
{
    char line[200];
    size_t disturbed = 0;
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        disturbed += costs[i].disturbed;
    snprintf(line, sizeof line, "%-16s %zu points asked again, %zu utilities disturbed",
             later_passes_name, points_of(later), disturbed);
    progress_part(&run->progress, line);
}

int later_passes_make(struct run *run, struct machine *machine, struct error *error)
{
    struct later later = {.curves = run->curves.items, .curve_count = run->curves.count};
    if (later.curve_count == 0) {
        run_not_measured(machine, later_passes_name, "there are no points to be asked again");
        return 0;
    }
    const int status = measure_passes(run, &later, error);
    if (status == 0) {
        renew_all(run, &later, machine);
        list_free(&machine_state_record, &machine->states);
        machine->states = later.states;
        later.states = (struct list){0};
        report(run, &later, machine);
    }
    if (status == 0 && !is_complete(&later, run_passes(run)))
        run_not_measured(machine, later_passes_name,
                         "the calibration ended before all points were asked again");
    list_free(&machine_state_record, &later.states);
    free(later.order);
    return status;
}
