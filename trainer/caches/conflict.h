/* Which lines fight for the ways of one cache set. Rests on two facts that hold for every
   replacement policy: w lines of one set in a cache of w ways all stay once they are in, and of
   w + 1 at least one misses in every lap. So a ring "is overfull" when its lap is longer than the
   quiet lap of as many lines that do not conflict, by half a miss at least. */
#ifndef TRAINER_CACHES_CONFLICT_H
#define TRAINER_CACHES_CONFLICT_H

#include "trainer/caches/cache_probe.h"

/* A lap of a number of lines that do not conflict; the deviation is between orders. */
struct quiet {
    double cycles, deviation;
    bool known;
};

/* The search at one level of the hierarchy. */
struct search {
    struct cache_probe *probe;
    void *state;       /* for the two functions */
    struct lines pool; /* owned; candidates, all in one set of the level above */
    /* Adds candidates until the pool has so many; false: there are no more. */
    bool (*supply)(struct search *search, size_t count);
    /* Measures a quiet lap of as many lines; lines: one such choice. */
    struct quiet (*measure_quiet)(struct search *search, const struct lines *lines);
    double miss_cycles; /* what a miss costs beyond a hit, at least */
    size_t patience; /* laps until a ring that fits has settled, at most; see cache_probe_settle */
    struct quiet *quiets; /* owned; by number of lines, as far as they were asked for */
    size_t quiets_room;
};

/* A minimal overfull ring: lines of one set, one more than it has ways. */
struct ring {
    struct lines lines;
};

void search_end(struct search *search);
void ring_free(struct ring *ring);

/* The quiet lap of as many lines. */
struct quiet search_quiet(struct search *search, const struct lines *lines);

/* Whether the lap of the lines is longer than quiet by more than half a miss. */
bool search_is_longer(struct search *search, const struct lines *lines, const struct quiet *quiet);
bool search_is_overfull(struct search *search, const struct lines *lines);

/* Finds a minimal overfull ring among the lines, from rings of at least `least` lines on. false:
   none was found, *ring is empty. */
bool search_ring(struct search *search, const struct lines *among, size_t least, struct ring *ring);

/* Raises miss_cycles to what the ring's lines cost beyond a quiet lap, each. */
void search_learn_miss(struct search *search, const struct ring *ring);

/* Tries how soon rings that fit settle, and lowers the patience accordingly. */
void search_learn_patience(struct search *search, const struct ring *ring);

/* Whether the line is of the ring's set: put in the place of one that is. */
bool search_belongs(struct search *search, const struct ring *ring, size_t line);

#endif
