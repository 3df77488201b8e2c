#include "model/segment/traffic/stretch.h"

#include <math.h>

/* The source of the turn so many further; false: it is not known. */
static bool source_at(const struct stretch *it, const struct turn *turn, double further,
                      struct sole_source *source)
{
    const struct nest *nest = &it->message->reader->nest;
    struct turn other = *turn;
    struct home home;
    struct error unnoted;
    other.at[0] += further;
    for (int l = 1; l < nest->depth; l++)
        if (nest_range(nest, l, other.at, &other.ranges[l], &unnoted) != 0)
            return false;
    return home_of(&home, it->message->home, it->layout, nest->program, other.fixed, other.at) &&
           sole_source_find(source, &it->message->reads, &home, it->lies, &other);
}

/* The next turn first: bounds that are whole at both are whole at all. Then twice as many, as long
   as that is certain, and at last half of those that may be left. */
double stretch_find(const struct stretch *it, const struct turn *turn,
                    const struct sole_source *source, struct sole_source *last)
{
    const double most = it->last - turn->at[0];
    double further = 0.0, too_far = most + 1.0;
    for (double next = 1.0; further + 1.0 < too_far;) {
        struct sole_source there;
        if (source_at(it, turn, next, &there) && sole_source_is_even(source, &there, it->lies)) {
            further = next;
            *last = there;
        } else {
            too_far = next;
        }
        next = too_far > most ? fmin(2.0 * next, most) : floor((further + too_far) / 2.0);
    }
    return further;
}
