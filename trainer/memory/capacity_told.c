#include "trainer/memory/capacity_told.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

static void say(char **text, const char *what)
{
    free(*text);
    *text = memory_copy_text(what);
}

/* What others take of a private cache for minutes, such as the other threads of a core that other
   systems own, looks as if it were not there: as much as the system tells of may be. */
static void weigh_one_number(struct memory_level *level)
{
    if (!(level->told_capacity_bytes > level->capacity_bytes))
        return;
    level->capacity_bytes_low = level->capacity_bytes;
    level->capacity_bytes_high = level->told_capacity_bytes;
    level->capacity_bytes = level->ways = NAN;
    say(&level->because,
        "one capacity, ways: the system tells of more, which others may have taken");
}

static void take_told(struct memory_level *level)
{
    level->capacity_bytes = level->told_capacity_bytes;
    level->ways = level->told_ways;
    level->capacity_bytes_low = level->capacity_bytes_high = NAN;
    say(&level->method, "told, confirmed");
    free(level->because);
    level->because = NULL;
}

void capacity_weigh_told(struct memory_level *level, bool is_private)
{
    const double told = level->told_capacity_bytes;
    if (isnan(told))
        return;
    if (!isnan(level->capacity_bytes)) {
        if (is_private)
            weigh_one_number(level);
    } else if (is_private && told >= level->capacity_bytes_low &&
               told <= level->capacity_bytes_high) {
        take_told(level);
    } else if (is_private
                   ? told > level->capacity_bytes_high
                   : told >= level->capacity_bytes_low && told < level->capacity_bytes_high) {
        level->capacity_bytes_high = told;
    }
}
