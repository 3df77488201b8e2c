/* The turns of a message (rule "Turns"): what it moves each time that it is sent. Loops that carry
   a dependence have one turn for each value of their index; where none does, all owners of the data
   run through their own values of it together. Loops that change nothing are counted. */
#ifndef MODEL_SEGMENT_TRAFFIC_TURNS_H
#define MODEL_SEGMENT_TRAFFIC_TURNS_H

#include "model/segment/traffic/message.h"
#include "model/segment/traffic/traffic.h"

enum { TURNS_MOST = 2000000 };

struct turn_taker;

/* Hands over what turns have moved so far. */
typedef int turns_moved(const void *turns, const struct turn_taker *taker, struct error *error);

/* What is to be done with the traffic of a turn that happens `times`; grid_dimension: of a shift;
   else -1. reads: those that cause it. is_enough (NULL: it never is) is asked now and then whether
   the turns may end, which is an error then. */
struct turn_taker {
    int (*take)(void *taker, const struct traffic *traffic, const struct reads *reads,
                int grid_dimension, double times, struct error *error);
    void *taker;
    bool (*is_enough)(void *taker, turns_moved *moved, const void *turns);
};

/* Takes all turns, sent as the segment says. Errors: what cannot be enumerated, more than
   TURNS_MOST turns. *enumerated: whether loops were coupled, so that elements were counted one by
   one. */
int turns_take(const struct message *message, const struct layout *layout,
               const struct segment *segment, const struct turn_taker *taker, bool *enumerated,
               struct error *error);

/* Where each element goes alone (rule "Single elements"): partners are the elements that one
   processor sends or receives, the most. */
int turns_single(const struct message *message, const struct layout *layout,
                 struct traffic *traffic, bool *enumerated, struct error *error);

/* together.c: messages of several statements that are one: what the pieces of a loop that is split
   at an index read of the same neighbours, where nobody writes it in between. */

/* Of each message the number of the first that it may be sent with, its own if there is none:
   readers that assign elements of one array within the same loops outside, which are all alike to
   them, and read of one array what none since the first has written. */
void together_find(size_t *first, const struct list *messages, const struct layout *layout);

/* Takes the messages that are sent with that one. *done: false where they are not all shifts of
   loops without triangles, and nothing was taken. taker NULL: that alone is asked. */
int together_take(const struct list *messages, const size_t *first, size_t number,
                  const struct layout *layout, const struct segment *segment,
                  const struct turn_taker *taker, bool *done, struct error *error);

/* sharing.c: what several reads need together (rule "Union of reads"): where nobody writes an array
   between two statements that read it, what the first message has brought need not be sent for the
   second. */

/* One message for several: that of them which brings what all need; or, where they are the pieces
   of a loop that is split at an index, that of the loop in one piece. */
struct sharing {
    size_t with; /* number of the first message that it is sent with; its own: of itself */
    struct message message;
    struct instance *whole; /* the reader in the loop in one piece, or NULL; owned */
};

/* Finds which messages share, by their numbers; take_part: whether a message may. Release with
   sharings_free. */
struct sharing *sharings_find(struct list *messages, const bool *take_part,
                              const struct layout *layout);
/* Whether what a read needs may have been brought for an earlier statement, whatever the layout:
   one of another nest, which reads the array too. */
bool sharing_is_possible(const struct list *instances, size_t number, size_t read);

void sharings_free(struct sharing *sharings, size_t count);

#endif
