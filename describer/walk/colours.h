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

#endif
