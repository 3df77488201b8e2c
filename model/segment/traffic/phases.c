#include "model/base/allocation.h"
#include "model/segment/loops/work.h"
#include "model/segment/traffic/analysis.h"
#include "model/segment/traffic/message.h"

#include <math.h>
#include <stdlib.h>

/* ---- who waits ---- */

/* Whether some processor waits, before the instance begins, for what a statement since `first` has
   computed. What was computed earlier can be sent before all of them. */
static bool waits_for_any(const struct phase_finding *it, size_t first, size_t number)
{
    const struct instance *all = it->instances->items;
    const struct message *messages = it->messages->items;
    for (size_t m = 0; m < it->messages->count; m++)
        for (size_t w = first;
             w < number && messages[m].moves && messages[m].reader == &all[number]; w++)
            if (all[w].has_writes && all[w].writes.array == messages[m].reads.array)
                return true;
    const struct statement *statement = all[number].statement;
    return statement->gathers.count > 0;
}

/* Whether a loop has a part in how often which processor executes the instance. */
static bool matters(const struct instance *instance, int loop)
{
    for (int d = 0; instance->has_home && d < instance->home.dimensions; d++)
        if (instance->home.subscripts[d].by[loop] != 0.0)
            return true;
    for (int l = 0; l < instance->nest.depth; l++)
        if (instance->nest.outer[l][loop] || instance->nest.outer[loop][l])
            return true;
    return false;
}

/* Whether both wait in the same loops, all of whose iterations are alike. */
static bool wait_alike(const struct phase_finding *it, size_t a, size_t b)
{
    const struct instance *all = it->instances->items;
    if (it->waits[a].depth != it->waits[b].depth ||
        nest_common(&all[a].nest, &all[b].nest) < it->waits[a].depth)
        return false;
    for (int l = 0; l < it->waits[a].depth; l++)
        if (matters(&all[a], l) || matters(&all[b], l))
            return false;
    return true;
}

/* Whether the instance goes on with the phase that began with `first` and has come to `last`. */
static bool goes_on(const struct phase_finding *it, size_t first, size_t last, size_t number)
{
    const struct instance *all = it->instances->items;
    for (size_t i = last; i < number; i++)
        if (!all[i].statement || it->sends_result[i])
            return false;
    return wait_alike(it, first, number) && !waits_for_any(it, first, number);
}

/* ---- who is busiest ---- */

/* Whether every processor that works has as much to do: whoever is busiest with the rest is so with
   all. Idle processors make a mean that is less. */
static bool is_even(const struct work *work)
{
    return work->iterations_most <= work->iterations_mean * (1.0 + 1e-12);
}

/* Whether one processor is the busiest of every work. */
static bool has_one_busiest(const struct work *work, size_t count, size_t processors)
{
    for (size_t q = 0; q < processors; q++) {
        size_t i = 0;
        while (i < count && work[i].iterations[q] >= work[i].iterations_most * (1.0 - 1e-12))
            i++;
        if (i == count)
            return true;
    }
    return false;
}

static void forget(struct work *work, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(work[i].iterations);
        work[i].iterations = NULL;
    }
}

/* Tells what each processor executes of the works of a phase, unless one of them is the busiest of
   each, or it cannot be told. */
static void tell_each(struct work *work, size_t count, const struct instance *const *instances,
                      const struct layout *layout)
{
    const size_t processors = (size_t)layout->processors;
    size_t uneven = 0;
    for (size_t i = 0; i < count; i++)
        uneven += !is_even(&work[i]);
    if (uneven < 2)
        return;
    bool told = true;
    for (size_t i = 0; i < count && told; i++) {
        struct error error;
        work[i].iterations = memory_new(processors, sizeof *work[i].iterations);
        told = work_by_processor(work[i].iterations, instances[i], layout, &error) == 0;
        for (size_t q = 0; q < processors; q++)
            work[i].iterations[q] *= instances[i]->probability;
    }
    if (!told || has_one_busiest(work, count, processors))
        forget(work, count);
}

/* Whether all run in the same places, of which one is the busiest for all. */
static bool is_in_one_place(const struct instance *const *instances, size_t count,
                            const struct layout *layout)
{
    for (size_t i = 1; i < count; i++) {
        const struct message a = {.reader = instances[0],
                                  .home = instances[0]->has_home ? &instances[0]->home : NULL};
        const struct message b = {.reader = instances[i],
                                  .home = instances[i]->has_home ? &instances[i]->home : NULL};
        if (!message_same_places(&a, &b, layout))
            return false;
    }
    return true;
}

void phases_find(struct list *work, const struct phase_finding *finding)
{
    const struct instance *all = finding->instances->items;
    struct work *works = work->items;
    const struct instance **of = memory_new(work->count, sizeof *of);
    size_t first_instance = 0, last_instance = 0, first = 0, count = 0;
    for (size_t i = 0; i < finding->instances->count; i++) {
        if (!all[i].statement)
            continue;
        if (count > first && works[count].pipeline < 0 && works[first].pipeline < 0 &&
            goes_on(finding, first_instance, last_instance, i)) {
            works[count].phase = works[first].phase;
        } else {
            if (!is_in_one_place(of + first, count - first, finding->layout))
                tell_each(works + first, count - first, of + first, finding->layout);
            works[count].phase = count;
            first = count;
            first_instance = i;
        }
        last_instance = i;
        of[count++] = &all[i];
    }
    if (!is_in_one_place(of + first, count - first, finding->layout))
        tell_each(works + first, count - first, of + first, finding->layout);
    free(of);
}
