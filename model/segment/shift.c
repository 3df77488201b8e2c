#include "model/segment/shift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers from..to. */
struct interval {
    double from, to;
};

static int by_from(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* How many whole numbers lie in the union of the intervals, within limits. Sorts them. */
static double union_count(struct interval *intervals, size_t count, struct interval limits)
{
    double sum = 0.0, reached = limits.from - 1.0;
    qsort(intervals, count, sizeof *intervals, by_from);
    for (size_t i = 0; i < count; i++) {
        const double from = fmax(intervals[i].from, reached + 1.0);
        const double to = fmin(intervals[i].to, limits.to);
        if (to >= from) {
            sum += to - from + 1.0;
            reached = to;
        }
    }
    return sum;
}

static const struct interval everything = {-1e300, 1e300};

/* ---- what the reads have in common with the home ---- */

struct axis_reads {
    const struct home_axis *axis;
    int dimension; /* of the array, along the grid dimension */
    double offsets[READS_MOST];
};

static int not_a_shift(const struct program *program, const struct reference *reference,
                       const char *why, struct error *error)
{
    return error_at(error, program_place(program, reference->text->place),
                    "no communication is derived for '%.60s': %s; write it as a call",
                    reference->text->text, why);
}

static bool lie_alike(const struct distribution *a, const struct distribution *b)
{
    return a->block == b->block && a->processors == b->processors;
}

/* The offset of one read along a grid dimension. */
static int offset_of(const struct reference *reference, const struct home_axis *axis,
                     const struct distribution *along, int dimension, const struct program *program,
                     double *offset, struct error *error)
{
    const struct subscript *subscript = &reference->subscripts[dimension];
    *offset = 0.0;
    if (along->processors == 1.0)
        return 0;
    if (axis->kind == AXIS_ONE && subscript->loop < 0 && lie_alike(&axis->along, along) &&
        distribution_owner(along, subscript->constant) ==
            distribution_owner(&axis->along, axis->element))
        return 0;
    if (axis->kind != AXIS_LOOP)
        return not_a_shift(program, reference, "its home does not follow the distribution", error);
    if (subscript->loop != axis->loop || subscript->coefficient != 1.0)
        return not_a_shift(program, reference, "it is not at a constant offset from its home",
                           error);
    if (!lie_alike(&axis->along, along))
        return not_a_shift(program, reference, "its array is distributed otherwise than its home",
                           error);
    *offset = subscript->constant - axis->shift;
    if (*offset != 0.0 && !distribution_is_contiguous(along))
        return not_a_shift(program, reference, "shifts are derived for BLOCK alone", error);
    return 0;
}

static int collect(struct axis_reads *axes, const struct reads *reads, const struct home *home,
                   const struct layout *layout, const struct program *program, struct error *error)
{
    const struct array_layout *lies = layout_of(layout, program, reads->array);
    for (int g = 0; g < layout->grid_dimensions; g++) {
        axes[g] =
            (struct axis_reads){.axis = &home->axes[g], .dimension = array_layout_along(lies, g)};
        for (size_t i = 0; i < reads->count && axes[g].dimension >= 0; i++)
            if (offset_of(reads->references[i], axes[g].axis, &lies->along[axes[g].dimension],
                          axes[g].dimension, program, &axes[g].offsets[i], error) != 0)
                return -1;
    }
    return 0;
}

/* ---- one grid dimension ---- */

/* The home elements that coordinate q executes; empty: from above to. */
static struct interval executed(const struct home_axis *axis, const struct nest *nest, double q)
{
    const double first = nest->first[axis->loop] + axis->shift;
    const double last = nest->last[axis->loop] + axis->shift;
    return (struct interval){fmax(first, q * axis->along.block),
                             fmin(last, (q + 1.0) * axis->along.block - 1.0)};
}

/* Elements of r's block that q needs. */
static double needed(const struct axis_reads *reads, size_t count, const struct nest *nest,
                     double q, double r)
{
    struct interval intervals[READS_MOST];
    const double block = reads->axis->along.block;
    const struct interval mine = executed(reads->axis, nest, q);
    if (mine.to < mine.from)
        return 0.0;
    for (size_t i = 0; i < count; i++)
        intervals[i] =
            (struct interval){mine.from + reads->offsets[i], mine.to + reads->offsets[i]};
    return union_count(intervals, count, (struct interval){r * block, (r + 1.0) * block - 1.0});
}

struct traffic {
    double partners; /* of the busiest processor */
    double width;    /* of the widest message */
    bool both_ways;
};

/* Who needs from whom along a grid dimension: only blocks within reach of the widest offset. */
static struct traffic traffic_along(const struct axis_reads *reads, size_t count,
                                    const struct nest *nest)
{
    struct traffic traffic = {0};
    double reach = 0.0;
    for (size_t i = 0; i < count; i++)
        reach = fmax(reach, ceil(fabs(reads->offsets[i]) / reads->axis->along.block));
    const double last = reads->axis->along.processors - 1.0;
    for (double q = 0.0; q <= last; q++) {
        double partners = 0.0;
        bool sends = false, receives = false;
        for (double r = fmax(0.0, q - reach); r <= fmin(last, q + reach); r++) {
            if (r == q)
                continue;
            const double in = needed(reads, count, nest, q, r);
            const double out = needed(reads, count, nest, r, q);
            partners += in > 0.0 || out > 0.0;
            receives |= in > 0.0;
            sends |= out > 0.0;
            traffic.width = fmax(traffic.width, in);
        }
        traffic.partners = fmax(traffic.partners, partners);
        traffic.both_ways |= sends && receives;
    }
    return traffic;
}

/* ---- the face of a message: its extent in the other dimensions ---- */

/* Distinct values of one dimension's subscripts, over the reads that are shifted along g. */
static double face_extent(const struct reads *reads, const struct axis_reads *axes, int g,
                          int dimension, const struct layout *layout, const struct home *home,
                          const struct nest *nest)
{
    struct interval intervals[READS_MOST];
    int along = -1;
    for (int h = 0; h < layout->grid_dimensions; h++)
        if (axes[h].dimension == dimension && home->axes[h].kind == AXIS_LOOP)
            along = h;
    const double coordinates = along < 0 ? 1.0 : home->axes[along].along.processors;
    double most = 0.0;
    for (double q = 0.0; q < coordinates; q++) {
        size_t count = 0;
        for (size_t i = 0; i < reads->count; i++) {
            if (axes[g].offsets[i] == 0.0)
                continue;
            const struct subscript *it = &reads->references[i]->subscripts[dimension];
            struct interval values = {it->constant, it->constant};
            if (along >= 0) {
                values = executed(&home->axes[along], nest, q);
                values.from += axes[along].offsets[i];
                values.to += axes[along].offsets[i];
            } else if (it->loop >= 0) {
                values.from += it->coefficient * nest->first[it->loop];
                values.to = values.from + nest_trips(nest, it->loop) - 1.0;
            }
            intervals[count++] = values;
        }
        most = fmax(most, union_count(intervals, count, everything));
    }
    return most;
}

static void describe(struct demand *demand, const struct reads *reads,
                     const struct axis_reads *along, int g)
{
    size_t used = 0;
    for (size_t i = 0; i < reads->count; i++)
        if (along->offsets[i] != 0.0 && used < sizeof demand->cause)
            used += (size_t)snprintf(demand->cause + used, sizeof demand->cause - used, "%s%s",
                                     used ? ", " : "", reads->references[i]->text->text);
    if (used < sizeof demand->cause)
        snprintf(demand->cause + used, sizeof demand->cause - used, " along grid dimension %d", g);
}

int shift_derive(struct list *demands, const struct reads *reads, const struct home *home,
                 const struct nest *nest, const struct layout *layout,
                 const struct program *program, struct error *error)
{
    struct axis_reads axes[DIMENSIONS_MOST];
    if (collect(axes, reads, home, layout, program, error) != 0)
        return -1;
    for (int g = 0; g < layout->grid_dimensions; g++) {
        if (axes[g].dimension < 0 || axes[g].axis->kind != AXIS_LOOP)
            continue;
        const struct traffic traffic = traffic_along(&axes[g], reads->count, nest);
        if (traffic.partners == 0.0)
            continue;
        double bytes = traffic.width * reads->array->element_bytes;
        for (int d = 0; d < (int)reads->array->extent.count; d++)
            if (d != axes[g].dimension)
                bytes *= face_extent(reads, axes, g, d, layout, home, nest);
        struct demand *demand = list_add(&demand_record, demands);
        *demand = (struct demand){.kind = DEMAND_SHIFT,
                                  .times = traffic.partners,
                                  .bytes = bytes,
                                  .processors = 2.0,
                                  .both_ways = traffic.both_ways,
                                  .place = reads->references[0]->text->place};
        describe(demand, reads, &axes[g], g);
    }
    return 0;
}
