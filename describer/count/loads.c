#include "describer/count/count.h"

#include "model/base/allocation.h"

#include <stdlib.h>

/* Iterations over which a value is taken to stay in a register. */
enum { NEAR_MOST = 16 };

static bool is_near(const struct count *count, const struct reference *a, const struct reference *b,
                    int *distance)
{
    return count->index &&
           reference_shift(&count->describer->algebra, a, b, count->index, distance) &&
           *distance <= NEAR_MOST && *distance >= -NEAR_MOST;
}

static const struct reference *loaded(const struct count *count, int i)
{
    return &count->describer->graph.nodes[count->loads[i]].reference;
}

/* Whether one of the statements has stored it some iterations before. */
static bool is_left(const struct count *count, const struct reference *reference)
{
    int distance;
    for (int i = 0; i < count->part->statement_count; i++)
        if (is_near(count, &count->part->statements[i].to, reference, &distance) && distance > 0)
            return true;
    return false;
}

double count_loads(const struct count *count)
{
    int *groups = memory_new((size_t)count->load_count, sizeof *groups);
    bool *is_needed = memory_new((size_t)count->load_count, sizeof *is_needed);
    double loads = 0;
    for (int i = 0; i < count->load_count; i++) {
        int distance;
        groups[i] = i;
        for (int j = 0; j < i && groups[i] == i; j++)
            if (is_near(count, loaded(count, i), loaded(count, j), &distance))
                groups[i] = groups[j];
        if (!is_left(count, loaded(count, i)))
            is_needed[groups[i]] = true;
    }
    for (int i = 0; i < count->load_count; i++)
        loads += is_needed[i];
    free(groups);
    free(is_needed);
    return loads;
}
