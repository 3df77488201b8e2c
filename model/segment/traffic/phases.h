/* Phases: statements of a segment between which nobody waits. A processor that has little of the
   one goes on with the next, so that the busiest of their sum counts, and not the sum of the
   busiest: the pieces of a loop that is split at an index, both arms of a condition on the index,
   statements of one body that run where they write. Of this folder alone. */
#ifndef MODEL_SEGMENT_TRAFFIC_PHASES_H
#define MODEL_SEGMENT_TRAFFIC_PHASES_H

#include "model/segment/loops/work.h"
#include "model/segment/traffic/analysis.h"
#include "model/segment/traffic/message.h"

/* What phases are made of: all borrowed. */
struct phase_finding {
    const struct list *instances; /* of struct instance */
    const struct list *messages;  /* whose `moves` are known */
    const bool *sends_result;     /* by instance: others wait for what it has computed */
    const struct waits *waits;    /* by instance: its loops that wait for messages */
    const struct layout *layout;
};

/* Numbers the phases of the work, which is that of the instances that are statements, in their
   order; and tells of each processor what it executes where it makes a difference. */
void phases_find(struct list *work, const struct phase_finding *finding);

#endif
