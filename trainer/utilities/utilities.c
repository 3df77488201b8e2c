#include "trainer/utilities/utilities.h"

#include <string.h>

const struct utility *const utilities[] = {
#define UTILITY_ROW(variable) &variable,
    UTILITIES(UTILITY_ROW)
#undef UTILITY_ROW
};

const int utilities_count = sizeof utilities / sizeof *utilities;

int utilities_named(const char *name)
{
    for (int i = 0; i < utilities_count; i++)
        if (strcmp(utilities[i]->name, name) == 0)
            return i;
    return -1;
}

int utility_participants(const struct utility *utility, int counted)
{
    return utility->counted == MEAN_PARTICIPANTS ? counted : counted + 1;
}

int utility_counted(const struct utility *utility, int participants)
{
    return utility->counted == MEAN_PARTICIPANTS ? participants : participants - 1;
}
