/* One broadcast after another, each until the last has received it, as processor 0 times them.

   Clocks of two processors cannot be compared, a barrier releases the root early, and broadcasts
   repeated from one root overlap. The report lets the processor that received last be the next
   root. Which is the last one depends on the algorithm, the length, and on who is near whom, and a
   broadcast back from it may end elsewhere. So the last one tells processor 0 with an empty message
   that it has everything, and what an empty message between the two takes is left out of the time
   (de Supinski and Karonis). Who is the last is asked before each length: all tell, and a few of
   the latest are tried one by one. Processor 0's clock alone is read, and nothing overlaps.

   Where another processor is the root, processor 0 tells it to begin, and that message is left out
   too. */
#ifndef TRAINER_UTILITIES_COURSE_H
#define TRAINER_UTILITIES_COURSE_H

#include "broadcast/algorithm.h"
#include "trainer/utilities/utility.h"

/* Roots of one utility. */
enum { COURSE_ROOTS_MOST = 3 };

/* A broadcast from one root, as processor 0 times it. */
struct course {
    int root, last;
    double empty_s; /* of the messages that begin and end it */
};

struct courses {
    const struct tree *tree; /* NULL: the library's broadcast */
    int part_bytes, count;
    struct course each[COURSE_ROOTS_MOST];
};

/* The broadcast alone. */
void course_broadcast(const struct site *site, const struct courses *of, int root);

/* From processor 0's word to the root until the last one's word to processor 0. */
void course_run(const struct site *site, const struct courses *of, const struct course *course);

/* The word of the last one of a course to processor 0; nothing where it is processor 0. */
void course_done(const struct site *site, const struct course *course);

/* Who is the last of a broadcast from course->root, and what the empty messages take; the same on
   all processors, which must all call it. */
void course_find_last(const struct site *site, const struct courses *of, struct course *course);

#endif
