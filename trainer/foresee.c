#include "trainer/foresee.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/first_pass.h"
#include "trainer/effort/asked.h"
#include "trainer/engine/counts.h"
#include "trainer/parts.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>

/* A law of p is told by all and by a count this much smaller. */
enum { FEWER_BY = 4 };

/* Before a calibration, asking takes this share of the budget at most; what was not asked then is
   taken to be as long as what was. */
static const double asking_share = 0.1;

struct foreseeing {
    struct run *run;
    const struct parts *parts;
    struct usual usual;
    double end_s;   /* of asking */
    double again_s; /* what one more pass over all points takes */
};

/* Where the clock is exact, one point of some is measured twice, to see that it is (engine/run.c).
 */
static const double repeated_exact = 1.1;

/* ---- asking ---- */

/* An exact clock is asked once, as it is for most points. */
static int ask_point(struct run *run, bool shortly, double bytes, double *took_s,
                     struct error *error)
{
    struct point unnoted = {0};
    struct measure_plan once = run->plan;
    once.batches_alike = once.batches_most = 1;
    const double begin_s = clock_s();
    engine_size(run->engine, (int)bytes);
    const int status = run->simulated ? run_measure_by(run, &once, &unnoted, error)
                                      : run_measure(run, shortly, &unnoted, error);
    *took_s = clock_s() - begin_s;
    return status;
}

/* What points of one utility take among so many, and short ones. */
struct answers {
    int participants;
    struct asked whole, shortly;
};

static int ask_among(struct run *run, int utility, int participants, const struct sweep_plan *plan,
                     struct answers *answers, struct error *error)
{
    struct asked *whole = &answers->whole, *shortly = &answers->shortly;
    answers->participants = participants;
    whole->count = asked_sizes(plan, whole->bytes);
    *shortly = *whole;
    run_choose(run, utility, participants);
    if (run->utility->in_parts)
        engine_parts(run->engine, (int)fmax(1.0, plan->bytes_most));
    for (size_t i = 0; i < whole->count; i++) {
        if (ask_point(run, false, whole->bytes[i], &whole->point_s[i], error) != 0)
            return -1;
        if (run->passes_later &&
            ask_point(run, true, whole->bytes[i], &shortly->point_s[i], error) != 0)
            return -1;
    }
    return 0;
}

/* ---- one utility ---- */

static struct asked among(const struct asked *most, int most_count, const struct asked *fewer,
                          int fewer_count, int processors)
{
    struct asked here = *most;
    for (size_t i = 0; i < here.count; i++)
        here.point_s[i] =
            asked_among(most->point_s[i], most_count, fewer->point_s[i], fewer_count, processors);
    return here;
}

/* All its points, at all counts: what the first pass over them takes, and one more. */
static double add_up(struct foreseeing *it, const struct sweep_plan *plan, const int *counts,
                     size_t count, const struct answers *most, const struct answers *fewer)
{
    const struct usual *usual = &it->usual;
    const int all = most->participants, some = fewer->participants;
    double again_s = it->run->passes_later ? usual_sweep_s(usual, plan, &most->shortly) : 0.0;
    double needs_s = usual_sweep_s(usual, plan, &most->whole) + (plan->trusting ? 0.0 : again_s);
    for (size_t i = 0; i + 1 < count; i++) {
        const struct asked whole = among(&most->whole, all, &fewer->whole, some, counts[i]);
        const struct asked shortly = among(&most->shortly, all, &fewer->shortly, some, counts[i]);
        needs_s += usual_spots_s(usual, plan, &whole);
        again_s += it->run->passes_later ? usual_spots_s(usual, plan, &shortly) : 0.0;
    }
    it->again_s += again_s;
    return needs_s * (it->run->simulated ? repeated_exact : 1.0);
}

/* The largest count that is smaller by a factor, or the first. */
static int fewer_of(const int *counts, size_t count)
{
    size_t at = count - 1;
    while (at > 0 && counts[at] * FEWER_BY > counts[count - 1])
        at--;
    return counts[at];
}

/* The points by which the part size is found. */
static double parts_s(const struct run *run, const struct sweep_plan *plan,
                      const struct asked *asked)
{
    double bytes;
    const int tried = first_pass_parts_tried(plan->bytes_most, &bytes);
    return run->utility->in_parts ? tried * asked_at(asked, bytes) : 0.0;
}

static int ask_utility(struct foreseeing *it, int utility, const int *counts, size_t count,
                       double *needs_s, struct error *error)
{
    struct run *run = it->run;
    struct answers most = {0}, fewer;
    const struct sweep_plan plan = first_pass_plan(run, counts[count - 1]);
    const int some = fewer_of(counts, count);
    if (ask_among(run, utility, counts[count - 1], &plan, &most, error) != 0)
        return -1;
    fewer = most;
    if (count > 1 && ask_among(run, utility, some, &plan, &fewer, error) != 0)
        return -1;
    *needs_s = add_up(it, &plan, counts, count, &most, &fewer) + parts_s(run, &plan, &most.whole);
    return 0;
}

/* ---- which utilities ---- */

static size_t counts_here(const struct run *run, int utility, int counts[COUNTS_MOST])
{
    const struct utility *it = utilities[utility];
    if (it->pattern->near && run->distances.far < 0)
        return 0;
    return counts_of(it, run->options, run->processors, run->distances.together, counts);
}

static bool has_before(const struct foreseeing *it, size_t part, int utility, int largest)
{
    int counts[COUNTS_MOST];
    const size_t count = counts_here(it->run, utility, counts);
    for (size_t i = 0; i < part; i++)
        if (it->parts->items[i].utility == utility)
            return count > 0 && counts[count - 1] == largest;
    return false;
}

/* Whether it makes the calls of one before it, and takes its times (curve/same_calls.h). */
static bool is_adopted(const struct foreseeing *it, size_t part, int utility, int largest)
{
    const struct pattern *pattern = utilities[utility]->pattern;
    const struct pattern *same[] = {pattern->same, largest == 2 ? pattern->same_of_two : NULL};
    for (size_t i = 0; i < 2; i++) {
        const int other = same[i] ? utilities_named(same[i]->name) : -1;
        if (other >= 0 &&
            (has_before(it, part, other, largest) || is_adopted(it, part, other, largest)))
            return true;
    }
    return false;
}

/* NAN: there was no time to ask. */
static int foresee_utility(struct foreseeing *it, size_t part, double *needs_s, struct error *error)
{
    const int utility = it->parts->items[part].utility;
    int counts[COUNTS_MOST];
    const size_t count = counts_here(it->run, utility, counts);
    *needs_s = 0.0;
    if (count == 0 || is_adopted(it, part, utility, counts[count - 1]))
        return 0;
    *needs_s = NAN;
    if (interruption_or_after(it->end_s))
        return 0;
    it->run->utility = utilities[utility];
    return ask_utility(it, utility, counts, count, needs_s, error);
}

/* ---- what sweeps look for on this machine ---- */

/* A sweep_measure that notes nothing. */
static int scout_point(void *state, const struct ask *ask, struct point *point, struct error *error)
{
    struct foreseeing *it = state;
    if (interruption_or_after(it->end_s))
        return 1;
    *point = (struct point){.bytes = ask->bytes, .processors = 2.0, .held_out = ask->held_out};
    engine_size(it->run->engine, (int)ask->bytes);
    return run_measure(it->run, ask->again, point, error);
}

/* Two processors show where regions end. */
static int scout(struct foreseeing *it, struct error *error)
{
    struct run *run = it->run;
    struct curve curve = {.utility = utilities_named(pattern_point_to_point.name)};
    struct list regions = {0};
    it->usual = usual_in_noise();
    if (!run->simulated)
        return 0;
    run->utility = utilities[curve.utility];
    run->exact_points = 0;
    const struct sweep_plan plan = first_pass_plan(run, 2);
    run_choose(run, curve.utility, 2);
    int status = sweep(&plan, scout_point, it, &curve, error);
    if (status == 0 && curve_has_times(&curve)) {
        struct list settled = curve_settled(&curve);
        status = curve_fit(&curve, settled, &regions, error);
        free(settled.items);
    }
    if (status == 0 && regions.count > 0)
        it->usual = usual_of(&curve, &plan, &regions);
    list_free(&region_record, &regions);
    curve_free(&curve);
    return status;
}

/* ---- all parts ---- */

static int foresee_part(struct foreseeing *it, size_t index, double *needs_s, struct error *error)
{
    const struct part *part = &it->parts->items[index];
    if (part->utility >= 0)
        return foresee_utility(it, index, needs_s, error);
    if (part->suite) {
        *needs_s = part->suite->foresee_s ? part->suite->foresee_s(it->run) : (double)NAN;
        return 0;
    }
    *needs_s = (double)(run_passes(it->run) - 1) * it->again_s;
    return 0;
}

static int foresee_parts(struct foreseeing *it, struct effort *effort, struct error *error)
{
    int status = scout(it, error);
    for (size_t i = (size_t)it->run->part; i < it->parts->count && status == 0; i++) {
        const struct part *part = &it->parts->items[i];
        struct effort_part *of = &effort->parts[effort->count++];
        of->is_large = part->suite && part->suite->is_large;
        of->name = part_name(part);
        of->suite = part->suite ? part->suite->name : of->name;
        status = foresee_part(it, i, &of->needs_s, error);
    }
    usual_free(&it->usual);
    return status;
}

int effort_foresee(struct run *run, const struct parts *parts, struct effort *effort,
                   struct error *error)
{
    const double budget_s = run->options->budget_s, begin_s = run->end_s - budget_s;
    const double asking_s = asking_share * budget_s;
    struct foreseeing it = {.run = run,
                            .parts = parts,
                            .end_s =
                                run->options->dry_run ? (double)INFINITY : clock_s() + asking_s};
    *effort = (struct effort){.parts = memory_new(parts->count, sizeof *effort->parts),
                              .processors = run->processors,
                              .begun_s = clock_s() - begin_s,
                              .budget_s = budget_s};
    const int status = foresee_parts(&it, effort, error);
    run->exact_points = 0;
    effort->begun_s = fmin(effort->begun_s + asking_s, clock_s() - begin_s);
    effort_fill(effort);
    effort_share(effort);
    return status;
}

void effort_free(struct effort *effort)
{
    free(effort->parts);
    *effort = (struct effort){0};
}
