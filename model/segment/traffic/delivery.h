/* What stages of a pipeline have delivered (doc/segment-description.md, rules "Placement" and
   "Pipelines"): where `u[j][i-1]` travels along a wave, `u[j-1][i-1]` has come with the strip of an
   earlier value of j, or of the same, and is no message. */
#ifndef MODEL_SEGMENT_TRAFFIC_DELIVERY_H
#define MODEL_SEGMENT_TRAFFIC_DELIVERY_H

#include "model/segment/traffic/message.h"

/* Drops the reads of message `number` that those messages deliver which are pipelined: what is left
   to send, perhaps nothing. At the rim of the loops, where no stage has written what is read, it is
   taken to travel with the first strip. */
void delivery_drop(struct list *messages, size_t number, const struct layout *layout);

#endif
