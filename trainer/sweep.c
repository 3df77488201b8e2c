#include "trainer/sweep.h"

#include "model/base/memory.h"
#include "model/machine/fit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { HELD_OUT_EVERY = 5, ROUNDS_MOST = 6, ASKS_MOST = 4 };

/* A neighbour's miss below this share of the time is not followed, however sure it is: the fit has
   other points there, and steps this small do not change a decision. */
static const double miss_floor = 1e-4;

/* Gaps narrower than this ratio are left to the narrowing of edges. */
static const double gap_ratio_least = 1.02;

struct running {
    const struct sweep_plan *plan;
    sweep_measure *measure;
    void *state;
    struct list *points;
    size_t looked; /* points before this one have been asked again */
    struct sweep_looks looks;
    bool spent;
    struct observation *sorted; /* all points so far, by bytes */
    size_t count;
};

/* ---- measuring ---- */

static double to_granule(const struct running *run, double bytes)
{
    const double granule = run->plan->granule;
    return fmin(run->plan->bytes_most,
                fmax(run->plan->bytes_least, granule * round(bytes / granule)));
}

static bool known(const struct running *run, double bytes)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].bytes == bytes)
            return true;
    return false;
}

static void insert(struct running *run, const struct point *point)
{
    run->sorted = memory_grow(run->sorted, run->count + 1, sizeof *run->sorted);
    size_t at = run->count++;
    for (; at > 0 && run->sorted[at - 1].bytes > point->bytes; at--)
        run->sorted[at] = run->sorted[at - 1];
    run->sorted[at] = (struct observation){point->bytes, point->median_us, point->half_width_us,
                                           point->processors, point->held_out};
}

static int ask(struct running *run, const struct ask *what, struct point *point,
               struct error *error)
{
    const int status = run->measure(run->state, what, point, error);
    run->spent = status > 0;
    return status < 0 ? -1 : 0;
}

static int measure_anyway(struct running *run, double bytes, bool held_out, struct error *error)
{
    struct point point = {0};
    if (ask(run, &(struct ask){.bytes = bytes, .held_out = held_out}, &point, error) != 0)
        return -1;
    if (run->spent)
        return 0;
    *(struct point *)list_add(&point_record, run->points) = point;
    insert(run, &point);
    return 0;
}

/* Measures at a size that is not known yet; sets spent when there is no budget left. */
static int measure_at(struct running *run, double bytes, bool held_out, struct error *error)
{
    run->spent = run->spent || run->count >= run->plan->points_most;
    return run->spent ? 0 : measure_anyway(run, bytes, held_out, error);
}

/* ---- the start: log-uniform sizes, jittered, in random order ---- */

struct start {
    double bytes;
    bool held_out;
};

static size_t start_sizes(const struct running *run, gsl_rng *random, struct start *starts)
{
    const struct sweep_plan *plan = run->plan;
    const double from = fmax(plan->bytes_least, plan->granule);
    const double span = log(plan->bytes_most / from);
    const size_t steps = plan->start_points;
    size_t count = 0;
    double last = plan->bytes_least;
    starts[count++] = (struct start){plan->bytes_least, false};
    for (size_t i = 0; i < steps && span > 0.0; i++) {
        const double at = ((double)i + gsl_rng_uniform(random)) / (double)steps;
        const double bytes = to_granule(run, from * exp(span * at));
        if (bytes > last && bytes < plan->bytes_most)
            starts[count++] = (struct start){last = bytes, false};
    }
    if (plan->bytes_most > plan->bytes_least)
        starts[count++] = (struct start){plan->bytes_most, false};
    for (size_t i = HELD_OUT_EVERY / 2; i + 1 < count; i += HELD_OUT_EVERY)
        starts[i].held_out = i > 0;
    return count;
}

static int measure_start(struct running *run, gsl_rng *random, struct error *error)
{
    struct start *starts = memory_new(run->plan->start_points + 2, sizeof *starts);
    const size_t count = start_sizes(run, random, starts);
    gsl_ran_shuffle(random, starts, count, sizeof *starts);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        status = measure_at(run, starts[i].bytes, starts[i].held_out, error);
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
    return fmin(1.0, off) - fmax(miss_floor, noise);
}

static double middle_of(const struct running *run, double left, double right)
{
    const bool wide = left > 0.0 && right / left > 2.0;
    return to_granule(run, wide ? sqrt(left * right) : 0.5 * (left + right));
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
        if (known(run, middle))
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
        if (measure_at(run, bytes, held_out, error) != 0)
            return -1;
    }
    return 0;
}

/* ---- the second look ---- */

/* A time that moved by more of itself was measured on another machine, as it were. */
static const double change_most = 0.22;

static bool moved(const struct point *point, const struct point *before)
{
    return fabs(point->median_us - before->median_us) > change_most * before->median_us;
}

/* The one whose median lies between those of the other two. */
static const struct point *between(const struct point *a, const struct point *b,
                                   const struct point *c)
{
    const bool ab = a->median_us <= b->median_us, bc = b->median_us <= c->median_us;
    const bool ac = a->median_us <= c->median_us;
    return ab == bc ? b : ab == ac ? c : a;
}

static void replace(struct running *run, struct point *point, const struct point *by)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].bytes == point->bytes && run->sorted[i].time_us == point->median_us) {
            run->sorted[i].time_us = by->median_us;
            run->sorted[i].half_width_us = by->half_width_us;
            break;
        }
    *point = *by;
}

/* Two of three decide: a shared machine has moods that last for a few points and not for the next
   ones (measuring.md 3.7). Held-out points too: what they hold is a time like any other. */
static int look_again(struct running *run, size_t i, struct error *error)
{
    struct point *point = (struct point *)run->points->items + i;
    struct point again = {0}, third = {0};
    struct ask what = {point->bytes, point->held_out, true};
    if (point->half_width_us == 0.0)
        return 0;
    if (ask(run, &what, &again, error) != 0)
        return -1;
    if (run->spent)
        return 0;
    run->looks.looked++;
    if (!moved(&again, point))
        return 0;
    run->looks.moved++;
    what.again = false;
    if (ask(run, &what, &third, error) != 0)
        return -1;
    if (!run->spent)
        replace(run, point, between(point, &again, &third));
    return 0;
}

static int look_at_new_again(struct running *run, struct error *error)
{
    for (; !run->plan->trusting && run->looked < run->points->count && !run->spent; run->looked++)
        if (look_again(run, run->looked, error) != 0)
            return -1;
    return 0;
}

/* ---- edges ---- */

static int fit(const struct running *run, struct list *regions, struct error *error)
{
    const struct fit_plan plan = fit_plan_default();
    list_free(&region_record, regions);
    if (fit_regions(run->sorted, run->count, &plan, regions, error) != 0)
        return -1;
    struct region *items = regions->items;
    for (size_t k = 0; k + 1 < regions->count; k++)
        items[k].bytes_upto = run->plan->granule * floor(items[k].bytes_upto / run->plan->granule);
    return 0;
}

/* The gap about an edge: the last fitted point of the left region, the first of the right. */
static bool gap_about(const struct running *run, double edge, double *left, double *right)
{
    *left = *right = NAN;
    for (size_t i = 0; i < run->count; i++) {
        if (run->sorted[i].held_out)
            continue;
        if (run->sorted[i].bytes <= edge)
            *left = run->sorted[i].bytes;
        else if (isnan(*right))
            *right = run->sorted[i].bytes;
    }
    return !isnan(*left) && !isnan(*right);
}

enum side { SIDE_LEFT, SIDE_RIGHT, SIDE_UNKNOWN };

/* To which of two lines a size belongs. Measured again (a few times, summed up by the mean) while
   it lies between them within its noise; to the left when both explain it. */
static int find_side(struct running *run, const struct region *left, const struct region *right,
                     double bytes, enum side *side, struct error *error)
{
    const double left_us = region_time_us(left, bytes, 2.0);
    const double right_us = region_time_us(right, bytes, 2.0);
    double sum_us = 0.0;
    *side = SIDE_UNKNOWN;
    for (int times = 1; times <= ASKS_MOST; times++) {
        if (measure_at(run, bytes, false, error) != 0)
            return -1;
        if (run->spent)
            return 0;
        const struct point *point =
            (const struct point *)run->points->items + run->points->count - 1;
        sum_us += point->median_us;
        const double mean_us = sum_us / times, noise_us = point->half_width_us / sqrt(times);
        if (fabs(left_us - right_us) < 0.5 * noise_us)
            return 0;
        const double to_left = fabs(left_us - mean_us), to_right = fabs(right_us - mean_us);
        *side = to_left <= fmax(to_right, 0.1 * miss_floor * mean_us) ? SIDE_LEFT : SIDE_RIGHT;
        if (fabs(to_left - to_right) > noise_us)
            return 0;
    }
    return 0;
}

/* Two more points in a gap where the lines cannot yet be told apart: the next fit knows more. */
static int measure_quarters(struct running *run, double below, double above, struct error *error)
{
    const double quarter = to_granule(run, 0.25 * (above - below));
    for (int i = 1; i <= 3 && quarter > 0.0; i += 2)
        if (measure_at(run, to_granule(run, below + i * quarter), false, error) != 0)
            return -1;
    return 0;
}

/* Narrows the gap between two regions until the sizes are neighbours or the noise hides the edge.
 */
static int narrow(struct running *run, const struct region *left, const struct region *right,
                  struct error *error)
{
    const double granule = run->plan->granule;
    double below, above;
    if (!gap_about(run, left->bytes_upto, &below, &above))
        return 0;
    while (above - below > granule && above > run->plan->edge_ratio * below) {
        const double middle = granule * floor(0.5 * (below + above) / granule);
        enum side side;
        if (find_side(run, left, right, middle, &side, error) != 0)
            return -1;
        if (side == SIDE_UNKNOWN)
            return measure_quarters(run, below, above, error);
        *(side == SIDE_LEFT ? &below : &above) = middle;
    }
    return 0;
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
            known(run, middle))
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
        if (measure_at(run, bytes, false, error) != 0)
            return -1;
    }
    return 0;
}

/* Fits and narrows until no edge gains a point. */
static int settle(struct running *run, struct list *regions, struct error *error)
{
    for (int round = 0; round < ROUNDS_MOST; round++) {
        const size_t before = run->count;
        if (look_at_new_again(run, error) != 0 || fit(run, regions, error) != 0)
            return -1;
        const struct region *items = regions->items;
        for (size_t k = 0; k + 1 < regions->count; k++)
            if (narrow(run, &items[k], &items[k + 1], error) != 0)
                return -1;
        if (measure_misfits(run, regions, error) != 0)
            return -1;
        if (run->count == before || run->spent)
            break;
    }
    return look_at_new_again(run, error) != 0 ? -1 : fit(run, regions, error);
}

/* ---- a point held out in every region ---- */

/* The middle of the widest gap among so many points; NAN where there is no size between two. */
static double widest_gap(const struct running *run, const struct observation *points, size_t count)
{
    double widest = 1.0, at = NAN;
    for (size_t i = 1; i < count; i++) {
        const double ratio = (points[i].bytes + 1.0) / (points[i - 1].bytes + 1.0);
        const double middle = middle_of(run, points[i - 1].bytes, points[i].bytes);
        if (ratio > widest && !known(run, middle)) {
            widest = ratio;
            at = middle;
        }
    }
    return at;
}

/* A region that was found between two of the points held out before has none that says how good it
   is: it gets one, however many points there are. */
static int hold_out_in_each(struct running *run, struct list *regions, struct error *error)
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
        status = measure_anyway(run, at, true, error);
        end += !run->spent;
    }
    if (regions->count > 0)
        fit_errors(regions, run->sorted, run->count);
    return status;
}

/* ---- the last look ---- */

enum { LAST_LOOKS = 7 };

/* The points of a region, sorted, `count` of them. Sets *off to the share by which the median of a
   few, asked once more, is away from the region. */
static int look_at_region(struct running *run, const struct region *region,
                          const struct observation *points, size_t count, double *off,
                          struct error *error)
{
    double ratios[LAST_LOOKS];
    const size_t looks = count < LAST_LOOKS ? count : LAST_LOOKS;
    size_t seen = 0;
    for (size_t i = 0; i < looks; i++) {
        const struct observation *at = &points[looks > 1 ? i * (count - 1) / (looks - 1) : 0];
        struct point now = {0};
        if (ask(run, &(struct ask){.bytes = at->bytes, .again = true}, &now, error) != 0)
            return -1;
        if (run->spent)
            break;
        const double model_us = region_time_us(region, at->bytes, 2.0);
        if (model_us > 0.0)
            ratios[seen++] = now.median_us / model_us;
    }
    gsl_sort(ratios, 1, seen);
    *off = seen > 0 ? fabs(gsl_stats_median_from_sorted_data(ratios, 1, seen) - 1.0) : 0.0;
    return 0;
}

/* A mixture of two machines fits neither: whichever there is now, some region is off. */
static int look_at_regions(struct running *run, const struct list *regions, struct error *error)
{
    const struct region *items = regions->items;
    for (size_t k = 0, start = 0, end; k < regions->count && !run->spent; k++, start = end) {
        double off = 0.0;
        for (end = start; end < run->count && run->sorted[end].bytes <= items[k].bytes_upto;)
            end++;
        if (look_at_region(run, &items[k], &run->sorted[start], end - start, &off, error) != 0)
            return -1;
        run->looks.region_off = fmax(run->looks.region_off, off);
    }
    return 0;
}

static bool is_exact(const struct running *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->sorted[i].half_width_us > 0.0)
            return false;
    return true;
}

/* Whether there is anything to fit: on a disturbed machine all times may be lost in the clock. */
static bool has_times(const struct running *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (!run->sorted[i].held_out && run->sorted[i].time_us > 0.0)
            return true;
    return false;
}

int sweep(const struct sweep_plan *plan, sweep_measure *measure, void *state, struct list *points,
          struct list *regions, struct sweep_looks *looks, struct error *error)
{
    struct running run = {.plan = plan,
                          .measure = measure,
                          .state = state,
                          .points = points,
                          .looked = points->count};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, plan->seed);
    int status = measure_start(&run, random, error);
    if (status == 0)
        status = refine(&run, plan->start_points, error);
    if (status == 0 && has_times(&run))
        status = settle(&run, regions, error);
    if (status == 0)
        status = hold_out_in_each(&run, regions, error);
    if (status == 0 && !plan->trusting && !is_exact(&run))
        status = look_at_regions(&run, regions, error);
    *looks = run.looks;
    gsl_rng_free(random);
    free(run.sorted);
    return status;
}
