/* Turns that are alike: a step (i, j) of a factorisation needs what another needs whose owners and
   ranges are the same. What such turns move is derived once, and told once, with the times of all
   of them. */
#ifndef MODEL_SEGMENT_TRAFFIC_ALIKE_H
#define MODEL_SEGMENT_TRAFFIC_ALIKE_H

#include "model/base/lookup.h"
#include "model/segment/traffic/traffic.h"
#include "model/segment/traffic/turns.h"

/* What decides what a turn moves: owners of the elements that have one, ranges of the loops that
   run, and where neither tells, the values of loops themselves. */
enum { TURN_KEY_MOST = 64 };
struct turn_key {
    size_t count; /* more than TURN_KEY_MOST: there were too many numbers */
    double numbers[TURN_KEY_MOST];
};

/* Reads of an array that lies so, where home runs; home NULL: everywhere. matters: the loops whose
   values make a difference. Errors: those of bounds. */
int turn_key_make(struct turn_key *key, const struct reads *reads, const struct reference *home,
                  const struct array_layout *home_lies, const struct array_layout *lies,
                  const struct nest *nest, const struct turn *turn, const bool *matters,
                  struct error *error);

/* The owners of all elements that a value of the loop decides, as one number. False where the loop
   is not alone in a dimension, or there are too many owners to be told. */
bool turn_owners(const struct reads *reads, const struct reference *home,
                 const struct array_layout *home_lies, const struct array_layout *lies, int loop,
                 double value, double *owners);

/* Some of what a turn moves. */
struct moved {
    struct traffic traffic;
    struct reads reads;
    int grid_dimension; /* of a shift; else -1 */
};

/* Turns of one key. */
struct alike_turns {
    double times;        /* of all */
    struct moved *moved; /* in the order in which it came; owned */
    size_t moved_count;
};

enum { ALIKE_MOST = 8192 }; /* that are worth keeping */

/* Zeroed = empty. */
struct alike {
    struct lookup keys;
    struct alike_turns *turns; /* by numbers of keys; owned */
};

/* The turns of that key; *known: whether there were any. Borrowed until the next call. */
struct alike_turns *alike_find(struct alike *alike, const struct turn_key *key, bool *known);

void alike_add(struct alike_turns *turns, const struct traffic *traffic, const struct reads *reads,
               int grid_dimension);

/* Hands over what all turns of a struct alike moved. -1 with *error set, as the taker says. */
int alike_hand_over(const void *alike, const struct turn_taker *taker, struct error *error);

/* Makes it empty. */
void alike_free(struct alike *alike);

#endif
