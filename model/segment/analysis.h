/* What a segment costs in units that no machine has touched yet: how often the busiest processor
   executes each statement, and which utilities are used how often, with which sizes. Derived from
   the references and the partitioning, per dimension, never by enumerating elements (rules D2, D4,
   D9, D10 of the segment language). */
#ifndef MODEL_SEGMENT_ANALYSIS_H
#define MODEL_SEGMENT_ANALYSIS_H

#include "model/segment/layout.h"
#include "model/segment/reference.h"

/* The work of one statement, for one repetition of the segment. */
struct work {
    const struct statement *statement;       /* borrowed */
    double iterations_most, iterations_mean; /* over processors */
};

enum demand_kind {
    DEMAND_SHIFT,   /* neighbours along a grid dimension need one another's boundary */
    DEMAND_COMBINE, /* partial results of a group are combined */
    DEMAND_CALL     /* written in the description */
};

/* One use of communication, for one repetition of the segment. */
struct demand {
    enum demand_kind kind;
    char cause[120];     /* "u[i-1][j], u[i+1][j] along grid dimension 0" */
    double times;        /* partners of the busiest processor of a shift; else 1 */
    double bytes;        /* the largest message */
    double processors;   /* of the group */
    bool both_ways;      /* a shift in which some processor sends and receives */
    const char *utility; /* of a DEMAND_CALL; borrowed */
    struct place place;
};

extern const struct record demand_record; /* for list_add; demands own nothing */

struct analysis {
    double repeat;
    struct list work;    /* of struct work */
    struct list demands; /* of struct demand */
};

/* Analyses a segment of the program under a layout. Errors are at the place of what cannot be
   derived. Release with analysis_free. */
int analysis_make(struct analysis *analysis, const struct program *program,
                  const struct segment *segment, const struct layout *layout, struct scope *scope,
                  struct error *error);

void analysis_free(struct analysis *analysis);

#endif
