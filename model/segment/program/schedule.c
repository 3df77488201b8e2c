#include "model/segment/program/schedule.h"

#include "model/base/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_layout(struct layout *copy, const struct layout *layout)
{
    *copy = *layout;
    copy->arrays = memory_new(layout->array_count, sizeof *copy->arrays);
    memcpy(copy->arrays, layout->arrays, layout->array_count * sizeof *copy->arrays);
}

/* Whether a redistribution happens before the segment of that number. */
static bool is_due(const struct redistribute *it, const struct program *program, size_t number)
{
    const struct segment *segments = program->segments.items;
    if (it->before)
        return number < program->segments.count && strcmp(segments[number].name, it->before) == 0;
    return number > 0 && strcmp(segments[number - 1].name, it->after) == 0;
}

static struct change *add_change(struct schedule *schedule, const struct layout *from,
                                 const struct layout *to, size_t before, double times)
{
    struct change *change = &schedule->changes[schedule->change_count++];
    copy_layout(&change->from, from);
    copy_layout(&change->to, to);
    change->before = before;
    change->times = times;
    return change;
}

/* What is due before the first segment gives the layouts to begin with, once: later the way back
   does. */
static int apply(struct schedule *schedule, struct layout *current, const struct program *program,
                 const struct redistribute *it, size_t number, struct scope *scope,
                 struct error *error)
{
    struct layout next;
    if (layout_change(&next, current, program, it, scope, error) != 0)
        return -1;
    struct change *change =
        add_change(schedule, current, &next, number, number > 0 ? schedule->repeat : 1.0);
    change->place = it->place;
    snprintf(change->name, sizeof change->name, "redistribute %s %.50s",
             it->before ? "before" : "after", it->before ? it->before : it->after);
    layout_free(current);
    *current = next;
    return 0;
}

static int apply_all(struct schedule *schedule, struct layout *current,
                     const struct program *program, const struct candidate *candidate,
                     size_t number, struct scope *scope, struct error *error)
{
    const struct redistribute *all = candidate->redistribute.items;
    for (size_t i = 0; i < candidate->redistribute.count; i++)
        if (is_due(&all[i], program, number) &&
            apply(schedule, current, program, &all[i], number, scope, error) != 0)
            return -1;
    return 0;
}

/* From the layouts after the last segment to those of the first, for the next time. */
static void go_back(struct schedule *schedule, const struct layout *last,
                    const struct program *program)
{
    const struct segment *first = program->segments.items;
    const struct layout *to = &schedule->layouts[0];
    bool same = true;
    for (size_t i = 0; i < last->array_count; i++)
        same &= array_layout_same(&last->arrays[i], &to->arrays[i]);
    if (same || schedule->repeat <= 1.0)
        return;
    struct change *change =
        add_change(schedule, last, to, program->segments.count, schedule->repeat - 1.0);
    change->place = program_place(program, program->repeat.place);
    snprintf(change->name, sizeof change->name, "redistribute back to %.50s", first->name);
}

int schedule_make(struct schedule *schedule, const struct program *program,
                  const struct candidate *candidate, struct scope *scope, struct error *error)
{
    struct layout current;
    const size_t segments = program->segments.count;
    *schedule = (struct schedule){.fill = candidate->fill, .place = candidate->place};
    if (layout_make(&current, program, candidate, scope, error) != 0)
        return -1;
    schedule->layouts = memory_new(segments, sizeof *schedule->layouts);
    schedule->changes =
        memory_new(candidate->redistribute.count * (segments + 1) + 1, sizeof *schedule->changes);
    int status = program_repeat(program, scope, &schedule->repeat, error);
    for (size_t i = 0; i <= segments && status == 0; i++) {
        status = apply_all(schedule, &current, program, candidate, i, scope, error);
        if (i < segments && status == 0)
            copy_layout(&schedule->layouts[schedule->segment_count++], &current);
    }
    if (status == 0)
        go_back(schedule, &current, program);
    layout_free(&current);
    if (status != 0)
        schedule_free(schedule);
    return status;
}

const struct layout *schedule_initial(const struct schedule *schedule)
{
    return schedule->change_count > 0 && schedule->changes[0].before == 0
               ? &schedule->changes[0].from
               : &schedule->layouts[0];
}

void schedule_free(struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->segment_count; i++)
        layout_free(&schedule->layouts[i]);
    for (size_t i = 0; i < schedule->change_count; i++) {
        layout_free(&schedule->changes[i].from);
        layout_free(&schedule->changes[i].to);
    }
    free(schedule->layouts);
    free(schedule->changes);
    *schedule = (struct schedule){0};
}
