/* Messages of several statements that are one: what the pieces of a loop that is split at an index
   read of the same neighbours, where nobody writes it in between. Of this folder alone. */
#ifndef MODEL_SEGMENT_TRAFFIC_TOGETHER_H
#define MODEL_SEGMENT_TRAFFIC_TOGETHER_H

#include "model/segment/traffic/message.h"
#include "model/segment/traffic/turns.h"

/* Of each message the number of the first that it may be sent with, its own if there is none:
   readers that assign elements of one array within the same loops outside, which are all alike to
   them, and read of one array what none since the first has written. */
void together_find(size_t *first, const struct list *messages, const struct layout *layout);

/* Takes the messages that are sent with that one. *done: false where they are not all shifts of
   loops without triangles, and nothing was taken. */
int together_take(const struct list *messages, const size_t *first, size_t number,
                  const struct layout *layout, const struct segment *segment,
                  const struct turn_taker *taker, bool *done, struct error *error);

#endif
