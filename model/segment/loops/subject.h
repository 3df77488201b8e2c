/* A program with values for its parameters: what is derived before anything is laid out. */
#ifndef MODEL_SEGMENT_LOOPS_SUBJECT_H
#define MODEL_SEGMENT_LOOPS_SUBJECT_H

#include "model/segment/loops/instance.h"

struct cutoff;
struct remembered;

struct subject {
    const struct program *program; /* borrowed */
    struct scope *scope;           /* borrowed: parameters, p and, where used, p0, p1, ... */
    struct list *instances;        /* of struct instance, one list a segment; owned */
    struct remembered *remembered; /* borrowed; what analyses keep for one another
                                      (traffic/remembered.h); NULL: nothing */
    const struct cutoff *cutoff;   /* borrowed; where analyses end (traffic/analysis.h); NULL: never
                                      before they are complete */
};

/* Derives. The subject must not be moved between scopes. Errors are at their place. Release with
   subject_free. */
int subject_make(struct subject *subject, const struct program *program, struct scope *scope,
                 struct error *error);

void subject_free(struct subject *subject);

#endif
