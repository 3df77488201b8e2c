#include "trainer/curve/sweep.h"

#include "model/base/allocation.h"
#include "model/fit/fit.h"
#include "trainer/curve/edge.h"
#include "trainer/curve/hump.h"
#include "trainer/curve/packet_size.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

enum { HELD_OUT_EVERY = 5, ROUNDS_MOST = 6 };

/* Below so many granules a region that ends at twice its beginning has fewer sizes than a line
   needs; it is known by its sizes' times, each of which is asked for so often. */
enum { CLOSE_BELOW = 4, TIMES_CLOSE = 3, CLOSE_MOST = CLOSE_BELOW * TIMES_CLOSE };

/* Sizes that an edge known of beforehand adds. */
enum { EDGE_SIDES = 2 };

/* Gaps narrower than this ratio are left to the narrowing of edges. */
static const double gap_ratio_least = 1.02;

/* ---- the start: log-uniform sizes, jittered, in random order. Powers of two are among them: these
   are what programs send, and where libraries change. No two neighbours are powers of two, as few
   sizes would all be, and see what is the same at powers of two alone: a choice among broadcasts
   was wrong by 78 % (test/shim.bats, processors that share nodes) ---- */

struct start {
    double bytes;
    bool held_out;
};

/* At different moments, as all sizes are shuffled; returns how many there are then. */
static size_t repeat_close_sizes(const struct sweep_plan *plan, struct start *starts, size_t count)
{
    size_t all = count;
    for (size_t i = 0; i < count && starts[i].bytes < CLOSE_BELOW * plan->granule; i++)
        for (int times = 1; times < TIMES_CLOSE && !starts[i].held_out; times++)
            starts[all++] = starts[i];
    return all;
}

/* The sizes before and after it, so that no other size is needed to find it. */
static size_t add_known_edge(const struct sweep_plan *plan, struct start *starts, size_t count)
{
    const double before = plan->granule * floor(plan->known_edge / plan->granule);
    if (!(before > 0.0) || before < plan->bytes_least || before + plan->granule > plan->bytes_most)
        return count;
    starts[count++] = (struct start){before, false};
    starts[count++] = (struct start){before + plan->granule, false};
    return count;
}

/* The power of two nearest to a size, within the span that the size was drawn from; else the size.
 */
static double power_within(double bytes, double from, double upto)
{
    const double power = exp2(round(log2(bytes)));
    const double other = power > bytes ? 0.5 * power : 2.0 * power;
    return power >= from && power < upto ? power : other >= from && other < upto ? other : bytes;
}

static size_t start_sizes(const struct running *run, gsl_rng *random, struct start *starts)
{
    const struct sweep_plan *plan = run->plan;
    const double from = fmax(plan->bytes_least, plan->granule);
    const double span = log(plan->bytes_most / from);
    const size_t steps = plan->start_points;
    size_t count = 0;
    double last = plan->bytes_least;
    bool may_be_power = true;
    starts[count++] = (struct start){plan->bytes_least, false};
    for (size_t i = 0; i < steps && span > 0.0; i++) {
        const double at = ((double)i + gsl_rng_uniform(random)) / (double)steps;
        const double drawn = from * exp(span * at);
        const double near_power = power_within(drawn, from * exp(span * (double)i / (double)steps),
                                               from * exp(span * (double)(i + 1) / (double)steps));
        const bool is_power = may_be_power && near_power != drawn;
        const double bytes = running_size(run, is_power ? near_power : drawn);
        may_be_power = !is_power;
        if (bytes > last && bytes < plan->bytes_most)
            starts[count++] = (struct start){last = bytes, false};
    }
    if (plan->bytes_most > plan->bytes_least)
        starts[count++] = (struct start){plan->bytes_most, false};
    for (size_t i = HELD_OUT_EVERY / 2; i + 1 < count; i += HELD_OUT_EVERY)
        starts[i].held_out = i > 0;
    count = plan->trusting ? count : repeat_close_sizes(plan, starts, count);
    return add_known_edge(plan, starts, count);
}

static struct start *starts_new(const struct sweep_plan *plan)
{
    return memory_new(plan->start_points + 2 + CLOSE_MOST + EDGE_SIDES, sizeof(struct start));
}

size_t sweep_begins_with(const struct sweep_plan *plan)
{
    const struct running run = {.plan = plan};
    struct start *starts = starts_new(plan);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, plan->seed);
    const size_t count = start_sizes(&run, random, starts);
    gsl_rng_free(random);
    free(starts);
    return count;
}

static int measure_start(struct running *run, gsl_rng *random, struct error *error)
{
    struct start *starts = starts_new(run->plan);
    const size_t count = start_sizes(run, random, starts);
    gsl_ran_shuffle(random, starts, count, sizeof *starts);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        status = running_measure(run, starts[i].bytes, starts[i].held_out, error);
    free(starts);
    return status;
}

/* ---- refinement where a straight line between neighbours misses ---- */

static double noise_of(const struct observation *point)
{
    return point->half_width_us / point->time_us;
}

/* How far the middle one lies from the line between its neighbours, beyond the noise of the three;
   at most 1, so that one wild point does not take all attention. */
static double miss(const struct observation *left, const struct observation *middle,
                   const struct observation *right)
{
    const double share = (middle->bytes - left->bytes) / (right->bytes - left->bytes);
    const double line_us = left->time_us + share * (right->time_us - left->time_us);
    const double off = fabs(line_us - middle->time_us) / middle->time_us;
    const double noise = noise_of(left) + noise_of(middle) + noise_of(right);
    return fmin(1.0, off) - fmax(MISS_FLOOR, noise);
}

static double middle_of(const struct running *run, double left, double right)
{
    const bool wide = left > 0.0 && right / left > 2.0;
    return running_size(run, wide ? sqrt(left * right) : 0.5 * (left + right));
}

/* The wider of the two gaps beside the point that is missed most, weighted with its width, as
   SKaMPI's refinement does; the middle of it, or NAN when no miss is left. */
static double next_size(const struct running *run)
{
    double worst = 0.0, at = NAN;
    for (size_t i = 1; i + 1 < run->count; i++) {
        const struct observation *p = &run->sorted[i];
        const double left = log((p[0].bytes + 1.0) / (p[-1].bytes + 1.0));
        const double right = log((p[1].bytes + 1.0) / (p[0].bytes + 1.0));
        const double width = fmax(left, right);
        const double key = miss(&p[-1], &p[0], &p[1]) * width;
        if (!(key > worst) || width < log(gap_ratio_least))
            continue;
        const double middle = left >= right ? middle_of(run, p[-1].bytes, p[0].bytes)
                                            : middle_of(run, p[0].bytes, p[1].bytes);
        if (running_knows(run, middle))
            continue;
        worst = key;
        at = middle;
    }
    return at;
}

static int refine(struct running *run, size_t points, struct error *error)
{
    for (size_t i = 0; i < points && !run->spent; i++) {
        const double bytes = next_size(run);
        if (isnan(bytes))
            return 0;
        const bool held_out = i % HELD_OUT_EVERY == HELD_OUT_EVERY - 1;
        if (running_measure(run, bytes, held_out, error) != 0)
            return -1;
    }
    return 0;
}

/* ---- regions ---- */

static int fit(const struct running *run, struct list *regions, struct error *error)
{
    list_free(&region_record, regions);
    return curve_fit_observed(&run->curve->packets, run->plan->granule, run->sorted, run->count,
                              regions, error);
}

/* ---- neighbours that a region misses to the same side ---- */

/* Points that a line misses by less are as good as any. */
static const double misfit_least = 0.03;

enum { MISFITS_MOST = 4 };

/* How far the point lies above its region's line, of what it should be: 0 within its noise. */
static double misfit(const struct list *regions, const struct observation *point)
{
    const struct region *region = regions->items;
    while (point->bytes > region->bytes_upto)
        region++;
    const double model_us = region_time_us(region, point->bytes, 2.0);
    const double off = (point->time_us - model_us) / point->time_us;
    return fabs(off) > fmax(misfit_least, noise_of(point)) ? off : 0.0;
}

/* The middle of the widest gap between two neighbours that are missed to the same side: where a
   region is hidden, more points show it. NAN: none. */
static double next_misfit(const struct running *run, const struct list *regions)
{
    double widest = log(gap_ratio_least), at = NAN;
    for (size_t i = 1; i < run->count; i++) {
        const struct observation *p = &run->sorted[i];
        const double width = log((p[0].bytes + 1.0) / (p[-1].bytes + 1.0));
        const double middle = middle_of(run, p[-1].bytes, p[0].bytes);
        if (width <= widest || misfit(regions, &p[-1]) * misfit(regions, &p[0]) <= 0.0 ||
            running_knows(run, middle))
            continue;
        widest = width;
        at = middle;
    }
    return at;
}

static int measure_misfits(struct running *run, const struct list *regions, struct error *error)
{
    for (int i = 0; i < MISFITS_MOST && !run->spent; i++) {
        const double bytes = next_misfit(run, regions);
        if (isnan(bytes))
            break;
        if (running_measure(run, bytes, false, error) != 0)
            return -1;
    }
    return 0;
}

/* Fits and narrows until no edge gains a point. */
static int settle(struct running *run, struct list *regions, struct error *error)
{
    for (int round = 0; round < ROUNDS_MOST; round++) {
        const size_t before = run->count;
        if (running_ask_again(run, error) != 0 || (round == 0 && hump_measure(run, error) != 0) ||
            running_ask_again(run, error) != 0 || fit(run, regions, error) != 0)
            return -1;
        const struct region *items = regions->items;
        for (size_t k = 0; k + 1 < regions->count; k++)
            if (edge_narrow(run, &items[k], &items[k + 1], error) != 0)
                return -1;
        if (measure_misfits(run, regions, error) != 0 ||
            packets_find_among(run, regions, error) != 0)
            return -1;
        if (run->count == before || run->spent)
            break;
    }
    return running_ask_again(run, error) != 0 ? -1 : fit(run, regions, error);
}

/* ---- a point held out in every region ---- */

/* The middle of the widest gap among so many points; NAN where there is no size between two. */
static double widest_gap(const struct running *run, const struct observation *points, size_t count)
{
    double widest = 1.0, at = NAN;
    for (size_t i = 1; i < count; i++) {
        const double ratio = (points[i].bytes + 1.0) / (points[i - 1].bytes + 1.0);
        const double middle = middle_of(run, points[i - 1].bytes, points[i].bytes);
        if (ratio > widest && !running_knows(run, middle)) {
            widest = ratio;
            at = middle;
        }
    }
    return at;
}

/* A region that was found between two of the points held out before has none that says how good it
   is: it gets one, however many points there are. */
static int hold_out_in_each(struct running *run, const struct list *regions, struct error *error)
{
    const struct region *items = regions->items;
    int status = 0;
    run->spent = false;
    for (size_t k = 0, start = 0, end; k < regions->count && status == 0 && !run->spent;
         k++, start = end) {
        bool has_one = false;
        for (end = start; end < run->count && run->sorted[end].bytes <= items[k].bytes_upto; end++)
            has_one = has_one || run->sorted[end].held_out;
        const double at = has_one ? NAN : widest_gap(run, &run->sorted[start], end - start);
        if (isnan(at))
            continue;
        status = running_measure_anyway(run, at, true, error);
        end += !run->spent;
    }
    return status;
}

/* Whether there is anything to fit: on a disturbed machine all times may be lost in the clock. */
static bool has_times(const struct running *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (!run->sorted[i].held_out && run->sorted[i].time_us > 0.0)
            return true;
    return false;
}

int sweep(const struct sweep_plan *plan, sweep_measure *measure, void *state, struct curve *curve,
          struct error *error)
{
    struct running run = running_begin(plan, measure, state, curve);
    struct list regions = {0};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, plan->seed);
    int status = measure_start(&run, random, error);
    if (status == 0)
        status = refine(&run, plan->refine_points, error);
    if (status == 0 && !plan->trusting && !run.spent)
        status = packets_find(&run, error);
    if (status == 0 && has_times(&run))
        status = settle(&run, &regions, error);
    if (status == 0)
        status = hold_out_in_each(&run, &regions, error);
    list_free(&region_record, &regions);
    gsl_rng_free(random);
    running_end(&run);
    return status;
}
