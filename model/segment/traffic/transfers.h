/* Which elements go from which processor to which, noted one after the other: for enumerations.
   Grid dimensions along which what runs does not follow an array, or the data does not lie, are not
   gone through until the end. */
#ifndef MODEL_SEGMENT_TRAFFIC_TRANSFERS_H
#define MODEL_SEGMENT_TRAFFIC_TRANSFERS_H

#include "model/base/keyed.h"
#include "model/segment/loops/spans.h"
#include "model/segment/loops/track.h"
#include "model/segment/traffic/traffic.h"

/* The coordinates of a processor that are known, as their shares of its number: all of them, and
   those of the grid dimensions along which both home and data lie. */
struct known_number {
    uint64_t all, shared;
};

struct transfers {
    const struct layout *layout;                             /* borrowed */
    bool by_home[DIMENSIONS_MOST], by_data[DIMENSIONS_MOST]; /* grid dimensions of either */
    uint64_t strides[DIMENSIONS_MOST];                       /* of processors' numbers */
    bool spreads;                     /* what one needs, others need with it */
    uint64_t elements;                /* they are numbered below this */
    struct number_set needs, sent;    /* owned, and so are: */
    struct keyed pairs, distinct;     /* elements by who runs, and who has; by who sends */
    struct spans run_needs, run_sent; /* the same as needs and sent, of runs; owned */
};

/* Elements first..last of a track, counted from the first of its range, which the others, `line`,
   have in common. data: without what the track adds. */
struct transfers_run {
    const struct track *track;
    uint64_t first, last, line;
    struct known_number data;
};

/* home: NULL: every processor runs. Elements are numbered below `elements`; with processors'
   numbers their product is less than 2^63. Release with transfers_free. */
struct transfers transfers_new(const struct layout *layout, const struct array_layout *home,
                               const struct array_layout *data, double elements);

/* Notes that a processor needs an element that stands for `weight` of them. False: there are too
   many to be noted. */
bool transfers_add(struct transfers *transfers, uint64_t element, const struct known_number *home,
                   const struct known_number *data, double weight);

/* The same of all elements of a run. What was noted one by one does not count as known, and the
   other way round: one transfers has either. False: or there is no effort left. */
bool transfers_add_run(struct transfers *transfers, const struct transfers_run *run,
                       const struct known_number *home, double weight, struct effort *effort);

/* What was noted as traffic. False: it takes more than is left of the effort. */
bool transfers_classify(const struct transfers *transfers, struct effort *effort,
                        struct traffic *traffic);

void transfers_free(struct transfers *transfers);

#endif
