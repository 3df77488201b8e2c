#include "model/segment/loops/needs.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

bool reads_agree(const struct reads *reads, const struct reference *reference)
{
    const struct reference *first = reads->references[0];
    bool agree = reads->array == reference->array;
    for (int d = 0; d < first->dimensions && agree; d++)
        agree = affine_parallel(&first->subscripts[d], &reference->subscripts[d]);
    return agree;
}

/* ---- one dimension ---- */

static void add_constant(struct line *line, double constant)
{
    for (size_t k = 0; k < line->count; k++)
        if (line->constants[k] == constant)
            return;
    line->constants[line->count++] = constant;
}

/* The loop of a dimension (-1: none), and the elements that the reads make of it. */
static bool line_of(struct line *line, int *loop, const struct reads *reads, int dimension,
                    const struct array_layout *lies, const struct turn *turn)
{
    struct subscript subscript = {.loop = -1};
    *line = (struct line){
        .range = {0.0, 0.0},
          .effort = turn->effort
    };
    if (reads->array->periodic || reads->array->scalar) {
        line->first = lies->along[dimension].offset;
        line->period = lies->extent[dimension];
        line->ends = reads->array->scalar;
    }
    for (size_t k = 0; k < reads->count; k++) {
        if (!reference_subscript(reads->references[k], dimension, lies, turn->fixed, turn->at,
                                 &subscript))
            return false;
        add_constant(line, subscript.constant);
    }
    *loop = subscript.loop;
    line->coefficient = subscript.loop < 0 ? 0.0 : subscript.coefficient;
    if (subscript.loop >= 0)
        line->range = turn->ranges[subscript.loop];
    return true;
}

static enum needs_status add_factor(struct needs *needs, const struct reads *reads, int dimension,
                                    const struct home *home, const struct array_layout *lies,
                                    const struct turn *turn, bool used[LOOPS_MOST])
{
    struct factor *factor = &needs->factors[needs->factor_count];
    const struct distribution *along = &lies->along[dimension];
    const struct distribution *data = along->grid_dimension < 0 ? NULL : along;
    struct line line;
    int loop;
    if (!line_of(&line, &loop, reads, dimension, lies, turn) || (loop >= 0 && used[loop]))
        return NEEDS_COUPLED;
    factor->by = loop < 0 ? -1 : home_following(home, loop);
    factor->to = along->grid_dimension;
    const struct home_axis *axis = factor->by < 0 ? NULL : &home->axes[factor->by];
    if (loop >= 0)
        used[loop] = true;
    if (loop >= 0 && turn->ordinal[loop] && data)
        coupling_make_ordinal(&factor->coupling, &line, axis, data, turn->at[loop]);
    else if (!coupling_make(&factor->coupling, &line, axis, data))
        return NEEDS_OUTSIDE;
    needs->factor_count++;
    return NEEDS_MADE;
}

/* ---- all ---- */

static void note_activity(struct needs *needs, const struct home *home, const struct turn *turn)
{
    for (int g = 0; g < home->grid_dimensions; g++) {
        needs->active[g] = memory_new((size_t)home->grid[g], sizeof(double));
        home_counts(&home->axes[g], turn->ranges, home->grid[g], needs->active[g]);
        for (size_t q = 0; q < (size_t)home->grid[g]; q++)
            needs->active[g][q] = needs->active[g][q] > 0.0;
    }
    for (int l = 0; l < turn->depth; l++)
        for (size_t q = 0; q < (size_t)home->grid[0] && !turn->fixed[l]; q++)
            needs->active[0][q] *= range_count(turn->ranges[l]) > 0.0;
}

enum needs_status needs_make(struct needs *needs, const struct reads *reads,
                             const struct home *whole, const struct array_layout *whole_lies,
                             const struct turn *turn)
{
    bool used[LOOPS_MOST] = {false};
    enum needs_status status = NEEDS_MADE;
    struct home home = *whole;
    struct array_layout lies = *whole_lies;
    home_leave_out_idle(&home, &lies);
    *needs = (struct needs){.grid_dimensions = home.grid_dimensions};
    for (int g = 0; g < home.grid_dimensions; g++) {
        needs->grid[g] = home.grid[g];
        needs->everywhere[g] = array_layout_along(&lies, g) < 0;
    }
    note_activity(needs, &home, turn);
    for (int d = 0; d < lies.dimensions && status == NEEDS_MADE; d++)
        status = add_factor(needs, reads, d, &home, &lies, turn, used);
    if (status != NEEDS_MADE)
        needs_free(needs);
    return status;
}

void needs_free(struct needs *needs)
{
    for (size_t i = 0; i < needs->factor_count; i++)
        coupling_free(&needs->factors[i].coupling);
    for (int g = 0; g < needs->grid_dimensions; g++)
        free(needs->active[g]);
    *needs = (struct needs){0};
}

double needs_processors(const struct needs *needs)
{
    double processors = 1.0;
    for (int g = 0; g < needs->grid_dimensions; g++)
        processors *= needs->grid[g];
    return processors;
}
