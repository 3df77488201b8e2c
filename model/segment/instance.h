/* The statements and calls of a segment in the order of the text, each with the loops about it and
   its references: what is derived from a segment before it lies on any processors. */
#ifndef MODEL_SEGMENT_INSTANCE_H
#define MODEL_SEGMENT_INSTANCE_H

#include "model/segment/coupling.h"
#include "model/segment/reference.h"

/* A statement where it stands. */
struct instance {
    const struct statement *statement; /* borrowed; NULL: a call */
    const struct call *call;           /* borrowed; NULL: a statement */
    struct nest nest;
    double probability; /* of the branches about it */
    bool has_writes, has_home;
    struct reference writes, home; /* home: where it runs, by D2; has_home false: everywhere */
    size_t read_count;
    struct reference reads[READS_MOST];
};

extern const struct record instance_record; /* instances own nothing */

/* Appends the instances of a segment. Errors are at the place of what is wrong. */
int instances_make(struct list *instances, const struct program *program,
                   const struct segment *segment, struct scope *scope, struct error *error);

#endif
