#include "forecast/search/node_times.h"

#include "model/base/allocation.h"
#include "model/segment/memory/local.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 3 + 3 * DIMENSIONS_MOST }; /* of the key, for an array */

static bool is_home(const struct subject *subject, const struct array *array)
{
    for (size_t s = 0; s < subject->program->segments.count; s++) {
        const struct instance *items = subject->instances[s].items;
        for (size_t i = 0; i < subject->instances[s].count; i++) {
            bool may_run_there = items[i].has_home && items[i].home.array == array;
            for (size_t k = 0; items[i].chooses && k < items[i].read_count; k++)
                may_run_there |= items[i].reads[k].array == array;
            if (may_run_there)
                return true;
        }
    }
    return false;
}

/* All that misses take from a layout: of an array on whose elements statements run, everything. */
static void fill_key(double *key, const struct subject *subject, const struct layout *layout)
{
    const struct array *arrays = subject->program->arrays.items;
    for (size_t i = 0; i < layout->array_count; i++, key += NUMBERS) {
        const struct array_layout *lies = &layout->arrays[i];
        const struct array_share share = array_share(lies);
        key[0] = share.all;
        key[1] = share.first;
        key[2] = share.last;
        for (int d = 0; d < lies->dimensions && is_home(subject, &arrays[i]); d++) {
            key[3 + 3 * d] = (double)lies->along[d].grid_dimension;
            key[4 + 3 * d] = lies->along[d].processors;
            key[5 + 3 * d] = lies->along[d].block;
        }
    }
}

const struct computing *node_times_find(struct node_times *it, const struct machine *machine,
                                        const struct subject *subject, const struct layout *layouts,
                                        struct error *error)
{
    const size_t numbers = layouts->array_count * NUMBERS;
    double *key = memory_new(numbers, sizeof *key);
    fill_key(key, subject, layouts);
    for (size_t i = 0; i < it->count; i++)
        if (memcmp(it->keys[i], key, numbers * sizeof *key) == 0) {
            free(key);
            return &it->of[i];
        }
    if (it->count == NODE_TIMES_MOST)
        node_times_free(it);
    if (computing_make(&it->of[it->count], machine, subject, layouts, error) != 0) {
        free(key);
        return NULL;
    }
    it->keys[it->count] = key;
    return &it->of[it->count++];
}

void node_times_free(struct node_times *it)
{
    while (it->count > 0) {
        free(it->keys[--it->count]);
        computing_free(&it->of[it->count]);
    }
}
