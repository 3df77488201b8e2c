/* When a rehearsal has to end, inside a repetition too. What computes looks at the clock of its own
   rank and leaves the rest undone; what communicates goes on until all ranks have agreed. */
#ifndef TRAINER_REHEARSAL_DEADLINE_H
#define TRAINER_REHEARSAL_DEADLINE_H

#include "trainer/rehearsal/element_walk.h"

#include <stdbool.h>

/* That the time is over; 128 + its number: that a signal came. */
enum { DEADLINE_OVER = 1 };

struct deadline {
    double end_s; /* by clock_s */
    bool agrees;  /* nothing is timed now: all ranks may agree between two messages */
    int seen;     /* by this rank: 0, or why it has to end */
    int over;     /* the same as all ranks have agreed */
};

/* Whether this rank has to end. */
bool deadline_seen(struct deadline *deadline);

/* Every rank: what any of them has seen. None is seen without a deadline (NULL), as below. */
int deadline_agree(struct deadline *deadline);

/* Whether the ranks have agreed that it is over, and whether they may agree now. */
bool deadline_is_over(const struct deadline *deadline);
bool deadline_agrees(const struct deadline *deadline);

/* walk_parts, as far as there is time: after it nothing is done at all. */
void deadline_walk(struct deadline *deadline, struct walk *walk, double first, double end,
                   long from, long to);

#endif
