#include "test/forecast/every.h"

#include "model/segment/program/program_fields.h"

#include <math.h>

/* A dimension is not distributed, or in one of the kinds along one of the grid's dimensions. */
static const char *const texts[] = {"*", "BLOCK@0", "CYCLIC@0", "BLOCK@1", "CYCLIC@1"};

struct walk {
    const struct every *every;
    int grid_dimension[EVERY_SLOTS]; /* -1: none */
    const char *texts[EVERY_SLOTS];
    void (*take)(void *to, const struct candidate *layout);
    void *to;
};

bool every_add(struct every *every, size_t array)
{
    const struct array *arrays = every->program->arrays.items;
    if ((size_t)every->slots + arrays[array].extent.count > EVERY_SLOTS)
        return false;
    for (size_t d = 0; d < arrays[array].extent.count; d++)
        every->slot_array[every->slots++] = array;
    return true;
}

/* Of an array with so many dimensions: each grid dimension is along one of them, or none. */
static double ways(int dimensions, int rank, double kinds)
{
    if (rank == 0 || dimensions == 0)
        return 1.0;
    return ways(dimensions, rank - 1, kinds) +
           dimensions * kinds * ways(dimensions - 1, rank - 1, kinds);
}

double every_count(const struct every *every)
{
    double count = 1.0;
    for (int s = 0, end = 0; s < every->slots; s = end) {
        while (end < every->slots && every->slot_array[end] == every->slot_array[s])
            end++;
        count *= ways(end - s, every->rank, every->kinds);
    }
    return count;
}

static void take_one(const struct walk *walk)
{
    const struct every *every = walk->every;
    const struct array *arrays = every->program->arrays.items;
    struct list one = {0};
    struct list *dimensions = NULL;
    struct candidate *candidate = candidates_add(&one, "every");
    candidate->fill = true;
    for (int g = 0; g < every->rank; g++)
        formulas_add(&candidate->grid, every->grid[g]);
    for (int s = 0; s < every->slots; s++) {
        if (s == 0 || every->slot_array[s] != every->slot_array[s - 1])
            dimensions = distribute_add(&candidate->distribute, arrays[every->slot_array[s]].name);
        distributions_add(dimensions, walk->texts[s]);
    }
    walk->take(walk->to, candidate);
    candidates_free(&one);
}

/* Whether another dimension of the array lies along it. */
static bool is_used(const struct walk *walk, int slot, int grid_dimension)
{
    const size_t *arrays = walk->every->slot_array;
    for (int s = slot - 1; s >= 0 && arrays[s] == arrays[slot]; s--)
        if (walk->grid_dimension[s] == grid_dimension)
            return true;
    return false;
}

static void take_from(struct walk *walk, int slot)
{
    const struct every *every = walk->every;
    if (slot == every->slots) {
        take_one(walk);
        return;
    }
    walk->texts[slot] = texts[0];
    walk->grid_dimension[slot] = -1;
    take_from(walk, slot + 1);
    for (int g = 0; g < every->rank; g++)
        for (int k = 0; k < every->kinds && !is_used(walk, slot, g); k++) {
            walk->texts[slot] = texts[1 + 2 * g + k];
            walk->grid_dimension[slot] = g;
            take_from(walk, slot + 1);
        }
}

void every_take(const struct every *every, void (*take)(void *to, const struct candidate *layout),
                void *to)
{
    struct walk walk = {.every = every, .take = take, .to = to};
    take_from(&walk, 0);
}

double every_predicted_us(struct study *study, const struct candidate *candidate)
{
    struct prediction prediction;
    struct error error;
    if (study_predict(study, candidate, &prediction, &error) != 0)
        return INFINITY;
    const double us = prediction.whole.total_us;
    prediction_free(&prediction);
    return us;
}
