/* What filling replicated arrays takes before a program begins. */
#include "model/segment/traffic/fill.h"

#include "model/base/allocation.h"
#include "model/segment/traffic/demand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- which arrays a program is given ---- */

static size_t number_of(const struct program *program, const struct reference *reference)
{
    return (size_t)(reference->array - (const struct array *)program->arrays.items);
}

/* An array that is written before anything reads it needs no contents. */
static void note_instance(const struct program *program, const struct instance *it, bool *written,
                          bool *given)
{
    for (size_t k = 0; k < it->read_count; k++) {
        const size_t number = number_of(program, &it->reads[k]);
        given[number] |= !written[number];
    }
    const struct gather *gathers = it->statement ? it->statement->gathers.items : NULL;
    for (size_t k = 0; gathers && k < it->statement->gathers.count; k++) {
        const struct array *array = program_array(program, gathers[k].array);
        const size_t number = (size_t)(array - (const struct array *)program->arrays.items);
        given[number] |= !written[number];
    }
    if (it->has_writes)
        written[number_of(program, &it->writes)] = true;
}

void arrays_given(const struct subject *subject, bool *given)
{
    const struct program *program = subject->program;
    bool *written = memory_new(program->arrays.count, sizeof *written);
    for (size_t i = 0; i < program->arrays.count; i++)
        given[i] = false;
    for (size_t s = 0; s < program->segments.count; s++) {
        const struct instance *items = subject->instances[s].items;
        for (size_t i = 0; i < subject->instances[s].count; i++)
            note_instance(program, &items[i], written, given);
    }
    free(written);
}

/* ---- what a processor has ---- */

/* Coordinate 0 has as much as any other where an array begins with its distribution's element 0. */
static double most_along(const struct distribution *along, double extent)
{
    const size_t processors = (size_t)along->processors;
    double *counts = memory_new(processors, sizeof *counts), most = 0.0;
    distribution_counts(along, along->offset, along->offset + extent - 1.0, counts);
    for (size_t q = 0; q < processors; q++)
        most = fmax(most, counts[q]);
    free(counts);
    return most;
}

double array_elements(const struct array_layout *lies)
{
    double elements = 1.0;
    for (int d = 0; d < lies->dimensions; d++)
        elements *= lies->along[d].grid_dimension < 0
                        ? lies->extent[d]
                        : most_along(&lies->along[d], lies->extent[d]);
    return elements;
}

double layout_bytes(const struct layout *layout, const struct program *program)
{
    const struct array *arrays = program->arrays.items;
    double bytes = 0.0;
    for (size_t i = 0; i < layout->array_count; i++)
        bytes +=
            arrays[i].scalar ? 0.0 : array_elements(&layout->arrays[i]) * arrays[i].element_bytes;
    return bytes;
}

/* ---- demands ---- */

/* Processors that have the same part of the array. */
static double copies_of(const struct array_layout *lies, const struct layout *layout)
{
    double copies = 1.0;
    for (int g = 0; g < layout->grid_dimensions; g++)
        if (array_layout_along(lies, g) < 0)
            copies *= layout->grid[g];
    return copies;
}

void analysis_fill(struct analysis *analysis, const struct program *program,
                   const struct layout *layout, const bool *wanted, struct place place)
{
    const struct array *arrays = program->arrays.items;
    *analysis = (struct analysis){.repeat = 1.0};
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct array_layout *lies = &layout->arrays[i];
        const double copies = copies_of(lies, layout);
        if (!wanted[i] || copies == 1.0 || arrays[i].scalar)
            continue;
        const struct use use = {.class = TRAFFIC_BROADCAST,
                                .times = 1.0,
                                .bytes = array_elements(lies) * arrays[i].element_bytes,
                                .processors = copies,
                                .at_once = layout->processors / copies};
        struct demand *demand = demand_add(analysis, place);
        snprintf(demand->cause, sizeof demand->cause, "%.100s", arrays[i].name);
        demand_add_use(demand, &use);
    }
}
