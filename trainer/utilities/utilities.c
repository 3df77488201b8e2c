#include "trainer/utilities/utilities.h"

#include <string.h>

const struct utility *const utilities[] = {
#define MEASURED(variable, ...) &utility_##variable,
#define PATTERN(variable, ...)
#include "model/cost/patterns.h"
#undef PATTERN
#undef MEASURED
};

const int utilities_count = sizeof utilities / sizeof *utilities;

int utilities_named(const char *name)
{
    for (int i = 0; i < utilities_count; i++)
        if (strcmp(utilities[i]->pattern->name, name) == 0)
            return i;
    return -1;
}

int utility_participants(const struct utility *utility, int counted)
{
    return utility->pattern->processors_mean == MEAN_PARTICIPANTS ? counted : counted + 1;
}

int utility_counted(const struct utility *utility, int participants)
{
    return utility->pattern->processors_mean == MEAN_PARTICIPANTS ? participants : participants - 1;
}
