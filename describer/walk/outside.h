/* What lies outside the segments: it says what variables are, and how often segments run. */
#ifndef DESCRIBER_WALK_OUTSIDE_H
#define DESCRIBER_WALK_OUTSIDE_H

#include "describer/walk/evaluate.h"

/* Goes through a statement outside all segments, and into the segments within it. Returns whether
   that is all: otherwise it is executed as if it were inside. */
bool outside_execute(struct describer *describer, const struct syntax *syntax);

/* Goes through the calls in an expression that are described; returns whether there are any. */
bool outside_calls(struct describer *describer, const struct syntax *syntax);

/* Goes through the source: every function with a segment in it. */
void outside_run(struct describer *describer);

/* Goes through the statements of a function up to the one in which the call stands, so that whole
   numbers and members of records are what they are there. Arrays are left as they were: they are
   called as the function that is called calls them. */
void outside_walk_until(struct describer *describer, const struct syntax *body,
                        const struct syntax *call);

#endif
