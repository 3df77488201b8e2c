/* Which lines drive one another out of the second level of cache. One line is timed, the victim: a
   set of lines that drives it out is made smaller by testing groups (Vila, Koepf, Morales: Theory
   and Practice of Finding Eviction Sets, 2019), until all that is left is of the victim's set.
   Nothing is assumed of how sets are chosen, of pages, or of physical addresses. */
#ifndef TRAINER_CACHES_EVICTION_H
#define TRAINER_CACHES_EVICTION_H

#include "trainer/caches/geometry.h"

/* What is known of the levels by then: cycles of a dependent load that hits each. */
struct eviction_levels {
    const struct cache_found *first;
    double second_cycles, beyond_cycles;
};

/* A set of the second level. */
struct eviction {
    struct cache_probe *probe;
    struct eviction_levels levels;
    double share;                      /* of the rounds in which a set drives its victim out */
    size_t stride_bytes, offset_bytes; /* candidates lie so, all in one set of the first level */
    size_t arena_bytes;                /* among which they are chosen */
    struct lines pool;                 /* owned; the candidates, on pages at random */
    struct lines members;              /* owned; lines of one set, the victim first */
    struct lines flush; /* owned; of that set of the first level too: drive everything else out of
                           it. Some may be of the members' set */
    double base_cycles; /* of a timed load, beyond what it takes: of the clock itself */
    double hit_cycles, miss_cycles; /* of a timed load that hits, and what a miss adds */
};

/* Finds lines of a victim's set that drive it out in that share of all rounds at least: nearly
   always as many as it has ways where the oldest line goes; elsewhere the fewer, the smaller the
   share is. NULL, or the reason why it could not be done. Release with eviction_end in
   any case. */
const char *eviction_find(struct cache_probe *probe, const struct eviction_levels *levels,
                          double share, struct eviction *eviction);
void eviction_end(struct eviction *eviction);

/* What happens before lines are timed. */
struct drive {
    const struct lines
        *lines;         /* gone through, each time out of the first level again; NULL: none */
    size_t passes;      /* so many times; 0: as many as drive out what can be */
    double wait_cycles; /* passed in idleness after that */
};

/* Goes through the lines in so many orders, until stale ones have left their sets: with
   SETTLE_ORDERS surely, and with SETTLE_AGAIN where one or two had come in. */
enum { SETTLE_ORDERS = 16, SETTLE_AGAIN = 3 };
void eviction_settle(struct eviction *eviction, const struct lines *lines, int orders);

/* Cycles of a lap through the timed lines, after what drives, which has none of them, and one
   through the flush: the mean of many samples but for an eighth at either end. */
double eviction_cycles(struct eviction *eviction, const struct drive *drive,
                       const struct lines *timed);

/* Whether that is more than so many cycles: from as few samples as are enough to tell. */
bool eviction_is_above(struct eviction *eviction, const struct drive *drive,
                       const struct lines *timed, double cycles);

#endif
