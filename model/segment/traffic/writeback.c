#include "model/segment/traffic/writeback.h"

#include "model/segment/loops/home.h"

static void add_dimension(struct writeback *it, const struct affine *subscript,
                          const struct distribution *along)
{
    it->result.subscripts[it->result.dimensions++] = *subscript;
    it->lies.along[it->lies.dimensions] = *along;
    it->lies.along[it->lies.dimensions++].offset = 0.0; /* the subscript has it */
}

static struct affine as_affine(const struct subscript *subscript)
{
    struct affine affine = {.constant = subscript->constant};
    if (subscript->loop >= 0)
        affine.by[subscript->loop] = subscript->coefficient;
    return affine;
}

/* A dimension that is written lies where home runs the same loop, or is not distributed. */
static void locate(struct writeback *it, const struct affine *written, double extent,
                   const struct home *home)
{
    const int loop = affine_loop(written, 0);
    const int g = loop < 0 ? -1 : home_following(home, loop);
    const struct distribution whole = {-1, extent, 1.0, extent, 0.0};
    if (g < 0) {
        add_dimension(it, written, &whole);
        return;
    }
    const struct affine subscript = as_affine(&home->axes[g].subscript);
    add_dimension(it, &subscript, &home->axes[g].along);
}

bool writeback_make(struct writeback *it, const struct instance *instance,
                    const struct layout *layout)
{
    const struct reference *writes = &instance->writes;
    const struct array_layout *lies = layout_of(layout, instance->nest.program, writes->array);
    const bool fixed[LOOPS_MOST] = {false};
    const double zero[LOOPS_MOST] = {0.0};
    struct home home;
    *it = (struct writeback){
        .result = {.array = writes->array, .text = writes->text}
    };
    if (!home_of(&home, &instance->home, layout, instance->nest.program, fixed, zero))
        return false;
    for (int d = 0; d < writes->dimensions; d++) {
        if (affine_loop(&writes->subscripts[d], affine_loop(&writes->subscripts[d], 0) + 1) > 0)
            return false;
        locate(it, &writes->subscripts[d], lies->extent[d], &home);
    }
    for (int g = 0; g < home.grid_dimensions; g++)
        if (home.axes[g].kind == AXIS_ONE && it->result.dimensions < DIMENSIONS_MOST) {
            const struct affine alone = as_affine(&home.axes[g].subscript);
            add_dimension(it, &alone, &home.axes[g].along);
        }
    it->message = (struct message){
        .reader = instance,
        .home = writes,
        .reads = {writes->array, 1, {&it->result}},
        .lies = &it->lies,
        .depth = instance->needed_within
    };
    return true;
}
