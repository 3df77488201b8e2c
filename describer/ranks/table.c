#include "describer/ranks/ranks.h"

#include "describer/ranks/run.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* Nothing is shortened: what a loop sends is counted as often as it runs. */
enum { TABLE_STEPS_MOST = 200000000 };

/* main, or the first function that sends something; else the first of all. */
static const struct function *root_of(struct ranks *ranks)
{
    const struct source *source = ranks->describer->source;
    const struct function *first = NULL, *sending = NULL;
    for (int i = 0; i < source->function_count; i++) {
        const struct function *function = source->functions[i];
        if (!strcmp(function->name, "main"))
            return function;
        if (function->file < 0)
            continue;
        first = first ? first : function;
        if (!sending && communicates(ranks, function->body))
            sending = function;
    }
    return sending ? sending : first;
}

static void write_row(const struct run *run, int r, FILE *out)
{
    const struct rank *rank = &run->processes[r];
    double messages = 0, bytes = 0, collectives = 0, given = 0;
    bool *is_partner = memory_new((size_t)run->p, sizeof *is_partner);
    for (int i = 0; i < rank->event_count; i++) {
        const struct event *event = &rank->events[i];
        if (event->kind == EVENT_SEND) {
            messages++;
            bytes += event->bytes;
            is_partner[event->partner] = true;
        } else if (event->kind == EVENT_COLLECTIVE) {
            collectives++;
            given += event->bytes;
        }
    }
    fprintf(out, "%d,%.0f,%.0f,", r, messages, bytes);
    const char *space = "";
    for (int i = 0; i < run->p; i++)
        if (is_partner[i]) {
            fprintf(out, "%s%d", space, i);
            space = " ";
        }
    fprintf(out, ",%.0f,%.0f\n", collectives, given);
    free(is_partner);
}

void ranks_write(struct describer *describer, int p, FILE *out)
{
    struct ranks *ranks = arena_take(describer->arena, 1, sizeof *ranks);
    ranks->describer = describer;
    const struct function *root = root_of(ranks);
    if (!root)
        return;
    const struct run *run = run_program(ranks, root, p, 0, TABLE_STEPS_MOST);
    /* what does not come about with a value that stands for one that nobody gave may with another
     */
    if (run->is_over && !(run->ending == REFUSED && ranks->missing_count > 0)) {
        describer_fail(describer, run->place, "%s", run->why);
        return;
    }
    if (ranks->missing_count > 0) {
        const char *all = "";
        for (int i = 0; i < ranks->missing_count; i++)
            all = arena_format(describer->arena, "%s -D %s=1000", all, ranks->missing[i]->name);
        describer_fail(describer, ranks->missing[0]->place,
                       "what is sent depends on %s%s: give its value:%s", ranks->missing[0]->name,
                       ranks->missing_count > 1 ? " and others" : "", all);
        return;
    }
    fprintf(out, "process,messages,bytes,partners,collectives,collective_bytes\n");
    for (int r = 0; r < p; r++)
        write_row(run, r, out);
}
