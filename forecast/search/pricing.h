/* What segments, or parts of them, take as a space is laid out; what moving arrays and filling them
   takes. */
#ifndef FORECAST_SEARCH_PRICING_H
#define FORECAST_SEARCH_PRICING_H

#include "forecast/search/deadline.h"
#include "forecast/search/limit.h"
#include "forecast/search/node_times.h"
#include "forecast/search/space.h"
#include "model/segment/traffic/remembered.h"

struct pricing {
    struct space *space;
    struct study *study;          /* derived for the space's grid */
    struct deadline deadline;     /* after it nothing is predicted */
    struct limit *limit;          /* what takes longer need not be known: INFINITY; borrowed, NULL:
                                     everything is. Only where what arrays add is no less than
                                     nothing: replicated, those that are written may take longer */
    bool skips_equals;            /* choices that are not the first of their equals (space.h) are
                                     not priced: INFINITY */
    bool late;                    /* something was not, for that: INFINITY */
    double predictions;           /* that were made */
    double failures;              /* that could not be made: INFINITY */
    struct error first;           /* the first failure; only where there are some */
    struct node_times node_times; /* where misses depend on the layout; owned */
    struct remembered remembered; /* of earlier predictions; owned */
    bool is_bare_made;            /* the following is; owned */
    struct computing bare;        /* without misses, whatever the layout: no more than with them */
};

/* What a segment, or some of its statements, take as the space is laid out now. */
struct price {
    double us, compute_us;
    double mean_us; /* of computation, over processors */
    bool waits;     /* for messages, in its loops */
};

/* Whether there is no time for one prediction more; then `late` is set. */
bool pricing_is_late(struct pricing *pricing);

/* The segment. */
struct price price_segment(struct pricing *pricing, size_t segment);

/* Of those statements of the segment alone that the subject has; without lines that miss where
   these are derived. */
struct price price_part(struct pricing *pricing, const struct subject *subject, size_t segment);

/* Marks, by leader, what decides where the statements run, what is written, what is read. */
void segment_leaders(const struct list *instances, const struct space *space, bool *decides,
                     bool *writes, bool *reads);

/* Whether lines that miss are derived, which depend on the whole layout. */
bool pricing_derives_misses(const struct pricing *pricing);

/* Every array as its first option has it. */
void replicate_all(struct space *space);

void pricing_free(struct pricing *pricing);

/* What a choice takes of all leaders. */
double segment_price(struct pricing *pricing, size_t segment, const size_t *choice);

/* What broadcasting takes, before the program begins, of what one leader's option replicates.
   given: of the program's arrays, those that need it. */
double fill_us(struct pricing *pricing, size_t leader, size_t option, const bool *given);

/* What moving one leader's arrays from one option to another takes; INFINITY: not known. */
double move_us(struct pricing *pricing, size_t leader, size_t from, size_t to);

#endif
