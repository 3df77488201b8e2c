#include "model/segment/loops/work.h"

#include "model/base/allocation.h"
#include "model/base/keyed.h"
#include "model/segment/loops/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sum {
    const struct instance *instance;
    const struct layout *layout;
    const struct array_layout *lies; /* home; NULL: it runs everywhere */
    int synchronous;
    double together;   /* iterations of the innermost of those */
    bool is_under_way; /* some of these are still to come */
    bool coupled[LOOPS_MOST], fixed[LOOPS_MOST];
    double at[LOOPS_MOST];
    size_t working; /* processors that could have iterations: those whose coordinates own any of
                       home, numbered among themselves; one for all that differ only along grid
                       dimensions that home does not lie along */
    double alike;   /* how many processors each of them stands for */
    size_t room;
    double *mine; /* iterations of each of them since the synchronous loops went on */
    double turns;
    double *by_processor; /* where iterations are told of each processor; NULL: shares are */
    struct shares *shares;
    struct error *error;
};

static const struct nest *nest_of(const struct sum *sum)
{
    return &sum->instance->nest;
}

static struct place place_of(const struct sum *sum)
{
    return program_place(nest_of(sum)->program, sum->instance->statement->place);
}

/* ---- values of the loops that matter, counts of the others ---- */

/* How many iterations along each grid dimension each coordinate has. */
struct axes {
    int count;
    size_t sizes[DIMENSIONS_MOST];
    double *counts[DIMENSIONS_MOST];
};

static struct axes axes_of(const struct home *home, const struct range *ranges)
{
    struct axes axes = {.count = home->grid_dimensions};
    for (int g = 0; g < axes.count; g++) {
        const double size = home->axes[g].kind == AXIS_ALL ? 1.0 : home->grid[g];
        axes.sizes[g] = (size_t)size;
        axes.counts[g] = memory_new(axes.sizes[g], sizeof *axes.counts[g]);
        home_counts(&home->axes[g], ranges, size, axes.counts[g]);
    }
    return axes;
}

static void next(const struct axes *axes, size_t *at)
{
    for (int g = axes->count - 1; g >= 0; g--) {
        if (++at[g] < axes->sizes[g])
            return;
        at[g] = 0;
    }
}

static size_t processors_of(const struct axes *axes)
{
    size_t processors = 1;
    for (int g = 0; g < axes->count; g++)
        processors *= axes->sizes[g];
    return processors;
}

static double product_at(const struct axes *axes, const size_t *at, double times)
{
    for (int g = 0; g < axes->count; g++)
        times *= axes->counts[g][at[g]];
    return times;
}

static void axes_free(struct axes *axes)
{
    for (int g = 0; g < axes->count; g++)
        free(axes->counts[g]);
}

/* Adds times the product of the axes' counts to every processor that could work. */
static void add_product(struct sum *sum, const struct axes *axes, double times)
{
    size_t at[DIMENSIONS_MOST] = {0};
    if (sum->room < sum->working) {
        sum->mine = memory_grow(sum->mine, sum->working, sizeof *sum->mine);
        memset(sum->mine + sum->room, 0, (sum->working - sum->room) * sizeof *sum->mine);
        sum->room = sum->working;
    }
    for (size_t c = 0; c < sum->working; c++, next(axes, at))
        sum->mine[c] += product_at(axes, at, times);
}

/* The same to all processors of the grid, by their numbers. */
static void add_to_each(const struct sum *sum, const struct home *home, const struct range *ranges,
                        double times)
{
    struct axes axes = {.count = home->grid_dimensions};
    size_t at[DIMENSIONS_MOST] = {0};
    for (int g = 0; g < axes.count; g++) {
        axes.sizes[g] = (size_t)home->grid[g];
        axes.counts[g] = memory_new(axes.sizes[g], sizeof *axes.counts[g]);
        home_counts(&home->axes[g], ranges, home->grid[g], axes.counts[g]);
    }
    for (size_t q = 0; q < processors_of(&axes); q++, next(&axes, at))
        sum->by_processor[q] += product_at(&axes, at, times);
    effort_take(nest_of(sum)->program->effort, (double)processors_of(&axes));
    axes_free(&axes);
}

/* Whether all iterations since the synchronous loops went on are those of the free loops. */
static bool is_all_since(const struct sum *sum)
{
    for (int l = sum->synchronous; l < nest_of(sum)->depth; l++)
        if (sum->fixed[l])
            return false;
    return sum->synchronous == 0 || sum->together == 1.0;
}

/* The same without looking at every processor: the busiest of a product is the busiest along each
   axis. */
static bool tell_product(struct sum *sum, const struct home *home, const struct range *ranges,
                         double times)
{
    struct shares shares = {times, times};
    for (int g = 0; g < home->grid_dimensions; g++) {
        struct shares along;
        if (!home_shares(&home->axes[g], ranges, home->grid[g], &along.most, &along.total))
            return false;
        shares.most *= along.most;
        shares.total *= along.total;
    }
    sum->shares->most += shares.most;
    sum->shares->total += shares.total;
    return true;
}

/* All loops that are not fixed run freely now. */
static int add_free_loops(struct sum *sum)
{
    struct home home;
    double times = 1.0;
    struct range ranges[LOOPS_MOST];
    const struct instance *instance = sum->instance;
    if (++sum->turns > WORK_TURNS_MOST || effort_is_spent(nest_of(sum)->program->effort))
        return error_particular_at(sum->error, place_of(sum),
                                   "more than %d values of the loops that bounds depend on",
                                   WORK_TURNS_MOST);
    if (!home_of(&home, instance->has_home ? &instance->home : NULL, sum->layout,
                 nest_of(sum)->program, sum->fixed, sum->at))
        return error_particular_at(
            sum->error, place_of(sum),
            "where this runs couples loops along a distributed dimension: expected one "
            "index in a subscript, and each in one");
    for (int l = 0; l < nest_of(sum)->depth; l++) {
        if (sum->fixed[l])
            continue;
        if (nest_range(nest_of(sum), l, sum->at, &ranges[l], sum->error) != 0)
            return -1;
        if (home_following(&home, l) < 0)
            times *= range_count(ranges[l]);
    }
    if (sum->by_processor) {
        add_to_each(sum, &home, ranges, times);
        return 0;
    }
    home_leave_out_idle(&home, NULL);
    sum->working = 0;
    if (is_all_since(sum) && tell_product(sum, &home, ranges, times))
        return 0;
    struct axes axes = axes_of(&home, ranges);
    sum->alike = 1.0;
    for (int g = 0; g < home.grid_dimensions; g++)
        sum->alike *= home.axes[g].kind == AXIS_ALL ? home.grid[g] : 1.0;
    sum->working = processors_of(&axes);
    add_product(sum, &axes, times);
    axes_free(&axes);
    effort_take(nest_of(sum)->program->effort, (double)sum->working);
    return 0;
}

/* ---- loops ---- */

/* Whether values of the loop can be told apart by the owners of what home has there: no other loop
   moves along the same dimension of the grid. */
static bool is_alone(const struct sum *sum, int loop)
{
    const struct reference *home = &sum->instance->home;
    for (int d = 0; sum->lies && d < sum->lies->dimensions; d++)
        for (int l = 0; l < nest_of(sum)->depth; l++)
            if (sum->lies->along[d].grid_dimension >= 0 && home->subscripts[d].by[loop] != 0.0 &&
                l != loop && home->subscripts[d].by[l] != 0.0)
                return false;
    return true;
}

/* The owners of a value, as a number; of a loop that is alone. */
static uint64_t owners_at(const struct sum *sum, int loop, double value)
{
    const struct reference *home = &sum->instance->home;
    uint64_t owners = 0;
    for (int d = 0; sum->lies && d < sum->lies->dimensions; d++) {
        const struct distribution *along = &sum->lies->along[d];
        const struct affine *subscript = &home->subscripts[d];
        if (along->grid_dimension >= 0 && subscript->by[loop] != 0.0)
            owners = owners * (uint64_t)along->processors +
                     (uint64_t)distribution_owner(along, subscript->constant + along->offset +
                                                             subscript->by[loop] * value);
    }
    return owners;
}

static bool bounds_depend_on(const struct nest *nest, int loop)
{
    for (int l = loop + 1; l < nest->depth; l++)
        if (nest->outer[l][loop])
            return true;
    return false;
}

/* Loops that stand in a subscript along the grid beside one further in, or in two such subscripts:
   where they have values, every grid dimension follows one loop at most. */
static void find_coupled(struct sum *sum)
{
    const struct instance *instance = sum->instance;
    const struct array_layout *lies = sum->lies;
    bool seen[LOOPS_MOST] = {false};
    for (int d = 0; lies && d < lies->dimensions; d++) {
        bool within = false;
        for (int l = nest_of(sum)->depth - 1; l >= 0 && lies->along[d].grid_dimension >= 0; l--) {
            if (instance->home.subscripts[d].by[l] == 0.0)
                continue;
            sum->coupled[l] |= within || seen[l];
            within = seen[l] = true;
        }
    }
}

static void settle(struct sum *sum)
{
    double most = 0.0;
    for (size_t q = 0; q < sum->working; q++) {
        most = fmax(most, sum->mine[q]);
        sum->shares->total += sum->alike * sum->mine[q];
        sum->mine[q] = 0.0;
    }
    sum->shares->most += most;
}

static int add_loop(struct sum *sum, int l);

/* Whether all loops beyond this one run freely: their ranges follow those that have values. */
static bool are_free_beyond(const struct sum *sum, int l)
{
    for (int inner = l + 1; inner < nest_of(sum)->depth; inner++)
        if (bounds_depend_on(nest_of(sum), inner) || sum->coupled[inner])
            return false;
    return true;
}

/* The steps of an elimination, all together. */
static bool add_steps(struct sum *sum, int l, struct range range)
{
    struct steps steps = {sum->instance, sum->layout, l, range, sum->fixed, {0}};
    memcpy(steps.at, sum->at, sizeof steps.at);
    return l == sum->synchronous - 1 && sum->together == 1.0 && are_free_beyond(sum, l) &&
           steps_add(&steps, sum->shares);
}

static int add_values(struct sum *sum, int l, struct range range)
{
    if (add_steps(sum, l, range))
        return 0;
    for (sum->at[l] = range.first; sum->at[l] <= range.last; sum->at[l] += 1.0) {
        if (l == sum->synchronous - 1)
            sum->is_under_way = sum->at[l] < range.last &&
                                fmod(sum->at[l] - range.first + 1.0, sum->together) != 0.0;
        if (add_loop(sum, l + 1) != 0)
            return -1;
    }
    return 0;
}

/* One value for all that have the same owners. */
static int add_alike(struct sum *sum, int l, struct range range)
{
    struct keyed owners = {0};
    double *firsts = NULL;
    int status = 0;
    for (double value = range.first; value <= range.last; value += 1.0)
        if (effort_take(nest_of(sum)->program->effort, 1.0) && owners.count < KEYED_MOST &&
            keyed_add(&owners, owners_at(sum, l, value), 1.0)) {
            firsts = memory_grow(firsts, owners.count, sizeof *firsts);
            firsts[owners.count - 1] = value;
        }
    for (size_t i = 0; i < owners.count && status == 0; i++) {
        const struct shares before = *sum->shares;
        const double count = owners.sums[i].sum;
        sum->at[l] = firsts[i];
        status = add_loop(sum, l + 1);
        sum->shares->most = before.most + count * (sum->shares->most - before.most);
        sum->shares->total = before.total + count * (sum->shares->total - before.total);
    }
    keyed_free(&owners);
    free(firsts);
    return status;
}

/* After so many values of a loop that is alone its owners are the same again, and so is where those
   that go on together begin. */
static double period_of(const struct sum *sum, int loop)
{
    double period = sum->together;
    for (int d = 0; sum->lies && d < sum->lies->dimensions; d++) {
        const struct distribution *along = &sum->lies->along[d];
        if (along->grid_dimension >= 0 && sum->instance->home.subscripts[d].by[loop] != 0.0)
            period *= along->block * along->processors;
    }
    return period;
}

/* Values of which so many go on together, one of the rounds that are alike for all. */
static int add_rounds(struct sum *sum, int l, struct range range)
{
    const double period = period_of(sum, l), rounds = floor(range_count(range) / period);
    const struct shares before = *sum->shares;
    if (rounds < 2.0)
        return add_values(sum, l, range);
    if (add_values(sum, l, (struct range){range.first, range.first + period - 1.0}) != 0)
        return -1;
    sum->shares->most = before.most + rounds * (sum->shares->most - before.most);
    sum->shares->total = before.total + rounds * (sum->shares->total - before.total);
    return add_values(sum, l, (struct range){range.first + rounds * period, range.last});
}

static int add_inner(struct sum *sum, int l)
{
    const struct nest *nest = nest_of(sum);
    struct range range;
    if (l == nest->depth)
        return add_free_loops(sum);
    const bool depended = bounds_depend_on(nest, l) || sum->coupled[l];
    if (l >= sum->synchronous && !depended)
        return add_loop(sum, l + 1);
    if (nest_range(nest, l, sum->at, &range, sum->error) != 0)
        return -1;
    sum->fixed[l] = true;
    const bool alike = l < sum->synchronous && !depended && is_alone(sum, l);
    const bool together = l == sum->synchronous - 1 && sum->together > 1.0;
    const int status = !alike     ? add_values(sum, l, range)
                       : together ? add_rounds(sum, l, range)
                                  : add_alike(sum, l, range);
    sum->fixed[l] = false;
    return status;
}

/* Beyond the last synchronous loop everything is added up; then the busiest is told. */
static int add_loop(struct sum *sum, int l)
{
    const int status = add_inner(sum, l);
    if (status == 0 && l == sum->synchronous && !sum->is_under_way)
        settle(sum);
    return status;
}

static struct sum sum_of(const struct instance *instance, const struct layout *layout,
                         struct error *error)
{
    return (struct sum){
        .instance = instance,
        .layout = layout,
        .lies = instance->has_home ? layout_of(layout, instance->nest.program, instance->home.array)
                                   : NULL,
        .together = 1.0,
        .error = error};
}

int work_shares(struct shares *shares, const struct instance *instance, const struct layout *layout,
                const struct waits *waits, struct error *error)
{
    struct sum sum = sum_of(instance, layout, error);
    sum.synchronous = waits->depth;
    sum.together = waits->together;
    sum.shares = shares;
    *shares = (struct shares){0};
    find_coupled(&sum);
    const int status = add_loop(&sum, 0);
    free(sum.mine);
    return status;
}

int work_by_processor(double *iterations, const struct instance *instance,
                      const struct layout *layout, struct error *error)
{
    struct shares none = {0};
    struct sum sum = sum_of(instance, layout, error);
    sum.by_processor = iterations;
    sum.shares = &none;
    find_coupled(&sum);
    return add_loop(&sum, 0);
}

/* ---- several instances, in turns ---- */

/* Iterations by processor that are looked at; of more, nothing is told. */
static const double together_most = 4e6;

struct turns {
    const struct work_together *of;
    struct sum *sums;    /* by instance, and so are: */
    double **iterations; /* by processor */
    double *most;
    size_t processors;
    double left; /* that may still be looked at */
    struct error error;
};

static bool add_turn(struct turns *it)
{
    size_t busiest = 0;
    double longest = -1.0;
    it->left -= (double)(it->processors * it->of->count);
    for (size_t i = 0; i < it->of->count; i++) {
        memset(it->iterations[i], 0, it->processors * sizeof *it->iterations[i]);
        if (it->left < 0.0 || add_loop(&it->sums[i], it->of->depth) != 0)
            return false;
    }
    for (size_t q = 0; q < it->processors; q++) {
        double sum = 0.0;
        for (size_t i = 0; i < it->of->count; i++)
            sum += it->of->weights[i] * it->iterations[i][q];
        if (sum > longest * (1.0 + 1e-12)) {
            longest = sum;
            busiest = q;
        }
    }
    for (size_t i = 0; i < it->of->count; i++)
        it->most[i] += it->iterations[i][busiest];
    return true;
}

static bool add_turns(struct turns *it, int l)
{
    struct range range;
    bool told = true;
    if (l == it->of->depth)
        return add_turn(it);
    if (nest_range(nest_of(&it->sums[0]), l, it->sums[0].at, &range, &it->error) != 0)
        return false;
    for (double value = range.first; value <= range.last && told; value += 1.0) {
        for (size_t i = 0; i < it->of->count; i++) {
            it->sums[i].fixed[l] = true;
            it->sums[i].at[l] = value;
        }
        told = add_turns(it, l + 1);
    }
    return told;
}

bool work_together(double *most, const struct work_together *together)
{
    const size_t count = together->count;
    struct shares none = {0};
    struct turns it = {.of = together,
                       .sums = memory_new(count, sizeof *it.sums),
                       .iterations = memory_new(count, sizeof *it.iterations),
                       .most = most,
                       .processors = (size_t)together->layout->processors,
                       .left = together_most};
    for (size_t i = 0; i < count; i++) {
        it.sums[i] = sum_of(together->instances[i], together->layout, &it.error);
        it.iterations[i] = memory_new(it.processors, sizeof *it.iterations[i]);
        it.sums[i].by_processor = it.iterations[i];
        it.sums[i].shares = &none;
        find_coupled(&it.sums[i]);
        most[i] = 0.0;
    }
    const bool told = add_turns(&it, 0);
    for (size_t i = 0; i < count; i++)
        free(it.iterations[i]);
    free(it.iterations);
    free(it.sums);
    return told;
}
