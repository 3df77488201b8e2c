/* Traffic of turns that were seen before: the step k of an elimination and the step k + 1 often
   send from and to the same processors, only fewer elements. What differs by no more than how far a
   dimension goes that lies whole on every processor need not be classified again. */
#ifndef MODEL_SEGMENT_TRAFFIC_RECALL_H
#define MODEL_SEGMENT_TRAFFIC_RECALL_H

#include "model/segment/traffic/traffic.h"

enum { RECALL_SLOTS = 64 };

/* Of the turns of one message; begun zeroed. */
struct recall {
    struct known {
        struct needs needs; /* owned */
        struct traffic traffic;
    } * slots[RECALL_SLOTS]; /* owned; NULL: nothing yet */
};

/* What traffic_of would say. Takes the needs over. */
struct traffic recall_traffic(struct recall *recall, struct needs *needs, const struct array *array,
                              const struct array_layout *lies);

void recall_free(struct recall *recall);

#endif
