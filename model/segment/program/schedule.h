/* The layouts of a candidate over the segments of a program, and where they change (rule
   "Redistribution"). Where the program repeats its segments each has the same layout every time. */
#ifndef MODEL_SEGMENT_PROGRAM_SCHEDULE_H
#define MODEL_SEGMENT_PROGRAM_SCHEDULE_H

#include "model/segment/program/layout.h"

/* Between two segments arrays are redistributed. */
struct change {
    size_t before; /* the number of the segment before which it happens; the count: after all */
    struct layout from, to;
    double times;       /* how often */
    struct place place; /* in the description */
    char name[80];      /* "redistribute before backward" */
};

struct schedule {
    double repeat; /* of all segments */
    size_t segment_count;
    struct layout *layouts; /* one a segment; owned */
    bool fill;              /* what is replicated at first is broadcast before */
    struct place place;     /* of the candidate */
    size_t change_count;
    struct change *changes; /* in the order of the program; where it repeats its segments and ends
                               otherwise than it began, last the way back; owned */
};

/* The layout before anything is redistributed. */
const struct layout *schedule_initial(const struct schedule *schedule);

/* Lays a candidate out for all segments. Errors are those of layout_make and
   program_repeat. Release with schedule_free. */
int schedule_make(struct schedule *schedule, const struct program *program,
                  const struct candidate *candidate, struct scope *scope, struct error *error);

void schedule_free(struct schedule *schedule);

#endif
