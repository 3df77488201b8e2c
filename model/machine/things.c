#include "model/machine/things.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

enum { SECTIONS = 6 };

static void add_if(struct things *things, bool is_there, const char *name)
{
    if (is_there)
        things->names[things->count++] = name;
}

struct things things_of(const struct machine *machine)
{
    const struct cost *costs = machine->communication.items;
    const size_t utilities = machine->communication.count;
    struct things things = {memory_new(utilities + SECTIONS, sizeof *things.names), 0};
    for (size_t i = 0; i < utilities; i++)
        things.names[things.count++] = costs[i].utility;
    add_if(&things, machine->node != NULL, "node");
    add_if(&things, machine->memory != NULL, "memory");
    add_if(&things, machine->swap.count > 0, "swap");
    add_if(&things, machine->overlap.count > 0, "overlap");
    add_if(&things, machine->logp != NULL, "logp");
    add_if(&things, machine->waiting.count > 0, "waiting");
    return things;
}

void things_free(struct things *things)
{
    free(things->names);
    *things = (struct things){0};
}

bool things_have(const struct things *things, const char *name)
{
    for (size_t i = 0; i < things->count; i++)
        if (strcmp(things->names[i], name) == 0)
            return true;
    return false;
}

bool things_have_point(const struct things *things, const char *point)
{
    static const char *const sections[] = {"memory", "swap", "overlap", "logp"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const size_t length = strlen(sections[i]);
        if (strncmp(point, sections[i], length) == 0 && point[length] == '-')
            return things_have(things, sections[i]);
    }
    return things_have(things, point);
}

char *things_text(const struct things *things, size_t most)
{
    char *text = memory_copy_text("");
    size_t shown = 0;
    while (shown < things->count && (shown == 0 || strlen(text) < most)) {
        char *longer = memory_format("%s%s%s", text, shown ? ", " : "", things->names[shown]);
        free(text);
        text = longer;
        shown++;
    }
    if (shown < things->count) {
        char *longer = memory_format("%s and %zu more", text, things->count - shown);
        free(text);
        text = longer;
    }
    return text;
}
