#include "model/segment/program/layout.h"

#include "model/base/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements are counted and numbered in doubles. */
#define ELEMENTS_MOST 0x1p53

/* Something is kept for every processor, whose numbers fit into a float. */
#define PROCESSORS_MOST 16777216.0

static int lay_grid(struct layout *layout, const struct program *program,
                    const struct candidate *candidate, struct scope *scope, struct error *error)
{
    const struct formula *sizes = candidate->grid.items;
    double p = 0.0;
    scope_get(scope, "p", &p);
    layout->grid_dimensions = (int)candidate->grid.count;
    layout->processors = 1.0;
    for (int i = 0; i < layout->grid_dimensions; i++) {
        const struct place place = program_place(program, sizes[i].place);
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        if (program_value(program, &sizes[i], true, scope, &layout->grid[i], error) != 0)
            return -1;
        if (layout->grid[i] < 1.0) {
            error_fill(error, place, "'%.60s' is %g: expected at least 1 processor", sizes[i].text,
                       layout->grid[i]);
            return program_wrong_value(program, &sizes[i], error);
        }
        if (scope_set(scope, name, layout->grid[i], place, error) != 0)
            return -1;
        layout->processors *= layout->grid[i];
        if (layout->processors > PROCESSORS_MOST) {
            error_fill(error, place, "more than %g processors", PROCESSORS_MOST);
            return program_wrong_value(program, &sizes[i], error);
        }
    }
    if (layout->processors == p)
        return 0;
    error_fill(error, program_place(program, candidate->place),
               "the grid of %s has %g processors, the run has %g", candidate->name,
               layout->processors, p);
    return error_particular(error);
}

static const struct distribute *distribute_of(const struct list *distribute, const char *array)
{
    const struct distribute *distributes = distribute->items;
    for (size_t i = 0; i < distribute->count; i++)
        if (strcmp(distributes[i].array, array) == 0)
            return &distributes[i];
    return NULL;
}

/* The array to which it is aligned, perhaps through others: itself where it is not. */
static const struct array *leader_of(const struct program *program, const struct array *array)
{
    while (array->align)
        array = program_array(program, array->align);
    return array;
}

static int check_grid_is_used_once(const struct array_layout *it, struct place place,
                                   struct error *error)
{
    for (int i = 0; i < it->dimensions; i++)
        for (int k = 0; k < i; k++)
            if (it->along[i].grid_dimension >= 0 &&
                it->along[i].grid_dimension == it->along[k].grid_dimension)
                return error_at(error, place, "two dimensions along grid dimension %d",
                                it->along[i].grid_dimension);
    return 0;
}

/* What arrays are laid out from. */
struct laying {
    const struct layout *layout;
    const struct program *program;
    struct scope *scope;
    struct error *error;
};

static int read_extents(const struct laying *with, struct array_layout *it,
                        const struct array *array)
{
    const struct formula *extents = array->extent.items;
    double elements = 1.0;
    it->dimensions = (int)array->extent.count;
    for (int d = 0; d < it->dimensions; d++) {
        const struct place place = program_place(with->program, extents[d].place);
        if (program_value(with->program, &extents[d], true, with->scope, &it->extent[d],
                          with->error) != 0)
            return -1;
        elements *= it->extent[d];
        if (it->extent[d] >= 1.0 && elements <= ELEMENTS_MOST)
            continue;
        if (it->extent[d] < 1.0)
            error_fill(with->error, place, "'%.60s' is %g: expected at least 1 element",
                       extents[d].text, it->extent[d]);
        else
            error_fill(with->error, place, "%s has more than 2^53 elements", array->name);
        return program_wrong_value(with->program, &extents[d], with->error);
    }
    return 0;
}

static int lay_own(const struct laying *with, struct array_layout *it, const struct array *array,
                   const struct distribute *distribute)
{
    const struct formula *texts = distribute ? distribute->dimensions.items : NULL;
    int next_dimension = 0;
    for (int d = 0; d < it->dimensions; d++) {
        it->along[d] = (struct distribution){.elements = it->extent[d]};
        if (distribution_make(&it->along[d], texts ? texts[d].distribution : NULL,
                              program_place(with->program, texts ? texts[d].place : array->place),
                              with->scope, with->layout->grid, with->layout->grid_dimensions,
                              &next_dimension, with->error) != 0)
            return texts ? program_wrong_value(with->program, &texts[d], with->error) : -1;
    }
    return check_grid_is_used_once(
        it, program_place(with->program, distribute ? distribute->place : array->place),
        with->error);
}

/* The dimension of the array that it is aligned to beside which dimension d lies; -1: none. */
static int read_map(const struct laying *with, const struct array *array, int d, int dimensions,
                    int *beside)
{
    const struct formula *map = array->align_map.items;
    double value;
    *beside = d;
    if (array->align_map.count == 0)
        return 0;
    *beside = -1;
    if (!map[d].value) /* "*" */
        return 0;
    const struct place place = program_place(with->program, map[d].place);
    if (program_value(with->program, &map[d], true, with->scope, &value, with->error) != 0)
        return -1;
    if (value < 0.0 || value >= dimensions)
        return error_at(with->error, place, "dimension %g: %s has 0 to %d", value, array->align,
                        dimensions - 1);
    *beside = (int)value;
    return 0;
}

static int read_offset(const struct laying *with, const struct array *array, int d, double *offset)
{
    const struct formula *offsets = array->align_offset.items;
    *offset = 0.0;
    if (array->align_offset.count == 0)
        return 0;
    return program_value(with->program, &offsets[d], true, with->scope, offset, with->error);
}

static int lay_beside(const struct laying *with, struct array_layout *it, const struct array *array,
                      int d, const struct array_layout *to)
{
    int beside;
    double offset;
    if (read_map(with, array, d, to->dimensions, &beside) != 0 ||
        read_offset(with, array, d, &offset) != 0)
        return -1;
    if (beside < 0) {
        it->along[d] = (struct distribution){-1, it->extent[d], 1.0, it->extent[d], 0.0};
        return 0;
    }
    it->along[d] = to->along[beside];
    it->along[d].offset += offset;
    if (it->along[d].offset < 0.0 || it->extent[d] + it->along[d].offset > it->along[d].elements)
        return error_at(with->error, program_place(with->program, array->place),
                        "%s has %g elements from %g on beside %g of %s", array->name, it->extent[d],
                        it->along[d].offset, it->along[d].elements, array->align);
    return 0;
}

/* Aligned elements lie together: the other array's extents decide the blocks. */
static int lay_array(const struct laying *with, struct array_layout *it, const struct array *array,
                     const struct distribute *distribute)
{
    struct array_layout to;
    *it = (struct array_layout){0};
    if (read_extents(with, it, array) != 0)
        return -1;
    if (!array->align)
        return lay_own(with, it, array, distribute);
    if (lay_array(with, &to, program_array(with->program, array->align), distribute) != 0)
        return -1;
    for (int d = 0; d < it->dimensions; d++)
        if (lay_beside(with, it, array, d, &to) != 0)
            return -1;
    return check_grid_is_used_once(it, program_place(with->program, array->place), with->error);
}

static int read_halo(const struct laying *with, struct array_layout *it,
                     const struct distribute *halo)
{
    const struct formula *widths = halo ? halo->dimensions.items : NULL;
    it->has_halo = halo != NULL;
    for (int d = 0; halo && d < it->dimensions; d++) {
        const struct place place = program_place(with->program, widths[d].place);
        if (program_value(with->program, &widths[d], true, with->scope, &it->halo[d],
                          with->error) != 0)
            return -1;
        it->halo_place = program_place(with->program, halo->place);
        if (it->halo[d] >= 0.0 && it->halo[d] <= it->extent[d])
            continue;
        if (it->halo[d] < 0.0)
            error_fill(with->error, place, "a halo of %g elements: expected at least 0",
                       it->halo[d]);
        else
            error_fill(with->error, place, "a halo of %g elements: the array has %g there",
                       it->halo[d], it->extent[d]);
        return program_wrong_value(with->program, &widths[d], with->error);
    }
    return 0;
}

int layout_make(struct layout *layout, const struct program *program,
                const struct candidate *candidate, struct scope *scope, struct error *error)
{
    const struct array *arrays = program->arrays.items;
    *layout = (struct layout){.array_count = program->arrays.count};
    const struct laying with = {layout, program, scope, error};
    int status = lay_grid(layout, program, candidate, scope, error);
    layout->arrays = memory_new(layout->array_count, sizeof *layout->arrays);
    for (size_t i = 0; i < layout->array_count && status == 0; i++) {
        status =
            lay_array(&with, &layout->arrays[i], &arrays[i],
                      distribute_of(&candidate->distribute, leader_of(program, &arrays[i])->name));
        if (status == 0)
            status = read_halo(&with, &layout->arrays[i],
                               distribute_of(&candidate->halo, arrays[i].name));
    }
    if (status != 0)
        layout_free(layout);
    return status;
}

int layout_change(struct layout *layout, const struct layout *before, const struct program *program,
                  const struct redistribute *redistribute, struct scope *scope, struct error *error)
{
    const struct array *arrays = program->arrays.items;
    const struct laying with = {layout, program, scope, error};
    int status = 0;
    *layout = *before;
    layout->arrays = memory_new(layout->array_count, sizeof *layout->arrays);
    for (size_t i = 0; i < layout->array_count && status == 0; i++) {
        const struct distribute *distribute =
            distribute_of(&redistribute->distribute, leader_of(program, &arrays[i])->name);
        struct array_layout *it = &layout->arrays[i];
        *it = before->arrays[i];
        if (!distribute)
            continue;
        status = lay_array(&with, it, &arrays[i], distribute);
        it->has_halo = before->arrays[i].has_halo;
        it->halo_place = before->arrays[i].halo_place;
        memcpy(it->halo, before->arrays[i].halo, sizeof it->halo);
    }
    if (status != 0)
        layout_free(layout);
    return status;
}

void layout_free(struct layout *layout)
{
    free(layout->arrays);
    *layout = (struct layout){0};
}

const struct array_layout *layout_of(const struct layout *layout, const struct program *program,
                                     const struct array *array)
{
    return &layout->arrays[array - (const struct array *)program->arrays.items];
}

int array_layout_along(const struct array_layout *array, int grid_dimension)
{
    for (int i = 0; i < array->dimensions; i++)
        if (array->along[i].grid_dimension == grid_dimension)
            return i;
    return -1;
}

bool array_layout_same(const struct array_layout *a, const struct array_layout *b)
{
    bool same = a->dimensions == b->dimensions;
    for (int d = 0; d < a->dimensions && same; d++) {
        const struct distribution *x = &a->along[d], *y = &b->along[d];
        same = x->grid_dimension == y->grid_dimension && x->elements == y->elements &&
               x->processors == y->processors && x->block == y->block && x->offset == y->offset;
    }
    return same;
}
