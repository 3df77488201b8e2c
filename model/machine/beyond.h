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
};

struct beyond {
    double time_us, low_us, high_us; /* of the shape that foretells best, and of all that do */
    double last;                     /* participants at the count that they go on from */
    double error;                    /* how far that one is foretold by the best, as a logarithm */
    bool is_in_nodes;                /* those counts are of one node and of more */
};

/* False: no positive time was measured, or in nodes nothing beyond a node. The times are not
   bounded by the law here, except that no shape grows faster than law->grows. */
bool beyond_shapes(const struct beyond_question *question, struct beyond *beyond);

#endif
