/* What the structure of a communication pattern bounds: how many messages it takes one after the
   other among p participants, at least and at most. */
#ifndef MODEL_COST_INTERVAL_H
#define MODEL_COST_INTERVAL_H

#include "model/cost/basis.h"

/* A pattern among p takes at least `least` messages one after the other, and at least as long as
   the bytes of `least_volume` messages; at most `most` messages and the bytes of `more_volume`
   besides, or, where a library may send pieces around a ring, `rings` times that. p: participants,
   at least 2. */
struct interval_law {
    double (*least)(double p), (*least_volume)(double p);
    double (*most)(double p), (*more_volume)(double p);
    double rings;
    enum growth grows; /* with p: no faster than its messages, or what they share, do */
};

extern const struct interval_law law_one_message;     /* the same among any */
extern const struct interval_law law_each_other;      /* one to all others, all at once */
extern const struct interval_law law_in_turn;         /* all others to one, one after the other */
extern const struct interval_law law_library_tree;    /* a tree or a ring, as the library likes */
extern const struct interval_law law_binomial_tree;   /* in ceil(log2 p) stages */
extern const struct interval_law law_binary_tree;     /* the second child waits for the first */
extern const struct interval_law law_binary_in_parts; /* the same in pieces, one behind another */
extern const struct interval_law law_combination;     /* in and out again */
extern const struct interval_law law_barrier;
extern const struct interval_law law_neighbours;      /* on a line */
extern const struct interval_law law_grid_neighbours; /* on the grid nearest to a square */
extern const struct interval_law law_box_neighbours;  /* in the box nearest to a cube */
extern const struct interval_law law_pairs;           /* all at once over what they share */
extern const struct interval_law law_shares;          /* reduced, and a part of it to each */
extern const struct interval_law law_stages;          /* all shift, p - 1 times */
extern const struct interval_law law_not_known;       /* nothing bounds it: least is NULL */

#endif
