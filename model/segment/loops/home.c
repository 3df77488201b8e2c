#include "model/segment/loops/home.h"

#include <math.h>

static bool follow(struct home *home, int g, const struct reference *reference, int dimension,
                   const struct array_layout *lies, const bool *fixed, const double *at)
{
    struct home_axis *axis = &home->axes[g];
    if (!reference_subscript(reference, dimension, lies, fixed, at, &axis->subscript))
        return false;
    axis->kind = axis->subscript.loop < 0 ? AXIS_ONE : AXIS_LOOP;
    for (int h = 0; h < g; h++)
        if (axis->kind == AXIS_LOOP && home->axes[h].kind == AXIS_LOOP &&
            home->axes[h].subscript.loop == axis->subscript.loop)
            return false;
    return true;
}

bool home_of(struct home *home, const struct reference *reference, const struct layout *layout,
             const struct program *program, const bool *fixed, const double *at)
{
    *home = (struct home){.grid_dimensions = layout->grid_dimensions};
    for (int g = 0; g < layout->grid_dimensions; g++)
        home->grid[g] = layout->grid[g];
    if (!reference)
        return true;
    for (int g = 0; g < layout->grid_dimensions; g++)
        home->axes[g].effort = program->effort;
    const struct array_layout *lies = layout_of(layout, program, reference->array);
    for (int g = 0; g < layout->grid_dimensions; g++) {
        const int dimension = array_layout_along(lies, g);
        if (dimension < 0)
            continue;
        home->axes[g].along = lies->along[dimension];
        home->axes[g].beyond = layout->beyond[g];
        if (!follow(home, g, reference, dimension, lies, fixed, at))
            return false;
    }
    return true;
}

int home_following(const struct home *home, int loop)
{
    for (int g = 0; g < home->grid_dimensions; g++)
        if (home->axes[g].kind == AXIS_LOOP && home->axes[g].subscript.loop == loop)
            return g;
    return -1;
}

/* The values of the loop whose elements are from..to. */
static struct range values_of(const struct subscript *it, double from, double to,
                              struct range range)
{
    const double a = it->coefficient * (from - it->constant);
    const double b = it->coefficient * (to - it->constant);
    return (struct range){fmax(range.first, fmin(a, b)), fmin(range.last, fmax(a, b))};
}

struct range home_run(const struct home_axis *axis, double coordinate, struct range range)
{
    const double first = coordinate * axis->along.block, last = first + axis->along.block - 1.0;
    const struct range own = values_of(&axis->subscript, first, last, range);
    return range_count(own) == 0.0
               ? own
               : values_of(&axis->subscript, first - axis->beyond, last + axis->beyond, range);
}

/* Steps of more than one element: one after the other. */
static void count_each(const struct home_axis *axis, struct range range, double *counts)
{
    const struct subscript *it = &axis->subscript;
    for (double x = range.first; x <= range.last && effort_take(axis->effort, 1.0); x++)
        counts[(size_t)distribution_owner(&axis->along, it->coefficient * x + it->constant)] += 1.0;
}

bool home_elements(const struct home_axis *axis, const struct range *ranges, struct range *elements)
{
    const struct subscript *it = &axis->subscript;
    if (fabs(it->coefficient) != 1.0 || axis->beyond > 0.0)
        return false;
    const double a = it->coefficient * ranges[it->loop].first + it->constant;
    const double b = it->coefficient * ranges[it->loop].last + it->constant;
    *elements = (struct range){fmin(a, b), fmax(a, b)};
    return true;
}

void home_counts(const struct home_axis *axis, const struct range *ranges, double processors,
                 double *counts)
{
    const struct subscript *it = &axis->subscript;
    struct range elements;
    for (size_t q = 0; q < (size_t)processors; q++)
        counts[q] = axis->kind == AXIS_ALL ? 1.0 : 0.0;
    if (axis->kind == AXIS_ONE)
        counts[(size_t)distribution_owner(&axis->along, it->constant)] = 1.0;
    if (axis->kind != AXIS_LOOP || range_count(ranges[it->loop]) == 0.0)
        return;
    if (home_elements(axis, ranges, &elements)) {
        distribution_counts(&axis->along, elements.first, elements.last, counts);
        return;
    }
    if (fabs(it->coefficient) != 1.0) {
        count_each(axis, ranges[it->loop], counts);
        return;
    }
    for (size_t q = 0; q < (size_t)processors; q++)
        counts[q] = range_count(home_run(axis, (double)q, ranges[it->loop]));
}

bool home_shares(const struct home_axis *axis, const struct range *ranges, double processors,
                 double *most, double *total)
{
    struct range elements;
    *most = 1.0;
    *total = axis->kind == AXIS_ALL ? processors : 1.0;
    if (axis->kind != AXIS_LOOP)
        return true;
    *most = *total = range_count(ranges[axis->subscript.loop]);
    if (*total == 0.0)
        return true;
    if (!home_elements(axis, ranges, &elements))
        return false;
    *most = distribution_most(&axis->along, elements.first, elements.last);
    return true;
}

void home_leave_out_idle(struct home *home, struct array_layout *data)
{
    for (int g = 0; g < home->grid_dimensions; g++) {
        struct home_axis *axis = &home->axes[g];
        const int d = data ? array_layout_along(data, g) : -1;
        if (axis->kind == AXIS_ALL)
            continue;
        home->grid[g] = distribution_owners(&axis->along);
        if (d >= 0)
            home->grid[g] = fmax(home->grid[g], distribution_owners(&data->along[d]));
        axis->along.processors = home->grid[g];
        if (d >= 0)
            data->along[d].processors = home->grid[g];
    }
}
