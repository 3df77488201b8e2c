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

/* Whether the iterations of the loops in which the instance waits are all alike for it. */
static bool waits_alike(const struct phase_finding *it, size_t number)
{
    const struct instance *instance = (const struct instance *)it->instances->items + number;
    for (int l = 0; l < it->waits[number].depth; l++)
        if (matters(instance, l))
            return false;
    return true;
}

/* Whether both wait in the same loops. Where iterations of a chain go on together they have to be
   alike. */
static bool wait_together(const struct phase_finding *it, size_t a, size_t b)
{
    const struct instance *all = it->instances->items;
    const bool are_alike = waits_alike(it, a) && waits_alike(it, b);
    return it->waits[a].depth == it->waits[b].depth &&
           nest_common(&all[a].nest, &all[b].nest) >= it->waits[a].depth &&
           (are_alike || (it->waits[a].together == 1.0 && it->waits[b].together == 1.0));
}

/* Whether the instance goes on with the phase that began with `first` and has come to `last`. */
static bool goes_on(const struct phase_finding *it, size_t first, size_t last, size_t number)
{
    const struct instance *all = it->instances->items;
    for (size_t i = last; i < number; i++)
        if (!all[i].statement || it->sends_result[i])
            return false;
    return wait_together(it, first, number) && !waits_for_any(it, first, number);
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

/* What an iteration takes, about: its operations. */
static double weight_of(const struct instance *instance)
{
    double weight = 0.0;
    for (int k = 0; k < OPERATION_COUNT; k++)
        weight += instance->statement->operations.of[k];
    return weight * instance->probability;
}

/* How many statements from one on have their operations told with it: those of straight-line code,
   that assign elements of one array each (a loop that is unrolled by hand). */
static size_t statements_with(const struct instance *const *instances, size_t first, size_t count)
{
    const struct instance *one = instances[first];
    size_t end = first + 1;
    for (; end < count && one->has_writes && weight_of(one) > 0.0; end++) {
        const struct instance *next = instances[end];
        const struct reads writes = {one->writes.array, 1, {&one->writes}};
        if (!next->has_writes || weight_of(next) > 0.0 || next->nest.depth != one->nest.depth ||
            nest_common(&next->nest, &one->nest) != one->nest.depth ||
            !reads_agree(&writes, &next->writes))
            break;
    }
    return end - first;
}

/* The operations are those of all of them, an equal part each, wherever these run. */
static void share_operations(struct work *work, size_t count, size_t processors)
{
    work[0].iterations_most = 0.0;
    for (size_t q = 0; q < processors; q++) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++)
            sum += work[i].iterations[q];
        work[0].iterations[q] = sum / (double)count;
        work[0].iterations_most = fmax(work[0].iterations_most, work[0].iterations[q]);
    }
}

/* Tells what each processor executes of the works of a phase, unless one of them is the busiest of
   each, or it cannot be told. */
static void tell_each(struct work *work, size_t count, const struct instance *const *instances,
                      const struct layout *layout)
{
    const size_t processors = (size_t)layout->processors;
    bool told = true;
    for (size_t i = 0; i < count && told; i++) {
        struct error error;
        work[i].iterations = memory_new(processors, sizeof *work[i].iterations);
        told = work_by_processor(work[i].iterations, instances[i], layout, &error) == 0;
        for (size_t q = 0; q < processors; q++)
            work[i].iterations[q] *= instances[i]->probability;
    }
    for (size_t i = 0, with; i < count && told; i += with) {
        with = statements_with(instances, i, count);
        if (with > 1)
            share_operations(work + i, with, processors);
    }
    if (!told || has_one_busiest(work, count, processors))
        forget(work, count);
}

/* The same where each iteration of the loops in which they wait has another busiest processor. What
   cannot be told stays as if they waited for one another. */
static void tell_turns(struct work *work, size_t count, const struct instance *const *instances,
                       const struct layout *layout, int depth)
{
    double *weights = memory_new(count, sizeof *weights), *most = memory_new(count, sizeof *most);
    size_t computing = 0;
    for (size_t i = 0, with; i < count; i += with) {
        with = statements_with(instances, i, count);
        for (size_t k = 0; k < with; k++)
            weights[i + k] = weight_of(instances[i]) / (double)with;
        computing += weights[i] > 0.0 ? with : 0;
    }
    const struct work_together together = {instances, count, layout, depth, weights};
    const bool told = computing > 1 && work_together(most, &together);
    for (size_t i = 0, with; i < count && told; i += with) {
        double sum = 0.0;
        with = statements_with(instances, i, count);
        for (size_t k = 0; k < with; k++) {
            sum += instances[i + k]->probability * most[i + k];
            work[i + k].iterations_most = instances[i + k]->probability * most[i + k];
            work[i + k].is_in_turns = true;
        }
        work[i].iterations_most = sum / (double)with;
    }
    free(weights);
    free(most);
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

/* Of the works from first to the last one, which are a phase. */
static void tell(const struct phase_finding *it, struct work *work, size_t first, size_t end,
                 const struct instance *const *instances)
{
    const struct instance *all = it->instances->items;
    const size_t count = end - first;
    size_t uneven = 0;
    bool alike = true;
    for (size_t i = first; i < end; i++) {
        uneven += !is_even(&work[i]);
        alike = alike && waits_alike(it, (size_t)(instances[i] - all));
    }
    if (uneven < 2 || is_in_one_place(instances + first, count, it->layout))
        return;
    if (alike)
        tell_each(work + first, count, instances + first, it->layout);
    else
        tell_turns(work + first, count, instances + first, it->layout,
                   it->waits[instances[first] - all].depth);
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
            tell(finding, works, first, count, of);
            works[count].phase = count;
            first = count;
            first_instance = i;
        }
        last_instance = i;
        of[count++] = &all[i];
    }
    tell(finding, works, first, count, of);
    free(of);
}
