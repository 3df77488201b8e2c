#include "model/segment/home.h"

#include <math.h>

static int follow(struct home_axis *axis, const struct reference *reference, int dimension,
                  const struct program *program, struct error *error)
{
    const struct subscript *subscript = &reference->subscripts[dimension];
    if (subscript->loop < 0) {
        axis->kind = AXIS_ONE;
        axis->element = subscript->constant;
        return 0;
    }
    if (subscript->coefficient != 1.0)
        return error_at(error, program_place(program, reference->text->place),
                        "'%.60s' steps by %g along a distributed dimension: derived for steps of 1",
                        reference->text->text, subscript->coefficient);
    axis->kind = AXIS_LOOP;
    axis->loop = subscript->loop;
    axis->shift = subscript->constant;
    return 0;
}

int home_of(struct home *home, const struct reference *reference, const struct layout *layout,
            const struct program *program, struct error *error)
{
    *home = (struct home){.grid_dimensions = layout->grid_dimensions};
    if (!reference)
        return 0;
    const struct array_layout *lies = layout_of(layout, program, reference->array);
    for (int g = 0; g < layout->grid_dimensions; g++) {
        const int dimension = array_layout_along(lies, g);
        if (dimension < 0)
            continue;
        home->axes[g].along = lies->along[dimension];
        if (follow(&home->axes[g], reference, dimension, program, error) != 0)
            return -1;
    }
    return 0;
}

double home_count(const struct home_axis *axis, const struct nest *nest, double coordinate)
{
    if (axis->kind == AXIS_ALL)
        return 1.0;
    if (axis->kind == AXIS_ONE)
        return distribution_owner(&axis->along, axis->element) == coordinate;
    return distribution_count(&axis->along, coordinate, nest->first[axis->loop] + axis->shift,
                              nest->last[axis->loop] + axis->shift);
}

void home_spread(const struct home_axis *axis, const struct nest *nest, double processors,
                 double *most, double *mean)
{
    double sum = 0.0;
    *most = 0.0;
    for (double q = 0.0; q < processors; q++) {
        const double count = home_count(axis, nest, q);
        *most = fmax(*most, count);
        sum += count;
    }
    *mean = sum / processors;
}
