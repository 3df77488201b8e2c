/* The levels of memory as plateaus: how long a dependent load takes against how much memory is
   walked through. Capacities come out as intervals: with small pages in unknown places, a
   physically indexed cache loses lines before it is full, and one that others share is never the
   same size twice. */
#ifndef TRAINER_MEMORY_PLATEAUS_H
#define TRAINER_MEMORY_PLATEAUS_H

#include "trainer/caches/cache_probe.h"

enum { PLATEAUS_MOST = 8, WALKS_MOST = 192 };

/* One size that was walked through, a line after the other in a random order that stays within some
   pages for a while, so that translations are not missed. */
struct walked {
    double bytes, cycles; /* of a dependent load */
};

struct plateau {
    double cycles;
    double from_bytes;     /* the smallest size walked that lies on it */
    double fits_bytes;     /* the largest size walked that lies on it */
    double overflow_bytes; /* the smallest size at which the next level has taken over; INFINITY */
};

struct plateaus {
    struct walked walks[WALKS_MOST];
    size_t walk_count;
    struct plateau items[PLATEAUS_MOST];
    size_t count;
    double second_bytes; /* what the second cache holds, as other methods found it; 0: not known */
};

/* Walks through sizes up to bytes_most, a few an octave, as long as the probe has time, and finds
   the plateaus: runs of an octave at least over which the time hardly changes. line_bytes: distance
   of the loads. The last plateau is memory's where bytes_most is large enough; who calls knows. */
struct plateaus plateaus_find(struct cache_probe *probe, double bytes_most, double line_bytes);

/* Goes on from the largest size that was walked through. */
void plateaus_extend(struct cache_probe *probe, double bytes_most, double line_bytes,
                     struct plateaus *plateaus);

/* Walks once more through the sizes up to bytes_most that were walked through, and keeps of each
   the shorter time: disturbances only lengthen. */
void plateaus_again(struct cache_probe *probe, double bytes_most, double line_bytes,
                    struct plateaus *plateaus);

/* The plateaus of walks in ascending order of bytes; the second half of plateaus_find. Behind a
   second cache of which it is known what it holds, a level need not be a plateau: others may fill
   it so often that no octave of walks is even. Then its cycles are those of the walk that tells of
   it most surely, and fits_bytes what was held at least. */
void plateaus_of(struct plateaus *plateaus);

/* The same with what the second cache, that of the second plateau, holds. */
void plateaus_know_second(struct plateaus *plateaus, double bytes);

/* Whether the last plateau is memory's: the walks go far beyond the cache before it, and the
   longest of them still cost what it says. The last cache where others disturb it looks like a
   plateau too.
 */
bool plateaus_reach_memory(const struct plateaus *plateaus);

#endif
