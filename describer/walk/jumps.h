/* Statements that leave a loop, or an iteration of it: break, continue, return. */
#ifndef DESCRIBER_WALK_JUMPS_H
#define DESCRIBER_WALK_JUMPS_H

#include "describer/walk/evaluate.h"

/* A loop begins, or a function: returns what holds of the loop around it. */
struct jumping jumping_enter(struct describer *describer, bool is_loop);
void jumping_leave(struct describer *describer, const struct jumping *outside);

/* Behind the body: `continue` has done its work. Returns whether the iteration leaves the loop. */
bool jumping_behind_body(struct describer *describer);

/* break or continue; false: it is another jump. */
bool jump_execute(struct describer *describer, const struct syntax *syntax);

/* Whether the statement may leave the loop around it, or an iteration. */
bool jump_within(const struct syntax *syntax);

/* Whether the statement has a `continue` that belongs to the loop around it. */
bool jump_continues(const struct syntax *syntax);

/* The way of an `if` (1 or 2) that always leaves the loop around it; 0: none. */
int jump_leaving_way(const struct describer *describer, const struct syntax *syntax);

/* An `if` with what follows it in its block, from number `next` on, at the end of each of its ways:
   then a `continue` in one of them leaves out nothing else. */
const struct syntax *jump_with_rest(struct describer *describer, const struct syntax *syntax,
                                    const struct syntax *block, int next);

#endif
