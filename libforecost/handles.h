/* What the handles hold that more than one file asks. */
#ifndef LIBFORECOST_HANDLES_H
#define LIBFORECOST_HANDLES_H

#include "forecast/predict/segment_prediction.h"
#include "libforecost/forecost.h"
#include "model/machine/machine.h"
#include "model/segment/program/program.h"

struct forecost_machine {
    struct machine table;
};

struct forecost_program {
    struct program description;
};

/* A program that nobody else looks at: what an analysis spends is its own, so that threads may
   share the handle. It borrows everything else, and must not be released. */
struct program_view {
    struct program program;
    struct effort effort;
};
void program_view_begin(struct program_view *view, const struct forecost_program *program);

/* The times of a prediction; texts are copied, and released with times_free. */
struct forecost_times times_of(const struct segment_prediction *segment);
void times_free(const struct forecost_times *times);

#endif
