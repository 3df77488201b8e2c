/* Stretches of turns: consecutive steps of an elimination, which send to as many processors, a few
   elements fewer each time. The first and the last of them tell of all. */
#ifndef MODEL_SEGMENT_TRAFFIC_STRETCH_H
#define MODEL_SEGMENT_TRAFFIC_STRETCH_H

#include "model/segment/loops/sole_source.h"
#include "model/segment/traffic/message.h"

/* Of the turns of a message that is sent within one loop, which bounds and subscripts follow
   evenly. */
struct stretch {
    const struct message *message; /* borrowed */
    const struct layout *layout;   /* borrowed */
    const struct array_layout *lies;
    double last; /* value of the loop */
};

/* How many turns after this one are told by it, whose source is given, and by the last of them: the
   source of that is put into *last where there is any. */
double stretch_find(const struct stretch *stretch, const struct turn *turn,
                    const struct sole_source *source, struct sole_source *last);

#endif
