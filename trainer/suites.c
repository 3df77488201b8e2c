#include "trainer/suites.h"

#include "model/base/memory.h"
#include "trainer/node_rate.h"

#include <stdlib.h>
#include <string.h>

static int measure_node(struct run *run, struct machine *machine, struct error *error)
{
    (void)error;
    if (run->simulated) {
        run_not_measured(machine, "node", "computation takes no time on a simulated machine");
        return 0;
    }
    machine->node = memory_new(1, sizeof *machine->node);
    record_begin(&node_record, machine->node);
    machine->node->rate_mflops = node_rate_mflops();
    machine->node->note =
        memory_copy_text("one rate: a five-point relaxation within the second-level cache");
    return 0;
}

const struct suite suites[] = {
    {"patterns",  "the communication patterns",                        NULL        },
    {"distance",  "far processors, and many pairs at once",            NULL        },
    {"express",   "neighbours on a line and on a grid",                NULL        },
    {"broadcast", "broadcasts: six algorithms, and the sender's time", NULL        },
    {"node",      "what computation costs a processor",                measure_node},
};

const int suites_count = sizeof suites / sizeof *suites;

bool suite_has(const struct suite *suite, const struct utility *utility)
{
    return strcmp(suite->name, utility->suite) == 0;
}

/* The next name of a list "name,name": its length; *list moves behind it. */
static size_t next_name(const char **list, const char **name)
{
    const size_t length = strcspn(*list, ",");
    *name = *list;
    *list += length + ((*list)[length] == ',');
    return length;
}

static bool is_called(const struct suite *suite, const char *name, size_t length)
{
    return strlen(suite->name) == length && strncmp(suite->name, name, length) == 0;
}

bool suites_selected(const char *list, const struct suite *suite)
{
    const char *name;
    if (!list)
        return true;
    while (*list) {
        const size_t length = next_name(&list, &name);
        if (is_called(suite, name, length))
            return true;
    }
    return false;
}

static int no_such(const char *name, size_t length, struct error *error)
{
    char *known = memory_copy_text(suites[0].name);
    for (int i = 1; i < suites_count; i++) {
        char *longer = memory_format("%s, %s", known, suites[i].name);
        free(known);
        known = longer;
    }
    const int status =
        error_set(error, "--suite: no suite '%.*s': expected %s", (int)length, name, known);
    free(known);
    return status;
}

int suites_check(const char *list, struct error *error)
{
    const char *name;
    while (list && *list) {
        const size_t length = next_name(&list, &name);
        int i = 0;
        while (i < suites_count && !is_called(&suites[i], name, length))
            i++;
        if (i == suites_count)
            return no_such(name, length, error);
    }
    return 0;
}
