#include "trainer/suites.h"

#include "model/base/allocation.h"
#include "model/base/names.h"
#include "trainer/memory/memory_suite.h"
#include "trainer/micro/microbenchmarks.h"
#include "trainer/node/node_suite.h"
#include "trainer/utilities/utilities.h"

#include <stdlib.h>
#include <string.h>

/* In the order of measuring: what a prediction needs first comes first, should the budget end. */
/* clang-format off */
const struct suite suites[] = {
    {"patterns",    "the communication patterns",                        NULL,            NULL,              false, false, NULL},
    {"node",        "what computation costs a processor",                node_measure,    node_foresee_s,    true,  true,  NULL},
    {"memory",      "the levels of memory",                              memory_measure,  memory_foresee_s,  true,  true,  NULL},
    {"waiting",     "what a synchronisation takes behind computation",   waiting_measure, waiting_foresee_s, false, true,  NULL},
    {"distance",    "far processors, and many pairs at once",            NULL,            NULL,              false, false, NULL},
    {"express",     "neighbours on a line and on a grid",                NULL,            NULL,              false, false, NULL},
    {"halos",       "all neighbours at once",                            NULL,            NULL,              false, false, NULL},
    {"collectives", "rooted collectives, shifts and stages",             NULL,            NULL,              false, false, NULL},
    {"broadcast",   "broadcasts: six algorithms, and the sender's time", NULL,            NULL,              false, false, NULL},
    {"in-situ",     "written buffers, and work between messages",        in_situ_measure, in_situ_foresee_s, false, false, NULL},
    {"overlap",     "what of a transfer is left for work",               overlap_measure, overlap_foresee_s, false, false, NULL},
    {"logp",        "LogP parameters from a signature",                  logp_measure,    logp_foresee_s,    false, false, NULL},
    {"swap",        "the peak of two processors, by protocol",           swap_measure,    swap_foresee_s,    false, false, &pattern_exchange_best},
};
/* clang-format on */

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

static bool is_called(const char *wanted, const char *name, size_t length)
{
    return strlen(wanted) == length && strncmp(wanted, name, length) == 0;
}

static bool names(const char *list, const char *wanted)
{
    const char *name;
    while (*list) {
        const size_t length = next_name(&list, &name);
        if (is_called(wanted, name, length))
            return true;
    }
    return false;
}

bool suites_selected(const char *list, const struct suite *suite)
{
    return !list || names(list, suite->name);
}

bool suites_selected_utility(const char *list, const struct utility *utility)
{
    const struct pattern *pattern = utility->pattern;
    return !list || names(list, utility->suite) || names(list, pattern->name) ||
           (pattern->mpi && names(list, pattern->mpi));
}

static int no_such(const char *name, size_t length, struct error *error)
{
    const char **known = memory_new((size_t)suites_count + 1, sizeof *known);
    char all[NAMES_TEXT];
    for (int i = 0; i < suites_count; i++)
        known[i] = suites[i].name;
    names_listed(all, known);
    free(known);
    return error_set(error, "--suite: no suite '%.*s': expected %s, or a utility",
                     (int)(length < 60 ? length : 60), name, all);
}

static bool is_known(const char *name, size_t length)
{
    for (int i = 0; i < suites_count; i++)
        if (is_called(suites[i].name, name, length))
            return true;
    for (int i = 0; i < utilities_count; i++)
        if (is_called(utilities[i]->pattern->name, name, length) ||
            (utilities[i]->pattern->mpi && is_called(utilities[i]->pattern->mpi, name, length)))
            return true;
    return false;
}

int suites_check(const char *list, struct error *error)
{
    const char *name;
    while (list && *list) {
        const size_t length = next_name(&list, &name);
        if (!is_known(name, length))
            return no_such(name, length, error);
    }
    return 0;
}
