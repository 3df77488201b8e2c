/* Ways that processes take by which one they are. */
#ifndef DESCRIBER_WALK_BY_RANK_H
#define DESCRIBER_WALK_BY_RANK_H

#include "describer/walk/evaluate.h"

/* Goes the way that computes most, for a program takes as long as its slowest process; told is the
   one (1 or 2) of a process in the middle. */
void by_rank_take(struct describer *describer, const struct syntax *syntax,
                  const struct asked *asked, int told);

/* Whether it computes in a loop. */
bool by_rank_computes(struct describer *describer, const struct syntax *way);

/* Whether one of the ways of a branch does. */
bool by_rank_is_long(struct describer *describer, const struct syntax *branch);

/* Of two numbers of which each process has one: the second one, which a process in the middle has,
   unless the other, which these processes have, is so much larger that it matters; then a remark
   says so, unless the variable (or NULL) is sent to all. */
struct value by_rank_larger(struct describer *describer, struct value other,
                            const struct processes *others, struct value told,
                            const struct declaration *to, struct place place);

/* Notes that what stands there is counted as that process does it. A remark says where two that
   differ are added up though nothing lets one wait for the other. */
void by_rank_count(struct describer *describer, polynomial process, struct place place);

#endif
