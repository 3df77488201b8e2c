/* What several reads need together (rule "Union of reads"): where nobody writes an array between
   two statements that read it, what the first message has brought need not be sent for the second.
 */
#ifndef MODEL_SEGMENT_TRAFFIC_SHARING_H
#define MODEL_SEGMENT_TRAFFIC_SHARING_H

#include "model/segment/traffic/message.h"

/* One message for several: that of them which brings what all need; or, where they are the pieces
   of a loop that is split at an index, that of the loop in one piece. */
struct sharing {
    struct message message;
    struct instance whole; /* where they are pieces: the reader in the loop in one piece */
    bool are_pieces;
};

/* Finds what the message shares with later ones, for which `with` becomes its number. with: of each
   message its own number, where it is still to be sent; others take no part. */
void sharing_find(struct sharing *sharing, struct list *messages, size_t number, size_t *with,
                  const struct layout *layout);

#endif
