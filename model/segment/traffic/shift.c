#include "model/segment/traffic/shift.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- whether it is one ---- */

static bool lie_alike(const struct distribution *a, const struct distribution *b)
{
    return a->block == b->block && a->processors == b->processors;
}

bool shift_offset(const struct reference *read, int dimension, const struct home_axis *axis,
                  const struct array_layout *lies, const struct turn *turn, double *offset)
{
    const struct distribution *along = &lies->along[dimension];
    struct subscript subscript;
    *offset = 0.0;
    if (!reference_subscript(read, dimension, lies, turn->fixed, turn->at, &subscript))
        return false;
    if (axis->kind == AXIS_ONE && subscript.loop < 0)
        return distribution_owner(along, subscript.constant) ==
               distribution_owner(&axis->along, axis->subscript.constant);
    *offset = subscript.constant - axis->subscript.constant;
    return axis->kind == AXIS_LOOP && subscript.loop == axis->subscript.loop &&
           subscript.coefficient == axis->subscript.coefficient &&
           (fabs(subscript.coefficient) == 1.0 || !read->wraps) && !turn->ordinal[subscript.loop] &&
           lie_alike(&axis->along, along);
}

bool shift_is_straight(const struct reads *reads, const struct home *home,
                       const struct array_layout *lies, const struct turn *turn)
{
    double offset;
    for (int d = 0; d < lies->dimensions; d++) {
        const int g = lies->along[d].grid_dimension;
        for (size_t k = 0; k < reads->count && g >= 0; k++)
            if (!shift_offset(reads->references[k], d, &home->axes[g], lies, turn, &offset))
                return false;
    }
    return true;
}

/* The reads with an offset along a grid dimension; all where home runs beyond what it owns. */
static struct reads shifted_along(const struct reads *reads, int g, const struct home *home,
                                  const struct array_layout *lies, const struct turn *turn)
{
    struct reads shifted = {.array = reads->array};
    const int d = array_layout_along(lies, g);
    double offset;
    for (size_t k = 0; k < reads->count && d >= 0; k++)
        if (shift_offset(reads->references[k], d, &home->axes[g], lies, turn, &offset) &&
            (offset != 0.0 || home->axes[g].beyond > 0.0))
            shifted.references[shifted.count++] = reads->references[k];
    return shifted;
}

/* ---- one phase ---- */

/* Who needs from whom along the grid dimension; at_once: of one line of processors. */
static void count_partners(struct traffic *traffic, const struct coupling *coupling,
                           const double *active)
{
    const size_t count = coupling->rows;
    double pairs = 0.0;
    double *partners = memory_new(count, sizeof *partners);
    bool *sends = memory_new(count, sizeof *sends), *receives = memory_new(count, sizeof *receives);
    for (size_t q = 0; q < count; q++)
        for (size_t k = coupling->start[q]; k < coupling->start[q + 1] && active[q] > 0.0; k++) {
            const size_t r = coupling->entries[k].column;
            if (r == q)
                continue;
            const bool counted = active[r] > 0.0 && coupling_at(coupling, r, q) > 0.0;
            partners[q] += 1.0;
            partners[r] += counted ? 0.0 : 1.0; /* else r counts it as its own */
            pairs += counted ? 0.5 : 1.0;
            receives[q] = sends[r] = true;
            traffic->elements = fmax(traffic->elements, coupling->entries[k].count);
        }
    traffic->class = TRAFFIC_MESSAGES;
    for (size_t q = 0; q < count; q++) {
        traffic->partners = fmax(traffic->partners, partners[q]);
        if (sends[q] && receives[q])
            traffic->class = TRAFFIC_EXCHANGE;
    }
    traffic->at_once = pairs / fmax(1.0, traffic->partners);
    free(partners);
    free(sends);
    free(receives);
}

double shift_face(const struct factor *factor, int g, const double *active)
{
    const struct coupling *coupling = &factor->coupling;
    double most = 0.0;
    if (factor->to > g) {
        for (size_t r = 0; r < coupling->columns; r++)
            most = fmax(most, coupling->all[r]);
        return most;
    }
    for (size_t q = 0; q < coupling->rows; q++) {
        double sum = 0.0;
        for (size_t k = coupling->start[q]; k < coupling->start[q + 1]; k++)
            sum += coupling->entries[k].count;
        if (!active || active[q] > 0.0)
            most = fmax(most, sum);
    }
    return most;
}

/* How many coordinates of another grid dimension have a line: those that need, or those that have
   what is needed where the line is corrected later. */
static double lines_along(const struct needs *needs, int along, int g)
{
    const struct factor *factor = NULL;
    double lines = 0.0;
    for (size_t i = 0; i < needs->factor_count; i++)
        if (needs->factors[i].to == along)
            factor = &needs->factors[i];
    for (size_t q = 0; q < (size_t)needs->grid[along]; q++)
        lines += factor && along > g ? factor->coupling.all[q] > 0.0 : needs->active[along][q];
    return lines;
}

/* How far reads reach to either side along a grid dimension. */
struct reach {
    double before, after;
    bool wraps; /* one of them goes around */
};

static double farther(const struct reach *reach)
{
    return fmax(reach->before, reach->after);
}

static struct reach reach_of(const struct phase *phase, int g, const struct home *home,
                             const struct array_layout *lies, const struct turn *turn)
{
    struct reach reach = {0};
    for (size_t k = 0; k < phase->reads.count; k++) {
        const struct reference *read = phase->reads.references[k];
        double offset;
        if (!shift_offset(read, array_layout_along(lies, g), &home->axes[g], lies, turn, &offset))
            return (struct reach){0};
        reach.before = fmax(reach.before, -offset);
        reach.after = fmax(reach.after, offset);
        reach.wraps |= read->wraps;
    }
    return reach;
}

/* A ring's reads that reach to both sides: how far to the farther one. */
static void look_around(struct phase *phase, const struct reach *reach)
{
    phase->is_one_way = (reach->before > 0.0) != (reach->after > 0.0);
    phase->reach_around =
        reach->wraps && reach->before > 0.0 && reach->after > 0.0 ? farther(reach) : 0.0;
}

/* Two processors of a ring are both neighbours of one another: what is read of either side is a
   message of its own, as wide as the farther side's. 0: they are not, else that width. */
static double width_of_a_side(const struct phase *phase, int g, const struct home *home)
{
    return home->grid[g] == 2.0 ? phase->reach_around : 0.0;
}

/* What a message is along the other dimensions, where its elements along g are known. */
static void take_faces(struct phase *phase, const struct needs *needs, int g,
                       const struct array_layout *lies)
{
    for (size_t i = 0; i < needs->factor_count; i++)
        if (needs->factors[i].to != g) {
            const int by = needs->factors[i].by;
            phase->elements[i] =
                shift_face(&needs->factors[i], g, by < 0 ? NULL : needs->active[by]);
            phase->traffic.elements *= phase->elements[i];
        }
    phase->traffic.pieces = pieces_of(phase->reads.array, lies, phase->elements);
}

static bool add_phase(struct phase *phase, int g, const struct home *home,
                      const struct array_layout *lies, const struct turn *turn)
{
    struct needs needs;
    const struct reach reach = reach_of(phase, g, home, lies, turn);
    phase->grid_dimension = g;
    phase->traffic = (struct traffic){.group = 2.0};
    look_around(phase, &reach);
    if (needs_make(&needs, &phase->reads, home, lies, turn) != NEEDS_MADE)
        return false;
    for (size_t i = 0; i < needs.factor_count; i++)
        if (needs.factors[i].to == g) {
            count_partners(&phase->traffic, &needs.factors[i].coupling, needs.active[g]);
            const double width = width_of_a_side(phase, g, home);
            if (width > 0.0 && phase->traffic.partners > 0.0) {
                phase->traffic.partners *= 2.0;
                phase->traffic.elements = fmin(width, phase->traffic.elements);
            }
            phase->elements[i] = phase->traffic.elements;
        }
    take_faces(phase, &needs, g, lies);
    for (int along = 0; along < needs.grid_dimensions; along++)
        phase->traffic.at_once *= along == g ? 1.0 : lines_along(&needs, along, g);
    needs_free(&needs);
    return phase->traffic.partners > 0.0 && phase->traffic.elements > 0.0;
}

/* Of what is read around a periodic array, along a dimension with one processor, a message a side.
 */
static bool add_to_itself(struct phase *phase, int g, const struct home *home,
                          const struct array_layout *lies, const struct turn *turn)
{
    struct needs needs;
    const struct reach reach = reach_of(phase, g, home, lies, turn);
    phase->grid_dimension = g;
    phase->traffic = (struct traffic){.class = TRAFFIC_TO_ITSELF,
                                      .partners = (reach.before > 0.0) + (reach.after > 0.0),
                                      .elements = farther(&reach),
                                      .group = 2.0,
                                      .at_once = 1.0};
    if (!reach.wraps || needs_make(&needs, &phase->reads, home, lies, turn) != NEEDS_MADE)
        return false;
    for (size_t i = 0; i < needs.factor_count; i++)
        if (needs.factors[i].to == g)
            phase->elements[i] = farther(&reach);
    take_faces(phase, &needs, g, lies);
    needs_free(&needs);
    return phase->traffic.partners > 0.0 && phase->traffic.elements > 0.0;
}

/* Whether something goes round a corner: then one dimension waits for the other. */
static bool turns_corners(const struct shift *shift)
{
    for (size_t i = 0; i < shift->count; i++)
        for (size_t other = 0; other < i; other++)
            for (size_t k = 0; k < shift->phases[i].reads.count; k++)
                for (size_t o = 0; o < shift->phases[other].reads.count; o++)
                    if (shift->phases[i].reads.references[k] ==
                        shift->phases[other].reads.references[o])
                        return true;
    return false;
}

struct grid_line shift_line(const struct home *home, int g)
{
    struct grid_line line = {.side = home->grid[g], .stride = 1.0};
    for (int faster = g + 1; faster < home->grid_dimensions; faster++)
        line.stride *= home->grid[faster];
    return distribution_is_contiguous(&home->axes[g].along) ? line : (struct grid_line){0};
}

void shift_describe_halo(struct shift *shift, const struct home *home)
{
    const bool in_order = turns_corners(shift);
    struct halo_exchange all = {.directions = (int)shift->count, .processors = 1.0};
    for (int g = 0; g < home->grid_dimensions; g++)
        all.processors *= home->grid[g];
    for (size_t i = 0; i < shift->count; i++) {
        all.neighbours += shift->phases[i].traffic.partners;
        all.lines[i] = shift_line(home, shift->phases[i].grid_dimension);
        all.lines[i].is_ring = shift->phases[i].reach_around > 0.0;
        all.lines[i].is_one_way = shift->phases[i].is_one_way;
    }
    for (size_t i = 0; i < shift->count; i++) {
        struct traffic *traffic = &shift->phases[i].traffic;
        traffic->halo = all;
        traffic->halo.own = all.lines[i];
        if (in_order)
            traffic->halo = halo_exchange_alone(&traffic->halo, traffic->partners);
    }
}

typedef bool phase_adder(struct phase *phase, int g, const struct home *home,
                         const struct array_layout *lies, const struct turn *turn);

static void try_phase(struct shift *shift, phase_adder *add, const struct reads *reads, int g,
                      const struct home *home, const struct array_layout *lies,
                      const struct turn *turn)
{
    struct phase *phase = &shift->phases[shift->count];
    *phase = (struct phase){.reads = shifted_along(reads, g, home, lies, turn)};
    if (phase->reads.count > 0 && add(phase, g, home, lies, turn))
        shift->count++;
}

bool shift_derive(struct shift *shift, const struct reads *reads, const struct home *home,
                  const struct array_layout *lies, const struct turn *turn, bool to_itself)
{
    *shift = (struct shift){0};
    if (!shift_is_straight(reads, home, lies, turn))
        return false;
    for (int g = 0; g < home->grid_dimensions; g++)
        try_phase(shift, add_phase, reads, g, home, lies, turn);
    shift_describe_halo(shift, home);
    for (int g = 0; g < home->grid_dimensions && to_itself; g++)
        if (home->grid[g] == 1.0)
            try_phase(shift, add_to_itself, reads, g, home, lies, turn);
    return true;
}
