/* Conditions on a remainder, (i + j) % 2 == 0, and loops that begin at one: every k-th iteration.
 */
#ifndef DESCRIBER_WALK_COLOURS_H
#define DESCRIBER_WALK_COLOURS_H

#include "describer/walk/evaluate.h"

/* The iterations for which value mod modulus is 0. */
struct colour {
    polynomial value;
    double modulus;
};

/* Reads such a condition. IS_DATA: *colour says for which iterations it holds (is_other: for all
   others); IS_TRUE, IS_FALSE: for all or none; IS_UNDECIDED: it is no such condition. */
enum truth colour_read(struct describer *describer, const struct syntax *condition,
                       struct colour *colour, bool *is_other);

/* The same of where a loop begins: FIRST + E % k or FIRST - E % k. *first: the least value. */
bool colour_of_first(struct describer *describer, const struct syntax *initial, polynomial *first,
                     struct colour *colour);

/* Says that elements are read, and sent, that no iteration of the colour needs. */
void colour_remark(struct describer *describer, const struct colour *colour, struct place place);

/* Which share of the iterations that come here has the colour, as an expression. */
const char *colour_share(struct describer *describer, const struct colour *colour);

/* The iterations of other colours than these (`up` and so on, of the same modulus): an `else`. */
struct without {
    const struct colour *colour;
    const char *left; /* which share of all they are */
    const struct without *up;
};
struct without colour_without(struct describer *describer, const struct colour *colour);

/* Whether what a statement of a colour assigns in another iteration is never the element that it
   reads: that has another colour, or is the one that it assigns itself. */
bool colour_differs(struct describer *describer, const struct statement *statement,
                    const struct reference *read);

/* ---- iterations that processes take in turn: k % p == rank, k / b == rank, k == rank ---- */

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
