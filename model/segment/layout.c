#include "model/segment/layout.h"

#include "model/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        if (expression_whole(scope, sizes[i].text, place, &layout->grid[i], error) != 0)
            return -1;
        if (layout->grid[i] < 1.0)
            return error_at(error, place, "'%.60s' is %g: expected at least 1 processor",
                            sizes[i].text, layout->grid[i]);
        if (scope_set(scope, name, layout->grid[i], place, error) != 0)
            return -1;
        layout->processors *= layout->grid[i];
    }
    if (layout->processors != p)
        return error_at(error, program_place(program, candidate->place),
                        "the grid of %s has %g processors, the run has %g", candidate->name,
                        layout->processors, p);
    return 0;
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

static int lay_array(struct array_layout *it, const struct layout *layout,
                     const struct program *program, const struct distribute *distribute,
                     const struct array *array, struct scope *scope, struct error *error)
{
    const struct array *leader = leader_of(program, array);
    /* Aligned elements lie together: the leader's extents decide the blocks. */
    const struct formula *extents = leader->extent.items;
    int next_dimension = 0;
    it->dimensions = (int)array->extent.count;
    for (int i = 0; i < it->dimensions; i++) {
        struct distribution *along = &it->along[i];
        const struct place place = program_place(program, extents[i].place);
        if (expression_whole(scope, extents[i].text, place, &along->elements, error) != 0)
            return -1;
        if (along->elements < 1.0)
            return error_at(error, place, "'%.60s' is %g: expected at least 1 element",
                            extents[i].text, along->elements);
        const struct formula *text =
            distribute ? (const struct formula *)distribute->dimensions.items + i : NULL;
        if (distribution_parse(along, text ? text->text : "*",
                               program_place(program, text ? text->place : array->place), scope,
                               layout->grid, layout->grid_dimensions, &next_dimension, error) != 0)
            return -1;
    }
    return check_grid_is_used_once(
        it, program_place(program, distribute ? distribute->place : array->place), error);
}

int layout_make(struct layout *layout, const struct program *program,
                const struct candidate *candidate, struct scope *scope, struct error *error)
{
    const struct array *arrays = program->arrays.items;
    *layout = (struct layout){.array_count = program->arrays.count};
    int status = lay_grid(layout, program, candidate, scope, error);
    layout->arrays = memory_new(layout->array_count, sizeof *layout->arrays);
    for (size_t i = 0; i < layout->array_count && status == 0; i++)
        status =
            lay_array(&layout->arrays[i], layout, program,
                      distribute_of(&candidate->distribute, leader_of(program, &arrays[i])->name),
                      &arrays[i], scope, error);
    if (status != 0)
        layout_free(layout);
    return status;
}

int layout_change(struct layout *layout, const struct layout *before, const struct program *program,
                  const struct redistribute *redistribute, struct scope *scope, struct error *error)
{
    const struct array *arrays = program->arrays.items;
    int status = 0;
    *layout = *before;
    layout->arrays = memory_new(layout->array_count, sizeof *layout->arrays);
    for (size_t i = 0; i < layout->array_count && status == 0; i++) {
        const struct distribute *distribute =
            distribute_of(&redistribute->distribute, leader_of(program, &arrays[i])->name);
        layout->arrays[i] = before->arrays[i];
        if (distribute)
            status = lay_array(&layout->arrays[i], layout, program, distribute, &arrays[i], scope,
                               error);
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
               x->processors == y->processors && x->block == y->block;
    }
    return same;
}
