#include "model/machine/structure.h"

#include "model/cost/between.h"
#include "model/cost/leaving.h"
#include "model/cost/pattern.h"
#include "model/machine/alternatives.h"
#include "model/machine/beyond.h"
#include "model/machine/farther.h"

#include <math.h>

/* Shorter messages are not sent in pieces, each of which costs a setup. */
static const double pieces_bytes_least = 8192.0;

/* NULL: none is known. */
static const struct interval_law *law_of(const struct cost *cost, double bytes)
{
    const struct pattern *pattern = pattern_of_form(cost->utility);
    const struct interval_law *law = pattern->interval_parts && bytes >= pieces_bytes_least
                                         ? pattern->interval_parts
                                         : pattern->interval;
    return law && law->least ? law : NULL;
}

/* ---- bounds ---- */

/* What a stage costs besides a message of the same size between two, such as passing it on, and
   what is quicker where many take part: with less, some times of test/bench/certainty.sh are
   outside on clusters where all processors are equally near. */
static const double slower = 1.25, quicker = 1.1;

/* Bounds further apart say nothing. */
static const double apart_most = 100.0;

/* Nor do intervals that much wider, where times go on that were measured. */
static const double wide_most = 4.0;

struct bounds {
    double low_us, high_us;
};

/* What is known: the pattern's own time where it was measured, and a message's. */
struct known {
    const struct machine *machine;
    const struct interval_law *law;
    bool is_told;               /* by neighbours along lines and grids, no more among more */
    double bytes, participants; /* that were measured */
    double own_us, message_us;
    double volume_us, message_volume_us; /* of one of its messages, and of one alone, what grows
                                            with the bytes */
    double farther_us;                   /* of one of its messages, at other counts */
};

static double message_us(const struct machine *machine, double bytes)
{
    const struct cost *message = machine_cost(machine, pattern_point_to_point.name);
    struct cost_answer answer;
    return message && cost_answer_wide(message, bytes, 2.0, &answer, NULL) == 0 ? answer.time_us
                                                                                : 0.0;
}

static double ring_us(const struct known *known, double p)
{
    if (known->bytes < pieces_bytes_least || known->law->rings == 0.0)
        return 0.0;
    return known->law->rings * (p - 1.0) * message_us(known->machine, ceil(known->bytes / p));
}

static struct bounds bounds_among_more(const struct known *known, double p)
{
    const struct interval_law *law = known->law;
    const double before = known->participants;
    const double least_us = known->own_us * fmax(1.0, law->least(p) / law->least(before));
    const double passing_us =
        fmin(known->volume_us, known->message_volume_us) * law->least_volume(p);
    const bool is_alike = known->is_told && law->most(p) == law->most(before);
    const double in_turn_us = is_alike ? 0.0 : known->message_us * law->most(p);
    const double stages_us = fmax(known->own_us * law->most(p) / law->most(before), in_turn_us) +
                             known->volume_us * law->more_volume(p);
    return (struct bounds){fmax(least_us, passing_us) / quicker,
                           fmax(stages_us, ring_us(known, p)) * slower};
}

/* The least share that fewer take of the time of more: of the messages, of these with the bytes
   that wait, or of a ring. */
static double least_share(const struct known *known, double p)
{
    const struct interval_law *law = known->law;
    const double before = known->participants;
    const bool in_ring = law->rings > 0.0 && known->bytes >= pieces_bytes_least;
    const double share =
        fmin(law->most(p) / law->most(before),
             (law->most(p) + law->more_volume(p)) / (law->most(before) + law->more_volume(before)));
    return in_ring ? fmin(share, (p - 1.0) / (before - 1.0)) : share;
}

static struct bounds bounds_among_fewer(const struct known *known, double p)
{
    return (struct bounds){known->own_us * least_share(known, p) / slower,
                           known->own_us * quicker + known->farther_us};
}

/* ---- the answer ---- */

static int fail_unbounded(const struct cost *cost, double processors, struct error *error)
{
    (void)error_set(error, "%s was measured at p = %g alone: what it takes at p = %g is not known",
                    cost->utility, cost_processors(cost, cost->processors.most),
                    cost_processors(cost, processors));
    error_not_known(error);
    return STRUCTURE_NOT_KNOWN;
}

/* Such as that of another grid. */
static unsigned flags_at(const struct cost *cost, double bytes, double processors)
{
    struct cost_answer answer;
    return cost_answer_wide(cost, bytes, processors, &answer, NULL) == 0 ? answer.flags : 0;
}

static bool is_of_grid(const struct cost *cost)
{
    const struct pattern *pattern = pattern_of_form(cost->utility);
    return pattern->interval && pattern->interval->grows == GROWTH_NONE && leaving_is_told(pattern);
}

/* What is known where the answer at that p is `own`; a law of none: nothing bounds it. */
static struct known known_at(const struct machine *machine, const struct cost *cost, double bytes,
                             double processors, const struct cost_answer *own)
{
    const double sent_bytes = cost->bytes.most == 0.0 ? 0.0 : bytes; /* a barrier sends none */
    struct known known = {.machine = machine,
                          .law = law_of(cost, bytes),
                          .is_told = is_of_grid(cost),
                          .bytes = sent_bytes,
                          .participants = cost_processors(cost, processors),
                          .own_us = own->time_us,
                          .message_us = message_us(machine, sent_bytes),
                          .farther_us = farther_us(machine, cost, sent_bytes)};
    known.message_volume_us = known.message_us - message_us(machine, 0.0);
    if (known.law && known.participants >= 2.0)
        known.volume_us = fmax(0.0, form_value(&own->region->per_byte_us, processors)) * bytes /
                          known.law->most(known.participants);
    return known;
}

/* Where farther numbers may be nearer, no blocks of processors are nodes. */
static struct beyond_question question_of(const struct machine *machine, const struct cost *cost,
                                          const struct interval_law *law, double bytes,
                                          double participants, double error_least)
{
    const bool goes_round = farther_is_nearer(machine, bytes);
    return (struct beyond_question){
        .cost = cost,
        .law = law,
        .bytes = bytes,
        .participants = participants,
        .error_least = error_least,
        .near = goes_round ? (double)NAN : cost_processors(cost, cost->processors_near),
        .goes_round = goes_round};
}

/* Of neighbours on a grid, whose numbers are otherwise far apart among more. */
static bool by_distance(const struct machine *machine, const struct beyond_question *question,
                        double last, double last_us, struct beyond *beyond)
{
    const struct pattern *pattern = pattern_of_form(question->cost->utility);
    struct span factor;
    if (!farther_factor(machine, pattern, question->bytes, last, question->participants, &factor))
        return false;
    factor.most *= cbrt(question->participants / last); /* as the way across a cube */
    *beyond = (struct beyond){last_us * sqrt(factor.least * factor.most),
                              last_us * factor.least,
                              last_us * factor.most,
                              last,
                              0.0,
                              false,
                              true};
    return true;
}

static int answer_by_structure(const struct machine *machine, const struct cost *cost, double bytes,
                               double processors, struct cost_answer *answer, struct error *error)
{
    const double measured_at = cost->processors.most, p = cost_processors(cost, processors);
    struct cost_answer own;
    if (!law_of(cost, bytes) || !(p >= 2.0 && cost_processors(cost, measured_at) >= 2.0))
        return fail_unbounded(cost, processors, error);
    if (cost_answer_wide(cost, bytes, measured_at, &own, error) != 0)
        return -1;
    const struct known known = known_at(machine, cost, bytes, measured_at, &own);
    *answer = own;
    answer->flags |= COST_EXTRAPOLATED_PROCESSORS;
    answer->measured_at = measured_at;
    if (own.time_us == 0.0) /* nothing is sent */
        return 0;
    struct bounds bounds =
        p > known.participants ? bounds_among_more(&known, p) : bounds_among_fewer(&known, p);
    const struct beyond_question question =
        question_of(machine, cost, known.law, bytes, p, own.relative_error);
    struct beyond beyond = {.may_fall = false};
    if (p > known.participants &&
        (by_distance(machine, &question, known.participants, own.time_us, &beyond) ||
         beyond_leaving(&question, known.participants, &beyond)))
        bounds = (struct bounds){beyond.low_us / quicker, beyond.high_us * slower};
    const double most = beyond.may_fall ? wide_most : apart_most;
    if (!(bounds.low_us > 0.0) || bounds.high_us > most * bounds.low_us)
        return fail_unbounded(cost, processors, error);
    const double wider = own.high_us / own.time_us;
    answer->flags |= flags_at(cost, bytes, processors);
    answer->time_us = sqrt(bounds.low_us * bounds.high_us);
    answer->low_us = bounds.low_us / wider;
    answer->high_us = bounds.high_us * wider;
    return 0;
}

/* ---- beyond several counts ---- */

/* So many times the most processors that were measured, and no further: where the structure bounds
   the time, and where nothing does. */
static const double times_most = 64.0, times_most_unbounded = 4.0;

static int fail_beyond(const struct cost *cost, double processors, struct error *error)
{
    (void)error_set(error, "%s was measured at p = %g to %g: what it takes at p = %g is not known",
                    cost->utility, cost_processors(cost, cost->processors.least),
                    cost_processors(cost, cost->processors.most),
                    cost_processors(cost, processors));
    error_not_known(error);
    return STRUCTURE_NOT_KNOWN;
}

/* Without a law no more than as many messages more as there are processors. */
static struct bounds bounds_beyond(const struct known *known, double p)
{
    if (known->law)
        return bounds_among_more(known, p);
    return (struct bounds){known->own_us / quicker,
                           known->own_us * p / known->participants * slower};
}

static double within(double time_us, const struct bounds *bounds)
{
    return fmin(fmax(time_us, bounds->low_us), bounds->high_us);
}

/* No shape foretells the last count to within so much, a logarithm: the algorithm changes there,
   and how it goes on is not known. */
static const double error_most = 0.3;

/* What each doubling adds, and how much of the error at the last count between nodes, where the
   steps before the last are no guide. The structure, which sees machines of one kind of link,
   bounds nothing above there. */
static const double doubling = 0.05, error_repeats = 0.25;

/* The hops of a pattern whose tree is known say where its messages go; the interval holds what the
   shape that foretells best says as well. 0: none does. */
static struct beyond by_hops(const struct beyond_question *question,
                             const struct cost_answer *answer, double last, double shape_us)
{
    const double hops_us = answer->time_us, other_us = shape_us > 0.0 ? shape_us : hops_us;
    return (struct beyond){.time_us = hops_us,
                           .low_us = fmin(hops_us, other_us),
                           .high_us = fmax(hops_us, other_us),
                           .last = last,
                           .error = answer->relative_error,
                           .is_in_nodes = question->near < last};
}

/* Of times that are more apart none is said, but their middle; among nodes the interval is no
   choice between two. */
static const double apart = 1.5;

static double middle(const struct beyond *beyond, const struct bounds *bounds)
{
    const double low_us = within(beyond->low_us, bounds), high_us = within(beyond->high_us, bounds);
    return beyond->is_in_nodes || !(high_us > apart * low_us) ? within(beyond->time_us, bounds)
                                                              : sqrt(low_us * high_us);
}

static int bound_beyond(const struct machine *machine, const struct beyond *beyond,
                        const struct beyond_question *question, struct cost_answer *answer,
                        struct error *error)
{
    const struct cost *cost = question->cost;
    const double last = cost_formula_p(cost, beyond->last), p = question->participants;
    struct cost_answer own;
    if (cost_answer_wide(cost, question->bytes, last, &own, error) != 0)
        return -1;
    const struct known known = known_at(machine, cost, question->bytes, last, &own);
    const double doublings = log2(p / beyond->last);
    const double repeats = beyond->is_in_nodes ? error_repeats : 0.0;
    const double wider = (1.0 + own.relative_error + doubling * doublings) *
                         exp(repeats * beyond->error * doublings);
    const struct bounds bounds = beyond->may_fall ? (struct bounds){0.0, INFINITY}
                                 : beyond->is_in_nodes
                                     ? (struct bounds){known.own_us / quicker, INFINITY}
                                     : bounds_beyond(&known, p);
    answer->narrower = own.narrower;
    answer->time_us = middle(beyond, &bounds);
    answer->low_us = within(beyond->low_us, &bounds) / wider;
    answer->high_us = within(beyond->high_us, &bounds) * wider;
    alternatives_hold(machine, question, known.participants, known.own_us, answer);
    return beyond->error > error_most || answer->high_us > wide_most * answer->low_us
               ? fail_beyond(cost, cost_formula_p(cost, p), error)
               : 0;
}

/* As the measured times grow (beyond.h), or by hops where these are known better, within the bounds
   of the structure. */
static int answer_beyond(const struct machine *machine, const struct cost *cost, double bytes,
                         double processors, struct cost_answer *answer, struct error *error)
{
    const double most = cost_processors(cost, cost->processors.most);
    const double p = cost_processors(cost, processors);
    const struct interval_law *law = law_of(cost, bytes);
    struct cost_answer own;
    struct beyond beyond;
    if (cost_answer_wide(cost, bytes, processors, answer, error) != 0 ||
        cost_answer_wide(cost, bytes, cost->processors.most, &own, error) != 0)
        return -1;
    if (p > most * (law ? times_most : times_most_unbounded))
        return fail_beyond(cost, processors, error);
    if (!(own.time_us > 0.0 && most >= 2.0))
        return 0;
    const struct beyond_question question =
        question_of(machine, cost, law, bytes, p, own.relative_error);
    const bool is_known = by_distance(machine, &question, most, own.time_us, &beyond) ||
                          beyond_shapes(&question, &beyond);
    if (answer->hops && !(is_known && beyond.error < answer->relative_error))
        beyond = by_hops(&question, answer, most, is_known ? beyond.time_us : 0.0);
    else if (!is_known)
        return fail_beyond(cost, processors, error);
    return bound_beyond(machine, &beyond, &question, answer, error);
}

/* Between counts, where no node ends that says it: a message may go farther than at either. What
   the counts say stands: programs whose messages do not go around the ring take that. */
static void hold_farther(const struct machine *machine, const struct cost *cost, double bytes,
                         double processors, struct cost_answer *answer)
{
    const double more_us = farther_us(machine, cost, bytes);
    struct edge edge;
    if (!machine->machine.measured || !(more_us > 0.0) || !(processors < cost->processors.most) ||
        cost->by_processors.count == 0 || cost_regions_at(cost, processors) != &cost->regions ||
        answer->hops || between_answer(cost, false, bytes, processors, &edge))
        return;
    answer->high_us += more_us;
}

/* A published form may fall among more processors than the machine has: then it says nothing there,
   and more have no less to do. Those of a grid may have fewer neighbours. */
static int answer_by_form(const struct machine *machine, const struct cost *cost, double bytes,
                          double processors, struct cost_answer *answer, struct error *error)
{
    const double all = fmax(cost->processors.most, machine->machine.processors);
    struct cost_answer last;
    if (cost_answer_wide(cost, bytes, processors, answer, error) != 0)
        return -1;
    if (!(processors > all) || !isnan(cost->grid_side_least) ||
        cost_answer_wide(cost, bytes, cost->processors.most, &last, NULL) != 0 ||
        !(last.time_us > answer->time_us && answer->time_us > 0.0))
        return 0;
    const double wider = answer->high_us / answer->time_us;
    answer->time_us = last.time_us;
    answer->low_us = last.time_us / wider;
    answer->high_us = last.time_us * wider;
    return 0;
}

int structure_answer_wide(const struct machine *machine, const struct cost *cost, double bytes,
                          double processors, struct cost_answer *answer, struct error *error)
{
    const bool one_count = machine->machine.measured && !pattern_is_between_two(cost->utility) &&
                           cost->processors.least > 0.0 &&
                           cost->processors.least >= cost->processors.most;
    if (one_count && (processors < cost->processors.least || processors > cost->processors.most))
        return answer_by_structure(machine, cost, bytes, processors, answer, error);
    if (machine->machine.measured && cost->by_processors.count > 1 &&
        processors > cost->processors.most)
        return answer_beyond(machine, cost, bytes, processors, answer, error);
    if (answer_by_form(machine, cost, bytes, processors, answer, error) != 0)
        return -1;
    hold_farther(machine, cost, bytes, processors, answer);
    return 0;
}

int structure_answer(const struct machine *machine, const struct cost *cost, double bytes,
                     double processors, struct cost_answer *answer, struct error *error)
{
    const int status = structure_answer_wide(machine, cost, bytes, processors, answer, error);
    if (status == 0)
        cost_answer_narrow(answer);
    return status;
}
