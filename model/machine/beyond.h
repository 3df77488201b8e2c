/* What a utility takes among more processors than it was measured among, as the times at the
   measured counts grow: each of a few shapes that its messages can have is tried at the last
   measured count with those before it, and those that foretell that one answer. */
#ifndef MODEL_MACHINE_BEYOND_H
#define MODEL_MACHINE_BEYOND_H

#include "model/cost/cost.h"
#include "model/cost/pattern.h"

struct beyond_question {
    const struct cost *cost;        /* with by_processors */
    const struct interval_law *law; /* of its messages; NULL: none is known */
    double bytes;                   /* at least 0 */
    double participants;            /* beyond the last measured count */
    double error_least;             /* relative, of what was measured */
    double near;                    /* participants of a node; NAN: there are no nodes */
    bool goes_round;                /* farther numbers may be nearer, as on a torus (farther.h) */
};

struct beyond {
    double time_us, low_us, high_us; /* of the shape that foretells best, and of all that do */
    double last;                     /* participants at the count that they go on from */
    double error;                    /* how far that one is foretold by the best, as a logarithm */
    bool is_in_nodes;                /* those counts are of one node and of more */
    bool may_fall;                   /* below the time at that count */
};

/* False: no positive time was measured, or in nodes nothing beyond a node. The times are not
   bounded by the law here, except that no shape grows faster than law->grows. */
bool beyond_shapes(const struct beyond_question *question, struct beyond *beyond);

/* By the messages that leave a node, from a measured count of more than one node on; false: they
   are not known, or none left it there, or fewer do than did. */
bool beyond_leaving(const struct beyond_question *question, double last, struct beyond *beyond);

#endif
