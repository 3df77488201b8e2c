/* Essential misses of a program in a cache: compulsory ones where lines are touched first, capacity
   ones where so much else is touched before they are used again that the cache has lost them
   (Abandah, IBM SP2, section 5.4.2). Of conflicts only those count that no replacement avoids:
   lines of one array that lie in fewer sets than would hold them. */
#ifndef MODEL_SEGMENT_MEMORY_MISSES_H
#define MODEL_SEGMENT_MEMORY_MISSES_H

#include "model/node/cache.h"
#include "model/segment/memory/loops.h"

/* Lines that a leaf misses in all its executions of one repetition of its segment: the very first
   one; each that follows on one before; and, where all segments are gone through once more, the
   first of that time, which finds what the others have left in the cache. A miss on an array that
   the leaf modifies is a store miss. */
struct pass_misses {
    struct lines first, later, again;
};

/* How many of a segment's repetitions are of each kind, where it is repeated so often each time of
   `all` that the segments are gone through. */
enum repetition { REPETITION_FIRST, REPETITION_AGAIN, REPETITION_LATER, REPETITIONS };
void repetitions_of(double times[REPETITIONS], double repeat, double all);

/* The lines that are missed in one of that kind. */
struct lines misses_in(const struct pass_misses *misses, enum repetition kind);

/* Fills misses, which has room for one a leaf of the program, by leaf number.

   Every level of the loops is looked at alone. In one iteration lines are touched that an earlier
   sibling, or the iteration before, has touched already; what lies between decides by equation 5.1
   how many of them the cache still holds. A loop about everything is case 1 of the recipe; several
   loops that use the same array are case 2. */
void misses_count(const struct loop_node *root, const struct program *program,
                  const struct cache *cache, struct pass_misses *misses);

#endif
