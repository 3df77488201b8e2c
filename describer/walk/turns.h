/* Iterations that processes take in turn: k % p == rank, k / b == rank, k == rank. */
#ifndef DESCRIBER_WALK_TURNS_H
#define DESCRIBER_WALK_TURNS_H

#include "describer/walk/evaluate.h"

/* floor(dividend / width) mod period, where the dividend has the index of a loop: as long as nobody
   needs the number, the loop is not split where a period ends. */
struct turn {
    polynomial dividend;
    polynomial width;  /* NULL: 1 */
    polynomial period; /* NULL: there is no remainder */
};

/* An unknown value that is such a number; `width` or `period` may be NULL. */
struct value turn_value(struct describer *describer, polynomial dividend, polynomial width,
                        polynomial period);

/* The value as the number that it is, where it is a turn; splits the loop. */
struct value turn_settled(struct describer *describer, struct value value);

/* A comparison of a turn with the process's own number; false: it is none. */
bool turn_compared(struct describer *describer, enum operation operation, const struct value *a,
                   const struct value *b, enum truth *truth);

/* Notes for the condition under way that it holds for the process whose turn it is. */
void turn_note(struct asked *asked, const struct turn *turn, bool is_equality);

/* The share of the iterations that is the turn of the process which has most of them, where all
   turns of the condition have one; NULL: it is not known. *alone: the share of those that are the
   turn of any process. */
const char *turn_share(struct describer *describer, const struct asked *asked, const char **alone);

#endif
