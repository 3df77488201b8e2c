/* What several reads need together (rule "Union of reads"): where nobody writes an array between
   two statements that read it, what the first message has brought need not be sent for the second.
 */
#ifndef MODEL_SEGMENT_TRAFFIC_SHARING_H
#define MODEL_SEGMENT_TRAFFIC_SHARING_H

#include "model/segment/traffic/message.h"

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
