#include "test/enumerated/world.h"
#include "test/check.h"
#include "test/expression_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int world_value(const struct world *it, const char *text)
{
    struct error error;
    double value = 0.0;
    char line[400];
    if (text_value(it->scope, text, (struct place){0}, &value, &error) != 0)
        ck_abort_msg("%s: %s", text, error_line(&error, line, sizeof line));
    ck_assert_msg(value == floor(value), "%s is %g", text, value);
    return (int)value;
}

void world_set(const struct world *it, const char *name, double value)
{
    struct error error;
    ck_assert_int_eq(scope_set(it->scope, name, value, (struct place){0}, &error), 0);
}

void world_lay_grid(struct world *it)
{
    const struct formula *sizes = it->candidate->grid.items;
    it->grid_count = (int)it->candidate->grid.count;
    for (int g = 0; g < it->grid_count; g++) {
        char name[20];
        it->grid[g] = world_value(it, sizes[g].text);
        snprintf(name, sizeof name, "p%d", g);
        world_set(it, name, it->grid[g]);
    }
}

/* "BLOCK", "CYCLIC(b)", "*", each perhaps with "@1". */
static void lay_dimension(const struct world *it, struct lying *lies, int d, const char *text,
                          int *next)
{
    const char *at = strchr(text, '@'), *open = strchr(text, '(');
    lies->grid[d] = -1;
    if (text[0] == '*')
        return;
    lies->grid[d] = at ? atoi(at + 1) : *next;
    *next = lies->grid[d] + 1;
    const int processors = it->grid[lies->grid[d]];
    lies->cyclic[d] = text[0] == 'C';
    lies->block[d] = lies->cyclic[d] ? 1 : (lies->extent[d] + processors - 1) / processors;
    if (open) {
        char width[40];
        snprintf(width, sizeof width, "%.*s", (int)strcspn(open + 1, ")"), open + 1);
        lies->block[d] = world_value(it, width);
    }
}

static void lay(struct world *it, const struct list *distributes)
{
    const struct distribute *all = distributes->items;
    const struct array *arrays = it->program->arrays.items;
    for (size_t a = 0; a < it->program->arrays.count; a++)
        for (size_t i = 0; i < distributes->count; i++) {
            const struct formula *texts = all[i].dimensions.items;
            int next = 0;
            if (strcmp(all[i].array, arrays[a].align ? arrays[a].align : arrays[a].name) != 0)
                continue;
            for (int d = 0; d < it->arrays[a].rank; d++)
                lay_dimension(it, &it->arrays[a], d, texts[d].text, &next);
        }
}

void world_lay_arrays(struct world *it)
{
    const struct array *arrays = it->program->arrays.items;
    ck_assert_uint_le(it->program->arrays.count, ARRAYS);
    for (size_t a = 0; a < it->program->arrays.count; a++) {
        struct lying *lies = &it->arrays[a];
        const struct formula *extents = arrays[a].extent.items;
        *lies = (struct lying){.rank = (int)arrays[a].extent.count, .elements = 1};
        for (int d = 0; d < lies->rank; d++) {
            lies->extent[d] = world_value(it, extents[d].text);
            lies->elements *= lies->extent[d];
            lies->grid[d] = -1;
        }
    }
    lay(it, &it->candidate->distribute);
}

/* Changes the layouts as they are changed before the segment of that number. */
void world_redistribute(struct world *it, size_t number)
{
    const struct redistribute *all = it->candidate->redistribute.items;
    const struct segment *segments = it->program->segments.items;
    for (size_t i = 0; i < it->candidate->redistribute.count; i++)
        if (all[i].before ? number < it->program->segments.count &&
                                strcmp(all[i].before, segments[number].name) == 0
                          : number > 0 && strcmp(all[i].after, segments[number - 1].name) == 0)
            lay(it, &all[i].distribute);
}

int world_coordinate(const struct world *it, int processor, int g)
{
    for (int inner = it->grid_count - 1; inner > g; inner--)
        processor /= it->grid[inner];
    return processor % it->grid[g];
}

/* The subscript along a dimension of an element given by its number. */
int lying_subscript(const struct lying *lies, int d, int element)
{
    for (int inner = lies->rank - 1; inner > d; inner--)
        element /= lies->extent[inner];
    return element % lies->extent[d];
}

bool world_has(const struct world *it, const struct lying *lies, int processor, int element)
{
    for (int d = 0; d < lies->rank; d++) {
        if (lies->grid[d] < 0)
            continue;
        const int block = lying_subscript(lies, d, element) / lies->block[d];
        if ((lies->cyclic[d] ? block % it->grid[lies->grid[d]] : block) !=
            world_coordinate(it, processor, lies->grid[d]))
            return false;
    }
    return true;
}

/* From whom a processor takes an element: the copy that differs in as few coordinates as may be. */
int world_source(const struct world *it, const struct lying *lies, int processor, int element)
{
    for (int r = 0; r < it->processors; r++) {
        bool lies_along[RANK] = {false}, same = true;
        for (int d = 0; d < lies->rank; d++)
            if (lies->grid[d] >= 0)
                lies_along[lies->grid[d]] = true;
        for (int g = 0; g < it->grid_count; g++)
            same &=
                lies_along[g] || world_coordinate(it, r, g) == world_coordinate(it, processor, g);
        if (same && world_has(it, lies, r, element))
            return r;
    }
    ck_abort_msg("element %d lies nowhere", element);
    return -1;
}

int world_halfway(const struct world *it, int to, int from, int along)
{
    int at = 0;
    for (int g = 0; g < it->grid_count; g++)
        at = at * it->grid[g] + world_coordinate(it, g < along ? to : from, g);
    return at;
}
