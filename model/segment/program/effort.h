/* How many steps a derivation may still take: iterations that are gone through, blocks that are
   looked at. What a hostile description asks for ends, with a message, whatever its loops are. */
#ifndef MODEL_SEGMENT_PROGRAM_EFFORT_H
#define MODEL_SEGMENT_PROGRAM_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

/* About ten seconds of one processor. */
#define EFFORT_MOST 5e8

struct effort {
    double most, left;
};

/* Takes steps; false where there are none left, then and ever after. NULL: no limit. */
static inline bool effort_take(struct effort *effort, double steps)
{
    if (effort)
        effort->left -= steps;
    return !effort || effort->left >= 0.0;
}

/* All of it is there again. NULL: no limit. */
static inline void effort_begin(struct effort *effort)
{
    if (effort)
        effort->left = effort->most;
}

static inline bool effort_is_spent(const struct effort *effort)
{
    return effort && effort->left < 0.0;
}

#endif
