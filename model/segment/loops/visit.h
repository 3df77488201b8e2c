/* Which iterations an enumeration has to go through: those of loops that make a difference, and of
   values that are alike one for all. */
#ifndef MODEL_SEGMENT_LOOPS_VISIT_H
#define MODEL_SEGMENT_LOOPS_VISIT_H

#include "model/segment/loops/needs.h"

/* A loop that moves along one dimension of home, or of the data, or of both, and whose bounds are
   its own: of its values those that have the same owners are alike, and one stands for them. */
struct stops {
    size_t count; /* 0: there are none, every value is its own */
    struct stop {
        double value, weight;
    } * items; /* owned */
};

/* A loop that home alone follows, if anything does, and whose values reach the fewer iterations of
   inner loops the later, or the earlier, they come: of values that have the same owner the first,
   or the last, reaches all that the others do. */
struct lead {
    enum { LEAD_NONE, LEAD_FIRST, LEAD_LAST } by;
    int dimension; /* of home, whose owners tell values apart; -1: none does */
};

/* Begun with what is borrowed set, and all else zeroed. */
struct visit {
    const struct reads *reads;    /* borrowed, and so are: */
    const struct reference *home; /* NULL: every processor executes */
    const struct nest *nest;
    const struct turn *turn;
    const struct array_layout *home_lies, *data_lies;
    struct range ranges[LOOPS_MOST]; /* the box about the iterations */
    bool matters[LOOPS_MOST];        /* the loop is named by a reference, or by a bound */
    struct stops stops[LOOPS_MOST];
    struct lead leads[LOOPS_MOST]; /* where there are no stops */
};

/* Errors: those of bounds. Release with visit_free, whatever it returns. */
int visit_prepare(struct visit *visit, struct error *error);

/* How many iterations the box has. */
double visit_iterations(const struct visit *visit);

void visit_free(struct visit *visit);

#endif
