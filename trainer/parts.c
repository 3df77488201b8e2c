#include "trainer/parts.h"

#include "model/base/allocation.h"
#include "trainer/curve/later_passes.h"
#include "trainer/engine/counts.h"
#include "trainer/utilities/utilities.h"

#include <stdlib.h>

static void add(struct parts *parts, const struct suite *suite, int utility)
{
    parts->items = memory_grow(parts->items, parts->count + 1, sizeof *parts->items);
    parts->items[parts->count++] = (struct part){suite, utility};
}

/* A distance that the run does not have is no part of it, and nothing that is missing. */
static bool has_utility(const struct run *run, int index)
{
    int counts[COUNTS_MOST];
    return suites_selected_utility(run->options->suites, utilities[index]) &&
           (utilities[index]->pattern->distance == 0 ||
            counts_of(utilities[index], run->options, run->processors, run->distances.together,
                      counts) > 0);
}

static void add_suite(const struct run *run, struct parts *parts, const struct suite *suite)
{
    if (suite->measure && suites_selected(run->options->suites, suite))
        add(parts, suite, -1);
    for (int i = 0; i < utilities_count && !suite->measure; i++)
        if (suite_has(suite, utilities[i]) && has_utility(run, i))
            add(parts, suite, i);
}

bool parts_have_utility(const struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].utility >= 0)
            return true;
    return false;
}

bool *parts_utilities(const struct parts *parts)
{
    bool *has = memory_new((size_t)utilities_count, sizeof *has);
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].utility >= 0)
            has[parts->items[i].utility] = true;
    return has;
}

struct parts parts_of(const struct run *run)
{
    struct parts parts = {0};
    for (int i = 0; i < suites_count; i++)
        add_suite(run, &parts, &suites[i]);
    if (run_passes(run) > 1 && parts_have_utility(&parts))
        add(&parts, NULL, -1);
    return parts;
}

void parts_free(struct parts *parts)
{
    free(parts->items);
    *parts = (struct parts){0};
}

const char *part_name(const struct part *part)
{
    return !part->suite         ? later_passes_name
           : part->utility >= 0 ? utilities[part->utility]->pattern->name
                                : part->suite->name;
}
