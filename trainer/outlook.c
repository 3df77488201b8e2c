#include "trainer/outlook.h"

#include "trainer/engine/counts.h"
#include "trainer/suites.h"
#include "trainer/utilities/utilities.h"

#include <string.h>

static bool has_utility(const struct outlook *outlook, const struct utility *utility)
{
    int counts[COUNTS_MOST];
    return suites_selected_utility(outlook->options->suites, utility) &&
           counts_of(utility, outlook->options, outlook->processors, 0, counts) > 0;
}

/* What has no end where ranks share cores is not begun there. */
static bool has_suite(const struct outlook *outlook, const struct suite *suite)
{
    return suite->measure && suites_selected(outlook->options->suites, suite) &&
           (suite->alone || !outlook->crowded);
}

bool outlook_has(const struct outlook *outlook, const char *name)
{
    const int index = utilities_named(name);
    if (index >= 0)
        return has_utility(outlook, utilities[index]);
    for (int i = 0; i < suites_count; i++)
        if (strcmp(suites[i].name, name) == 0 ||
            (suites[i].utility && strcmp(suites[i].utility->name, name) == 0))
            return has_suite(outlook, &suites[i]);
    return false;
}

static bool has_any(const struct outlook *outlook)
{
    for (int i = 0; i < suites_count; i++)
        if (has_suite(outlook, &suites[i]))
            return true;
    for (int i = 0; i < utilities_count; i++)
        if (has_utility(outlook, utilities[i]))
            return true;
    return false;
}

int outlook_check(const struct outlook *outlook, struct error *error)
{
    if (suites_check(outlook->options->suites, error) != 0 ||
        counts_check(outlook->options, outlook->processors, error) != 0)
        return -1;
    return has_any(outlook)
               ? 0
               : error_set(error, "nothing to measure: nothing that --suite names suits the "
                                  "processors of this run");
}

bool outlook_has_fewer(const struct outlook *outlook, const struct cost *cost)
{
    const struct number_list *asked = &outlook->options->processors;
    const int index = utilities_named(cost->utility);
    if (index < 0 || utilities[index]->pattern->among == AMONG_TWO)
        return false;
    const int most = asked->count ? (int)asked->values[asked->count - 1] : outlook->processors;
    return cost->processors.most > utility_counted(utilities[index], most);
}
