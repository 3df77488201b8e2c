/* What a statement writes where it does not run: results travel from the processors that have them
   to all that own a copy. */
#ifndef MODEL_SEGMENT_TRAFFIC_WRITEBACK_H
#define MODEL_SEGMENT_TRAFFIC_WRITEBACK_H

#include "model/segment/traffic/message.h"

/* The results of a statement as a message that the owners of what it writes receive. */
struct writeback {
    struct message message;
    struct reference result;  /* by the loops of `writes` */
    struct array_layout lies; /* where the results are when the statement has run */
};

/* Derives it for an instance that writes and has a home of its own, or reduces. The writeback must
   not be moved. False where loops are coupled. */
bool writeback_make(struct writeback *writeback, const struct instance *instance,
                    const struct layout *layout);

#endif
