/* A pipeline (rule "Pipelines") as a program runs it: strip after strip from the processor before,
   through the statements, to the processor behind. */
#ifndef TRAINER_REHEARSAL_FLOW_H
#define TRAINER_REHEARSAL_FLOW_H

#include "model/segment/traffic/pipeline.h"
#include "trainer/rehearsal/deadline.h"
#include "trainer/rehearsal/proxy_kernel.h"
#include "trainer/rehearsal/stamp.h"
#include "trainer/rehearsal/subcommunicators.h"

struct flow {
    const struct pipeline *pipeline;               /* borrowed */
    const struct subcommunicator *subcommunicator; /* of active x across ranks */
    int number;     /* of the pipeline: whose statements go through */
    double width;   /* of a strip, in values of the strips' loop */
    char *out, *in; /* owned */
};

/* Every rank. NULL, or why it cannot be rehearsed. Release with flow_free. */
const char *flow_make(struct flow *flow, struct subcommunicators *subcommunicators,
                      const struct pipeline *pipeline, int number, double bytes_most);
void flow_free(struct flow *flow);

/* Every rank: one run. It ends early where the deadline has passed: whoever sees it while ranks may
   agree (deadline.h) sends word of the end in place of the next strip, so that none waits. */
void flow_run(struct flow *flow, const struct proxy_kernels *proxy_kernels,
              struct deadline *deadline, struct stamps *stamps);

/* Every rank: the width as told, or of some the one whose run is the shortest. */
void flow_choose_width(struct flow *flow, const struct proxy_kernels *proxy_kernels,
                       struct deadline *deadline);

/* Every rank: whether all strips of one run arrive as they were sent, on this rank. */
bool flow_check(struct flow *flow, struct deadline *deadline);

#endif
