#include "model/machine/beyond.h"

#include "model/base/allocation.h"
#include "model/cost/leaving.h"
#include "model/machine/series.h"
#include "model/machine/shape.h"

#include <math.h>
#include <stdlib.h>

/* Tried with tables of at most 64 simulated processors against 256 and 1024
   (test/bench/many.sh). */
static const double about_as_well = 2.5, explained = 0.03; /* shapes that answer beside the best */
static const double exact = 1e-3, hardly_worse = 1.2;      /* the simplest of them is preferred */
static const double error_unknown = 0.1; /* where too few counts are there to try any */

/* What every shape says, and how far it was off at the last count, as a logarithm. */
struct trial {
    double times_us[SHAPES], errors[SHAPES], best;
};

static struct trial tried(const struct beyond_question *question, const struct series *series)
{
    const struct series before = series_before_last(series);
    const bool can_try = before.count >= 2;
    struct trial trial = {.best = INFINITY};
    for (enum shape shape = 0; shape < SHAPES; shape++) {
        trial.times_us[shape] = shape_says(question, series, shape, question->participants);
        trial.errors[shape] = INFINITY;
        if (can_try && trial.times_us[shape] > 0.0) {
            const double before_us = shape_says(question, &before, shape, series_last_p(series));
            if (before_us > 0.0)
                trial.errors[shape] = fabs(log(before_us / series_last_us(series)));
        }
        trial.best = fmin(trial.best, trial.errors[shape]);
    }
    if (!can_try)
        trial.best = error_unknown;
    return trial;
}

static void include(struct beyond *beyond, double time_us)
{
    beyond->low_us = fmin(beyond->low_us, time_us);
    beyond->high_us = fmax(beyond->high_us, time_us);
}

static void include_positive(struct beyond *beyond, double time_us)
{
    if (time_us > 0.0)
        include(beyond, time_us);
}

static void include_steps(const struct beyond_question *question, const struct series *series,
                          enum shape shape, struct beyond *beyond)
{
    include_positive(beyond, shape_as_before(question, series, shape));
    if (!question->goes_round)
        include_positive(beyond, shape_ever_more(question, series, shape));
}

static double accepted(const struct trial *trial, double error_least)
{
    return fmax(about_as_well * trial->best, fmax(explained, error_least));
}

/* Whether a shape foretells the last count, or the one before: where the library changes its
   algorithm at the last one, that goes on from there as it did before, or as the step looks. */
static bool foretells(const struct beyond_question *question, const struct trial *trial,
                      const struct trial *before, enum shape shape)
{
    return trial->errors[shape] <= accepted(trial, question->error_least) ||
           before->errors[shape] <= accepted(before, question->error_least);
}

/* The stages of a tree go as far as numbers are apart, up and down with p, unless another shape
   foretells exactly. */
static bool may_come(const struct beyond_question *question, const struct trial *trial,
                     enum shape shape)
{
    bool is_exact = false; /* of both terms any three times that rise ever more may be */
    for (enum shape other = 0; other < SHAPES; other++)
        is_exact =
            is_exact || (other != SHAPE_LOGARITHM_AND_LINEAR && trial->errors[other] <= exact);
    return question->goes_round && !is_exact && shape == SHAPE_LOGARITHM;
}

static struct trial no_trial(void)
{
    struct trial trial = {.best = 0.0};
    for (enum shape shape = 0; shape < SHAPES; shape++)
        trial.errors[shape] = INFINITY;
    return trial;
}

static struct trial tried_before(const struct beyond_question *question,
                                 const struct series *series)
{
    const struct series before = series_before_last(series);
    if (series->count < 4 || series->near > 0.0)
        return no_trial();
    return tried(question, &before);
}

/* Of a time at a measured count, where all messages cross the machine: links in its middle are as
   many as on a side of a cube, and their share grows with its edge. */
static double share_of_bytes(const struct beyond_question *question, double participants)
{
    const struct cost *cost = question->cost;
    const double p = cost_formula_p(cost, participants);
    struct cost_answer all, least;
    if (pattern_under_way(cost->utility, participants) < participants ||
        cost_answer(cost, question->bytes, p, &all, NULL) != 0 ||
        cost_answer(cost, fmin(question->bytes, fmax(0.0, cost->bytes.least)), p, &least, NULL) !=
            0)
        return 0.0;
    return fmax(0.0, 1.0 - least.time_us / all.time_us);
}

/* Without a count before the last to be foretold all shapes may be. */
static void take_all(const struct trial *trial, const struct beyond_question *question,
                     const struct series *series, struct beyond *beyond)
{
    const struct trial before = tried_before(question, series);
    bool none = true;
    for (enum shape shape = 0; shape < SHAPES; shape++)
        none = none && !(trial->errors[shape] < INFINITY);
    for (enum shape shape = 0; shape < SHAPES; shape++)
        if (trial->times_us[shape] > 0.0 && (none || foretells(question, trial, &before, shape) ||
                                             may_come(question, trial, shape))) {
            include(beyond, trial->times_us[shape]);
            include_steps(question, series, shape, beyond);
        }
    const double near_best =
        fmax(hardly_worse * trial->best, fmax(exact, 0.5 * question->error_least));
    for (enum shape shape = SHAPES; shape-- > 0;)
        if (trial->times_us[shape] > 0.0 && trial->errors[shape] <= near_best)
            beyond->time_us = trial->times_us[shape];
    if (may_come(question, trial, SHAPE_LOGARITHM)) {
        beyond->high_us *= 1.0 + (cbrt(question->participants / series_last_p(series)) - 1.0) *
                                     share_of_bytes(question, series_last_p(series));
    }
}

/* Where farther numbers are nearer, on a torus or a grid, the times of a pattern with fixed
   partners go up and down with p: it is as at any of the last counts where it has as many messages,
   or takes as much longer as the way across a cube does. Times that only rose, as of next numbers,
   which are one step more apart where another direction of the grid begins, may do so once more. */
static const double clearly = 1.25, slightly = 1.1; /* than before; where there is another sign */
enum { SEEN = 3 };

static bool falls(const struct series *series, const bool *wanted, double times)
{
    double most_us = 0.0;
    for (size_t i = 0; i < series->count; i++) {
        if (wanted[i] && series->times_us[i] * times < most_us)
            return true;
        most_us = wanted[i] ? fmax(most_us, series->times_us[i]) : most_us;
    }
    return false;
}

static bool is_alike(const struct beyond_question *question, double participants, double near)
{
    const struct pattern *pattern = pattern_of_form(question->cost->utility);
    const double messages = question->law->most(question->participants);
    return question->law->most(participants) == messages &&
           (!(near > 0.0) || leaving_messages(pattern, participants, near) ==
                                 leaving_messages(pattern, question->participants, near));
}

/* Keeps those of as many messages; the last one is. False: their times only rise, and there is no
   other sign. */
static bool keep_seen(const struct beyond_question *question, struct series *series,
                      bool *has_fallen)
{
    const struct pattern *pattern = pattern_of_form(question->cost->utility);
    if (!question->law || !leaving_is_told(pattern) || pattern->partners == PARTNERS_PAIR)
        return false;
    bool *wanted = memory_new(series->count + 1, sizeof *wanted);
    for (size_t i = 0; i < series->count; i++)
        wanted[i] = is_alike(question, series->participants[i], series->near);
    *has_fallen = falls(series, wanted, question->goes_round ? slightly : clearly);
    const bool is_seen = question->goes_round || *has_fallen;
    if (is_seen)
        series_keep(series, wanted);
    free(wanted);
    return is_seen;
}

static void take_seen(const struct beyond_question *question, const struct series *series,
                      bool has_fallen, struct beyond *beyond)
{
    const double last = series_last_p(series), last_us = series_last_us(series);
    *beyond = (struct beyond){.low_us = last_us,
                              .high_us = last_us,
                              .last = last,
                              .may_fall = true,
                              .is_in_nodes = series->near > 0.0};
    if (!has_fallen)
        include(beyond, last_us + fmax(0.0, last_us - series->times_us[0]));
    for (size_t i = series->count > SEEN ? series->count - SEEN : 0; i < series->count; i++)
        if (has_fallen) {
            include(beyond, series->times_us[i]);
            include(beyond, cbrt(question->participants / last) * series->times_us[i]);
        }
    beyond->time_us = sqrt(beyond->low_us * beyond->high_us);
}

/* Whether within a node a message a processor says no more than the stages of a tree: then it is no
   more between nodes, should a step there look so. */
static bool is_tree_inside(const struct beyond_question *question)
{
    struct series inside = series_of(question->cost, question->bytes);
    series_keep_within(&inside, question->near);
    series_keep_alike(&inside, question->participants);
    const struct trial trial = tried(question, &inside);
    free(inside.participants);
    return trial.errors[SHAPE_LOGARITHM] < trial.errors[SHAPE_LINEAR];
}

/* A few counts of more than one node do not tell what all share between nodes: the interval is from
   half-way to a tree's stages over nodes to these, or from these to a message a processor, unless
   the latter foretells exactly. */
static void take_nodes(const struct trial *trial, const struct beyond_question *question,
                       double time_last_us, struct beyond *beyond)
{
    const double tree_us = trial->times_us[SHAPE_LOGARITHM];
    const double each_us = trial->times_us[SHAPE_LINEAR];
    if (isnan(each_us)) {
        *beyond =
            (struct beyond){tree_us, sqrt(time_last_us * tree_us), tree_us, 0.0, 0.0, true, false};
        return;
    }
    const bool is_linear =
        trial->errors[SHAPE_LINEAR] <= trial->errors[SHAPE_LOGARITHM] && !is_tree_inside(question);
    const double low_us = is_linear && trial->errors[SHAPE_LINEAR] <= exact ? each_us : tree_us;
    *beyond = (struct beyond){
        is_linear ? each_us : sqrt(tree_us * each_us), low_us, each_us, 0.0, 0.0, true, false};
}

/* Several nodes take no longer than one: the library changes its algorithm, and nothing tells how
   that goes on. */
static bool changes_among_nodes(const struct series *series)
{
    return series->count < 2 || !(series_last_us(series) > series->times_us[0]);
}

static bool grows_among_nodes(const struct beyond_question *question, const struct series *series)
{
    return series->near > 0.0 && question->law && question->law->grows >= GROWTH_LOGARITHMIC &&
           !leaving_is_told(pattern_of_form(question->cost->utility));
}

/* Whether there are times enough; among nodes of one and of more, unless the pattern says what
   leaves a node. */
static bool is_enough(const struct beyond_question *question, const struct series *series)
{
    const double near = question->near;
    if (!(series->near > 0.0))
        return series->count > 0 && !(question->participants > near);
    return series->count >= 2 && (series->participants[0] == series->near ||
                                  leaving_is_told(pattern_of_form(question->cost->utility)));
}

static struct series series_for(const struct beyond_question *question)
{
    const double near = question->near;
    struct series series = series_of(question->cost, question->bytes);
    if (series.count > 0 && series_last_p(&series) > near)
        series_keep_nodes(&series, near);
    series_keep_alike(&series, question->participants);
    return series;
}

/* As the shapes say, of at least one time. */
static bool answer(const struct beyond_question *question, const struct series *series,
                   struct beyond *beyond)
{
    const struct trial trial = tried(question, series);
    if (grows_among_nodes(question, series) && changes_among_nodes(series))
        return false;
    *beyond = (struct beyond){series_last_us(series), INFINITY, 0.0, 0.0, 0.0, false, false};
    if (grows_among_nodes(question, series))
        take_nodes(&trial, question, series_last_us(series), beyond);
    else
        take_all(&trial, question, series, beyond);
    include(beyond, beyond->time_us);
    beyond->last = series_last_p(series);
    beyond->error = trial.best;
    beyond->is_in_nodes = series->near > 0.0;
    return true;
}

bool beyond_shapes(const struct beyond_question *question, struct beyond *beyond)
{
    struct series series = series_for(question);
    bool is_known = is_enough(question, &series);
    const double last = is_known ? series_last_p(&series) : 0.0;
    bool has_fallen;
    if (is_known && keep_seen(question, &series, &has_fallen)) {
        take_seen(question, &series, has_fallen, beyond);
    } else if (is_known && (series.count > 2 || !beyond_leaving(question, last, beyond))) {
        is_known = answer(question, &series, beyond);
    }
    free(series.participants);
    return is_known;
}
